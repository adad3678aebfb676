"""Chromium without a window, led over the two pipes that it offers for it: no port, no package, no driver.

  with Browser(folder) as browser:
      page = browser.page(width=1280)
      page.open(path)
      page.evaluate("document.title")
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

LONGEST = 120  # seconds for one answer, on a busy machine; a test that passes does not take it

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def program():
    return next((found for found in map(shutil.which, PROGRAMS) if found), None)


class Broken(Exception):
    pass


class Browser:
    def __init__(self, folder):
        home = folder / "browser"
        home.mkdir()
        # The numbers 3 and 4 are the browser's; ours must not be these before they are given to it.
        to_read, self.writes = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe())
        self.reads, to_write = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe())

        def give():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        words = [program(), "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={home}", "--no-first-run",
                 "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"]
        if os.geteuid() == 0:
            words.append("--no-sandbox")
        self.errors = open(folder / "browser.log", "wb")
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors,
                                        preexec_fn=give, pass_fds=(3, 4), env={**os.environ, "HOME": str(home)})
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.count = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (Broken, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.reads)
        os.close(self.writes)
        self.errors.close()

    def _message(self, until):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reads], [], [], max(0, until - time.monotonic()))
            some = os.read(self.reads, 1 << 20) if ready else b""
            if not some:
                raise Broken("the browser does not answer" if self.process.poll() is None else "the browser has ended")
            self.buffer += some
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        os.write(self.writes, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + LONGEST
        while True:
            message = self._message(until)
            if "id" not in message:
                self.events.append(message)
            elif message["id"] == self.count:
                if "error" in message:
                    raise Broken(f"{method}: {message['error']}")
                return message["result"]

    def wait_for(self, session, method):
        """Whatever of this kind comes next, or came since the last open()."""
        until = time.monotonic() + LONGEST
        while True:
            for event in self.events:
                if event.get("sessionId") == session and event["method"] == method:
                    return event["params"]
            message = self._message(until)
            if "id" not in message:
                self.events.append(message)

    def page(self, **looks):
        return Page(self, **looks)


class Page:
    def __init__(self, browser, width=1280, height=900, dark=False, scripts=True):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.target = target
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, path):
        self.browser.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        self.browser.wait_for(self.session, "Page.loadEventFired")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise Broken(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def seen(self, *methods):
        self.evaluate("1")  # what was on its way has come before this answer
        return [event["params"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] in methods]

    def complaints(self):
        """What a developer would read in the console as an error, or a warning."""
        said = [text["exceptionDetails"].get("text", "") for text in self.seen("Runtime.exceptionThrown")]
        said += [text["entry"]["text"] for text in self.seen("Log.entryAdded")]
        return said + [json.dumps(text["args"]) for text in self.seen("Runtime.consoleAPICalled")]

    def requests(self):
        return [event["request"]["url"] for event in self.seen("Network.requestWillBeSent")]

    def press(self, key, code, character=""):
        keys = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=character, **keys)
        self.call("Input.dispatchKeyEvent", type="keyUp", **keys)

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
