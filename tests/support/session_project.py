"""A project with a plan in a git repository, and a client's session that writes files and calls plankeep's hooks."""

import copy
import datetime
import json
import os
import pathlib
import shutil
import subprocess

PLAN = """# Auth

## Build
<!-- CHECKPOINT: build -->
- [ ] Schema <!-- TASK: schema -->
- [ ] Login <!-- TASK: login -->
"""
SESSION = "0f6f8c09-1111-2222-3333-444455556666"


class SessionProject:
    """Its clock goes forward a second with each step; hooks wait for what they leave behind."""

    def __init__(self, program, base, object_format="sha1"):
        self.absolute = True  # tools name files with the whole path
        self.program = program
        self.base = pathlib.Path(base)
        self.root = self.base / "project"
        self.home = self.base / "home"
        for folder in (self.root, self.home):
            folder.mkdir(parents=True)
        self.seconds = 0
        self.messages = 0
        self.extra = {}
        self.git("init", "-q", "-b", "main", "--object-format=" + object_format)
        self.write("plan.md", PLAN)
        self.write(".gitignore", ".checkpoint/\n")
        self.run("init")

    def copy(self, to):
        """Elsewhere, for a fault. Transcripts are read where they were; tools must not name whole paths."""
        shutil.copytree(self.base, to, symlinks=True)
        copied = copy.copy(self)
        copied.base = pathlib.Path(to)
        copied.root, copied.home = copied.base / "project", copied.base / "home"
        return copied

    def now(self):
        return datetime.datetime(2026, 11, 20, 10) + datetime.timedelta(seconds=self.seconds)

    def environment(self):
        stamp = self.now().isoformat() + "Z"
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"), ("DATE", stamp))}
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_CONFIG_GLOBAL": "/dev/null", "PLANKEEP_CHECKPOINTS": "wait",
                "PLANKEEP_NOW": self.now().isoformat() + ".000Z", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
                **who, **self.extra}

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, env=self.environment(), check=True, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode("utf-8", "replace")

    def run(self, *words, status=0, **options):
        done = subprocess.run([self.program, *words], cwd=self.root, env=self.environment(), timeout=120, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        if done.returncode != status:
            raise AssertionError(f"{words} exits with {done.returncode}: {done.stdout!r} {done.stderr!r}")
        return done.stdout.decode("utf-8")

    def export(self, *words, status=0):
        return json.loads(self.run("checkpoint", "export", "--to", "entire", "--json", *words, status=status))

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def commit(self, message):
        self.seconds += 1
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def digest(self):
        """What no export may change: the user's refs, index, work tree, configuration and HEAD."""
        return (self.git("for-each-ref", "refs/heads/main", "refs/tags"), self.git("status", "--porcelain=v2"),
                (self.root / ".git/config").read_bytes(), (self.root / ".git/HEAD").read_bytes(),
                self.git("ls-files", "-s"))


class Session:
    def __init__(self, project, name=SESSION, client="claude-code"):
        self.project, self.name, self.client = project, name, client
        self.transcript = project.base / (name + ".jsonl")
        self.transcript.write_text("", encoding="utf-8")
        self.hook("SessionStart", source="startup")

    def hook(self, event, **fields):
        project = self.project
        project.seconds += 1
        payload = {"session_id": self.name, "transcript_path": str(self.transcript), "cwd": str(project.root),
                   "hook_event_name": event, **fields}
        done = subprocess.run([project.program, "hook", self.client, event], cwd=project.root, env=project.environment(),
                              input=json.dumps(payload).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120, check=False)
        if done.returncode != 0:
            raise AssertionError(done)

    def say(self, who, content, **more):
        self.project.messages += 1
        line = {"type": who, "uuid": f"message-{self.project.messages}", "parentUuid": None, "isSidechain": False,
                "timestamp": self.project.environment()["PLANKEEP_NOW"],
                "message": {"role": who, "content": content, **more}}
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def prompt(self, text):
        self.project.seconds += 60
        self.hook("UserPromptSubmit", prompt=text)
        self.say("user", text)

    def tool(self, name, **given):
        self.project.messages += 1
        self.project.seconds += 1
        call = f"toolu_{self.project.messages}"
        self.say("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}],
                 id=f"msg_{self.project.messages}", model="m-1",
                 usage={"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 1,
                        "cache_creation_input_tokens": 2})
        self.say("user", [{"type": "tool_result", "tool_use_id": call, "content": "ok"}])

    def named(self, path):
        return str(self.project.root / path) if self.project.absolute else path

    def write(self, path, text):
        self.project.write(path, text)
        self.tool("Write", file_path=self.named(path), content=text)

    def edit(self, path, old, new):
        text = self.project.read(path)
        if old not in text:
            raise AssertionError(f"{path} does not hold {old!r}")
        self.project.write(path, text.replace(old, new, 1))
        self.tool("Edit", file_path=self.named(path), old_string=old, new_string=new)

    def stop(self, text="Done."):
        self.project.seconds += 1
        self.say("assistant", [{"type": "text", "text": text}])
        self.hook("Stop", stop_hook_active=False, last_assistant_message=text)

    def end(self):
        self.hook("SessionEnd", reason="exit")
