"""Running sessions put onto shadow branches, and what others make of them.

  session_pending_test.py PROGRAM
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

for folder in ("schemas", "support"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))
from session_project import SESSION, Session, SessionProject  # noqa: E402
from validate_tree import Schemas  # noqa: E402

PROGRAM = ""
SCHEMAS = Schemas()
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


class SessionPendingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = SessionProject(PROGRAM, folder.name)
        self.project.write("a.txt", "one\n")
        self.base = self.project.commit("base")
        self.branch = f"entire/{self.base[:7]}-e3b0c4"

    def git(self, *words):
        return self.project.git(*words)

    def pending(self, *words, status=0):
        told = self.project.export("--pending", *words, status=status)
        self.assertEqual(SCHEMAS.findings("output-checkpoint-export", told), [])
        return told["pending"]

    def fails(self, *words, status):
        run = subprocess.run([PROGRAM, "checkpoint", "export", "--to", "entire", "--pending", *words], timeout=60,
                             cwd=self.project.root, env=self.project.environment(), check=False, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, status, run)
        return run.stderr.decode()

    def turn(self, session, text, **files):
        session.prompt(text)
        for name, content in files.items():
            session.write(name.replace("_", "."), content)
        session.stop()

    def work(self):
        session = Session(self.project)
        self.turn(session, "Add two", a_txt="one\ntwo\n", new_c="int a;\n")
        return session

    def tip(self, branch=None):
        return self.git("rev-parse", "refs/heads/" + (branch or self.branch)).strip()

    def message(self, session, subject):
        return (f"{subject}\n\nEntire-Metadata: .entire/metadata/{session}\nEntire-Session: {session}\n"
                "Entire-Strategy: manual-commit\n")

    def test_a_turn_becomes_a_snapshot_as_entire_makes_them(self):
        session = self.work()
        os.symlink("a.txt", self.project.root / "link")
        (self.project.root / "tool.sh").write_text("#!/bin/sh\n")
        (self.project.root / "tool.sh").chmod(0o755)
        self.turn(session, "Add a tool", b_txt="b\n")
        before = self.project.digest()
        planned, = self.pending("--dry-run")
        self.assertEqual((planned["status"], planned["branch"]), ("would_write", self.branch))
        self.assertEqual(self.git("for-each-ref", "refs/heads/entire"), "")
        one, = self.pending()
        self.assertEqual((one["status"], one["session_id"], one["prompts"], one["transcript"], one["subject"]),
                         ("written", SESSION, 2, True, "Add a tool"))
        self.assertEqual(self.project.digest(), before)
        self.assertEqual(self.tip(), one["commit"])
        self.assertEqual(self.git("log", "-1", "--format=%B", self.branch).rstrip("\n") + "\n",
                         self.message(SESSION, "Add a tool"))
        self.assertEqual(self.git("log", "-1", "--format=%P|%an|%ae|%cn|%ce", self.branch).strip(),
                         "|Unknown|unknown@local|Unknown|unknown@local")
        listed = self.git("ls-tree", "-r", self.branch)
        modes = {row.split("\t")[1]: row.split()[0] for row in listed.splitlines()}
        folder = f".entire/metadata/{SESSION}/"
        self.assertEqual(modes, {".gitignore": "100644", "a.txt": "100644", "b.txt": "100644", "link": "120000",
                                 "new.c": "100644", "plan.md": "100644", "tool.sh": "100755",
                                 folder + "full.jsonl": "100644", folder + "prompt.txt": "100644"})
        self.assertEqual(self.git("show", f"{self.branch}:a.txt"), "one\ntwo\n")
        self.assertEqual(self.git("show", f"{self.branch}:{folder}prompt.txt"), "Add two\n\n---\n\nAdd a tool")
        self.assertEqual(self.git("show", f"{self.branch}:{folder}full.jsonl"), session.transcript.read_text())
        self.git("fsck", "--strict", "--no-dangling")
        again, = self.pending()
        self.assertEqual(again["status"], "unchanged")
        self.assertNotIn("commit", again)
        self.assertEqual(self.tip(), one["commit"])

    def test_the_next_turn_comes_on_top_and_others_see_it(self):
        session = self.work()
        first, = self.pending()
        self.turn(session, "Add three", a_txt="one\ntwo\nthree\n")
        second, = self.pending()
        self.assertEqual(self.git("rev-list", self.branch).split(), [second["commit"], first["commit"]])
        listed = json.loads(self.project.run("session", "list", "--pending", "--json"))
        self.assertEqual([one["subject"] for one in listed["branches"][0]["snapshots"]], ["Add three", "Add two"])
        self.assertEqual([one["session_id"] for one in listed["running"]], [SESSION])
        told = self.project.run("checkpoint", "export", "--to", "entire", "--pending")
        self.assertIn(self.branch + " Add three", told)
        self.assertIn("nothing new", told)
        # The files come back from it.
        imported = json.loads(self.project.run("checkpoint", "import", "--from", "entire", first["commit"], "--json"))
        self.project.run("rewind", imported["imported"][0]["checkpoint"], "--files")
        self.assertEqual(self.project.read("a.txt"), "one\ntwo\n")

    def test_what_was_imported_is_no_snapshot_of_the_work(self):
        session = self.work()
        first, = self.pending()
        self.turn(session, "Add three", a_txt="three\n")
        self.project.run("checkpoint", "import", "--from", "entire", first["commit"])
        self.assertEqual(self.pending()[0]["subject"], "Add three")
        self.assertEqual(self.git("show", f"{self.branch}:a.txt"), "three\n")

    def test_two_sessions_share_a_branch(self):
        first = self.work()
        second = Session(self.project, "second-session")
        self.turn(second, "More", more_c="int more;\n")
        self.turn(first, "Again", a_txt="again\n")
        told = self.pending()
        self.assertEqual(sorted(one["session_id"] for one in told), [SESSION, "second-session"])
        self.assertEqual(len(self.git("rev-list", self.branch).split()), 2)
        inside = self.git("ls-tree", "--name-only", self.branch + ":.entire/metadata").split()
        self.assertEqual(inside, [SESSION, "second-session"])
        one, = self.pending("second")
        self.assertEqual((one["session_id"], one["status"]), ("second-session", "unchanged"))

    def test_what_is_committed_is_not_pending_any_more(self):
        session = self.work()
        self.pending()
        self.project.commit("all of it")
        one, = self.pending()
        self.assertEqual((one["status"], one["reason"]), ("left_out", "it has no checkpoint with files since the last commit"))
        self.turn(session, "More", a_txt="more\n")
        one, = self.pending()
        head = self.git("rev-parse", "HEAD")[:7]
        self.assertEqual(one["branch"], f"entire/{head}-e3b0c4")
        self.assertEqual(one["prompts"], 1)
        # Over, and not committed: only when it is named.
        session.end()
        self.assertEqual(self.pending(), [])
        self.assertEqual(self.project.run("checkpoint", "export", "--to", "entire", "--pending"), "no session is running\n")
        one, = self.pending(SESSION[:8])
        self.assertEqual(one["status"], "unchanged")

    def test_a_finished_branch_is_cleaned_up(self):
        session = self.work()
        self.pending()
        session.end()
        kept = json.loads(self.project.run("session", "clean", "--pending", "--json"))["items"][0]
        self.assertIn("kept", kept)
        self.project.commit("all of it")
        self.project.export("--all")
        self.project.seconds += 8 * 86400
        gone = json.loads(self.project.run("session", "clean", "--pending", "--yes", "--json"))["items"][0]
        self.assertEqual((gone["name"], gone["removed"]), (self.branch, True))

    def test_secrets_are_replaced_in_what_was_said(self):
        session = Session(self.project)
        self.turn(session, f"Use {TOKEN}", a_txt="two\n")
        one, = self.pending()
        self.assertEqual(one["redacted"]["rules"], {"github-token": one["redacted"]["total"]})
        for name in ("full.jsonl", "prompt.txt"):
            text = self.git("show", f"{self.branch}:.entire/metadata/{SESSION}/{name}")
            self.assertNotIn(TOKEN, text)
            self.assertIn("REDACTED", text)
        self.assertNotIn(TOKEN, self.git("log", "--format=%B", self.branch))

    def test_without_a_transcript_prompts_and_files_are_left(self):
        self.work()
        one, = self.pending("--no-transcript")
        self.assertFalse(one["transcript"])
        inside = self.git("ls-tree", "--name-only", f"{self.branch}:.entire/metadata/{SESSION}").split()
        self.assertEqual(inside, ["prompt.txt"])

    def test_a_linked_work_tree_has_a_branch_of_its_own(self):
        self.git("worktree", "add", "-q", "-b", "side", str(self.project.base / "feature"))
        self.project.root = self.project.base / "feature"
        self.project.run("init")
        self.work()
        one, = self.pending()
        end = hashlib.sha256(b"feature").hexdigest()[:6]
        self.assertEqual(one["branch"], f"entire/{self.base[:7]}-{end}")

    def test_a_branch_of_the_users_is_left_alone(self):
        self.work()
        self.git("branch", self.branch)
        before = self.tip()
        self.assertIn("holds something else than snapshots", self.fails(status=4))
        self.assertEqual(self.tip(), before)
        self.git("branch", "-D", "-q", self.branch)
        self.pending()
        before = self.tip()
        self.git("worktree", "add", "-q", str(self.project.base / "other"), self.branch)
        self.assertIn("is checked out", self.fails(status=4))
        self.assertEqual(self.tip(), before)

    def test_what_cannot_go_together_is_refused(self):
        self.work()
        for words in (("--all",), ("--commit", "HEAD"), ("--since", "1d"), ("--layout", "refs")):
            self.assertIn("--pending cannot be used with", self.fails(*words, status=2))
        self.assertIn("nobody", self.fails("nobody", status=2))
        run = subprocess.run([PROGRAM, "checkpoint", "list", "--pending"], cwd=self.project.root, timeout=60, check=False,
                             env=self.project.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"checkpoint export", run.stderr)

    def test_no_commit_yet(self):
        self.project.root = self.project.base / "empty"
        self.project.root.mkdir()
        self.git("init", "-q")
        self.project.write("plan.md", "# P\n\n## A\n- [ ] one\n")
        self.project.run("init")
        self.assertIn("there is no commit yet", self.fails(status=4))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
