"""What sessions left behind taken away, and everything else left alone.

  session_clean_test.py PROGRAM
"""

import json
import os
import shutil
import sys
import unittest

import session_world
from session_world import SessionWorld, lines, prompt

ID = "a1b2c3d4e5f6"
TEXT = lines(prompt("one"))


class SessionCleanTest(SessionWorld):
    def setUp(self):
        super().setUp()
        self.environment["PLANKEEP_NOW"] = "2026-12-20T00:00:00.000Z"
        self.write("a.txt", "one\n")
        self.base = self.commit("base")
        self.branch = f"entire/{self.base[:7]}-e3b0c4"

    def snapshot(self, files, session="sess-1", parent=None, branch=None, subject="Add", trailers=None):
        if trailers is None:
            trailers = f"Entire-Metadata: .entire/metadata/{session}\nEntire-Session: {session}\n"
        entries = {**files, ".entire": {"metadata": {session: {"full.jsonl": "{}\n"}}}}
        made = self.commit_tree(self.tree(entries), f"{subject}\n\n{trailers}", *([parent] if parent else []))
        self.git("update-ref", f"refs/heads/{branch or self.branch}", made)
        return made

    def finished(self):
        """A shadow branch whose session was recorded and committed."""
        made = self.snapshot({"a.txt": "two\n"})
        self.write("a.txt", "two\n")
        self.commit(f"Add\n\nEntire-Checkpoint: {ID}")
        self.session(ID, "sess-1", TEXT, ["one"])
        return made

    def clean(self, *words, **how):
        done = self.json("session", "clean", *words, **how)
        return {one["name"]: one for one in done["items"]}, done

    def kept(self, *words):
        items, _ = self.clean(*words)
        return items[self.branch].get("kept")

    def refs(self):
        return self.git("for-each-ref")

    def test_nothing_happens_without_yes(self):
        self.finished()
        before = self.refs()
        for words in ((), ("--dry-run",), ("--pending",), ("--older-than", "1d")):
            items, done = self.clean(*words)
            self.assertNotIn("kept", items[self.branch])
            self.assertEqual((items[self.branch]["removed"], done["dry_run"], done.get("bundle")), (False, True, None))
        told, _ = self.run_program("session", "clean")
        self.assertIn("would remove shadow branch " + self.branch, told)
        self.assertIn("--yes", told)
        self.assertEqual(self.refs(), before)
        self.assertFalse((self.root / ".git/plankeep/removed").exists())

    def test_a_finished_branch_goes_and_its_bundle_brings_it_back(self):
        tip = self.finished()
        before = self.refs()
        items, done = self.clean("--yes")
        self.assertTrue(items[self.branch]["removed"])
        self.assertEqual(self.git("for-each-ref", "refs/heads/entire/"), "")
        ref = "refs/heads/" + self.branch
        self.git("reflog", "expire", "--expire=all", "--all")
        self.git("gc", "-q", "--prune=now")
        self.git("cat-file", "-e", tip, status=1)
        self.git("fetch", "-q", done["bundle"], f"{ref}:{ref}")
        self.assertEqual(self.refs(), before)
        told, _ = self.run_program("session", "clean", "--yes", "--pending")
        self.assertIn("removed shadow branch", told)
        self.assertEqual(self.run_program("session", "clean")[0], "nothing to clean\n")

    def test_a_branch_that_only_looks_like_one_is_never_touched(self):
        self.finished()
        tip = self.git("rev-parse", self.branch)
        tree = tip + "^{tree}"
        hand = self.commit_tree(tree, "By hand\n", tip)
        names = {"entire/0123456-e3b0c4": self.base, "entire/1234567": self.commit_tree(tree, "By hand\n"),
                 "entire/2345678-e3b0c4": hand,
                 "entire/3456789-e3b0c4": self.commit_tree(tree, "Entire-Session: sess-1\n\nEntire-Metadata: .entire/metadata/s\n\nno\n"),
                 "entire/4567890-e3b0c4": self.commit_tree(
                     tree, "Merge\n\nEntire-Session: sess-1\nEntire-Metadata: .entire/metadata/s\n", tip, self.commit_tree(
                         tree, "Other\n\nEntire-Session: sess-1\nEntire-Metadata: .entire/metadata/s\n"))}
        others = ["entire/trails", "entire/abcdefg-e3b0c4", "entire/012345-e3b0c4", "entire/ABCDEF0-e3b0c4", "mine/0123456-e3b0c4"]
        for name, commit in {**names, **{name: self.base for name in others}}.items():
            self.git("update-ref", "refs/heads/" + name, commit)
        items, _ = self.clean("--yes", "--older-than", "0s")
        self.assertTrue(items.pop(self.branch)["removed"])
        self.assertEqual(sorted(items), sorted(names))
        for name in names:
            self.assertIn("not snapshots", items[name]["kept"], name)
        for name in [*names, *others]:
            self.git("rev-parse", "-q", "--verify", "refs/heads/" + name)

    def test_unsaved_work_is_kept(self):
        self.finished()
        self.snapshot({"a.txt": "two\n", "b.txt": "only here\n"}, parent=self.git("rev-parse", self.branch))
        self.assertEqual(self.kept(), "it has files that are in no commit")
        self.write("renamed.txt", "only here\n")
        self.commit("Under another name")
        self.assertIsNone(self.kept())
        # A commit that no branch leads to holds nothing for long.
        self.git("reset", "-q", "--hard", "HEAD~1")
        self.assertEqual(self.kept(), "it has files that are in no commit")
        # Nor does another shadow branch, here or on a remote.
        self.git("update-ref", "refs/remotes/origin/" + self.branch, self.branch)
        self.git("update-ref", "refs/heads/entire/7654321-e3b0c4", self.branch)
        self.assertEqual(self.kept(), "it has files that are in no commit")

    def test_of_what_cannot_be_checked_it_is_said_why(self):
        self.finished()
        unknown = "it cannot be checked whether its files are in commits: "
        self.snapshot({"a.txt": "two\n", ".git": "no file of a work tree\n"})
        self.assertEqual(self.kept(), unknown + ".git could lead elsewhere")
        self.snapshot({"a.txt": "two\n", "folder": ("040000", "1" * 40)})
        self.assertEqual(self.kept(), unknown + "folder is missing from the repository")
        self.snapshot({"a.txt": "two\n"})
        self.assertIsNone(self.kept())
        self.git("update-ref", "HEAD", self.commit_tree("HEAD^{tree}", f"All anew\n\nEntire-Checkpoint: {ID}\n"))
        self.assertEqual(self.kept(), unknown + "no branch or tag leads to the commit it began at, " + self.base[:7])
        self.git("reflog", "expire", "--expire=all", "--all")
        self.git("gc", "-q", "--prune=now")
        self.assertEqual(self.kept("--yes"), unknown + f"the commit it began at, {self.base[:7]}, is not in the repository")

    def test_a_failed_git_is_no_unsaved_work(self):
        self.finished()
        self.snapshot({"a.txt": "three\n"}, parent=self.git("rev-parse", self.branch))
        self.write("a.txt", "three\n")
        self.commit("In a later commit")
        self.assertIsNone(self.kept())
        folder = self.top / "bin"
        folder.mkdir()
        script = folder / "git"
        path = self.environment["PATH"]
        for command in ("for-each-ref --count=1", "ls-tree -r -z --full-tree", "log --raw"):
            script.write_text(f'#!/bin/sh\ncase "$*" in *"{command}"*) echo "fatal: no space" >&2; exit 128;; esac\n'
                              f'exec {shutil.which("git", path=path)} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
            self.environment["PATH"] = f"{folder}:{path}"
            _, errors = self.run_program("session", "clean", "--yes", status=4)
            self.environment["PATH"] = path
            self.assertIn("git refused: fatal: no space", errors)
        self.assertIsNone(self.kept())

    def test_what_is_not_recorded_or_not_over_is_kept(self):
        self.finished()
        tip = self.git("rev-parse", self.branch)
        self.git("update-ref", "-d", f"refs/entire/checkpoints/f6/{ID}")
        self.assertIn("no session checkpoint", self.kept())
        self.session(ID, "sess-2", TEXT, ["one"])
        self.assertIn("no session checkpoint", self.kept())
        self.session(ID, "sess-1", None, ["one"])
        self.assertIn("no session checkpoint", self.kept())
        self.session(ID, "sess-1", TEXT, ["one"])
        self.assertIsNone(self.kept())
        self.environment["GIT_AUTHOR_DATE"] = "2026-11-20T10:10:01Z"
        self.snapshot({"a.txt": "two\n"}, parent=tip)
        self.assertIn("no session checkpoint", self.kept())
        self.git("update-ref", "refs/heads/" + self.branch, tip)
        self.assertIsNone(self.kept())
        self.assertEqual(self.kept("--older-than", "9w"), "it is not old enough")
        self.git("worktree", "add", "-q", str(self.top / "linked"), self.branch)
        self.assertEqual(self.kept("--yes"), "it is checked out")
        self.git("worktree", "remove", "--force", str(self.top / "linked"))
        states = self.root / ".git" / "entire-sessions"
        states.mkdir()
        for text, kept in (("{}", True), ("no json", True), ('{"phase":"idle"}', True), ('{"phase":"ended"}', False),
                           ('{"ended_at":"2026-11-21T10:00:00Z","x":[1]}', False), ('{"ended_at":null}', True)):
            (states / "sess-1.json").write_text(text, encoding="utf-8")
            self.assertEqual(self.kept(), "Entire lists its session as open" if kept else None, text)
        (states / "sess-1.json").unlink()
        (states / "sess-1.json").symlink_to("/etc/passwd")
        self.assertEqual(self.kept(), "Entire lists its session as open")
        (states / "sess-1.json").unlink()
        self.write("plan.md", "# P\n\n- [ ] a\n")
        self.run_program("init")
        self.run_program("hook", "claude-code", "SessionStart", given=json.dumps({
            "session_id": "sess-1", "transcript_path": "/nowhere", "cwd": str(self.root),
            "hook_event_name": "SessionStart", "source": "startup"}))
        self.assertEqual(self.kept("--yes"), "its session is running")
        self.git("rev-parse", "-q", "--verify", "refs/heads/" + self.branch)

    def test_a_session_checkpoint_goes_by_its_id_alone(self):
        self.finished()
        self.session("b00000000000", "sess-2", TEXT, ["two"])
        before = self.refs()
        items, _ = self.clean("a1b2")
        self.assertEqual(self.refs(), before)
        (self.root / ".git" / "entire-checkpoint-push-queue.jsonl").write_text(
            "".join(json.dumps({"ref": f"refs/entire/checkpoints/{one[-2:]}/{one}"}) + "\n" for one in (ID, "b00000000000")),
            encoding="utf-8")
        items, done = self.clean("a1b2", "--yes")
        self.assertEqual(sorted(items), [ID])
        self.assertTrue(items[ID]["removed"])
        ref = f"refs/entire/checkpoints/f6/{ID}"
        self.git("rev-parse", "-q", "--verify", ref, status=1)
        self.git("rev-parse", "-q", "--verify", "refs/entire/checkpoints/00/b00000000000")
        self.git("rev-parse", "-q", "--verify", "refs/heads/" + self.branch)
        queue = (self.root / ".git" / "entire-checkpoint-push-queue.jsonl").read_text(encoding="utf-8")
        self.assertNotIn(ID, queue)
        self.assertIn("b00000000000", queue)
        self.git("fetch", "-q", done["bundle"], f"{ref}:{ref}")
        self.assertEqual(self.refs(), before)

    def test_on_the_branch_a_commit_takes_the_folder_away(self):
        tree = self.git("rev-parse", self.session(ID, "sess-1", TEXT, ["one"]) + "^{tree}")
        other = self.git("rev-parse", self.session("b00000000000", "sess-2", TEXT, ["two"]) + "^{tree}")
        for one in self.git("for-each-ref", "--format=%(refname)", "refs/entire/").split():
            self.git("update-ref", "-d", one)
        top = self.tree({"a1": {"b2c3d4e5f6": ("040000", tree)}, "b0": {"0000000000": ("040000", other)}, "vercel.json": "{}"})
        tip = self.commit_tree(top, f"Checkpoint: {ID}\n")
        self.git("update-ref", "refs/heads/entire/checkpoints/v1", tip)
        items, done = self.clean(ID, "--yes")
        self.assertTrue(items[ID]["removed"])
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", "entire/checkpoints/v1").split(),
                         ["b0/0000000000/0/full.jsonl", "b0/0000000000/0/metadata.json", "b0/0000000000/0/prompt.txt",
                          "b0/0000000000/metadata.json", "vercel.json"])
        self.assertEqual(self.git("rev-parse", "entire/checkpoints/v1~1"), tip)
        self.assertIn(tip, self.git("bundle", "list-heads", done["bundle"]))
        self.assertEqual([one["id"] for one in self.json("session", "list")["checkpoints"]], ["b00000000000"])
        self.git("update-ref", "refs/remotes/origin/entire/checkpoints/v1", tip)
        self.git("update-ref", "-d", "refs/heads/entire/checkpoints/v1")
        _, errors = self.run_program("session", "clean", ID, "--yes", status=2)
        self.assertIn("only refs/remotes/origin", errors)

    def test_mistakes_remove_nothing(self):
        self.finished()
        self.session("a1b2c3d4e5f7", "sess-2", TEXT, ["two"])
        before = self.refs()
        for words, status in ((("a1b2", "--yes"), 3), (("HEAD", "--yes"), 2), ((self.branch, "--yes"), 2), (("sess-1", "--yes"), 2),
                              (("77777777", "--yes"), 2), (("a1b2c3d4e5f7", "nobody0", "--yes"), 2), (("--yes", "--dry-run"), 2),
                              ((ID, "--pending"), 2), ((ID, "--older-than", "1d"), 2), (("--older-than", "soon"), 2)):
            self.run_program("session", "clean", *words, status=status)
            self.assertEqual(self.refs(), before, words)
        self.run_program("session", "list", "--yes", status=2)

    def test_without_a_bundle_nothing_goes(self):
        self.finished()
        before = self.refs()
        folder = self.root / ".git" / "plankeep"
        self.run_program("session", "list")
        (folder / "removed").symlink_to(self.top)
        self.run_program("session", "clean", "--yes", status=4)
        (folder / "removed").unlink()
        (folder / "removed").write_text("in the way", encoding="utf-8")
        self.run_program("session", "clean", ID, "--yes", status=4)
        self.assertEqual(self.refs(), before)

    def test_a_cache_without_checkpoints_goes(self):
        self.finished()
        self.run_program("session", "list")
        cache = self.root / ".git" / "plankeep" / "sessions.db"
        self.assertTrue(cache.exists())
        self.git("update-ref", "-d", f"refs/entire/checkpoints/f6/{ID}")
        items, _ = self.clean()
        self.assertTrue(cache.exists())
        self.assertNotIn(str(cache), self.clean("--pending")[0])
        items, _ = self.clean("--yes")
        self.assertTrue(items[str(cache)]["removed"])
        self.assertFalse(cache.exists())


if __name__ == "__main__":
    session_world.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
