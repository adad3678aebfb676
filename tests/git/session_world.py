"""A repository with session checkpoints and shadow branches, made with git's own plumbing, for the scripts beside this."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "schemas"))
from validate_tree import Schemas  # noqa: E402

PROGRAM = ""
SCHEMAS = Schemas()
OUTPUTS = {("checkpoint", "import"): "checkpoint-import"}


def prompt(text, time="2026-11-20T10:00:00.000Z"):
    return {"timestamp": time, "type": "user", "message": {"role": "user", "content": text}}


def call(number, name, arguments, time="2026-11-20T10:01:00.000Z"):
    return [{"timestamp": time, "type": "assistant", "message": {
                "role": "assistant", "id": f"m{number}",
                "content": [{"type": "tool_use", "id": f"t{number}", "name": name, "input": arguments}]}},
            {"timestamp": time, "type": "user", "message": {
                "role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "ok"}]}}]


def lines(*parts):
    rows = []
    for part in parts:
        rows += part if isinstance(part, list) else [part]
    return "".join(json.dumps(row) + "\n" for row in rows)


class SessionWorld(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name).resolve()
        self.home = self.top / "home"
        self.home.mkdir()
        self.root = self.top / "project"
        self.root.mkdir()
        self.environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "PLANKEEP_CHECKPOINTS": "off",
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
                            "PLANKEEP_NOW": "2026-11-20T15:43:50.123Z"}
        for who in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{who}_NAME": "Kim", f"GIT_{who}_EMAIL": "kim@example.org",
                                 f"GIT_{who}_DATE": "2026-11-20T10:10:00Z"}
        self.git("init", "-q", "-b", "main")

    def git(self, *words, given=None, status=0):
        run = subprocess.run(["git", *words], cwd=self.root, env=self.environment, timeout=60, check=False,
                             input=given if given is None or isinstance(given, bytes) else given.encode(),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, status, (words, run.stderr))
        return run.stdout.decode("utf-8", "surrogateescape").strip()

    def run_program(self, *words, given="", cwd=None, status=0):
        run = subprocess.run([PROGRAM, *words], cwd=cwd or self.root, env=self.environment, input=given.encode(),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(run.returncode, status, (words, run.stdout, run.stderr))
        told, errors = run.stdout.decode("utf-8"), run.stderr.decode("utf-8")
        self.assertNotIn("\x1b", told + errors)
        return told, errors

    def json(self, *words, **how):
        """What the program says with --json, held against its schema."""
        answer = json.loads(self.run_program(*words, "--json", **how)[0])
        self.assertEqual(SCHEMAS.findings("output-" + OUTPUTS.get(words[:2], words[0]), answer), [])
        return answer

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, message, *more):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *more)
        return self.git("rev-parse", "HEAD")

    def blob(self, content):
        return self.git("hash-object", "-w", "--stdin", given=content if isinstance(content, bytes) else content.encode())

    def tree(self, entries):
        """entries: {name: bytes/str (a file), dict (a folder) or (mode, id)}"""
        rows = b""
        for name, content in entries.items():
            if isinstance(content, dict):
                mode, kind, identity = "040000", "tree", self.tree(content)
            elif isinstance(content, tuple):
                mode, identity = content
                kind = {"040000": "tree", "160000": "commit"}.get(mode, "blob")
            else:
                mode, kind, identity = "100644", "blob", self.blob(content)
            rows += f"{mode} {kind} {identity}\t".encode() + os.fsencode(name) + b"\0"
        return self.git("mktree", "-z", "--missing", given=rows)

    def commit_tree(self, tree, message, *parents):
        words = [word for parent in parents for word in ("-p", parent)]
        return self.git("commit-tree", tree, *words, given=message)

    def session(self, identity, session_id, transcript, prompts, files=(), agent="Claude Code", plan=None):
        """A checkpoint in the layout refs."""
        metadata = {"checkpoint_id": identity, "session_id": session_id, "strategy": "manual-commit",
                    "created_at": "2026-11-20T10:10:00Z", "checkpoints_count": 1, "files_touched": list(files),
                    "agent": agent, "model": "m-1"}
        slot = {"metadata.json": json.dumps(metadata), "prompt.txt": "\n\n---\n\n".join(prompts)}
        if transcript is not None:
            slot["full.jsonl"] = transcript
        root = {"checkpoint_id": identity, "strategy": "manual-commit", "checkpoints_count": 1,
                "files_touched": list(files), "sessions": []}
        entries = {"metadata.json": json.dumps(root), "0": slot}
        if plan:
            entries["plankeep"] = {"plan.json": json.dumps(plan)}
        made = self.commit_tree(self.tree(entries), f"Checkpoint: {identity}\n")
        self.git("update-ref", f"refs/entire/checkpoints/{identity[-2:]}/{identity}", made)
        return made

    def state_of_repository(self):
        """Everything of the user's that no reader may change."""
        return (self.git("for-each-ref"), self.git("status", "--porcelain"), (self.root / ".git" / "config").read_bytes(), (self.root / ".git" / "HEAD").read_bytes())
