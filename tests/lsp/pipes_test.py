#!/usr/bin/python3
"""An editor that talks to `plankeep lsp` over pipes: diagnostics, status, a tick on disk, the way it ends."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PLAN = "# Auth\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] Form <!-- TASK: form -->\n- [ ] Out <!-- TASK: out | after: nosuch -->\n"


class Editor:
    def __init__(self, program, root):
        environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(root.parent), "PATH": "/usr/bin:/bin"}
        self.server = subprocess.Popen([program, "lsp", "--stdio"], cwd=root, env=environment,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.ids = 0

    def send(self, **message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.server.stdin.flush()

    def read(self):
        length = 0
        while (line := self.server.stdout.readline().strip()):
            name, value = line.split(b":")
            assert name == b"Content-Length", line
            length = int(value)
        return json.loads(self.server.stdout.read(length))

    def wait_for(self, wanted):
        while True:
            message = self.read()
            if wanted(message):
                return message

    def ask(self, method, params):
        self.ids += 1
        self.send(id=self.ids, method=method, params=params)
        return self.wait_for(lambda message: message.get("id") == self.ids and "method" not in message)


def a_running_command_is_stopped(program, root, stop):
    """The server stops the command and ends; no process is left, and nothing is recorded."""
    plan = root / "slow.md"
    number = root / "number"
    number.unlink(missing_ok=True)
    plan.write_text("- [ ] Slow <!-- ACCEPT: slow | verify: echo $$ >number; sleep 600 -->\n", encoding="utf-8")
    environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(root.parent), "PATH": "/usr/bin:/bin"}
    subprocess.run([program, "init", "slow.md"], cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    editor = Editor(program, root)
    editor.ask("initialize", {"capabilities": {}})
    editor.send(id=9, method="workspace/executeCommand", params={"command": "plankeep.verify", "arguments": [plan.as_uri()]})
    asked = editor.wait_for(lambda message: message.get("method") == "window/showMessageRequest")
    editor.send(id=asked["id"], result={"title": "Run"})
    end = time.monotonic() + 60
    while not number.exists() or not number.read_text():
        assert time.monotonic() < end
        time.sleep(0.02)
    process = int(number.read_text())
    stop(editor)
    assert editor.server.wait(timeout=60) == 0
    while pathlib.Path(f"/proc/{process}").exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    assert "[ ] Slow" in plan.read_text(encoding="utf-8")
    records = [*(root / ".checkpoint").rglob("history.jsonl"), *(root / ".checkpoint").rglob("state.json")]
    assert len(records) == 4, records  # those of plan.md and slow.md
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert "acceptance_met" not in text and "evidence" not in text, text


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="plankeep-lsp-") as base:
        root = pathlib.Path(base).resolve() / "project"
        root.mkdir()
        plan = root / "plan.md"
        plan.write_text(PLAN, encoding="utf-8")
        uri = plan.as_uri()
        editor = Editor(program, root)
        begun = editor.ask("initialize", {"capabilities": {}})["result"]
        assert begun["serverInfo"]["name"] == "plankeep", begun
        editor.send(method="initialized", params={})
        editor.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "markdown", "version": 1, "text": PLAN}})
        told = editor.wait_for(lambda message: message.get("method") == "textDocument/publishDiagnostics")
        assert [one["code"] for one in told["params"]["diagnostics"]] == ["unknown-dependency"], told
        status = editor.ask("plankeep/status", {"uri": uri})["result"]
        assert status["progress"]["totalTasks"] == 2, status
        assert sorted(os.listdir(root)) == ["plan.md"], "looking writes nothing"
        assert plan.read_text(encoding="utf-8") == PLAN

        editor.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
        ticked = editor.ask("workspace/executeCommand", {"command": "plankeep.tick", "arguments": [uri, "form"]})
        assert "error" not in ticked, ticked
        assert "- [x] Form" in plan.read_text(encoding="utf-8")
        history = (root / ".checkpoint" / "history.jsonl").read_text(encoding="utf-8")
        assert '"task_completed"' in history and '"by":"person"' in history, history
        refused = editor.ask("workspace/executeCommand", {"command": "plankeep.tick", "arguments": [uri, "nosuch"]})
        assert refused["error"]["code"] == -32803, refused

        # Now open and tracked: what the editor saves is the person's.
        text = plan.read_text(encoding="utf-8").replace("- [ ] Out", "- [x] Out")
        editor.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "markdown", "version": 1, "text": text}})
        plan.write_text(text, encoding="utf-8")
        editor.send(method="textDocument/didSave", params={"textDocument": {"uri": uri}})
        status = editor.ask("plankeep/status", {"uri": uri})["result"]
        assert status["progress"]["completedTasks"] == 2, status
        events = [json.loads(line) for line in (root / ".checkpoint" / "history.jsonl").read_text(encoding="utf-8").splitlines()]
        out = [event for event in events if event["event"] == "task_completed" and event["taskId"] == "out"]
        assert [event["by"] for event in out] == ["person"], events

        # A renamed id keeps who finished the task; a lost task comes back, in the editor's text or in the file.
        renamed = editor.ask("textDocument/rename", {"textDocument": {"uri": uri}, "newName": "exit",
                                                     "position": {"line": 5, "character": 8}})["result"]
        edits = renamed["changes"][uri]
        assert [edit["newText"] for edit in edits] == ["exit"], renamed
        at = edits[0]["range"]
        lines = text.split("\n")
        lines[5] = lines[5][:at["start"]["character"]] + "exit" + lines[5][at["end"]["character"]:]
        text = "\n".join(lines)
        editor.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 2},
                                                             "contentChanges": [{"text": text}]})
        plan.write_text(text, encoding="utf-8")
        editor.send(method="textDocument/didSave", params={"textDocument": {"uri": uri}})
        editor.ask("plankeep/status", {"uri": uri})
        state = json.loads((root / ".checkpoint" / "state.json").read_text(encoding="utf-8"))
        task = state["phases"]["build"]["tasks"]["exit"]
        assert task["done"] and task["completedBy"] == "person", task
        assert "out" not in state["phases"]["build"]["tasks"], state
        hover = editor.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 8}})["result"]
        assert "earlier: `out`" in hover["contents"]["value"], hover

        whole = {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0},
                                                         "end": {"line": 9, "character": 0}},
                 "context": {"diagnostics": [], "only": ["source.restore.plankeep"]}}
        assert editor.ask("textDocument/codeAction", whole)["result"] == []
        fewer = "".join(line + "\n" for line in text.splitlines() if "Form" not in line)
        plan.write_text(fewer, encoding="utf-8")
        editor.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 3},
                                                             "contentChanges": [{"text": fewer}]})
        editor.send(method="textDocument/didSave", params={"textDocument": {"uri": uri}})
        offered = editor.ask("textDocument/codeAction", whole)["result"]
        assert [action["title"] for action in offered] == ["Put back 1 lost task"], offered
        editor.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
        back = editor.ask("workspace/executeCommand", {"command": "plankeep.restore", "arguments": [uri]})
        assert "error" not in back, back
        assert "Form" in plan.read_text(encoding="utf-8")
        refused = editor.ask("workspace/executeCommand", {"command": "plankeep.restore", "arguments": [uri]})
        assert refused["error"]["data"]["kind"] == "not_found", refused

        editor.ask("shutdown", None)
        editor.send(method="exit")
        assert editor.server.wait(timeout=60) == 0
        assert editor.server.stderr.read() == b""

        for stop in (lambda one: one.server.stdin.close(), lambda one: one.server.send_signal(signal.SIGTERM)):
            a_running_command_is_stopped(program, root, stop)

        for before_end, status in ((b"", 0), (b"nonsense\r\n\r\n", 1)):
            other = Editor(program, root)
            rest, errors = other.server.communicate(before_end, timeout=60)
            assert (rest, errors, other.server.returncode) == (b"", b"", status), (rest, errors, other.server.returncode)


if __name__ == "__main__":
    main()
