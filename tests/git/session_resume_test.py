"""A stored transcript put where its client looks for it.

  session_resume_test.py PROGRAM
"""

import json
import os
import stat
import sys
import unittest

import session_world
from session_world import SessionWorld, lines, prompt

ID = "a1b2c3d4e5f6"
SID = "f7024914-7ffe-4f0c-a678-65406f441245"
TEXT = lines(prompt("one"), prompt("two"), prompt("three"))


class SessionResumeTest(SessionWorld):
    def setUp(self):
        super().setUp()
        self.session(ID, SID, TEXT, ["one", "two", "three"])
        (self.home / ".claude").mkdir()
        folder = str(self.root).replace("/", "-").replace("_", "-").replace(".", "-")
        self.place = self.home / ".claude" / "projects" / folder / (SID + ".jsonl")

    def resume(self, *words, **how):
        return self.json("session", "resume", ID, *words, **how)

    def files(self):
        return sorted(str(path.relative_to(self.home)) for path in self.home.rglob("*"))

    def test_the_transcript_is_written_whole_and_for_nobody_else(self):
        before = self.state_of_repository()
        done = self.resume()
        self.assertEqual((done["found"], done["written"], done["path"]), ("missing", True, str(self.place)))
        self.assertEqual(self.place.read_text(encoding="utf-8"), TEXT)
        self.assertEqual(stat.S_IMODE(self.place.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.place.parent.stat().st_mode), 0o700)
        self.assertEqual(done["command"], ["claude", "--resume", SID])
        told, _ = self.run_program("session", "resume", ID)
        self.assertEqual(told.splitlines()[-1].strip(), f"claude --resume {SID}")
        self.assertEqual(self.resume()["found"], "same")
        self.assertEqual(self.state_of_repository(), before)

    def test_print_writes_nothing(self):
        before = self.files()
        self.assertEqual(self.resume("--print")["written"], False)
        told, _ = self.run_program("session", "resume", ID, "--print")
        self.assertIn("Would write", told)
        self.assertEqual(self.files(), before)

    def test_a_beginning_is_extended_and_nothing_else_is_touched(self):
        self.place.parent.mkdir(parents=True)
        for own, found, status in ((TEXT[:40], "beginning", 0), ("", "beginning", 0), (TEXT + "more\n", "longer", 0),
                                   (TEXT.replace("one", "two"), "different", 1), ("x", "different", 1)):
            self.place.write_text(own, encoding="utf-8")
            self.assertEqual(self.resume("--print", status=status)["found"], found)
            self.assertEqual(self.place.read_text(encoding="utf-8"), own)
            done = self.resume(status=status)
            self.assertEqual((done["found"], done["written"]), (found, found == "beginning"))
            self.assertEqual(self.place.read_text(encoding="utf-8"), TEXT if found == "beginning" else own)
            self.run_program("session", "resume", ID, status=status)

    def test_links_are_never_followed(self):
        target = self.top / "target"
        target.mkdir()
        victim = target / "victim"
        victim.write_text(TEXT[:10], encoding="utf-8")
        self.place.parent.mkdir(parents=True)
        self.place.symlink_to(victim)
        self.run_program("session", "resume", ID, status=4)
        self.assertEqual(victim.read_text(encoding="utf-8"), TEXT[:10])
        self.place.unlink()
        self.place.mkdir()
        self.run_program("session", "resume", ID, status=4)
        self.place.rmdir()
        self.place.parent.rmdir()
        self.place.parent.symlink_to(target)
        self.run_program("session", "resume", ID, status=4)
        self.place.parent.unlink()
        (self.home / ".claude" / "projects").rmdir()
        (self.home / ".claude").rmdir()
        (self.home / ".claude").symlink_to(target)
        self.run_program("session", "resume", ID, status=4)
        self.assertEqual(os.listdir(target), ["victim"])
        # The user may name a folder, whatever leads to it.
        self.environment["CLAUDE_CONFIG_DIR"] = str(self.home / ".claude")
        self.assertTrue(self.resume()["written"])

    def test_ids_that_mean_harm_reach_no_path_and_no_command(self):
        for number, evil in enumerate(("../../evil", "-rf", "a;reboot", "a b", "$(id)", "\x1b[31m", "..", "")):
            identity = f"bad00000000{number}"
            self.session(identity, evil, TEXT, ["x"])
            self.run_program("session", "resume", identity, status=2)
        self.assertEqual(self.files(), [".claude"])

    def test_clients_without_a_way_back_and_other_clients_are_refused(self):
        for number, (agent, says) in enumerate((("Gemini CLI", "never run here"), ("OpenCode", "opencode cannot resume"),
                                                ("Cursor", "cannot resume"), ("Factory AI Droid", "no client is known as"),
                                                ("", "names no client"))):
            identity = f"c1000000000{number}"
            self.session(identity, SID, TEXT, ["x"], agent=agent)
            _, errors = self.run_program("session", "resume", identity, status=2)
            self.assertIn(says, errors)
        self.assertEqual(self.json("session", "resume", "c10000000004", "--client", "claude-code")["client"], "claude-code")
        _, errors = self.run_program("session", "resume", ID, "--client", "codex", status=2)
        self.assertIn("codex cannot read", errors)
        self.run_program("session", "resume", ID, "--client", "vim", status=2)

    def test_what_cannot_be_had_is_said(self):
        self.run_program("session", "resume", status=2)
        self.run_program("session", "resume", "77777777", status=2)
        self.run_program("session", "resume", ID, "--session", "nobody", status=2)
        self.session("d00000000000", SID, None, ["x"])
        _, errors = self.run_program("session", "resume", "d00000000000", status=2)
        self.assertIn("no transcript", errors)
        (self.home / ".claude").rmdir()
        _, errors = self.run_program("session", "resume", ID, status=2)
        self.assertIn("has never run here", errors)
        self.assertEqual(self.files(), [])
        self.environment["CLAUDE_CONFIG_DIR"] = "relative"
        self.run_program("session", "resume", ID, status=2)

    def test_a_damaged_transcript_is_not_written(self):
        blob = self.git("rev-parse", f"refs/entire/checkpoints/f6/{ID}:0/full.jsonl")
        (self.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
        self.run_program("session", "resume", ID, status=4)
        self.assertNotIn(SID + ".jsonl", " ".join(self.files()))

    def test_gemini_is_given_the_file(self):
        self.session("b1b2c3d4e5f6", "gemini-session", TEXT, ["one"], agent="Gemini CLI")
        self.run_program("session", "resume", "b1b2c3d4e5f6", status=2)
        (self.home / ".gemini").mkdir()
        place = self.home / ".gemini/plankeep/gemini-session.jsonl"
        told = self.json("session", "resume", "b1b2c3d4e5f6")
        self.assertEqual((told["path"], told["command"]), (str(place), ["gemini", "--session-file", str(place)]))
        self.assertEqual(place.read_text(encoding="utf-8"), TEXT)
        self.home = self.home.rename(self.top / "my home")
        self.environment["HOME"] = str(self.home)
        told, _ = self.run_program("session", "resume", "b1b2c3d4e5f6")
        self.assertIn(f"gemini --session-file '{self.home}/.gemini/plankeep/gemini-session.jsonl'", told)

    def test_codex_keeps_the_day_that_a_session_began(self):
        (self.home / ".codex").mkdir()
        self.session("e00000000000", SID, TEXT, ["x"], agent="Codex")
        done = self.json("session", "resume", "e00000000000")
        self.assertIn("/.codex/sessions/2026/11/20/rollout-2026-11-20T10-10-00-" + SID, done["path"])
        older = self.home / ".codex/sessions/2026/11/03" / f"rollout-2026-11-03T08-00-00-{SID}.jsonl"
        os.rename(done["path"], self.home / "kept")
        older.parent.mkdir()
        older.write_text(TEXT[:30], encoding="utf-8")
        done = self.json("session", "resume", "e00000000000")
        self.assertEqual((done["path"], done["found"]), (str(older), "beginning"))
        self.assertEqual(older.read_text(encoding="utf-8"), TEXT)

    def test_a_session_that_still_runs_is_left_alone(self):
        self.write("plan.md", "# P\n\n- [ ] a\n")
        self.run_program("init")
        self.run_program("hook", "claude-code", "SessionStart", given=json.dumps({
            "session_id": SID, "transcript_path": "/nowhere", "cwd": str(self.root),
            "hook_event_name": "SessionStart", "source": "startup"}))
        _, errors = self.run_program("session", "resume", ID, status=5)
        self.assertIn("still running", errors)
        self.run_program("hook", "claude-code", "SessionEnd", given=json.dumps({
            "session_id": SID, "transcript_path": "/nowhere", "cwd": str(self.root),
            "hook_event_name": "SessionEnd", "reason": "other"}))
        self.assertTrue(self.resume()["written"])


if __name__ == "__main__":
    session_world.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
