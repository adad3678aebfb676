#!/usr/bin/python3
"""A .checkpoint that came with a clone is not believed: it is set aside whole, said once, and can be taken over."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
PLAN = "# Auth\n\n## Build\n<!-- CHECKPOINT: build -->\n- [x] Schema <!-- TASK: schema -->\n- [ ] Api <!-- TASK: api -->\n"


class CloneTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(os.path.realpath(folder.name))
        (self.base / "home").mkdir()
        self.origin = self.base / "origin"
        self.origin.mkdir()
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Kim"), ("EMAIL", "kim@example.org"))}
        self.environment = {"PATH": os.environ["PATH"], "PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.base / "home"),
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), **who}
        (self.origin / "plan.md").write_text(PLAN)
        self.run_in(self.origin, "git", "init", "-q", "-b", "main")
        self.plankeep(self.origin, "init")
        self.plankeep(self.origin, "done", "api", "--by", "team:mallory")

    def run_in(self, folder, *words, status=0, text=None):
        done = subprocess.run(words, cwd=folder, env=self.environment, capture_output=True, text=True, timeout=60,
                              input=text, check=False)
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        return done

    def plankeep(self, folder, *words, **more):
        return self.run_in(folder, PROGRAM, *words, **more)

    def clone(self, *forced):
        self.run_in(self.origin, "git", "add", "-f", "plan.md", *forced)
        self.run_in(self.origin, "git", "commit", "-q", "-m", "all")
        self.run_in(self.base, "git", "clone", "-q", str(self.origin), "clone")
        return self.base / "clone"

    def set_aside(self, folder):
        return [path for path in folder.iterdir() if path.name.startswith(".checkpoint.set-aside-")]

    def any_end(self, folder, *words):
        return subprocess.run([PROGRAM, *words], cwd=folder, env=self.environment, capture_output=True, text=True,
                              timeout=60, check=False)

    def refused(self, folder, *words):
        done = self.any_end(folder, *words)
        self.assertNotEqual(done.returncode, 0)
        return done

    def test_what_git_tracks_is_set_aside_and_said_once(self):
        clone = self.clone(".checkpoint")
        history = (clone / ".checkpoint/history.jsonl").read_bytes()
        said = self.refused(clone, "status")
        self.assertIn("git tracks it", said.stderr)
        self.assertIn("plankeep init --adopt", said.stderr)
        self.assertFalse((clone / ".checkpoint").exists())
        [aside] = self.set_aside(clone)
        self.assertEqual((aside / "history.jsonl").read_bytes(), history)
        again = self.any_end(clone, "doctor")
        self.assertNotIn("git tracks it", again.stderr)
        self.assertIn(aside.name, again.stdout)
        self.plankeep(clone, "init")
        self.assertNotIn("team:mallory", (clone / ".checkpoint/history.jsonl").read_text())
        self.assertEqual(self.plankeep(clone, "status").stderr, "")

    def test_it_can_be_taken_over(self):
        clone = self.clone(".checkpoint")
        self.refused(clone, "sync")
        [aside] = self.set_aside(clone)
        self.plankeep(clone, "init", "--adopt")
        self.assertIn("team:mallory", (clone / ".checkpoint/history.jsonl").read_text())
        self.assertFalse(aside.exists())
        # Git tracks it still; it is known now.
        self.assertNotIn("git tracks it", self.plankeep(clone, "log").stderr)
        self.assertIn("team:mallory", (clone / ".checkpoint/history.jsonl").read_text())

    def test_adopting_needs_no_earlier_look(self):
        clone = self.clone(".checkpoint")
        self.plankeep(clone, "init", "--adopt")
        self.assertIn("team:mallory", (clone / ".checkpoint/history.jsonl").read_text())
        self.assertEqual(self.set_aside(clone), [])

    def test_adopting_what_was_not_set_aside_is_an_error(self):
        self.assertIn("set aside", self.plankeep(self.origin, "init", "--adopt", status=4).stderr)

    def test_a_list_of_plans_has_no_row_for_it(self):
        clone = self.clone(".checkpoint")
        told = self.plankeep(clone, "plans")
        [aside] = self.set_aside(clone)
        self.assertIn(aside.name, told.stderr)
        self.assertNotIn("cannot be read", told.stdout)
        self.assertIn("Not tracked", told.stdout)
        again = self.plankeep(clone, "plans")
        self.assertEqual((again.stdout, again.stderr), (told.stdout, ""))

    def test_hooks_set_it_aside_too(self):
        clone = self.clone(".checkpoint")
        payload = {"session_id": "s", "cwd": str(clone), "hook_event_name": "SessionStart", "source": "startup"}
        done = self.plankeep(clone, "hook", "claude-code", "SessionStart", text=json.dumps(payload))
        self.assertNotIn("team:mallory", done.stdout)
        self.assertEqual(len(self.set_aside(clone)), 1)

    def test_an_edit_hook_sets_it_aside_too(self):
        clone = self.clone(".checkpoint")
        payload = {"session_id": "s", "cwd": str(clone), "hook_event_name": "PostToolUse", "tool_name": "Write",
                   "tool_input": {"file_path": str(clone / "plan.md"), "content": PLAN}}
        self.plankeep(clone, "hook", "claude-code", "PostToolUse", text=json.dumps(payload))
        self.assertEqual(len(self.set_aside(clone)), 1)

    def test_what_git_does_not_track_is_used_wherever_it_is_moved_or_copied(self):
        clone = self.clone()
        shutil.copytree(self.origin / ".checkpoint", clone / ".checkpoint")
        moved = self.base / "moved"
        self.plankeep(clone, "status")
        clone.rename(moved)
        self.plankeep(moved, "status")
        self.assertEqual(self.set_aside(moved), [])
        self.assertTrue((moved / ".checkpoint/history.jsonl").exists())

    def test_a_folder_of_ours_is_used_although_somebody_tracks_it_later(self):
        self.run_in(self.origin, "git", "add", "-f", ".checkpoint")
        self.plankeep(self.origin, "status")
        self.assertEqual(self.set_aside(self.origin), [])

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away")
    def test_what_belongs_to_another_user_is_set_aside(self):
        for path in [self.origin / ".checkpoint", *(self.origin / ".checkpoint").iterdir()]:
            os.chown(path, 12345, 12345)
        said = self.refused(self.origin, "sync")
        self.assertIn("another user", said.stderr)
        self.assertEqual(len(self.set_aside(self.origin)), 1)

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away and takes another user's place")
    def test_a_plan_of_another_user_in_a_folder_of_theirs_has_to_be_named(self):
        mallory, victim = 12345, 23456
        for path in [self.base, self.base / "home"]:
            os.chmod(path, 0o777)
        theirs = self.base / "theirs"
        theirs.mkdir()
        (theirs / "plan.md").write_text(PLAN)
        (theirs / ".git").mkdir()
        for path in [theirs, *theirs.iterdir()]:
            os.chown(path, mallory, mallory)
        below = theirs / "work"
        below.mkdir()
        os.chown(below, victim, victim)

        def as_victim(folder, *words, text=None):
            return subprocess.run([PROGRAM, *words], cwd=folder, env=self.environment, capture_output=True, text=True,
                                  timeout=60, check=False, user=victim, group=victim, extra_groups=[], input=text)

        # A list of plans that the other one made is believed no more than the plan.
        listed = theirs / ".git/plankeep/plans.json"
        listed.parent.mkdir()
        listed.write_text(json.dumps({"version": 1, "project": str(theirs), "plans": [{"path": "plan.md"}], "sessions": []}))
        for path in (listed.parent, listed):
            os.chown(path, mallory, mallory)
        for folder in (theirs, below):
            self.assertEqual(as_victim(folder, "status").returncode, 3)
        self.assertIn("belongs to another user", as_victim(theirs, "status").stderr)
        payload = json.dumps({"session_id": "s", "cwd": str(below), "hook_event_name": "SessionStart",
                              "source": "startup"})
        heard = as_victim(below, "hook", "claude", "SessionStart", text=payload)
        self.assertEqual((heard.returncode, heard.stdout), (0, ""))
        self.assertEqual(as_victim(below, "status", "--plan", str(theirs / "plan.md")).returncode, 0)
        # A plan of theirs in a folder of ours came there with our leave.
        (below / "plan.md").write_text(PLAN)
        os.chown(below / "plan.md", mallory, mallory)
        self.assertEqual(as_victim(below, "status").returncode, 0)


if __name__ == "__main__":
    unittest.main()
