#!/usr/bin/python3
"""Records of session checkpoints that another program throws away: it sets the ref without looking whether it has
moved, as Entire up to 0.8 does. What is lost so is found and put back; what somebody did on purpose stays.

  session_lost_test.py PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from session_project import Session, SessionProject  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
BRANCH = "refs/heads/entire/checkpoints/v1"


class World(SessionProject):
    def __init__(self, base, layout):
        super().__init__(PROGRAM, base)
        self.layout = layout
        self.extra = {"PLANKEEP_CHECKPOINTS": "off"}
        self.commit("base")

    def turn(self, name, *files):
        """A session that wrote the files, and a commit of them: the commit."""
        session = Session(self, name)
        session.prompt("Write " + name)
        for file in files:
            session.write(file, name + " " + file + "\n")
        session.stop()
        return self.commit(name)

    def record(self, commit, **how):
        """The commit's session checkpoint, its ref, and what export says."""
        told = self.export("--commit", commit, "--layout", self.layout, **how)
        identity = told["commits"][0]["checkpoint"]
        return identity, self.ref(identity), told

    def ref(self, identity):
        return BRANCH if self.layout == "branch" else f"refs/entire/checkpoints/{identity[-2:]}/{identity}"

    def tip(self, ref):
        return self.git("rev-parse", ref).strip()

    def careless(self, ref, parent, files=(), tree=None):
        """A commit on `parent`, put onto the ref whatever it is now."""
        tree = tree or self.git("rev-parse", parent + "^{tree}").strip()
        environment = {**self.environment(), "GIT_INDEX_FILE": str(self.base / "careless")}

        def git(*words, given=None):
            return subprocess.run(["git", *words], cwd=self.root, env=environment, input=given, check=True, timeout=60,
                                  stdout=subprocess.PIPE, text=True).stdout.strip()

        git("read-tree", tree)
        for name, text in dict(files).items():
            git("update-index", "--add", "--cacheinfo", f"100644,{git('hash-object', '-w', '--stdin', given=text)},{name}")
        made = git("commit-tree", git("write-tree"), "-p", parent, "-m", "careless")
        git("update-ref", ref, made)
        return made

    def sessions(self, identity):
        shown = json.loads(self.run("session", "show", identity, "--json"))["checkpoint"]
        return sorted(one["session_id"] for one in shown["sessions"])

    def listed(self):
        return sorted(one["id"] for one in json.loads(self.run("session", "list", "--json", "-n", "100"))["checkpoints"])

    def doctor(self):
        checks = json.loads(self.run("doctor", "--json"))["checks"]
        return [check["message"] for check in checks if "threw away" in check["message"]]

    def written(self):
        """The list of what plankeep wrote lately."""
        path = self.root / ".git/plankeep/entire-written"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


class LostRecordTest(unittest.TestCase):
    def world(self, layout="branch"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return World(pathlib.Path(folder.name).resolve(), layout)

    def test_a_record_that_was_thrown_away_comes_back_with_the_next_one(self):
        world = self.world()
        first, ref, _ = world.record(world.turn("one", "a.c"))
        seen = world.tip(ref)
        lost_commit = world.turn("two", "b.c")
        lost, _, _ = world.record(lost_commit)
        message = world.git("log", "-1", "--format=%B%an %aI", ref)
        raw = world.run("session", "show", lost, "--raw")
        tree = world.git("rev-parse", f"{ref}:{lost[:2]}/{lost[2:]}")
        self.assertEqual(world.doctor(), [])

        made = world.careless(ref, seen, {"other/note": "theirs"})
        self.assertEqual(world.listed(), [first])
        self.assertEqual(len(world.doctor()), 1)
        self.assertIn(lost, world.doctor()[0])

        third, _, told = world.record(world.turn("three", "c.c"))
        self.assertEqual(told["put_back"], [lost])
        self.assertEqual(world.listed(), sorted([first, lost, third]))
        self.assertEqual(world.run("session", "show", lost, "--raw"), raw)
        self.assertEqual(world.git("rev-parse", f"{ref}:{lost[:2]}/{lost[2:]}"), tree)
        self.assertEqual(world.git("log", "-1", "--format=%B%an %aI", ref + "~1"), message)
        self.assertEqual(world.tip(ref + "~2"), made)
        self.assertEqual(world.git("show", f"{ref}:other/note"), "theirs")
        self.assertEqual(world.doctor(), [])
        self.assertEqual(world.record(lost_commit)[2]["put_back"], [])
        # Again: it is found out as often as it happens.
        world.careless(ref, seen)
        self.assertEqual(sorted(world.record(lost_commit)[2]["put_back"]), sorted([lost, third]))
        self.assertEqual(world.listed(), sorted([first, lost, third]))

    def test_a_dry_run_puts_nothing_back(self):
        world = self.world()
        _, ref, _ = world.record(world.turn("one", "a.c"))
        seen = world.tip(ref)
        lost = world.turn("two", "b.c")
        world.record(lost)
        made = world.careless(ref, seen)
        self.assertEqual(world.export("--commit", lost, "--layout", "branch", "--dry-run")["put_back"], [])
        self.assertEqual(world.tip(ref), made)

    def test_the_first_record_of_a_branch_that_two_begin_at_once(self):
        world = self.world()
        commit = world.turn("one", "a.c")
        first, ref, _ = world.record(commit)
        empty = world.git("hash-object", "-w", "-t", "tree", "/dev/null").strip()
        orphan = world.git("commit-tree", empty, "-m", "Initialize").strip()
        world.careless(ref, orphan, {"other/note": "theirs"})
        self.assertEqual(world.record(world.turn("two", "b.c"))[2]["put_back"], [first])
        self.assertEqual(world.sessions(first), ["one"])

    def test_a_session_that_another_writer_left_out_of_the_same_checkpoint(self):
        for layout in ("refs", "branch"):
            with self.subTest(layout):
                world = self.world(layout)
                one, two = Session(world, "one"), Session(world, "two")
                for session in (one, two):
                    session.prompt("Write")
                    session.write(session.name + ".c", session.name + "\n")
                    session.stop()
                commit = world.commit("both")
                identity = world.export("--commit", commit, "--layout", layout, "--dry-run")["commits"][0]["checkpoint"]
                ref = world.ref(identity)
                world.export("--layout", layout, "one")
                seen = world.tip(ref)
                world.export("--layout", layout, "two")
                self.assertEqual(world.sessions(identity), ["one", "two"])
                folder = f"{identity[:2]}/{identity[2:]}/" if layout == "branch" else ""
                world.careless(ref, seen, {folder + "theirs.txt": "theirs"})
                self.assertEqual(world.sessions(identity), ["one"])
                self.assertEqual(len(world.doctor()), 1)
                self.assertEqual(world.record(commit)[2]["put_back"], [identity])
                self.assertEqual(world.sessions(identity), ["one", "two"])
                self.assertEqual(world.git("show", f"{ref}:{folder}theirs.txt"), "theirs")
                self.assertEqual(world.doctor(), [])

    def test_what_was_deleted_on_purpose_stays_deleted(self):
        for layout in ("refs", "branch"):
            with self.subTest(layout):
                world = self.world(layout)
                lost, ref, _ = world.record(world.turn("one", "a.c"))
                world.git("update-ref", "-d", ref)
                self.assertEqual(world.doctor(), [])
                second, _, told = world.record(world.turn("two", "b.c"))
                self.assertEqual(told["put_back"], [])
                self.assertEqual(world.listed(), [second])
                self.assertFalse([line for line in world.written() if lost in line])

    def test_a_record_that_was_written_again_elsewhere_is_not_lost(self):
        world = self.world()
        _, ref, _ = world.record(world.turn("one", "a.c"))
        seen = world.tip(ref)
        kept, _, _ = world.record(world.turn("two", "b.c"))
        world.careless(ref, seen, {"note": "theirs"}, tree=world.git("rev-parse", ref + "^{tree}").strip())
        told = world.record(world.turn("three", "c.c"))[2]
        self.assertEqual(told["put_back"], [])
        self.assertEqual(world.sessions(kept), ["two"])

    def test_a_secret_that_somebody_took_out_does_not_come_back(self):
        world = self.world()
        _, ref, _ = world.record(world.turn("one", "a.c"))
        seen = world.tip(ref)
        identity, _, _ = world.record(world.turn("two", "b.c"))
        folder = f"{identity[:2]}/{identity[2:]}"
        world.careless(ref, seen, {folder + "/0/full.jsonl": "{}\n", folder + "/0/prompt.txt": "taken out"},
                       tree=world.git("rev-parse", ref + "^{tree}").strip())
        self.assertEqual(world.doctor(), [])
        self.assertEqual(world.record(world.turn("three", "c.c"))[2]["put_back"], [])
        self.assertEqual(world.git("show", f"{ref}:{folder}/0/prompt.txt"), "taken out")

    def test_what_git_collected_is_given_up(self):
        world = self.world()
        first, ref, _ = world.record(world.turn("one", "a.c"))
        seen = world.tip(ref)
        world.record(world.turn("two", "b.c"))
        world.careless(ref, seen)
        world.git("-c", "gc.reflogExpire=now", "gc", "-q", "--prune=now")
        self.assertEqual(world.doctor(), [])
        third, _, told = world.record(world.turn("three", "c.c"))
        self.assertEqual((told["put_back"], told["warnings"]), ([], []))
        self.assertEqual(world.listed(), sorted([first, third]))

    def test_a_damaged_list_does_not_stop_a_record(self):
        world = self.world()
        world.record(world.turn("one", "a.c"))
        path = world.root / ".git/plankeep/entire-written"
        path.write_bytes(b"written refs/heads/x\nwritten \xff\n" + b"written refs/heads/main " + b"1" * 40 + b"\ntorn")
        second = world.record(world.turn("two", "b.c"))[0]
        self.assertIn(second, world.listed())
        path.unlink()
        path.mkdir()
        commit = world.turn("three", "c.c")
        told = world.export("--commit", commit, "--layout", "branch", status=1)
        self.assertIn(told["commits"][0]["checkpoint"], world.listed())
        self.assertTrue(told["warnings"])

    def test_a_list_that_names_other_refs_changes_none_of_them(self):
        world = self.world()
        world.record(world.turn("one", "a.c"))
        tip = world.tip("refs/heads/main")
        lost = world.git("commit-tree", tip + "~1^{tree}", "-p", tip + "~1", "-m", "Checkpoint: 0a1b2c3d4e5f").strip()
        blob = world.git("hash-object", "-w", "plan.md").strip()
        world.git("update-ref", "refs/entire/checkpoints/11/0123456789ABCDEFGHJKMNPQ11", blob)
        path = world.root / ".git/plankeep/entire-written"
        with path.open("a", encoding="utf-8") as file:
            for ref in ("refs/heads/main", "refs/heads/../../x", "refs/entire/checkpoints/11/0123456789ABCDEFGHJKMNPQ11"):
                file.write(f"written {ref} {lost}\n")
        before = world.digest()
        told = world.record(world.git("rev-parse", "HEAD").strip())[2]
        self.assertEqual((told["put_back"], world.digest()), ([], before))
        self.assertEqual(world.tip("refs/entire/checkpoints/11/0123456789ABCDEFGHJKMNPQ11"), blob)
        self.assertFalse([line for line in world.written() if lost in line])

    def test_a_push_puts_back_first(self):
        for layout in ("refs", "branch"):
            with self.subTest(layout):
                world = self.world(layout)
                commit = world.turn("one", "a.c")
                identity, ref, _ = world.record(commit)
                seen = world.tip(ref)
                lost = identity
                if layout == "branch":
                    lost = world.record(world.turn("two", "b.c"))[0]
                    world.careless(ref, seen)
                else:
                    orphan = world.git("commit-tree", seen + "^{tree}", "-m", "theirs").strip()
                    empty = world.git("hash-object", "-w", "-t", "tree", "/dev/null").strip()
                    world.careless(ref, orphan, tree=empty)
                world.git("init", "-q", "--bare", str(world.base / "remote"))
                world.git("remote", "add", "origin", str(world.base / "remote"))
                told = json.loads(world.run("session", "push", "--yes", "--json"))
                self.assertEqual(told["put_back"], [lost])
                self.assertEqual(world.git("ls-remote", "origin", ref).split()[0], world.tip(ref))
                self.assertIn(lost, world.listed())
                self.assertEqual(world.written(), [])

    def test_lines_of_refs_that_are_gone_leave_the_push_queue(self):
        world = self.world("refs")
        identity, ref, _ = world.record(world.turn("one", "a.c"))
        kept, other, _ = world.record(world.turn("two", "b.c"))
        world.git("update-ref", "-d", ref)
        queue = world.root / ".git/entire-checkpoint-push-queue.jsonl"
        queue.write_text(queue.read_text(encoding="utf-8") + '{"ref":"refs/heads/strange"}\n', encoding="utf-8")
        world.git("init", "-q", "--bare", str(world.base / "remote"))
        world.git("remote", "add", "origin", str(world.base / "remote"))
        told = json.loads(world.run("session", "push", "--yes", "--json"))
        self.assertEqual(told["pushed"], [other])
        self.assertEqual(queue.read_text(encoding="utf-8"), '{"ref":"refs/heads/strange"}\n')
        self.assertEqual(world.listed(), [kept])
        self.assertNotIn(identity, world.listed())

    def test_killed_while_it_puts_back_the_next_one_goes_on(self):
        """git is killed at each of its calls in turn: a record is there whole or not at all, and comes back in the end."""
        world = self.world()
        _, ref, _ = world.record(world.turn("one", "a.c"))
        seen = world.tip(ref)
        commit = world.turn("two", "b.c")
        lost, _, _ = world.record(commit)
        careless = world.careless(ref, seen, {"other/note": "theirs"})
        written = world.root / ".git/plankeep/entire-written"
        before = written.read_bytes()
        slow = world.base / "bin"
        slow.mkdir()
        real = subprocess.run(["which", "git"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
        script = slow / "git"
        script.write_text("#!/bin/sh\n"
                          f'echo x >> "{world.base}/calls"\n'
                          f'if [ "$(wc -l < "{world.base}/calls")" -gt "$STOP_AT" ]; then kill -9 "$PPID"; exit 9; fi\n'
                          f'exec {real} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        seen_states = set()
        for calls in range(60):
            (world.base / "calls").write_text("", encoding="utf-8")
            world.git("update-ref", ref, careless)
            written.write_bytes(before)
            environment = {**world.environment(), "PATH": f"{slow}:{os.environ['PATH']}", "STOP_AT": str(calls)}
            done = subprocess.run([PROGRAM, "checkpoint", "export", "--to", "entire", "--commit", commit, "--layout",
                                   "branch"], cwd=world.root, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
            there = lost in world.listed()
            seen_states.add(there)
            if there:
                self.assertEqual(world.sessions(lost), ["two"])
            self.assertEqual(world.git("show", f"{ref}:other/note"), "theirs")
            world.record(commit)
            self.assertEqual(world.sessions(lost), ["two"], f"killed at call {calls}")
            if done.returncode == 0:
                break
        self.assertEqual(done.returncode, 0)
        self.assertEqual(seen_states, {False, True})

    def test_beside_a_careless_writer_nothing_of_ours_is_lost_in_the_end(self):
        world = self.world()
        commits = [world.turn(f"s{number}", f"{number}.c") for number in range(8)]
        _, ref, _ = world.record(commits[0])
        stop = threading.Event()
        times = []

        def write():
            while not stop.is_set():
                seen = world.tip(ref)
                time.sleep(0.02)  # it makes its record
                world.careless(ref, seen, {f"other/{len(times)}": "theirs"})
                times.append(seen)

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        ids = [world.record(commit)[0] for commit in commits]
        stop.set()
        writer.join()
        self.assertTrue(times)
        world.record(commits[0])
        self.assertEqual(sorted(set(ids) - set(world.listed())), [])
        for number, identity in enumerate(ids):
            self.assertEqual(world.sessions(identity), [f"s{number}"])
        world.git("fsck", "--strict", "--no-dangling")


if __name__ == "__main__":
    unittest.main()
