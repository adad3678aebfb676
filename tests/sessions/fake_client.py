#!/usr/bin/python3
"""A deterministic fake client: plays whole sessions of AI coding clients against the real program.

  fake_client.py PROGRAM SCRIPT

A session script is a folder like those of tests/cases (cmd, files/, expected; see run_cases.py), with these verbs more:

    session CLIENT ID           begins a session: sets the client's environment and starts a process that stands for it
    hook EVENT PAYLOAD [K=V..]  one hook call with a recorded payload (tests/fixtures/hooks/CLIENT/PAYLOAD.json, as the
                                real client sent it): ids of the session and paths of the place are put in, fields named
                                by K ("tool_input.prompt") are set. V in JSON, or a text (\\n is a line feed). K= takes a
                                field away.
                                The reply is noted: "reply: " and, of a JSON reply, its texts on lines of their own
    claude_hook EVENT PAYLOAD   the client calls a hook that was installed for Claude Code, as Copilot CLI does
    edit FILE OLD NEW [K=V..]   the client's edit tool: changes the file, then its hooks as this client calls them
    shell FILE OLD NEW          a shell command of the client that changes the file, and the hook that follows
    as AGENT TYPE               the following edits, shells and hooks come from this subagent; `as main` ends it
    crash                       the client dies: its process ends, no hook is called
    transcript TEXT [TOKENS]    the session's transcript (claude-code) gets one more assistant message, whose request had
                                so many tokens
    generate FILE P T           writes a plan of P phases with T tasks each
    history [EVENT...]          notes what was recorded since the last time, a line an event: name, id, by

Everything is fixed: clock, ids, environment. Process numbers are left out of what is noted.
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cases"))
import run_cases  # noqa: E402

PAYLOADS = HERE.parent / "fixtures" / "hooks"
RECORDED_PROJECT = "/home/dev/project"
RECORDED_HOME = "/home/dev"

# What a client calls after its edit tool wrote a file, and after a shell command: (event, payload) each.
AFTER_EDIT = {
    "claude-code": [("PostToolUse", "PostToolUse-Edit"), ("PostToolBatch", "PostToolBatch")],
    "codex": [("PostToolUse", "PostToolUse-apply_patch-update")],
    "gemini": [("AfterTool", "AfterTool-replace")],
    "copilot": [("postToolUse", "postToolUse-edit")],
    "qwen": [("PostToolUse", "PostToolUse-edit")],
}
AFTER_SHELL = {
    "claude-code": [("PostToolBatch", "PostToolBatch")],
    "codex": [("PostToolUse", "PostToolUse-Bash")],
    "gemini": [("AfterTool", "AfterTool-run_shell_command")],
    "copilot": [("postToolUse", "postToolUse-bash")],
    "qwen": [("PostToolUse", "PostToolUse-run_shell_command")],
}
SESSION_KEY = {"copilot": "sessionId", "opencode": "sessionID", "cursor": "conversation_id"}
ENVIRONMENT = {
    "claude-code": {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "<root>"},
    "gemini": {"GEMINI_PROJECT_DIR": "<root>", "CLAUDE_PROJECT_DIR": "<root>"},
    "copilot": {"COPILOT_CLI": "1", "CLAUDE_PROJECT_DIR": "<root>"},
    "qwen": {"QWEN_PROJECT_DIR": "<root>", "CLAUDE_PROJECT_DIR": "<root>"},
}


class FakeClient(run_cases.Case):
    def __init__(self, program, folder):
        super().__init__(program, folder)
        self.client = None
        self.session = None
        self.agent = None
        self.process = None
        self.recorded = 0

    def run(self):
        try:
            return super().run()
        finally:
            self.end_process()

    def end_process(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def do_session(self, client, session):
        self.end_process()
        self.client, self.session, self.agent = client, session, None
        for variables in ENVIRONMENT.values():
            for name in variables:
                self.environment.pop(name, None)
        for name, value in ENVIRONMENT.get(client, {}).items():
            self.environment[name] = value.replace("<root>", str(self.root))
        self.environment.pop("CLAUDE_PID", None)
        if client == "claude-code":
            self.process = subprocess.Popen(["/bin/sleep", "600"], stdin=subprocess.DEVNULL)
            self.environment["CLAUDE_PID"] = str(self.process.pid)

    def do_crash(self):
        self.end_process()

    def do_as(self, agent, kind=None):
        self.agent = None if agent == "main" else (agent, kind)

    def transcript_path(self):
        return self.home / ".claude" / "projects" / "project" / (self.session + ".jsonl")

    def do_transcript(self, text, tokens=None):
        path = self.transcript_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        number = len(path.read_text(encoding="utf-8").splitlines()) + 1 if path.exists() else 1
        line = {"type": "assistant", "isSidechain": False, "uuid": f"message-{number}",
                "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}
        if tokens is not None:
            line["message"]["usage"] = {"input_tokens": int(tokens)}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def do_hook(self, event, payload, *settings):
        self.call(event, self.payload(payload, settings))

    def do_claude_hook(self, event, payload):
        """The client runs the project's Claude Code hooks too, with payloads in that client's dialect."""
        self.call(event, self.payload(payload, []), "claude-code")

    def do_edit(self, name, old, new, *settings):
        path = self.path(name)
        lines = whole_lines(path.read_text(encoding="utf-8"), old.replace("\\n", "\n"), new.replace("\\n", "\n"))
        self.do_replace(name, old, new)
        for event, payload in AFTER_EDIT[self.client]:
            body = self.payload(payload, settings)
            set_edit(body, str(path), *lines)
            self.call(event, body)

    def do_shell(self, name, old, new):
        self.do_replace(name, old, new)
        for event, payload in AFTER_SHELL[self.client]:
            self.call(event, self.payload(payload, []))

    def payload(self, name, settings):
        text = (PAYLOADS / self.client / (name + ".json")).read_text(encoding="utf-8")
        text = text.replace(RECORDED_PROJECT, str(self.root)).replace(RECORDED_HOME, str(self.home))
        body = json.loads(text)
        for key in ("session_id", SESSION_KEY.get(self.client, "session_id")):
            if self.session and key in body:
                body[key] = self.session
        if "transcript_path" in body:
            body["transcript_path"] = str(self.transcript_path())
        if self.client in ("claude-code", "codex"):
            if self.agent:
                # In the recorded order: the fields that say who come before what was done.
                rest = {k: v for k, v in body.items() if k not in ("agent_id", "agent_type")}
                at = list(rest).index("hook_event_name")
                items = list(rest.items())
                items[at:at] = [("agent_id", self.agent[0]), ("agent_type", self.agent[1])]
                body = dict(items)
            elif not name.startswith("Subagent"):
                body.pop("agent_id", None)
                body.pop("agent_type", None)
        for setting in settings:
            field, _, value = setting.partition("=")
            assign(body, field.split("."), value.replace("<root>", str(self.root)).replace("<home>", str(self.home)))
        return body

    def call(self, event, body, client=None):
        payload = json.dumps(body, ensure_ascii=False, separators=(",", ":")) + "\n"
        result = subprocess.run([self.program, "hook", client or self.client, event], input=payload.encode("utf-8"), cwd=self.cwd,
                                env=self.environment, timeout=run_cases.TIMEOUT, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, check=False)
        self.lines.append(f"{event}: " + ("silent" if not result.stdout else "reply"))
        if result.stdout:
            self.note_reply(result.stdout)
        self.note(result.stderr, "err| ")
        if result.returncode != 0:
            self.lines.append("status " + str(result.returncode))

    def note_reply(self, output):
        try:
            reply = json.loads(output)
        except ValueError:
            self.note(output, "  ")
            return
        # Every text of the reply on lines of its own, so that people can read it.
        def walk(value, path):
            if isinstance(value, dict):
                for key, part in value.items():
                    walk(part, path + [key])
            elif isinstance(value, str) and "\n" in value:
                self.lines.append("  " + ".".join(path) + ":")
                self.note(value.encode("utf-8"), "    | ")
            else:
                self.note((".".join(path) + ": " + json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8"), "  ")
        walk(reply, [])

    def do_generate(self, name, phases, tasks):
        lines = ["# A long plan", ""]
        for phase in range(1, int(phases) + 1):
            lines += [f"## Phase {phase}: Part {phase}", f"<!-- CHECKPOINT: part-{phase} -->"]
            for task in range(1, int(tasks) + 1):
                box = "x" if phase == 1 or task % 3 == 0 else " "
                lines.append(f"- [{box}] Step {task} of part {phase} <!-- TASK: p{phase}-t{task} -->")
            lines.append("")
        self.path(name).write_text("\n".join(lines), encoding="utf-8")

    def do_history(self, *kinds):
        path = self.root / ".checkpoint" / "history.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for line in lines[self.recorded:]:
            event = json.loads(line)
            if kinds and event["event"] not in kinds:
                continue
            words = [event["event"]]
            for key in ("taskId", "criteriaId", "phaseId", "agentType", "agentId", "tasks", "completedTasks", "claimed",
                        "unverified", "sessionId", "source", "reason", "note", "lastKnownState", "from", "tasksRestored",
                        "by", "checkpointId", "type", "to", "what"):
                value = event.get(key)
                if value not in (None, "", []) and not (event["event"] == "checkpoint_created" and key == "tasks"):
                    words.append(key + "=" + (",".join(value) if isinstance(value, list) else str(value)))
            self.note((" ".join(words) + "\n").encode("utf-8"), "  ")
        self.recorded = len(lines)


def assign(body, field, value):
    for name in field[:-1]:
        body = body.setdefault(name, {})
    if value == "":
        body.pop(field[-1], None)
        return
    try:
        body[field[-1]] = json.loads(value)
    except ValueError:
        body[field[-1]] = value.replace("\\n", "\n")


def whole_lines(text, old, new):
    """The lines that a replacement touches, before and after: clients' models give enough to be found again."""
    at = text.find(old)
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at + len(old))
    lines = text[begin:end if end >= 0 else len(text)]
    return lines, lines.replace(old, new, 1)


def set_edit(body, path, old, new):
    """What an edit's payload names, wherever this client puts it: the path, and what was replaced by what."""
    for holder, key in (("tool_input", "file_path"), ("tool_response", "filePath"), ("toolArgs", "path")):
        part = body.get(holder)
        if not isinstance(part, dict) or key not in part:
            continue
        part[key] = path
        for names, text in ((("old_string", "oldString", "old_str"), old), (("new_string", "newString", "new_str"), new)):
            for name in names:
                if name in part:
                    part[name] = text
    display = body.get("tool_response", {})
    display = display.get("returnDisplay") if isinstance(display, dict) else None
    if isinstance(display, dict) and "filePath" in display:
        display["filePath"] = path
    command = body.get("tool_input", {}).get("command") if isinstance(body.get("tool_input"), dict) else None
    if isinstance(command, str) and "*** Update File: " in command:
        hunk = ["-" + line for line in old.split("\n")] + ["+" + line for line in new.split("\n")]
        body["tool_input"]["command"] = "\n".join(
            ["*** Begin Patch", "*** Update File: " + path, "@@", *hunk, "*** End Patch"])


if __name__ == "__main__":
    sys.exit(run_cases.main(FakeClient, __doc__))
