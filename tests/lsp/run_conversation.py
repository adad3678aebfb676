#!/usr/bin/python3
"""Runs one conversation with `plankeep lsp` that is stored as data.

  run_conversation.py PROGRAM CASE

A case is a folder:

    files/    the project's files at the start (optional)
    in        the client's messages, one per line. After a request the runner waits for its answer. Other lines:
                #wait METHOD    waits until the server has sent this method
                #together       sends the messages up to #end in one write, then waits for all their answers
                #send           sends the next message without waiting for its answer
                #put FILE TEXT  writes a file of the project (\\n in TEXT is a line feed)
                #show FILE      appends the file's text to `out`
              A line that begins with "# " is a comment.
    out       the server's messages, one per line

Hermetic: an environment of our own, HOME beside the project, a fixed clock. The project folder is <root>, its URI <uri>.

PLANKEEP_ACCEPT=1 writes `out` instead of comparing (tests/support/golden.py).
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import golden  # noqa: E402

NOW = "2026-11-20T15:43:50.123Z"


class Conversation:
    def __init__(self, program, base, root):
        environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(base / "home"), "PLANKEEP_NOW": NOW,
                       "PATH": "/usr/bin:/bin"}
        self.root = root
        self.said = []
        self.server = subprocess.Popen([program, "lsp"], cwd=root, env=environment, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def read(self):
        """The next message; None at the end."""
        length = None
        while (line := self.server.stdout.readline().strip()):
            length = int(line.removeprefix(b"Content-Length:"))
        if length is None:
            return None
        text = self.server.stdout.read(length).decode("utf-8")
        message = json.loads(text)
        # Sent once a second, so their number depends on the machine.
        if message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "report":
            return self.read()
        self.said.append(text)
        return message

    def has_ended(self, when):
        status = self.server.wait(timeout=60)
        errors = self.server.stderr.read().decode("utf-8", "replace")
        sys.exit(f"the server ended with status {status} {when}\n{errors}")

    def wait_for(self, what, wanted):
        while True:
            message = self.read()
            if message is None:
                self.has_ended(f"before it said {what}")
            if wanted(message):
                return

    def write(self, lines):
        texts = [line.encode("utf-8") for line in lines]
        self.server.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts))
        self.server.stdin.flush()

    def await_answers(self, lines):
        waiting = set()
        for line in lines:
            try:
                message = json.loads(line)
            except json.JSONDecodeError:
                message = None
            if not isinstance(message, dict):
                waiting.add("null")
            elif "method" in message and "id" in message:
                waiting.add(json.dumps(message["id"] if isinstance(message["id"], (str, int)) else None))
        while waiting:
            message = self.read()
            if message is None:
                self.has_ended(f"without an answer to {sorted(waiting)}")
            if "method" not in message:
                waiting.discard(json.dumps(message.get("id")))

    def run(self, lines):
        lines = iter(lines)
        for line in lines:
            word, _, rest = line.partition(" ")
            if not line or word == "#":
                continue
            if word == "#wait":
                self.wait_for(rest, lambda message, method=rest: message.get("method") == method)
            elif word == "#put":
                name, _, text = rest.partition(" ")
                (self.root / name).write_text(text.replace("\\n", "\n"), encoding="utf-8")
            elif word == "#show":
                self.said.append(f"#show {rest}: " + json.dumps((self.root / rest).read_text(encoding="utf-8")))
            elif word == "#send":
                self.write([next(lines)])
            elif word == "#together":
                batch = []
                while (message := next(lines)) != "#end":
                    batch.append(message)
                self.write(batch)
                self.await_answers(batch)
            else:
                self.write([line])
                self.await_answers([line])
        self.server.stdin.close()
        while self.read() is not None:
            pass
        errors = self.server.stderr.read()
        status = self.server.wait(timeout=60)
        if errors or status != 0:
            sys.exit(f"status {status}, standard error: {errors.decode('utf-8', 'replace')}")


def run(program, case):
    with tempfile.TemporaryDirectory(prefix="plankeep-lsp-") as base:
        base = pathlib.Path(base).resolve()
        root = base / "project"
        if (case / "files").is_dir():
            shutil.copytree(case / "files", root)
        else:
            root.mkdir()
        (base / "home").mkdir()
        text = (case / "in").read_text(encoding="utf-8").replace("<uri>", root.as_uri()).replace("<root>", str(root))
        conversation = Conversation(program, base, root)
        try:
            conversation.run(text.splitlines())
        finally:
            conversation.server.kill()
        out = "".join(line + "\n" for line in conversation.said)
        out = out.replace(root.as_uri(), "<uri>").replace(str(root), "<root>")
        # How long a command took.
        return re.sub(r"(passed in|after) [0-9.]+ (ms|s)\b", r"\1 <time>", out)


def main():
    program, case = os.path.realpath(sys.argv[1]), pathlib.Path(sys.argv[2])
    return golden.compare(case / "out", run(program, case))


if __name__ == "__main__":
    sys.exit(main())
