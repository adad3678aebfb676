"""Entire's shadow snapshots listed and made into checkpoints that rewind can go back to.

  session_import_test.py PROGRAM
"""

import hashlib
import os
import subprocess
import sys
import unittest

import session_world
from session_world import SessionWorld

PLAN = "# P\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] Make a <!-- TASK: make-a -->\n- [ ] Make b <!-- TASK: make-b -->\n"


class SessionImportTest(SessionWorld):
    def setUp(self):
        super().setUp()
        del self.environment["PLANKEEP_CHECKPOINTS"]
        self.write("plan.md", PLAN)
        self.write("a.txt", "one\n")
        self.write("tool.sh", "#!/bin/sh\n")
        (self.root / "tool.sh").chmod(0o755)
        (self.root / ".gitignore").write_text("ignored\n.checkpoint\n", encoding="utf-8")
        self.base = self.commit("base")
        self.run_program("init")
        self.branch = f"entire/{self.base[:7]}-e3b0c4"

    def snapshot(self, files, subject="Add two", session="sess-1", parent=None, branch=None, trailers=None):
        entries = dict(files)
        entries.setdefault(".entire", {"metadata": {session: {"full.jsonl": "{}\n", "prompt.txt": "x"}}})
        if trailers is None:
            trailers = (f"Entire-Metadata: .entire/metadata/{session}\nEntire-Session: {session}\n"
                        "Entire-Strategy: manual-commit\n")
        made = self.commit_tree(self.tree(entries), f"{subject}\n\n{trailers}", *([parent] if parent else []))
        self.git("update-ref", f"refs/heads/{branch or self.branch}", made)
        return made

    def files(self, **more):
        return {"plan.md": PLAN, "a.txt": "one\n", ".gitignore": "ignored\n.checkpoint\n",
                "tool.sh": ("100755", self.blob("#!/bin/sh\n")), **more}

    def imported(self, *names, **how):
        return self.json("checkpoint", "import", "--from", "entire", *names, **how)["imported"]

    def work_tree(self):
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if name.split("/")[0] in (".git", ".checkpoint") or path.is_dir() and not path.is_symlink():
                continue
            found[name] = os.readlink(path) if path.is_symlink() else (path.read_bytes(), os.access(path, os.X_OK))
        return found

    def test_a_snapshot_comes_back_with_preview_and_undo(self):
        first = self.snapshot(self.files(**{"a.txt": "one\ntwo\n", "new.txt": "new\n", "link": ("120000", self.blob("a.txt"))}))
        second = self.snapshot(self.files(**{"a.txt": "three\n"}), "Add three", parent=first)
        refs = self.git("for-each-ref", "refs/heads/")
        self.write("a.txt", "mine\n")
        self.write("own.txt", "mine\n")
        self.write("ignored", "kept\n")
        before = self.work_tree()
        status = self.git("status", "--porcelain")
        one, = self.imported(first[:12])
        self.assertEqual((one["commit"], one["session_id"], one["subject"], one["has_plan"], one["commit_then"], one["files"]),
                         (first, "sess-1", "Add two", True, self.base, 6))
        self.assertEqual(self.work_tree(), before)
        self.assertEqual(self.git("status", "--porcelain"), status)
        self.assertEqual(self.git("for-each-ref", "refs/heads/"), refs)
        self.assertTrue(self.git("for-each-ref", "--format=%(refname)", "refs/plankeep/").startswith("refs/plankeep/"))
        shown, _ = self.run_program("checkpoint", "show", one["checkpoint"])
        self.assertIn("from Entire's snapshot", shown)

        told, _ = self.run_program("rewind", one["checkpoint"], "--dry-run")
        self.assertIn("new.txt", told)
        self.assertEqual(self.work_tree(), before)
        self.run_program("rewind", one["checkpoint"])
        after = self.work_tree()
        self.assertEqual(after["a.txt"][0], b"one\ntwo\n")
        self.assertEqual(after["new.txt"][0], b"new\n")
        self.assertEqual(after["link"], "a.txt")
        self.assertTrue(after["tool.sh"][1])
        self.assertEqual(after["ignored"][0], b"kept\n")
        self.assertNotIn("own.txt", after)
        self.assertNotIn(".entire/metadata/sess-1/full.jsonl", after)
        self.run_program("rewind", "--undo")
        self.assertEqual(self.work_tree(), before)
        self.assertEqual(self.git("for-each-ref", "refs/heads/"), refs)
        # The branch means its newest, and so does the session.
        self.assertEqual(self.imported(self.branch)[0]["commit"], second)
        self.assertEqual(self.imported("sess-1")[0]["commit"], second)
        self.assertEqual([one["commit"] for one in self.imported(first, second)], [first, second])

    def test_the_plan_comes_back_with_what_was_recorded_then(self):
        self.environment["PLANKEEP_NOW"] = "2026-11-20T16:00:00.000Z"
        self.run_program("done", "make-a")
        ticked = (self.root / "plan.md").read_text(encoding="utf-8")
        self.environment["GIT_AUTHOR_DATE"] = "2026-11-20T16:30:00Z"
        made = self.snapshot(self.files(**{"plan.md": ticked}))
        self.environment["PLANKEEP_NOW"] = "2026-11-20T17:00:00.000Z"
        self.run_program("done", "make-b")
        one, = self.imported(made)
        self.run_program("rewind", one["checkpoint"])
        self.assertEqual((self.root / "plan.md").read_text(encoding="utf-8"), ticked)
        shown = self.json("show", "make-a")
        self.assertIn("2026-11-20T16:00:00", session_world.json.dumps(shown))
        self.run_program("rewind", "--undo")
        self.assertIn("- [x] Make b", (self.root / "plan.md").read_text(encoding="utf-8"))

    def test_a_snapshot_without_the_plan_brings_back_files_only(self):
        files = self.files(**{"a.txt": "one\ntwo\n"})
        del files["plan.md"]
        one, = self.imported(self.snapshot(files))
        self.assertFalse(one["has_plan"])
        told, errors = self.run_program("checkpoint", "import", "--from", "entire", self.branch)
        self.assertIn("rewind to it with --files", errors)
        self.run_program("rewind", one["checkpoint"], status=2)
        self.run_program("rewind", one["checkpoint"], "--files")
        self.assertEqual((self.root / "a.txt").read_text(encoding="utf-8"), "one\ntwo\n")
        self.assertEqual((self.root / "plan.md").read_text(encoding="utf-8").count("- [ ]"), 2)

    def test_entire_s_own_files_and_ours_and_submodules_stay_as_they_are(self):
        self.write(".entire/settings.json", "{}\n")
        self.commit("settings")
        files = self.files(**{".entire": {"settings.json": "{\"other\": 1}\n", "metadata": {"sess-1": {"full.jsonl": "{}\n"}}},
                              ".checkpoint": {"state.json": "evil"}, "sub": ("160000", self.base)})
        one, = self.imported(self.snapshot(files))
        self.assertEqual({left["path"]: left["why"] for left in one["left_out"]},
                         {".entire": "belongs to another tool", "sub": "submodule"})
        state = (self.root / ".checkpoint" / "state.json").read_bytes()
        self.run_program("rewind", one["checkpoint"], "--files")
        self.assertEqual((self.root / ".entire" / "settings.json").read_text(encoding="utf-8"), "{}\n")
        self.assertNotIn(b"evil", (self.root / ".checkpoint" / "state.json").read_bytes() + state)

    def raw_tree(self, entries):
        """Entries as they are: names that git's own tools refuse."""
        content = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(identity) for mode, name, identity in entries)
        run = subprocess.run(["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"], cwd=self.root, input=content,
                             env=self.environment, stdout=subprocess.PIPE, check=True, timeout=60)
        return run.stdout.decode().strip()

    def test_trees_that_mean_harm_lead_nowhere(self):
        evil = self.blob("evil\n")
        plan = self.blob(PLAN)
        inner = self.raw_tree([(b"100644", b"config", evil)])
        up = self.raw_tree([(b"40000", b"..", inner)])
        tree = self.raw_tree([(b"40000", b"..", up), (b"40000", b".GIT", inner), (b"40000", b".git", inner),
                              (b"40000", b"GIT~1", inner), (b"100644", b"a/b", evil), (b"100644", b"own.txt", evil),
                              (b"120000", b"own.txt", evil), (b"100644", b"plan.md", plan), (b"40000", b"up", up),
                              (b"100644", b"\xe2\x80\x8c.git", evil), (b"100644", b"sound.txt", evil)])
        message = "\x1b]0;owned\x07Evil\n\nEntire-Metadata: .entire/metadata/s\nEntire-Session: s\n"
        made = self.commit_tree(tree, message)
        self.write("own.txt", "mine\n")
        config = (self.root / ".git" / "config").read_bytes()
        one, = self.imported(made)
        self.assertEqual(one["files"], 2)
        self.run_program("checkpoint", "import", "--from", "entire", made)
        self.run_program("rewind", one["checkpoint"], "--files")
        self.assertEqual((self.root / ".git" / "config").read_bytes(), config)
        self.assertEqual((self.root / "own.txt").read_text(encoding="utf-8"), "mine\n")
        self.assertEqual((self.root / "sound.txt").read_text(encoding="utf-8"), "evil\n")
        self.assertFalse((self.top / "config").exists())
        self.run_program("rewind", "--undo")

    def test_a_link_never_lets_a_file_out(self):
        outside = self.top / "outside"
        outside.mkdir()
        made = self.snapshot(self.files(**{"door": ("120000", self.blob(str(outside)))}))
        second = self.snapshot(self.files(door={"x": "evil\n"}), parent=made)
        self.run_program("rewind", self.imported(made)[0]["checkpoint"], "--files")
        self.assertTrue((self.root / "door").is_symlink())
        self.run_program("rewind", self.imported(second)[0]["checkpoint"], "--files")
        self.assertEqual(os.listdir(outside), [])
        self.assertEqual((self.root / "door" / "x").read_text(encoding="utf-8"), "evil\n")

    def test_contents_that_are_missing_are_said_and_left_alone(self):
        made = self.snapshot(self.files(**{"lost.txt": ("100644", hashlib.sha1(b"nowhere").hexdigest())}))
        self.write("lost.txt", "mine\n")
        _, errors = self.run_program("checkpoint", "import", "--from", "entire", made)
        self.assertIn("not in this repository, left out: 1 file", errors)
        one, = self.imported(made)
        self.run_program("rewind", one["checkpoint"], "--files")
        self.assertEqual((self.root / "lost.txt").read_text(encoding="utf-8"), "mine\n")

    def test_what_is_no_snapshot_is_refused(self):
        self.git("branch", "entire/0123456-e3b0c4")
        self.git("branch", "entire/trails")
        no_folder = self.snapshot(self.files(), trailers="Entire-Session: s\n", branch="entire/1234567")
        in_body = self.snapshot(self.files(), trailers="Entire-Session: s\nEntire-Metadata: .entire/metadata/s\n\nMore.\n",
                                branch="entire/7654321")
        before = self.git("for-each-ref")
        for name, says in (("HEAD", "is not a snapshot"), ("entire/0123456-e3b0c4", "is not a snapshot"),
                           (no_folder, "is not a snapshot"), (in_body, "is not a snapshot"), ("nobody", "is called nobody"),
                           ("--all", ""), ("entire/9999999-e3b0c4", "is called"), ("HEAD:plan.md", "is called")):
            _, errors = self.run_program("checkpoint", "import", "--from", "entire", name, status=2)
            self.assertIn(says, errors)
        self.run_program("checkpoint", "import", self.branch, status=2)
        self.run_program("checkpoint", "import", "--from", "entire", status=2)
        self.run_program("checkpoint", "import", "--from", "git", "x", status=2)
        self.run_program("checkpoint", "list", "--from", "entire", status=2)
        self.assertEqual(self.git("for-each-ref"), before)

    def test_filters_are_warned_of(self):
        made = self.snapshot(self.files(**{".gitattributes": "*.bin filter=lfs\n"}))
        _, errors = self.run_program("checkpoint", "import", "--from", "entire", made)
        self.assertIn("as git stores them", errors)

    def test_pending_shows_snapshots_and_running_sessions(self):
        first = self.snapshot(self.files())
        task = self.snapshot(self.files(), "Sub \x1b[31mred", parent=first, trailers=(
            "Entire-Metadata-Task: .entire/metadata/sess-1/tasks/toolu_01\nEntire-Session: sess-1\n"))
        self.git("branch", "entire/0123456-e3b0c4")
        for name in ("entire/trails", "entire/c720494-e3b0c", "entire/C720494-e3b0c4", "other/c720494-e3b0c4"):
            self.git("branch", name)
        self.run_program("hook", "claude-code", "SessionStart", given=session_world.json.dumps({
            "session_id": "live-1", "transcript_path": "/nowhere", "cwd": str(self.root),
            "hook_event_name": "SessionStart", "source": "startup"}))
        before = self.git("for-each-ref")
        pending = self.json("session", "list", "--pending")
        by_name = {one["branch"]: one for one in pending["branches"]}
        self.assertEqual(sorted(by_name), ["entire/0123456-e3b0c4", self.branch])
        self.assertEqual(by_name["entire/0123456-e3b0c4"]["snapshots"], [])
        self.assertEqual([(one["commit"], one.get("tool_use_id")) for one in by_name[self.branch]["snapshots"]],
                         [(task, "toolu_01"), (first, None)])
        self.assertEqual([(one["session_id"], one["client"]) for one in pending["running"]], [("live-1", "claude-code")])
        told, _ = self.run_program("session", "list", "--pending")
        self.assertIn("running  session live-1, claude-code", told)
        self.assertEqual(self.git("for-each-ref"), before)

    def test_a_linked_work_tree_has_its_own(self):
        made = self.snapshot(self.files(**{"a.txt": "one\ntwo\n"}))
        linked = self.top / "linked"
        self.git("worktree", "add", "-q", "--detach", str(linked))
        self.run_program("init", cwd=linked)
        one, = self.json("checkpoint", "import", "--from", "entire", made, cwd=linked)["imported"]
        self.run_program("rewind", one["checkpoint"], "--files", cwd=linked)
        self.assertEqual((linked / "a.txt").read_text(encoding="utf-8"), "one\ntwo\n")
        self.assertEqual((self.root / "a.txt").read_text(encoding="utf-8"), "one\n")


if __name__ == "__main__":
    session_world.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
