"""Session checkpoints in real repositories, as clients and shells ask for them.

  session_test.py PROGRAM
"""

import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

BUNDLE = pathlib.Path(__file__).resolve().parents[1] / "cases" / "session" / "files" / "sessions.bundle"
PROGRAM = ""


class SessionTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name).resolve()
        self.root = self.top / "project"
        self.root.mkdir()
        self.environment = {"HOME": str(self.top), "PATH": "/usr/bin:/bin", "PLANKEEP_CHECKPOINTS": "off",
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
        self.git("init", "-q", "-b", "main")
        self.git("fetch", "-q", str(BUNDLE), "+refs/*:refs/*")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.root, env=self.environment, check=True, timeout=60)

    def run_program(self, *words, given="", cwd=None, status=0):
        run = subprocess.run([PROGRAM, *words], cwd=cwd or self.root, env=self.environment, input=given.encode(),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        if status is not None:
            self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout.decode("utf-8"), run.stderr.decode("utf-8")

    def tool(self, identity):
        calls = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
                 {"jsonrpc": "2.0", "method": "notifications/initialized"},
                 {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                     "name": "get_checkpoint", "arguments": {"id": identity}}}]
        told, _ = self.run_program("mcp", given="".join(json.dumps(call) + "\n" for call in calls))
        answers = [json.loads(line) for line in told.splitlines()]
        return next(answer for answer in answers if answer.get("id") == 2)["result"]

    def test_a_model_asks_for_a_session_checkpoint_with_and_without_a_plan(self):
        for plan in (False, True):
            if plan:
                (self.root / "plan.md").write_text("# P\n\n- [ ] a\n", encoding="utf-8")
                self.run_program("init")
            answer = self.tool("a1b2")
            self.assertNotIn("isError", [key for key in answer if answer[key] is True])
            self.assertIn("First prompt", answer["content"][0]["text"])
            self.assertEqual(answer["structuredContent"]["checkpoint"]["id"], "a1b2c3d4e5f6")
            hostile = self.tool("bad0bad0bad0")
            self.assertNotIn("\x1b", json.dumps(hostile, ensure_ascii=False))
            self.assertNotIn("\\u001b", json.dumps(hostile))
            self.assertTrue(self.tool("777777777777").get("isError"))

    def test_ids_are_completed(self):
        told, _ = self.run_program("completion", "--candidates", "line", "--", "session", "show", "a1")
        self.assertEqual(told, "a1b2c3d4e5f6\n")
        told, _ = self.run_program("completion", "--candidates", "line", "--", "session", "show", "")
        # Session checkpoints, sessions of clients, and what names a commit.
        self.assertEqual([line.split("\t")[0] for line in told.splitlines()],
                         ["a1b2c3d4e5f6", "bad0bad0bad0", "01HF7YAT00000G40R40M30E209", "sess-1", "sess-2", "xyz", "HEAD",
                          "entire/checkpoints/v1", "work"])
        told, _ = self.run_program("completion", "--candidates", "line", "--", "session", "")
        self.assertEqual(told.split(), ["list", "show", "why", "resume", "check", "clean", "push", "fetch"])
        self.git("remote", "add", "origin", "/nowhere")
        told, _ = self.run_program("completion", "--candidates", "line", "--", "session", "push", "")
        self.assertEqual(told, "origin\n")
        told, _ = self.run_program("completion", "--candidates", "line", "--", "session", "fetch", "a1")
        self.assertEqual(told, "a1b2c3d4e5f6\n")

    def test_an_id_that_means_several_is_answered_with_all_of_them(self):
        tip = subprocess.run(["git", "rev-parse", "refs/entire/checkpoints/d0/bad0bad0bad0"], cwd=self.root,
                             env=self.environment, stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode().strip()
        self.git("update-ref", "refs/entire/checkpoints/77/a1b2c3777777", tip)
        _, errors = self.run_program("session", "show", "a1b2", status=3)
        self.assertIn("a1b2c3d4e5f6", errors)
        self.assertIn("a1b2c3777777", errors)
        self.run_program("session", "show", "a1b2c3d4")

    def test_check_names_refs_that_git_cannot_read(self):
        def findings():
            told, _ = self.run_program("session", "check", "--json", status=1)
            return [(one.get("checkpoint", ""), one["text"]) for one in json.loads(told)["findings"]]

        before = findings()
        folder = self.root / ".git" / "refs" / "entire" / "checkpoints" / "99"
        folder.mkdir()
        (folder / "a1b2c3999999").write_text("garbage\n", encoding="utf-8")
        new = [one for one in findings() if one not in before]
        self.assertEqual(new, [("a1b2c3999999", "refs/entire/checkpoints/99/a1b2c3999999: holds no object's name")])

    def test_check_says_each_problem_once(self):
        def git(*words, given=""):
            return subprocess.run(["git", *words], cwd=self.root, env=self.environment, input=given.encode(), check=True,
                                  stdout=subprocess.PIPE, timeout=60).stdout.decode().strip()

        ref = "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209"
        slot = git("mktree", given=git("ls-tree", ref + ":0") + "\n120000 blob " + git("hash-object", "-w", "--stdin") + "\tlink\n")
        rows = [row for row in git("ls-tree", ref).splitlines() if not row.endswith("\t0")]
        tree = git("mktree", given="\n".join(rows + [f"040000 tree {slot}\t0"]) + "\n")
        who = ("-c", "user.name=Kim", "-c", "user.email=kim@example.org")
        git("update-ref", ref, git(*who, "commit-tree", tree, "-p", ref, "-m", "with a link"))
        for words in ((), ("--deep",), ("--secrets",), ("--deep", "--secrets")):
            told, _ = self.run_program("session", "check", "--json", *words, status=1)
            found = [(one.get("checkpoint", ""), one["text"]) for one in json.loads(told)["findings"]]
            self.assertIn(("01HF7YAT00000G40R40M30E209", "0/link: is a symbolic link"), found)
            self.assertEqual(len(found), len(set(found)), found)

    @unittest.skipUnless(shutil.which("ssh-keygen"), "needs ssh-keygen")
    def test_the_signature_of_a_checkpoint_is_shown_when_it_is_asked_for(self):
        def signature(*words, status=0):
            told, _ = self.run_program("session", "show", "30e209", "--verify", "--json", *words, status=status)
            return json.loads(told)["checkpoint"]["signature"]

        def git(*words, given=""):
            return subprocess.run(["git", *words], cwd=self.root, env=self.environment, input=given.encode(), check=True,
                                  stdout=subprocess.PIPE, timeout=60).stdout

        self.assertEqual(signature(), {"verdict": "none"})
        told, _ = self.run_program("session", "show", "30e209", "--verify")
        self.assertIn("Signature: none\n", told)
        self.assertNotIn("Signature", self.run_program("session", "show", "30e209")[0])
        key = self.top / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True, timeout=60)
        signers = self.top / "signers"
        signers.write_text("kim@example.org " + key.with_suffix(".pub").read_text(), encoding="utf-8")
        for name, value in (("gpg.format", "ssh"), ("user.signingKey", str(key)), ("gpg.ssh.allowedSignersFile", str(signers)),
                            ("user.name", "Kim"), ("user.email", "kim@example.org")):
            git("config", name, value)
        ref = "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209"
        signed = git("commit-tree", "-S", ref + "^{tree}", "-p", ref, "-m", "signed").decode().strip()
        git("update-ref", ref, signed)
        good = signature()
        self.assertEqual((good["verdict"], good["signer"]), ("good", "kim@example.org"))
        told, _ = self.run_program("session", "show", "30e209", "--verify")
        self.assertIn("Signature: good, kim@example.org, key " + good["key"], told)
        forged = git("cat-file", "commit", signed).replace(b"\n\nsigned", b"\n\nforged").decode()
        git("update-ref", ref, git("hash-object", "-t", "commit", "-w", "--stdin", given=forged).decode().strip())
        self.assertEqual(signature(status=1)["verdict"], "bad")
        signers.unlink()
        self.assertIn(signature(status=None)["verdict"], ("unchecked", "untrusted", "bad"))
        self.run_program("session", "show", "30e209", "--verify", "--raw", status=2)
        self.run_program("session", "list", "--verify", status=2)

    def listed(self, *words):
        told, _ = self.run_program("session", "list", "--json", *words)
        return {one["id"]: one for one in json.loads(told)["checkpoints"]}

    def test_a_checkpoint_without_a_plan_link_is_found_in_the_records_of_the_plan(self):
        self.git("reset", "-q", "--hard", "work")
        self.git("remote", "add", "origin", "https://example.org/kim/letters.git")
        for key, value in (("user.name", "Kim"), ("user.email", "kim@example.org")):
            self.git("config", key, value)
        folder = self.root / "plans" / "auth"
        folder.mkdir(parents=True)
        for place in (self.root, folder):
            (place / "plan.md").write_text("# P\n\n## Build it\n<!-- CHECKPOINT: build -->\n- [ ] a <!-- TASK: a -->\n"
                                           "- [ ] b <!-- TASK: b -->\n", encoding="utf-8")
            self.run_program("init", "--plan", str(place))
        self.run_program("git-setup", "--hooks", "--local")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "start")

        def commit(task):
            self.run_program("done", task, "--plan", str(self.root))
            self.git("commit", "-qam", task, "--trailer", "Entire-Checkpoint: a1b2c3d4e5f6")

        def shown():
            return json.loads(self.run_program("session", "show", "a1b2", "--json")[0])["checkpoint"].get("plan")

        self.assertIsNone(shown())
        commit("a")
        self.assertEqual(shown()["phase_id"], "build")
        self.assertNotIn("plan", self.listed()["a1b2c3d4e5f6"])
        commit("b")
        plan = shown()
        self.assertEqual((plan["phase_id"], plan["phase_title"], plan["tier"]), ("build", "Build it", "tier0"))
        listed = self.listed()["a1b2c3d4e5f6"]["plan"]
        self.assertEqual((listed["plan_id"], listed["phase_title"]), (plan["plan_id"], "Build it"))
        self.assertEqual(list(self.listed("--plan", str(self.root))), ["a1b2c3d4e5f6"])
        self.assertEqual(self.listed("--plan", str(folder)), {})

    def test_bare_repositories_and_linked_work_trees_are_read_alike(self):
        self.git("reset", "-q", "--hard", "work")
        self.git("worktree", "add", "-q", str(self.top / "linked"), "work~1", "--detach")
        self.git("clone", "-q", "--mirror", ".", str(self.top / "bare.git"))
        expected, _ = self.run_program("session", "list")
        for place in ("linked", "bare.git"):
            told, _ = self.run_program("session", "list", cwd=self.top / place)
            self.assertEqual(told, expected, place)

    def test_a_cache_that_cannot_be_written_is_done_without(self):
        (self.root / ".git" / "plankeep").write_text("in the way", encoding="utf-8")
        told, _ = self.run_program("session", "list", "--json")
        self.assertEqual(len(json.loads(told)["checkpoints"]), 3)
        self.assertEqual((self.root / ".git" / "plankeep").read_text(encoding="utf-8"), "in the way")

    def test_a_cache_with_damaged_rows_is_made_anew(self):
        expected, _ = self.run_program("session", "list", "--json")
        cache = self.root / ".git" / "plankeep" / "sessions.db"
        for damage in ("UPDATE checkpoints SET data = '{'", "UPDATE checkpoints SET data = x'ff00'",
                       "CREATE TRIGGER t AFTER INSERT ON facts BEGIN DELETE FROM checkpoints; END",
                       "PRAGMA user_version = 99", "DELETE FROM facts"):
            with contextlib.closing(sqlite3.connect(cache)) as database:
                database.execute(damage)
                database.commit()
            told, _ = self.run_program("session", "list", "--json")
            self.assertEqual(told, expected, damage)

    def test_many_at_once_make_one_cache(self):
        runs = [subprocess.Popen([PROGRAM, "session", "list", "--json"], cwd=self.root, env=self.environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(8)]
        told = []
        for run in runs:
            output, errors = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0, errors)
            told.append(output)
        self.assertEqual(len(set(told)), 1)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
