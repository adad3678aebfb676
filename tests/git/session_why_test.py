"""Why a line or a task is as it is, asked of real repositories.

  session_why_test.py PROGRAM
"""

import os
import sys
import unittest

import session_world
from session_world import SessionWorld, call, lines, prompt

ID = "a1b2c3d4e5f6"


class SessionWhyTest(SessionWorld):
    def make(self, transcript=None, trailer=True):
        self.write("src/a.c", "int a;\nint b;\n")
        if transcript is None:
            transcript = lines(prompt("make a"), call(1, "Write", {"file_path": "/elsewhere/src/a.c", "content": "int a;\n"}),
                               prompt("now b"), call(2, "Edit", {"file_path": "/elsewhere/src/a.c", "old_string": "int a;\n",
                                                                 "new_string": "int a;\nint b;\n"}),
                               prompt("thanks"))
        self.session(ID, "sess-1", transcript, ["make a", "now b"], ["src/a.c"])
        return self.commit("Add it" + (f"\n\nEntire-Checkpoint: {ID}" if trailer else ""))

    def one(self, *words):
        report = self.json("session", "why", *words)
        self.assertEqual(len(report["commits"]), 1, report)
        return report["commits"][0]

    def test_a_line_is_told_with_the_prompt_that_led_to_it(self):
        sha = self.make()
        before = self.state_of_repository()
        first, second = self.one("src/a.c:1"), self.one("src/a.c:2")
        self.assertEqual((first["sha"], first["link"]), (sha, "line"))
        self.assertEqual([one["text"] for one in first["sessions"][0]["prompts"]], ["make a"])
        self.assertEqual([one["text"] for one in second["sessions"][0]["prompts"]], ["now b"])
        self.assertEqual(second["sessions"][0]["proof"], "tool_call")
        self.assertEqual(second["sessions"][0]["tool"], "Edit")
        told, _ = self.run_program("session", "why", "src/a.c:2")
        self.assertLess(told.index("> now b"), told.index("commit "))
        self.assertLessEqual(max(len(line) for line in told.splitlines()), 80)
        self.assertEqual(self.state_of_repository(), before)

    def test_renamed_files_and_other_folders_are_found(self):
        sha = self.make()
        self.git("mv", "src/a.c", "src/new.c")
        self.commit("Rename")
        self.assertEqual(self.one("src/new.c:2")["sha"], sha)
        self.assertEqual(self.one("src/new.c:2")["path"], "src/a.c")
        told, _ = self.run_program("session", "why", "new.c:2", cwd=self.root / "src")
        self.assertIn("> now b", told)
        linked = self.top / "linked"
        self.git("worktree", "add", "-q", "--detach", str(linked))
        told, _ = self.run_program("session", "why", "src/new.c:2", cwd=linked)
        self.assertIn("> now b", told)

    def test_without_the_call_the_prompts_of_the_checkpoint_are_told_as_such(self):
        for transcript in (lines(prompt("something else")), "no json\n", ""):
            with self.subTest(transcript):
                self.setUp()
                self.make(transcript=transcript)
                session = self.one("src/a.c:2")["sessions"][0]
                self.assertEqual(session["proof"], "checkpoint")
                self.assertEqual([one["text"] for one in session["prompts"]], ["make a", "now b"])
                told, _ = self.run_program("session", "why", "src/a.c:2")
                self.assertIn("no tool call is known to have written the line", told)

    def test_a_commit_without_a_record_and_a_record_that_is_not_here(self):
        self.write("src/a.c", "int a;\n")
        self.commit("By hand")
        self.assertEqual(self.one("src/a.c:1")["sessions"], [])
        self.write("src/a.c", "int a;\nint b;\n")
        self.commit("More\n\nEntire-Checkpoint: 0123456789ab")
        session = self.one("src/a.c:2")["sessions"][0]
        self.assertEqual((session["checkpoint"], session["missing"]), ("0123456789ab", "it is not in this repository"))

    def test_an_id_in_the_body_counts_as_mentioned(self):
        self.make(trailer=False)
        self.git("commit", "-q", "--amend", "-m", f"Squash\n\n* one\n  Entire-Checkpoint: {ID}\n\nMore words.")
        session = self.one("src/a.c:2")["sessions"][0]
        self.assertTrue(session["mentioned"])
        self.assertEqual(session["proof"], "tool_call")

    def test_a_whole_file_is_told_by_commits(self):
        first = self.make()
        self.write("src/a.c", "int a;\nint b;\nint c;\n")
        second = self.commit("By hand")
        report = self.json("session", "why", "src/a.c")
        self.assertEqual([(one["sha"], one["lines"]) for one in report["commits"]], [(first, 2), (second, 1)])
        told, _ = self.run_program("session", "why", "src/a.c")
        # Only of a line is the call looked for.
        self.assertIn("prompt", told)
        self.assertNotIn("no tool call", told)

    def test_binary_files_have_no_lines(self):
        self.write("picture", b"\x00\x01\n\x02\n")
        sha = self.commit("Draw")
        for word in ("picture", "picture:1", "picture:999"):
            commit = self.one(word)
            self.assertEqual((commit["sha"], commit["link"]), (sha, "last_change"))

    def test_where_a_shallow_clone_ends_only_a_known_call_is_told(self):
        self.write("src/a.c", "int a;\nint old;\n")
        self.commit("By hand")
        transcript = lines(prompt("add b"), call(1, "Edit", {"file_path": "/elsewhere/src/a.c", "old_string": "int old;\n",
                                                             "new_string": "int old;\nint b;\n"}))
        self.session(ID, "sess-1", transcript, ["add b"], ["src/a.c"])
        self.write("src/a.c", "int a;\nint old;\nint b;\n")
        sha = self.commit(f"Add b\n\nEntire-Checkpoint: {ID}")
        clone = self.top / "shallow"
        self.git("clone", "-q", "--depth=1", self.root.as_uri(), str(clone))
        self.git("-C", str(clone), "fetch", "-q", "origin", "refs/entire/*:refs/entire/*")
        for word, prompts in (("src/a.c:2", []), ("src/a.c:3", ["add b"]), ("src/a.c", [])):
            commit = self.json("session", "why", word, cwd=clone)["commits"][0]
            self.assertEqual((commit["sha"], commit["history_ends"]), (sha, True))
            self.assertEqual([one["text"] for session in commit["sessions"] for one in session["prompts"]], prompts)
        told, _ = self.run_program("session", "why", "src/a.c:2", cwd=clone)
        self.assertIn("shallow clone ends here", told)
        self.assertNotIn("history_ends", self.one("src/a.c:3"))

    def test_mistakes_are_told_apart(self):
        self.make()
        (self.root / "link").symlink_to("/etc/passwd")
        (self.root / ".gitignore").write_text("ignored\n", encoding="utf-8")
        for word, says in (("src/a.c:3", "has only 2 lines"), ("src/a.c:0", "counted from 1"), ("src", "is no file"),
                           ("src/a.c:99999999999999999999", "has only 2 lines"), ("link:1", "is no file"),
                           ("/etc/passwd:1", "not in a git work tree")):
            _, errors = self.run_program("session", "why", word, status=2)
            self.assertIn(says, errors)
        self.run_program("session", "why", status=2)
        self.run_program("session", "why", "a", "b", status=2)
        _, errors = self.run_program("session", "why", "nothing-like-that", status=2)
        self.assertIn("no such file, and no plan here", errors)

    def test_a_line_that_is_not_committed_is_looked_for_in_the_sessions_seen_here(self):
        self.write("plan.md", "# P\n\n- [ ] a\n")
        self.run_program("init")
        self.make()
        self.write("src/a.c", "int a;\nint b;\nint c;\n")
        self.write("src/new.c", "int n;\n")
        commit = self.one("src/a.c:3")
        self.assertNotIn("sha", commit)
        self.assertEqual(commit["sessions"], [])
        key = "ghp" + "_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
        transcript = self.top / "live.jsonl"
        transcript.write_text(lines(prompt(f"add c with {key}"), call(1, "Write", {
            "file_path": str(self.root / "src/a.c"), "content": "int a;\nint b;\nint c;\n"}),
            prompt("and n"), call(2, "Write", {"file_path": str(self.root / "src/new.c"), "content": "int n;\n"})),
            encoding="utf-8")
        self.run_program("hook", "claude-code", "SessionStart", given=session_world.json.dumps({
            "session_id": "live-1", "transcript_path": str(transcript), "cwd": str(self.root),
            "hook_event_name": "SessionStart", "source": "startup"}))
        session = self.one("src/a.c:3")["sessions"][0]
        self.assertEqual((session["session_id"], session["agent"], session["proof"]), ("live-1", "claude-code", "tool_call"))
        self.assertEqual(session["prompts"][0]["text"], "add c with REDACTED")
        self.assertEqual(self.one("src/new.c:1")["sessions"][0]["prompts"][0]["text"], "and n")

    def test_an_edit_of_a_part_of_a_line_is_found_in_the_file_s_text(self):
        transcript = lines(prompt("make it"), call(1, "Write", {"file_path": "/elsewhere/src/a.c", "content": "limit = 2;\n"}),
                           prompt("one more"), call(2, "Edit", {"file_path": "/elsewhere/src/a.c", "old_string": "2", "new_string": "3"}))
        self.write("src/a.c", "limit = 3;\n")
        self.session(ID, "sess-1", transcript, ["make it", "one more"], ["src/a.c"])
        self.commit(f"Add it\n\nEntire-Checkpoint: {ID}")
        session = self.one("src/a.c:1")["sessions"][0]
        self.assertEqual((session["proof"], session["prompts"][0]["text"]), ("tool_call", "one more"))

    def test_a_task_is_told_with_its_commits_sessions_and_prompts(self):
        plan = "# P\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] Make a <!-- TASK: make-a -->\n- [ ] Make b <!-- TASK: make-b -->\n"
        self.write("plan.md", plan)
        self.run_program("init")
        self.commit("Plan")
        report = self.json("session", "why", "make-a")
        self.assertFalse(report["task"]["done"])
        self.assertEqual(report["commits"], [])
        self.run_program("done", "make-a")
        ticked = (self.root / "plan.md").read_text(encoding="utf-8")
        transcript = lines(prompt("do make-a"), call(1, "Edit", {
            "file_path": "/elsewhere/plan.md", "old_string": "- [ ] Make a <!-- TASK: make-a -->",
            "new_string": "- [x] Make a <!-- TASK: make-a -->"}), prompt("more"))
        self.assertIn("- [x] Make a", ticked)
        self.session(ID, "sess-1", transcript, ["do make-a", "more"], ["plan.md"])
        sha = self.commit(f"Do it\n\nEntire-Checkpoint: {ID}")
        for word in ("make-a", "task:make-a", "Make a", "plan.md:5"):
            report = self.json("session", "why", word)
            self.assertEqual(report["about"], "task", word)
            self.assertEqual([one["sha"] for one in report["commits"]], [sha])
            self.assertEqual(report["commits"][0]["link"], "box")
            self.assertEqual([one["text"] for one in report["commits"][0]["sessions"][0]["prompts"]], ["do make-a"])
        told, _ = self.run_program("session", "why", "make-a")
        self.assertIn("done by main", told)
        # A heading of the plan is a line of a file.
        self.assertEqual(self.json("session", "why", "plan.md:3")["about"], "line")
        self.assertEqual(self.json("session", "why", "./plan.md")["about"], "file")

    def test_a_plan_link_names_the_commit_of_a_task(self):
        self.write("plan.md", "# P\n\n- [x] Make a <!-- TASK: make-a -->\n")
        self.run_program("init")
        self.commit("Plan")
        identity = self.json("status")["plan"]["id"]
        self.session(ID, "sess-1", None, ["do it"], ["src/a.c"], plan={
            "schema_version": "1.0.0", "plan_id": identity, "phase_id": "x", "tasks_done": ["make-a"], "criteria_met": [],
            "history_events": 1, "written_by": "plankeep 0.1.0"})
        self.write("src/a.c", "int a;\n")
        sha = self.commit(f"Do it\n\nEntire-Checkpoint: {ID}")
        commit = self.json("session", "why", "make-a")["commits"][0]
        self.assertEqual((commit["sha"], commit["link"]), (sha, "plan_link"))
        self.assertEqual(commit["sessions"][0]["prompts"][0]["text"], "do it")

    def test_a_strangers_texts_are_made_harmless(self):
        evil = "\x1b]0;owned\x07now b\u202e"
        self.make(transcript=lines(prompt(evil), call(1, "Wr\x1bite", {"file_path": "/x/src/a.c", "content": "int b;\n"})))
        self.git("commit", "-q", "--amend", "-m", f"Evil \x1b[31mred\n\nEntire-Checkpoint: {ID}", "--author",
                 "\x1b[1mKim <k@e>")
        for word in ("src/a.c:2", "src/a.c"):
            told, _ = self.run_program("session", "why", word)
            self.assertIn("now b", told)
            self.assertNotIn("\u202e", told)
        self.write("odd\x1bname.c", "int o;\n")
        self.commit("Odd")
        self.run_program("session", "why", "odd\x1bname.c:1")


if __name__ == "__main__":
    session_world.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
