"""What becomes of a plan's snapshots when they hold more than they may, through the ends of real turns.

  size_cap_test.py PROGRAM
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from rewind_support import PLAN, Project, law

PROGRAM = ""
LIMIT = 1 << 20  # the least that can be set
BETWEEN_LOOKS = 16
PIECE = 100_000  # of its own in every snapshot; nothing that could be compressed


class TurnProject(Project):
    """Its turns end with checkpoints, and each is made before the hook ends."""

    def environment(self):
        return {**super().environment(), "PLANKEEP_CHECKPOINTS": "wait"}

    def turn(self, session="s-1"):
        payload = {"session_id": session, "transcript_path": "", "cwd": str(self.root), "hook_event_name": "Stop",
                   "stop_hook_active": False, "last_assistant_message": "Well."}
        self.seconds += 1
        run = subprocess.run([self.program, "hook", "claude-code", "Stop"], cwd=self.root, env=self.environment(),
                             input=json.dumps(payload).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             timeout=120, check=False)
        assert run.returncode == 0 and not run.stderr, run.stderr

    def change(self, number, size=PIECE):
        self.write("data", random.Random(number).randbytes(size))

    def records(self):
        return [json.loads(line) for line in self.keep("checkpoint", "export").splitlines()]

    def turns(self):
        return [record for record in self.records() if record["checkpoint_type"] == "turn"]

    def refs(self):
        return self.git("for-each-ref", "--format=%(refname)", "refs/plankeep/").split()

    def has(self, thing):
        return self.run("git", "cat-file", "-e", thing).returncode == 0

    def object_bytes(self):
        return sum(path.stat().st_size for path in (self.git_dir / "objects").rglob("*") if path.is_file())


def ref_of(record):
    return record["moment"]["snapshot"]["ref"]


class SizeCapTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plankeep-rewind-")
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(folder.name)

    def project(self):
        project = TurnProject(PROGRAM, self.base).start()
        project.write(".plankeep.json", json.dumps({"snapshotTotalLimit": LIMIT}))
        project.commit()
        return project

    def refused(self, project, *words, says):
        before, told, refs = project.tree(), project.rewound(), project.refs()
        run = project.try_keep(*words)
        self.assertNotEqual(run.returncode, 0, run.stdout)
        self.assertIn(says, run.stderr.decode())
        self.assertEqual((project.tree(), project.rewound(), project.refs()), (before, told, refs))
        self.assertEqual(project.leftovers(), [])

    def test_a_folder_that_somebody_forgot_to_ignore_is_named_once(self):
        p = self.project()
        (p.root / "cache").mkdir()
        for number in range(50_001):
            (p.root / "cache" / str(number)).touch()
        for _ in range(3):
            p.turn()
        log = (p.root / ".checkpoint/errors.log").read_text().splitlines()
        self.assertEqual(len(log), 1, log)
        self.assertIn("50001 of them in cache/: add it to .gitignore", log[0])
        self.assertEqual([turn["moment"].get("snapshot") for turn in p.turns()], [None] * 3)
        self.assertEqual(p.refs(), [])
        run = p.try_keep("checkpoint", "create")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(b"too many for a snapshot", run.stderr)
        self.refused(p, "rewind", "last", "--files", says="has no file snapshot")
        p.write(".gitignore", "cache\n")
        p.turn()
        self.assertEqual(len(p.refs()), 1)
        self.assertEqual(len((p.root / ".checkpoint/errors.log").read_text().splitlines()), 1)

    def test_the_oldest_go_at_every_16th_turn_and_their_records_stay(self):
        p = self.project()
        # Another plan of the same repository, whose snapshots are as large.
        other = p.root / "other"
        p.write("other/plan.md", PLAN)
        p.keep("init", str(other / "plan.md"))
        for number in (1001, 1002, 1003):
            p.change(number)
            p.keep("checkpoint", "create", "--plan", str(other))
        others = p.refs()
        self.assertEqual(len(others), 3)
        own = p.users_own()
        trees = {}
        for number in range(1, 2 * BETWEEN_LOOKS + 2):
            p.change(number)
            before = set(p.refs())
            p.turn()
            after = set(p.refs())
            trees[number] = p.tree()
            self.assertEqual(len(after - before), 1)
            if number % BETWEEN_LOOKS:
                self.assertEqual(before - after, set(), f"turn {number} dropped something")
            else:
                self.assertNotEqual(before - after, set(), f"turn {number} dropped nothing")
        turns = p.turns()
        self.assertEqual([turn["moment"]["turn"] for turn in turns], list(range(1, 2 * BETWEEN_LOOKS + 2)))
        told = [event["checkpointId"] for event in p.events() if event["event"] == "checkpoint_saved"]
        self.assertEqual(told, [turn["checkpoint_id"] for turn in turns])
        self.assertEqual(p.users_own(), own)

        # The newest stay, as many as the limit has room for, and one that came since; nothing between two of them goes.
        refs = p.refs()
        self.assertEqual([ref for ref in refs if ref in others], others)
        there = [ref_of(turn) in refs for turn in turns]
        self.assertEqual(there, sorted(there))
        stay = sum(there)
        self.assertEqual(stay + len(others), len(refs))
        self.assertGreaterEqual(stay, LIMIT // PIECE * 3 // 4)
        self.assertLessEqual(stay, LIMIT // PIECE + 1)
        doctor = p.keep("doctor")
        self.assertIn(f"{stay} snapshots, ", doctor)
        self.assertIn("3 snapshots, 0.3 MB", p.keep("doctor", "--plan", str(other)))

        # git's own gc takes what went, and nothing else.
        oldest, kept = turns[0], turns[-stay]
        went = [turn["moment"]["snapshot"] for turn, stays in zip(turns, there) if not stays]
        full = p.object_bytes()
        p.git("gc", "-q", "--prune=now")
        self.assertLess(p.object_bytes(), full - (len(went) - 1) * PIECE)
        self.assertEqual([snapshot for snapshot in went if p.has(snapshot["commit"]) or p.has(snapshot["tree"])], [])
        self.assertTrue(all(p.has(turn["moment"]["snapshot"]["tree"]) for turn in turns[-stay:]))

        # Back to a turn whose snapshot is gone: not a file, but the plan alone.
        p.keep("done", "survey")
        gone = "git no longer has the snapshot of " + oldest["checkpoint_id"]
        for words in ((), ("--dry-run",), ("--files",), ("--all",)):
            self.refused(p, "rewind", "--turn", "1", *words, says=gone)
        self.refused(p, "rewind", oldest["checkpoint_id"], says="--plan")
        shown = p.keep("checkpoint", "show", oldest["checkpoint_id"])
        self.assertIn("turn 1", shown)
        self.assertIn("The files of that time are no longer in git", shown)
        self.assertNotIn("no longer in git", p.keep("checkpoint", "show", kept["checkpoint_id"]))
        data = (p.root / "data").read_bytes()
        p.rewind("--turn", "1", "--plan")
        self.assertEqual(p.plan.read_text(), PLAN)
        self.assertEqual((p.root / "data").read_bytes(), data)
        # Those that stay give everything back, and the next turn goes on.
        p.rewind(kept["checkpoint_id"])
        self.assertEqual(p.tree(), trees[kept["moment"]["turn"]])
        p.rewind("--turn", str(len(turns)))
        self.assertEqual(p.tree(), trees[len(turns)])
        p.change(2000)
        p.turn()
        self.assertIn(ref_of(p.turns()[-1]), p.refs())
        self.assertFalse((p.root / ".checkpoint" / "errors.log").exists())
        self.assertEqual(law(p), [])

    def test_the_newest_stays_however_large_it_is(self):
        p = self.project()
        for number in range(1, BETWEEN_LOOKS + 1):
            p.change(number, LIMIT * 5 // 4)
            p.turn()
        turns = p.turns()
        self.assertEqual(p.refs(), [ref_of(turns[-1])])
        self.assertEqual(len(turns), BETWEEN_LOOKS)
        run = p.try_keep("doctor")
        self.assertIn("1 snapshot, 1.3 MB, the limit is 1.0 MB", run.stdout.decode())
        tree = p.tree()
        p.change(0)
        p.rewind("--turn", str(BETWEEN_LOOKS))
        self.assertEqual(p.tree(), tree)

    def test_cleanup_drops_what_is_left_and_git_takes_it(self):
        p = self.project()
        full = p.object_bytes()
        for number in range(3):
            p.change(number)
            p.turn()
        p.git("gc", "-q", "--prune=now")
        self.assertGreater(p.object_bytes(), full + 3 * PIECE)
        p.seconds += 3000
        p.keep("checkpoint", "cleanup", "--older-than", "30m", "--all")
        self.assertEqual((p.refs(), p.records()), ([], []))
        p.git("gc", "-q", "--prune=now")
        self.assertLess(p.object_bytes(), full + PIECE)
        # The private index remembered what is gone now.
        p.turn()
        target = p.turns()[-1]["checkpoint_id"]
        tree = p.tree()
        p.change(9)
        p.rewind(target)
        self.assertEqual(p.tree(), tree)

    def test_cleanup_drops_the_snapshots_that_were_taken_before_the_project_was_moved(self):
        p = self.project()
        for number in range(3):
            p.change(number)
            p.turn()
        p.root.rename(p.base / "moved")
        (p.base / "moved").rename(p.base / "home" / "project")
        p.root = p.base / "home" / "project"
        p.plan, p.git_dir = p.root / "plan.md", p.root / ".git"
        p.turn()
        p.seconds += 3000
        p.keep("checkpoint", "cleanup", "--older-than", "30m", "--all")
        self.assertEqual((p.refs(), p.records()), ([], []))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=1)
