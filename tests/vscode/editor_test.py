#!/usr/bin/env python3
"""The extension in code-server, which is VS Code in a browser, led through Chromium. Skipped without PLANKEEP_CODE_SERVER (the folder
of the npm package code-server, installed), Chromium, or hooks/vscode/dist/plankeep.vsix (`npm run package`).

    editor_test.py PROGRAM [FOLDER]       FOLDER: keep pictures there to look at
"""

import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1] / "report_page"))
import browser  # noqa: E402

VSIX = HERE.parents[2] / "hooks" / "vscode" / "dist" / "plankeep.vsix"
PATIENCE = 120  # seconds for anything to show up, on a busy machine; a test that passes does not take it
PLAN = """# Garden shed

## Phase 1: Ground
<!-- CHECKPOINT: ground -->

- [x] Dig a hole <!-- TASK: dig -->
- [ ] Bring bricks <!-- TASK: bricks -->
- [ ] Pour $(flame) **concrete** <!-- TASK: pour | after: bricks -->

## Phase 2: Walls
<!-- CHECKPOINT: walls -->

- [ ] Put up boards <!-- TASK: boards -->
"""


def missing():
    server = pathlib.Path(os.environ.get("PLANKEEP_CODE_SERVER", "/nowhere"), "out", "node", "entry.js")
    for what, there in (("node", shutil.which("node")), ("Chromium", browser.program()),
                        ("PLANKEEP_CODE_SERVER", server.is_file()), (str(VSIX), VSIX.is_file())):
        if not there:
            return f"missing: {what}"
    return None


class Editor:
    """code-server on the loopback, ended with the test."""

    def __init__(self, folder, machine, real):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # What belongs to the machine stands apart: the editor runs there, the window elsewhere.
        for kind, values in (("Machine", machine), ("User", {
                "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off", "extensions.autoCheckUpdates": False,
                "extensions.autoUpdate": False, "update.mode": "none", "files.autoSave": "off",
                "security.workspace.trust.enabled": False})):
            (folder / "user" / kind).mkdir(parents=True)
            (folder / "user" / kind / "settings.json").write_text(json.dumps(values))
        entry = str(pathlib.Path(os.environ["PLANKEEP_CODE_SERVER"], "out", "node", "entry.js"))
        words = [shutil.which("node"), entry, "--disable-telemetry", "--disable-update-check", "--user-data-dir",
                 str(folder / "user"), "--extensions-dir", str(folder / "extensions"), "--config", str(folder / "none.yaml")]
        (folder / "none.yaml").write_text("cert: false\n")
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8", "PLANKEEP_REAL": real}
        subprocess.run([*words, "--install-extension", str(VSIX)], env=environment, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=300, check=True)
        self.log = open(folder / "server.log", "wb")
        self.process = subprocess.Popen([*words, "--auth", "none", "--bind-addr", f"127.0.0.1:{self.port}"], env=environment,
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)

    def __enter__(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5).close()
                return self
            except OSError:
                time.sleep(0.2)
        raise RuntimeError("code-server does not answer")

    def __exit__(self, *_):
        # Its own session: what it started ends with it.
        os.killpg(self.process.pid, 15)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        self.log.close()


class Window:
    def __init__(self, page, editor, project, pictures):
        self.page, self.pictures = page, pictures
        page.call("Page.navigate", url=f"http://127.0.0.1:{editor.port}/?folder={project}")
        self.wait_for("document.querySelector('.monaco-workbench .part.statusbar') !== null", "the window")

    def wait_for(self, expression, what):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                found = self.page.evaluate(expression)
            except browser.Broken:  # the page is on its way to another one
                found = None
            if found:
                return found
            time.sleep(0.2)
        self.picture("failed")
        raise AssertionError(f"{what} did not come; the window says:\n{self.page.evaluate('document.body.innerText')}")

    def key(self, key, code, number, modifiers=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.page.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number,
                           modifiers=modifiers)

    def click(self, selector, count=1):
        """In the middle of what the selector (an expression that gives an element) finds."""
        place = self.wait_for(f"""(() => {{ const found = {selector}; if (!found) return null;
            const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""", selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.page.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=count)

    def command(self, title):
        """By the palette."""
        self.key("F1", "F1", 112)
        self.wait_for("document.querySelector('.quick-input-widget:not([style*=\"display: none\"]) input') !== null", "the palette")
        self.page.call("Input.insertText", text=title)
        self.wait_for(f"""[...document.querySelectorAll('.quick-input-list .monaco-list-row')]
            .some((row) => row.innerText.includes({json.dumps(title)}))""", f"the command {title}")
        self.key("Enter", "Enter", 13)

    def open_view(self):
        header = "[...document.querySelectorAll('.pane-header')].find((one) => /^Plan$/i.test(one.innerText.trim().split('\\n')[0]))"
        self.click(header)
        self.wait_for(f"{header}?.getAttribute('aria-expanded') === 'true'", "the view")

    def rows(self):
        """What the tree shows: label, description."""
        return self.page.evaluate("""[...document.querySelectorAll('.pane')].filter((pane) => /^Plan/i.test(pane.innerText.trim()))
            .flatMap((pane) => [...pane.querySelectorAll('.monaco-list-row')])
            .map((row) => row.querySelector('.monaco-icon-label-container')?.innerText.replace(/\\s+/g, ' ').trim() ?? '')""")

    def wait_for_row(self, text):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if any(text in row for row in self.rows()):
                return
            time.sleep(0.2)
        self.picture("failed")
        raise AssertionError(f"no row {text!r} among {self.rows()}\n{self.page.evaluate('document.body.innerText')}")

    def go_to(self, text, line):
        """By the tree. While VS Code fetches rows anew they are drawn but lead nowhere: then once more."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.click(row(text))
            for _ in range(15):
                if f"Ln {line}," in self.page.evaluate("document.querySelector('.part.statusbar').innerText"):
                    return
                time.sleep(0.2)
        self.picture("failed")
        raise AssertionError(f"{text!r} did not lead to line {line}")

    def wait_for_status(self, text):
        self.wait_for(f"document.querySelector('.part.statusbar').innerText.includes({json.dumps(text)})", f"{text} in the status bar")

    def picture(self, name):
        if self.pictures:
            taken = self.page.call("Page.captureScreenshot", format="png")
            (self.pictures / f"{name}.png").write_bytes(base64.b64decode(taken["data"]))


def row(text):
    return f"""[...document.querySelectorAll('.monaco-list-row')].find((row) => row.innerText.includes({json.dumps(text)}))"""


def wait_for(what, text):
    """Waits: the editor shows a change before it has saved it."""
    until = time.monotonic() + PATIENCE
    while text not in (found := what()):
        assert time.monotonic() < until, f"no {text!r} in\n{found}"
        time.sleep(0.2)


def ticks_go_through_the_program(window, program, project):
    plan = project / "plan.md"
    window.open_view()
    window.wait_for_row("Bring bricks")
    window.wait_for_status("1/4")
    rows = window.rows()
    assert any("Phase 1: Ground" in one and "1/3" in one for one in rows), rows
    assert any("waits for bricks" in one for one in rows), rows
    window.picture("tree")
    # From the tree: the button in the row of a task.
    window.go_to("Bring bricks", 7)
    window.wait_for("document.querySelector('.editor-instance .view-lines')?.innerText.includes('Bring') ", "the plan in the editor")
    window.click(f"{row('Bring bricks')}?.querySelector('.actions .action-label[aria-label*=\"Tick\"]')")
    window.wait_for_status("2/4")
    wait_for(plan.read_text, "- [x] Bring bricks")
    # A tick in the editor is a person's.
    wait_for(lambda: subprocess.run([program, "log", "--json", "--plan", plan], stdout=subprocess.PIPE,
                                    env={"HOME": str(project.parent)}, check=True).stdout.decode(), '"person"')
    # From outside: an agent ticks while the window is open.
    subprocess.run([program, "done", "boards", "--plan", plan, "--quiet"], env={"HOME": str(project.parent)}, check=True)
    window.wait_for_status("3/4")
    window.wait_for_row("1/1")
    window.picture("ticked")


def the_report_is_shown(window):
    window.command("plankeep: Show report")
    window.wait_for("document.querySelector('iframe.webview') !== null", "the panel")
    window.wait_for("[...document.querySelectorAll('.tab')].some((tab) => tab.innerText.includes('Report: Garden shed'))", "its tab")


def without_the_program_it_says_so(window):
    window.open_view()
    window.wait_for("document.body.innerText.includes('The program plankeep was not found.')", "the message")
    window.wait_for("[...document.querySelectorAll('.monaco-button')].some((button) => button.innerText.includes('How to get it'))",
                    "the way to get it")
    window.picture("missing")


def what_the_server_says_is_shown(window, project):
    plan = project / "plan.md"
    window.open_view()
    window.wait_for("document.body.innerText.includes('Told by the server')", "the answer of plankeep/status")
    window.go_to("Bring bricks", 7)
    window.wait_for("document.querySelector('.part.statusbar [aria-label*=\"Warnings: 1\"]') !== null", "the diagnostic")
    # A code lens: the server changes the text in the editor, which the user saves.
    window.click("[...document.querySelectorAll('.codelens-decoration a')].find((one) => one.innerText === 'Tick line 7')")
    window.wait_for("document.querySelector('.tab.dirty') !== null", "the edit of the server")
    assert "- [ ] Bring bricks" in plan.read_text(), "a plan that is open is changed in the editor"
    window.key("s", "KeyS", 83, modifiers=2)
    window.wait_for_status("2/4")
    # From the tree: the same command of the server, and a text that was saved is saved again.
    window.go_to("Pour", 8)
    window.click(f"{row('Pour')}?.querySelector('.actions .action-label[aria-label*=\"Tick\"]')")
    window.wait_for_status("3/4")
    wait_for(plan.read_text, "- [x] Pour")
    # This server cannot verify, so the program does. It is asked for first; nobody says yes here.
    window.command("plankeep: Verify")
    window.wait_for("document.body.innerText.includes('Run the commands of the plan')", "the question")
    window.picture("asked")


def the_real_server_answers(window, project):
    """`plankeep lsp` itself: a diagnostic, code lenses, an id renamed, a criterion verified."""
    plan = project / "plan.md"
    records = project / ".checkpoint" / "state.json"
    window.open_view()
    window.go_to("Bring bricks", 7)
    window.wait_for("document.querySelector('.part.statusbar [aria-label*=\"Errors: 1\"]') !== null", "the diagnostic")
    lens = "[...document.querySelectorAll('.codelens-decoration a')].find((one) => one.innerText === 'Tick')"
    window.click(lens)
    window.wait_for("document.querySelector('.tab.dirty') !== null", "the edit of the server")
    window.key("s", "KeyS", 83, modifiers=2)
    window.wait_for_status("2/4")
    wait_for(plan.read_text, "- [x] Bring bricks")
    # The server's semantic tokens give the id an element of its own.
    window.click("[...document.querySelectorAll('.view-line span')].find((one) => !one.children.length && one.innerText.trim() === 'bricks')")
    window.key("F2", "F2", 113)
    window.wait_for("document.activeElement?.closest('.rename-box') != null", "the box for a new name")
    window.page.call("Input.insertText", text="stones")
    window.key("Enter", "Enter", 13)
    window.wait_for("document.querySelector('.tab.dirty') !== null", "the renamed id")
    window.key("s", "KeyS", 83, modifiers=2)
    window.wait_for("document.querySelector('.tab.dirty') === null", "the saved file")
    assert "TASK: stones" in plan.read_text() and "after: stones" in plan.read_text(), plan.read_text()
    until = time.monotonic() + PATIENCE
    task = None
    while task is None and time.monotonic() < until:
        task = json.loads(records.read_text())["phases"]["ground"]["tasks"].get("stones")
        time.sleep(0.2)
    assert task and task["done"] and task["completedBy"] == "person", task
    window.picture("renamed")
    # A criterion's command is shown by the server, which asks; the file's box is ticked, and read again.
    window.click("[...document.querySelectorAll('.codelens-decoration a')].find((one) => one.innerText === 'Verify')")
    window.wait_for("document.body.innerText.includes('Run this command of the plan')", "the question")
    assert "- [ ] It stands" in plan.read_text()
    window.picture("verify")
    window.click("[...document.querySelectorAll('.notifications-toasts .monaco-button')].find((one) => one.innerText === 'Run')")
    window.wait_for("document.body.innerText.includes('passed in')", "the result")
    wait_for(plan.read_text, "- [x] It stands")
    window.wait_for("![...document.querySelectorAll('.codelens-decoration a')].some((one) => one.innerText === 'Verify')", "no lens any more")
    assert "acceptance_met" in (project / ".checkpoint" / "history.jsonl").read_text()
    window.picture("verified")


def main():
    why = missing()
    if why:
        print(why)
        return 77
    program = str(pathlib.Path(sys.argv[1]).resolve())
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    for scene in ("commands", "real", "server", "missing"):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            folder = pathlib.Path(name)
            project = folder / "project"
            project.mkdir()
            text = PLAN if scene != "real" else (
                PLAN.replace("| after: bricks", "| after: bricks, nosuch") + "- [ ] It stands <!-- ACCEPT: stands | verify: test -f plan.md -->\n")
            (project / "plan.md").write_text(text)
            if scene != "missing":
                subprocess.run([program, "init", "--quiet"], cwd=project, env={"HOME": name}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=True)
            used = {"commands": program, "real": program, "server": str(HERE.parent / "language_server.py"), "missing": ""}[scene]
            with Editor(folder, {"plankeep.path": used}, program) as editor, browser.Browser(folder) as chromium:
                window = Window(chromium.page(), editor, project, pictures)
                if scene == "commands":
                    ticks_go_through_the_program(window, program, project)
                    the_report_is_shown(window)
                elif scene == "real":
                    the_real_server_answers(window, project)
                elif scene == "server":
                    what_the_server_says_is_shown(window, project)
                else:
                    without_the_program_it_says_so(window)
    return 0


sys.exit(main())
