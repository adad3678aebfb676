"""Turns of a session, as hooks keep them: what can be gone back to, how it is chosen, and what happens between turns.

  turns_test.py PROGRAM
"""

import datetime
import json
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from rewind_support import Project

PROGRAM = ""
SESSION = "11111111-0000-4000-8000-000000000001"


class Turns(Project):
    """A project with a session of Claude Code in it, whose hooks wait for what they leave to others."""

    def environment(self):
        now = datetime.datetime(2026, 11, 20, 10) + datetime.timedelta(seconds=self.seconds)
        return {**super().environment(), "PLANKEEP_CHECKPOINTS": "wait", "PLANKEEP_NOW": now.isoformat() + ".000Z"}

    def start(self, **kwargs):
        super().start(**kwargs)
        self.transcript = self.base / "transcript.jsonl"
        self.transcript.write_text("")
        self.messages = 0
        self.last = None
        self.commit("first")
        self.hook("SessionStart", source="startup")
        return self

    def say(self, who, content, parent="", **more):
        """A line of the transcript; its id."""
        self.messages += 1
        name = f"message-{self.messages}"
        line = {"type": who, "uuid": name, "parentUuid": parent if parent != "" else self.last, "isSidechain": False,
                "timestamp": self.environment()["PLANKEEP_NOW"], "message": {"role": who, "content": content}, **more}
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self.last = name
        return name

    def hook(self, event, **fields):
        payload = {"session_id": SESSION, "transcript_path": str(self.transcript), "cwd": str(self.root),
                   "hook_event_name": event, **fields}
        self.seconds += 1
        run = subprocess.run([self.program, "hook", "claude-code", event], cwd=self.root, env=self.environment(),
                             input=json.dumps(payload).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             timeout=120, check=False)
        assert run.returncode == 0 and run.stderr == b"", run
        if not run.stdout.startswith(b"{"):
            return run.stdout.decode()
        return json.loads(run.stdout).get("hookSpecificOutput", {}).get("additionalContext", "")

    def prompt(self, text, written=False, **more):
        """A person's prompt. The client writes it down before or after it calls the hook."""
        self.seconds += 60
        if written:
            self.say("user", text, **more)
        answer = self.hook("UserPromptSubmit", prompt=text)
        if not written:
            self.say("user", text, **more)
        return answer

    def answer(self, text="Done."):
        message = self.say("assistant", [{"type": "text", "text": text}])
        self.seconds += 1
        self.hook("Stop", stop_hook_active=False, last_assistant_message=text)
        return message

    def listed(self, *words):
        return json.loads(self.keep("checkpoint", "list", "--json", *words))["checkpoints"]

    def on_terminal(self, answer, *words):
        """Runs it on a terminal where somebody answers once; what was shown, and the exit status."""
        ours, theirs = pty.openpty()
        environment = {**self.environment(), "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "200"}
        process = subprocess.Popen([self.program, *words], cwd=self.root, env=environment, stdin=theirs, stdout=theirs,
                                   stderr=theirs, start_new_session=True, close_fds=True)
        os.close(theirs)
        shown = b""
        asked = False
        while True:
            ready, _, _ = select.select([ours], [], [], 60)
            if not ready:
                process.kill()
                raise AssertionError(f"nothing came any more: {shown!r}")
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end was closed
                break
            if not piece:
                break
            shown += piece
            if not asked and b"Rewind to which?" in shown:
                asked = True
                os.write(ours, answer.encode() + b"\n")
        os.close(ours)
        return shown.decode(), process.wait(timeout=60)


class TurnsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plankeep-turns-")
        self.addCleanup(folder.cleanup)
        self.project = Turns(PROGRAM, folder.name).start()

    def two_turns(self):
        p = self.project
        p.write("a.txt", "zero")
        p.prompt("Fix the\n  login. key ghp_0123456789abcdefghijklmnopqrstuvwxyz")
        p.write("a.txt", "one")
        p.keep("done", "survey")
        self.first = p.answer()
        p.prompt("And the logout.")
        p.write("a.txt", "two")
        p.write("b.txt", "two")
        self.second = p.answer()
        return p

    def test_lists_tell_turn_message_prompt_and_commit(self):
        p = self.two_turns()
        head = p.git("rev-parse", "HEAD").strip()
        newest = p.listed()[0]
        self.assertEqual((newest["turn"], newest["message_id"], newest["prompt"], newest["commit_sha"]),
                         (2, self.second, "And the logout.", head))
        self.assertEqual((newest["snapshot"], newest["tasks"], newest["tasks_done"]), (True, 3, 1))
        self.assertEqual(p.listed()[1]["prompt"], "Fix the login. key REDACTED")
        text = p.keep("checkpoint", "list").splitlines()[0]
        for part in ("turn 2", "1 of 3 tasks", head[:10], self.second, '"And the logout."'):
            self.assertIn(part, text)
        entries = json.loads(p.keep("timeline", "--work", "--json"))["entries"]
        entry = [one["checkpoint"] for one in entries if "checkpoint" in one][-1]
        self.assertEqual((entry["turn"], entry["message_id"], entry["commit_sha"]), (2, self.second, head))
        self.assertIn("turn, phase ground, turn 2, 1 of 3 tasks", p.keep("timeline", "--work"))

    def test_a_checkpoint_is_known_by_a_part_of_its_id(self):
        p = self.two_turns()
        newest = p.listed()[0]["checkpoint_id"]
        for part in (newest, newest[3:], newest[-3:], newest[-5:]):
            shown = json.loads(p.keep("checkpoint", "show", part, "--json"))
            self.assertEqual(shown["checkpoint"]["checkpoint_id"], newest, part)
            self.assertEqual(p.rewind(part, "--dry-run")["to"]["checkpoint"], newest)
        several = p.try_keep("checkpoint", "show", newest[3:9])
        self.assertEqual(several.returncode, 2)
        self.assertIn("several checkpoints start or end with", several.stderr.decode())

    def test_rewind_lists_what_it_can_go_back_to(self):
        p = self.two_turns()
        p.rewind("--turn", "1")
        choices = json.loads(p.keep("rewind", "--list", "--json"))["choices"]
        self.assertEqual([one["checkpoint"]["turn"] for one in choices], [2, 1, None])
        self.assertEqual([one["number"] for one in choices], [1, 2, 3])
        self.assertEqual([one["files_changed"] for one in choices], [2, 2, None])
        self.assertNotIn("pre_rewind", [one["checkpoint"]["checkpoint_type"] for one in choices])
        lines = p.keep("rewind", "--list", "-n", "2").splitlines()
        self.assertEqual(len(lines), 2)
        for part in ("1  cp_", "turn 2", "1/3 tasks", "2 files", '"And the logout."'):
            self.assertIn(part, lines[0])
        self.assertEqual(p.try_keep("rewind", "last", "--list").returncode, 2)

    def test_without_a_target_nothing_is_guessed(self):
        p = self.two_turns()
        before = p.tree()
        run = p.try_keep("rewind")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stdout.decode(), p.keep("rewind", "--list"))
        self.assertIn("plankeep rewind ID", run.stderr.decode())
        run = p.try_keep("rewind", "--json")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(len(json.loads(run.stdout)["choices"]), 3)
        self.assertEqual(p.tree(), before)

    def test_without_a_checkpoint_there_is_nothing_to_choose(self):
        p = self.project
        self.assertEqual(p.keep("rewind", "--list"), "no checkpoints\n")
        run = p.try_keep("rewind")
        self.assertEqual(run.returncode, 2)
        self.assertIn("no checkpoints yet", run.stderr.decode())

    def test_on_a_terminal_one_is_chosen_by_its_number(self):
        p = self.two_turns()
        for answer, status in (("", 0), ("0", 2), ("4", 2), ("all", 2)):
            before = p.tree()
            shown, code = p.on_terminal(answer, "rewind")
            self.assertEqual(code, status, shown)
            self.assertEqual(p.tree(), before)
        shown, code = p.on_terminal("2", "rewind")
        self.assertEqual(code, 0, shown)
        self.assertIn('"Fix the login. key REDACTED"', shown)
        self.assertEqual((p.root / "a.txt").read_text(), "one")
        self.assertFalse((p.root / "b.txt").exists())
        p.rewind("--undo")
        self.assertEqual((p.root / "b.txt").read_text(), "two")

    def test_what_a_person_changes_between_turns_is_kept(self):
        p = self.two_turns()
        p.write("a.txt", "by hand")
        p.prompt("Go on.")
        p.write("a.txt", "by the agent")
        p.answer()
        newest, before = p.listed()[:2]
        self.assertEqual((newest["turn"], before["turn"]), (3, None))
        self.assertEqual((before["checkpoint_type"], before["metadata"]["trigger"]), ("turn", "before_prompt"))
        self.assertIn("before_prompt", p.keep("checkpoint", "list").splitlines()[1])
        self.assertIn("your edits", p.keep("rewind", "--list").splitlines()[1])
        p.rewind(before["checkpoint_id"], "--files")
        self.assertEqual((p.root / "a.txt").read_text(), "by hand")
        prompt = f"message-{p.messages - 1}"
        self.assertEqual(p.rewind("--message", prompt, "--dry-run")["to"]["checkpoint"], before["checkpoint_id"])
        # The message that ended the turn before still stands for that turn.
        self.assertEqual(p.rewind("--message", self.second, "--dry-run")["to"]["checkpoint"],
                         p.listed("--type", "turn")[2]["checkpoint_id"])

    def made_late(self, p, write):
        """The checkpoint of a prompt, whose process looks at the work tree only when `write` has written."""
        folder = p.base / "slow"
        folder.mkdir(exist_ok=True)
        (folder / "git").write_text(f"""#!/bin/sh
for word; do
  case $word in ls-files | diff-files) while [ ! -e {folder}/go ]; do sleep 0.01; done ;; esac
done
exec {shutil.which("git")} "$@"
""")
        (folder / "git").chmod(0o755)
        known = {one["checkpoint_id"] for one in p.listed()}
        environment = {**p.environment(), "PATH": f"{folder}:{os.environ['PATH']}"}
        del environment["PLANKEEP_CHECKPOINTS"], environment["PLANKEEP_NOW"]
        payload = {"session_id": SESSION, "transcript_path": str(p.transcript), "cwd": str(p.root),
                   "hook_event_name": "UserPromptSubmit", "prompt": "Quick."}
        subprocess.run([p.program, "hook", "claude-code", "UserPromptSubmit"], cwd=p.root, env=environment, check=True,
                       input=json.dumps(payload).encode(), stdout=subprocess.PIPE, timeout=120)
        asked = time.time()
        while int(time.time() * 1000) <= int(asked * 1000) + 20:  # file systems tell time in steps
            time.sleep(0.005)
        write()
        (folder / "go").touch()
        until = time.monotonic() + 120
        while time.monotonic() < until:
            new = [one for one in p.listed() if one["checkpoint_id"] not in known]
            if new:
                return new[0]
            time.sleep(0.05)
        raise AssertionError("no checkpoint was made")

    def test_what_an_agent_writes_before_the_snapshot_is_taken_is_not_called_the_persons(self):
        p = self.two_turns()
        p.write("mine.txt", "by hand")
        plan = p.plan.read_text()

        def write():
            p.write("a.txt", "by the agent")
            p.plan.write_text(plan.replace("[ ] Dig", "[x] Dig"))

        made = self.made_late(p, write)
        self.assertEqual((made["checkpoint_type"], made["metadata"]["trigger"], made["turn"]),
                         ("turn", "after_prompt", None))
        self.assertEqual(made["metadata"]["note"], "holds what was changed after the prompt in a.txt")
        shown = json.loads(p.keep("checkpoint", "show", made["checkpoint_id"], "--json"))["checkpoint"]
        tree = shown["moment"]["snapshot"]["tree"]
        # The plan is that of the prompt, in the record and in the snapshot.
        self.assertEqual(p.git("show", tree + ":plan.md"), plan)
        self.assertEqual(made["tasks_done"], 1)
        self.assertEqual(p.git("show", tree + ":mine.txt"), "by hand")
        self.assertIn("after prompt", p.keep("rewind", "--list").splitlines()[0])

    def test_a_plan_that_an_agent_changes_before_the_snapshot_is_taken_is_the_persons_in_it(self):
        p = self.two_turns()
        p.write("mine.txt", "by hand")
        plan = p.plan.read_text()
        made = self.made_late(p, lambda: p.plan.write_text(plan.replace("[ ] Dig", "[x] Dig")))
        self.assertEqual(made["metadata"]["trigger"], "before_prompt")
        shown = json.loads(p.keep("checkpoint", "show", made["checkpoint_id"], "--json"))["checkpoint"]
        self.assertEqual(p.git("show", shown["moment"]["snapshot"]["tree"] + ":plan.md"), plan)

    def test_the_first_prompt_of_a_session_has_what_was_there_before_it(self):
        p = self.project
        p.write("mine.txt", "by hand")
        p.prompt("Go.")
        p.write("mine.txt", "by the agent")
        p.answer()
        first = p.listed()[-1]
        self.assertEqual(first["metadata"]["trigger"], "before_prompt")
        self.assertEqual(p.rewind("--message", "message-1", "--dry-run")["to"]["checkpoint"], first["checkpoint_id"])

    def test_a_later_prompts_checkpoint_is_none_of_an_earlier_one(self):
        p = self.two_turns()
        p.prompt("Interrupted.")
        interrupted = p.last
        p.seconds += 600
        p.write("a.txt", "by hand")
        p.prompt("Go on.")
        later = p.listed()[0]
        self.assertEqual(later["metadata"]["trigger"], "before_prompt")
        self.assertNotEqual(p.rewind("--message", interrupted, "--dry-run")["to"]["checkpoint"], later["checkpoint_id"])
        self.assertEqual(p.rewind("--message", p.last, "--dry-run")["to"]["checkpoint"], later["checkpoint_id"])

    def test_nothing_is_kept_before_a_prompt_when_nothing_changed(self):
        p = self.two_turns()
        before = (p.listed(), p.git("for-each-ref", "refs/plankeep"))
        p.prompt("Go on.")
        self.assertEqual((p.listed(), p.git("for-each-ref", "refs/plankeep")), before)

    def test_a_tick_or_a_commit_by_hand_is_a_change_too(self):
        p = self.two_turns()
        p.plan.write_text(p.plan.read_text().replace("[x] Survey", "[ ] Survey"))
        p.prompt("Go on.")
        self.assertEqual((p.listed()[0]["metadata"]["trigger"], p.listed()[0]["tasks_done"]), ("before_prompt", 0))
        p.answer()
        head = p.commit("by hand")
        p.prompt("And on.")
        self.assertEqual((p.listed()[0]["metadata"]["trigger"], p.listed()[0]["commit_sha"]), ("before_prompt", head))

    def test_a_plan_that_git_ignores_is_compared_too(self):
        p = self.project
        p.write(".gitignore", "plan.md\n")
        p.git("rm", "-q", "--cached", "plan.md")
        p.commit("ignored")
        p.prompt("Go.")
        p.answer()
        count = len(p.listed())
        p.prompt("Go on.")
        self.assertEqual(len(p.listed()), count)
        p.plan.write_text(p.plan.read_text().replace("[ ] Dig", "[x] Dig"))
        p.prompt("And on.")
        self.assertEqual(len(p.listed()), count + 1)

    def test_without_snapshots_only_the_plan_counts(self):
        p = self.project
        p.write(".plankeep.json", '{"snapshots": false}')
        p.prompt("Go.")
        p.answer()
        count = len(p.listed())
        p.write("a.txt", "by hand")
        p.prompt("Go on.")
        self.assertEqual(len(p.listed()), count)
        p.plan.write_text(p.plan.read_text().replace("[ ] Dig", "[x] Dig"))
        p.prompt("And on.")
        self.assertEqual(len(p.listed()), count + 1)
        self.assertIn("plan only", p.keep("rewind", "--list").splitlines()[0])

    def test_a_long_turn_is_known_by_its_prompt(self):
        p = self.project
        p.prompt("Read it all.")
        for _ in range(8):
            p.say("user", [{"type": "tool_result", "content": "x" * 100_000}])
        p.answer()
        self.assertEqual(p.listed()[0]["prompt"], "Read it all.")

    # --- what is kept for how long ---

    def cleaned(self):
        return [event for event in self.project.events() if event["event"] == "checkpoints_cleaned"]

    def ids(self, *words):
        return [one["checkpoint_id"] for one in self.project.listed(*words)]

    def test_what_is_old_goes_by_itself_once_a_day(self):
        p = self.two_turns()
        p.keep("done", "bricks")  # completes a phase
        kept = self.ids("--type", "epic_completion")
        self.assertEqual(len(kept), 1)
        by_hand = [p.checkpoint(), p.checkpoint()]
        log = p.root / ".checkpoint" / "cleanup.log"
        p.prompt("Next.")
        p.answer()
        self.assertFalse(log.exists())
        old = set(self.ids())
        p.seconds += 31 * 86400
        p.prompt("A month later.")
        p.answer()
        left = set(self.ids())
        self.assertEqual(left & old, {*kept, by_hand[1]})
        self.assertEqual(len(self.cleaned()), 1)
        lines = log.read_text().splitlines()
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^2026-12-21T\S+ checkpoints=[1-9]\d* bytes=\d+ snapshots=[1-9]\d* sidecars=0$")
        refs = p.git("for-each-ref", "--format=%(refname)", "refs/plankeep").split()
        self.assertEqual(len(refs), len([one for one in p.listed() if one["snapshot"]]))
        p.seconds += 3600
        p.prompt("Go on.")
        p.answer()
        self.assertEqual(len(log.read_text().splitlines()), 1)
        p.seconds += 86400
        p.prompt("The next day.")
        p.answer()
        # Nothing went: that is no event.
        self.assertEqual(len(log.read_text().splitlines()), 2)
        self.assertEqual(len(self.cleaned()), 1)
        self.assertNotIn("failed", p.keep("doctor"))

    def test_a_cleanup_keeps_the_last_hour_and_the_newest_of_a_session(self):
        p = self.two_turns()
        p.seconds += 7200
        fresh = [p.checkpoint(), p.checkpoint()]
        newest = self.ids("--session", SESSION)[0]
        would = json.loads(p.keep("checkpoint", "cleanup", "--older-than", "0d", "--dry-run", "--json"))
        done = json.loads(p.keep("checkpoint", "cleanup", "--older-than", "0d", "--json"))
        self.assertEqual(done["deleted"], would["deleted"])
        self.assertEqual(set(self.ids()), {*fresh, newest})
        self.assertEqual(len(self.cleaned()), 1)
        p.keep("checkpoint", "cleanup", "--older-than", "0d")
        self.assertEqual(len(self.cleaned()), 1)
        p.seconds += 1
        p.keep("checkpoint", "cleanup", "--older-than", "0d", "--all")
        self.assertEqual(self.ids(), [])

    def test_sidecars_of_commits_that_git_lost_go_when_another_tells_the_same(self):
        p = self.project
        p.keep("done", "survey")
        p.keep("commit", "--all")
        lost = p.git("rev-parse", "HEAD").strip()
        p.seconds += 1
        p.git("commit", "-q", "--amend", "-m", p.git("log", "-1", "--format=%B") + "amended")
        p.keep("doctor", "--repair")
        sidecars = lambda: {path.stem for path in (p.root / ".checkpoint" / "commits").glob("*.json")} - {"index"}
        here = p.git("rev-parse", "HEAD").strip()
        self.assertEqual(sidecars(), {lost, here})
        p.seconds += 31 * 86400
        p.keep("checkpoint", "cleanup")
        self.assertEqual(sidecars(), {lost, here})
        p.git("reflog", "expire", "--expire=now", "--all")
        p.git("gc", "-q", "--prune=now")
        found = json.loads(p.keep("checkpoint", "cleanup", "--dry-run", "--json"))
        self.assertEqual((found["deleted_sidecars"], sidecars()), ([lost], {lost, here}))
        self.assertIn("1 sidecar of commits that no longer exist", p.keep("checkpoint", "cleanup"))
        self.assertEqual(sidecars(), {here})
        self.assertEqual(len(self.cleaned()), 1)
        # The last that tells of a phase stays, whatever became of its commit.
        p.git("update-ref", "-d", "HEAD")
        p.git("reflog", "expire", "--expire=now", "--all")
        p.git("rm", "-q", "-r", "--cached", ".")
        p.git("gc", "-q", "--prune=now")
        p.keep("checkpoint", "cleanup")
        self.assertEqual(sidecars(), {here})


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
