#!/usr/bin/python3
"""What evidence is worth in real repositories: never more than git can vouch for."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))

PLAN = """# P

## A
<!-- CHECKPOINT: a -->
- [ ] One <!-- TASK: one -->
- [ ] Two <!-- TASK: two -->
- [ ] Tests <!-- ACCEPT: t | verify: sh check.sh -->
"""


class Evidence(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="plankeep-evidence-")
        self.addCleanup(self.folder.cleanup)
        base = pathlib.Path(self.folder.name).resolve()
        self.top = base / "project"
        self.top.mkdir()
        (base / "home").mkdir()
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"))}
        self.environment = {"PATH": os.environ["PATH"], "PLANKEEP_CHECKPOINTS": "off", "HOME": str(base / "home"),
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), **who}
        self.git("init", "-q", "-b", "main")
        self.write("plan.md", PLAN)
        self.write("f.txt", "one\n")
        self.write("check.sh", "exit 0\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "init")
        self.run_program("init")

    def git(self, *words, cwd=None):
        return subprocess.run(["git", *words], cwd=cwd or self.top, env=self.environment, check=True, capture_output=True,
                              text=True, timeout=60).stdout.strip()

    def run_program(self, *words, status=0, **more):
        done = subprocess.run([PROGRAM, *words], cwd=self.top, env={**self.environment, **more}, capture_output=True,
                              text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def write(self, name, text):
        (self.top / name).parent.mkdir(parents=True, exist_ok=True)
        (self.top / name).write_bytes(text.encode())

    def verify(self):
        self.run_program("verify", "--yes")
        self.fresh()

    def fresh(self):
        self.assertIn("1 of 1 criterion proven", self.run_program("verify", "--check"))

    def stale(self, *names):
        said = self.run_program("verify", "--check", status=1)
        self.assertIn("stale", said)
        status = self.run_program("status")
        for name in names:
            self.assertIn(name, said)
            self.assertIn("Stale     t: " + name, status)

    def commit(self, *words, status=0):
        self.run_program("commit", "--verify", "--yes", "--json", *words, status=status)
        sha = self.git("rev-parse", "HEAD")
        return json.loads((self.top / ".checkpoint/commits" / (sha + ".json")).read_text())["tier"]

    # What git cannot answer.

    def unknown(self, **more):
        said = self.run_program("verify", "--check", status=4, **more)
        self.assertIn("cannot tell", said)
        self.assertIn("0 of 1 criterion proven", said)
        self.assertIn("met, unknown", self.run_program("status", **more))
        self.assertIn("proven 0/1", self.run_program("status", **more))
        self.assertIn("unknown", self.run_program("resume", **more))
        self.assertIn("not known whether", self.run_program("lint", **more))
        proof = json.loads(self.run_program("status", "--json", **more))["phases"][0]["proof"]
        self.assertEqual((proof["proven"], proof["unknown"]), ([], ["t"]))

    def test_a_damaged_index(self):
        self.verify()
        self.write(".git/index", "garbage")
        self.unknown()

    def test_no_git_program(self):
        self.verify()
        self.unknown(PATH="/nonexistent")

    def test_a_broken_configuration(self):
        self.verify()
        with open(self.top / ".git/config", "a", encoding="utf-8") as file:
            file.write("[core\n")
        self.unknown()

    @unittest.skipUnless(os.geteuid() == 0, "needs another owner's repository")
    def test_a_repository_of_another_owner(self):
        self.verify()
        os.chown(self.top, 12345, 12345)
        os.chown(self.top / ".git", 12345, 12345)
        said = self.run_program("verify", "--check", status=4)
        self.assertIn("dubious ownership", said)

    def test_a_repository_that_git_does_not_recognise(self):
        self.verify()
        (self.top / ".git/HEAD").unlink()
        self.unknown()

    def test_commands_that_pass_without_git_prove_nothing(self):
        said = self.run_program("verify", "--yes", PATH="/nonexistent:" + str(self.bin()), status=4)
        self.assertIn("cannot tell", said)
        self.stale("what the files held was not recorded when it ran")

    def bin(self):
        folder = self.top.parent / "bin"
        folder.mkdir()
        os.symlink("/bin/sh", folder / "sh")
        return folder

    # Without a repository.

    def test_outside_of_every_repository_changed_files_are_noticed(self):
        shutil.rmtree(self.top / ".git")
        self.verify()
        self.write("f.txt", "two\n")
        self.stale("f.txt")
        self.write("f.txt", "one\n")
        self.write("new.txt", "n")
        self.stale("new.txt (new)")
        self.write(".gitignore", "*.txt\n")
        self.stale(".gitignore (new), f.txt (removed)")
        (self.top / ".gitignore").unlink()
        (self.top / "new.txt").unlink()
        self.fresh()
        self.run_program("done", "one")
        self.fresh()
        # A repository that comes or goes changes no file.
        self.git("init", "-q")
        self.fresh()
        self.git("add", "-A")
        self.git("commit", "-qm", "first")
        self.fresh()
        shutil.rmtree(self.top / ".git")
        self.fresh()
        self.assertEqual({path.name for path in self.top.iterdir()}, {"plan.md", ".checkpoint", "f.txt", "check.sh"})

    def test_outside_of_every_repository_those_inside_count(self):
        shutil.rmtree(self.top / ".git")
        inner = self.top / "inner"
        inner.mkdir()
        self.git("init", "-q", cwd=inner)
        self.write("inner/a.c", "1")
        self.verify()
        self.git("add", "-A", cwd=inner)
        self.git("commit", "-qm", "first", cwd=inner)
        self.fresh()
        self.write("inner/a.c", "2")
        self.stale("inner/a.c")

    def test_outside_of_every_repository_and_without_git_nothing_is_proven(self):
        shutil.rmtree(self.top / ".git")
        self.verify()
        self.unknown(PATH="/nonexistent")
        self.unknown(HOME="/nonexistent")
        self.fresh()

    # What makes evidence stale.

    def test_new_files_and_which(self):
        self.verify()
        self.write("helper.txt", "h")
        self.stale("helper.txt (new)")
        (self.top / "helper.txt").unlink()
        self.fresh()
        self.write(".gitignore", "*.log\n")
        self.verify()
        self.write("a.log", "x")
        self.fresh()

    def test_a_file_named_like_a_plan(self):
        self.write("tests/plan.md", "- [ ] x\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "fixture")
        self.verify()
        self.write("tests/plan.md", "- [x] changed\n")
        self.stale("tests/plan.md")

    def test_another_plan_that_is_tracked(self):
        self.write("plans/b/plan.md", "## B\n- [ ] x\n- [ ] y\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "b")
        self.run_program("init", "plans/b/plan.md")
        self.verify()
        self.run_program("done", "x", "--plan", "plans/b/plan.md")
        self.fresh()

    def test_what_git_was_told_to_overlook(self):
        self.verify()
        self.git("update-index", "--assume-unchanged", "f.txt")
        self.write("f.txt", "broken\n")
        self.stale("f.txt")

    def test_a_command_that_writes_files(self):
        self.write("check.sh", "date +%N > out.txt\n")
        said = self.run_program("verify", "--yes", status=1)
        self.assertIn("files changed while it ran (out.txt (new))", said)
        self.assertIn("ignore", said)

    # What a commit may say.

    def test_a_commit_that_leaves_out_a_new_file(self):
        self.write("check.sh", "test -f helper.txt\n")
        self.git("commit", "-qam", "check")
        self.write("helper.txt", "h\n")
        self.write("f.txt", "uses\n")
        self.git("add", "f.txt")
        said = self.run_program("commit", "--verify", "--yes")
        self.assertIn("tier0", said)
        self.assertIn("helper.txt", said)

    def test_a_commit_with_everything(self):
        self.run_program("done", "one", "two")
        self.write("helper.txt", "h\n")
        self.assertEqual(self.commit("--all"), "tier2")
        self.fresh()

    def test_evidence_of_before_holds_for_a_commit_with_the_new_file(self):
        self.write("helper.txt", "h\n")
        self.verify()
        self.run_program("commit", "--all")
        self.fresh()

    def test_assume_unchanged(self):
        self.write("check.sh", "grep -q fixed f.txt\n")
        self.git("update-index", "--assume-unchanged", "f.txt")
        self.write("f.txt", "fixed\n")
        self.git("add", "check.sh")
        self.assertEqual(self.commit(), "tier0")

    def test_a_dirty_submodule(self):
        inner = self.top.parent / "inner"
        inner.mkdir()
        self.git("init", "-q", cwd=inner)
        (inner / "lib").write_text("1")
        self.git("add", "-A", cwd=inner)
        self.git("commit", "-qm", "lib", cwd=inner)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
        self.write("check.sh", "grep -q 2 sub/lib\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "sub")
        self.write("sub/lib", "2")
        self.write("f.txt", "x")
        self.git("add", "f.txt")
        self.assertEqual(self.commit(), "tier0")


if __name__ == "__main__":
    unittest.main()
