#!/usr/bin/python3
"""Prints how long `plankeep lsp` takes to answer a keystroke with diagnostics. It measures and does not judge.

  lsp.py PROGRAM [RUNS]     a release build; RUNS keystrokes (default 40) in plans of 2,000 and of 100,000 tasks

Budgets: 5 ms and 400 ms (median). Beside them the time of `plankeep parse --json` of the same text, as an anchor.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def plan_of(tasks):
    lines = [f"# A plan of {tasks} tasks", ""]
    for number in range(1, tasks + 1):
        if number % 100 == 1:
            lines += ["", f"## Phase {number // 100 + 1}", f"<!-- CHECKPOINT: phase-{number // 100 + 1} -->", ""]
        lines.append(f"- [ ] Task number {number:06} says in a sentence of usual length what is to be done <!-- TASK: t{number:06} -->")
    # One finding, so that there is always something to publish.
    lines.append("- [ ] The last one <!-- TASK: last | after: nosuch -->")
    return "\n".join(lines) + "\n"


class Editor:
    def __init__(self, program, root):
        environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(root), "PATH": "/usr/bin:/bin"}
        self.server = subprocess.Popen([program, "lsp"], cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({} if number is None else {"id": number})}
        text = json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.server.stdin.flush()

    def wait_for(self, wanted):
        while True:
            length = 0
            while (line := self.server.stdout.readline().strip()):
                length = int(line.split(b":")[1])
            message = json.loads(self.server.stdout.read(length))
            if wanted(message):
                return message


def keystrokes(program, tasks, runs):
    with tempfile.TemporaryDirectory() as base:
        root = pathlib.Path(base).resolve()
        text = plan_of(tasks)
        (root / "plan.md").write_text(text, encoding="utf-8")
        environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": base, "PATH": "/usr/bin:/bin"}
        subprocess.run([program, "init"], cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL)
        anchors = []
        for _ in range(5):
            began = time.perf_counter()
            subprocess.run([program, "parse", "--json", "plan.md"], cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL)
            anchors.append(time.perf_counter() - began)
        uri = (root / "plan.md").as_uri()
        editor = Editor(program, root)
        editor.send("initialize", {"capabilities": {}}, 1)
        editor.wait_for(lambda message: message.get("id") == 1)
        editor.send("initialized", {})
        editor.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": text}})
        published = lambda message: message.get("method") == "textDocument/publishDiagnostics"
        editor.wait_for(published)
        line = text.count("\n") // 2
        took = []
        for version in range(2, runs + 2):
            at = {"line": line, "character": 20}
            change = {"range": {"start": at, "end": at}, "text": "x"}
            began = time.perf_counter()
            editor.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
            editor.wait_for(published)
            took.append(time.perf_counter() - began)
        editor.send("shutdown", None, 2)
        editor.send("exit", None)
        editor.server.wait(timeout=60)
        return took, anchors


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, runs = os.path.realpath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for tasks, budget in ((2_000, 5), (100_000, 400)):
        took, anchors = keystrokes(program, tasks, runs if tasks < 10_000 else max(runs // 4, 5))
        print(f"{tasks:>7} tasks: median {1000 * statistics.median(took):.2f} ms, least {1000 * min(took):.2f} ms "
              f"(budget {budget} ms); parse --json {1000 * statistics.median(anchors):.2f} ms")


if __name__ == "__main__":
    main()
