"""The copy of .checkpoint in the git directory: what `git clean -xfd` wipes comes back.

  memory_test.py PROGRAM
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from rotation import rotation, whole  # noqa: E402
from rewind_support import ProjectTest, law, run_tests  # noqa: E402

FILES = ("history.jsonl", "state.json", "recovery.json", "checkpoints.db", "checkpoints.db-wal")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class MemoryTest(ProjectTest):
    def turn(self, p, *before):
        """The process that a hook leaves behind at a turn's end."""
        p.seconds += 60
        return p.run(*before, p.program, "after-hook", str(p.plan), "Stop", "s-1", "", p.environment()["PLANKEEP_NOW"], "",
                     "turn")

    def memory(self, p):
        folder = p.git_dir / "plankeep/memory"
        return sorted(folder.iterdir()) if folder.exists() else []

    def held(self, copy):
        current = json.loads((copy / "current").read_text())
        files = (copy / str(current["generation"])).iterdir()
        # SQLite makes the index of its log anew for whoever reads the copy, and leaves it behind a kill.
        return {path.name: digest(path) for path in files if path.name not in ("plan-text", "checkpoints.db-shm")}

    def tracking(self, p):
        folder = p.root / ".checkpoint"
        return {name: digest(folder / name) for name in FILES if (folder / name).exists()}

    def start_session(self, p):
        payload = {"session_id": "s-2", "transcript_path": "", "cwd": str(p.root), "hook_event_name": "SessionStart",
                   "source": "startup"}
        p.seconds += 1
        run = subprocess.run([p.program, "hook", "claude-code", "SessionStart"], cwd=p.root, env=p.environment(),
                             input=json.dumps(payload).encode(), capture_output=True, timeout=120, check=True)
        return run.stdout.decode()

    def begun(self, **kwargs):
        p = self.project(**kwargs)
        p.write("a", "one")
        p.commit()
        p.keep("done", "survey", "--by", "subagent:builder")
        return p

    def test_a_cleaned_work_tree_gets_its_memory_back(self):
        p = self.begun()
        self.assertEqual(self.turn(p).returncode, 0)
        self.assertEqual(self.held(self.memory(p)[0]), self.tracking(p))
        p.write("a", "two")
        survey = p.state()["phases"]["ground"]["tasks"]["survey"]
        before = p.keep("checkpoint", "list", "--json")
        p.git("clean", "-xfdq")
        self.assertFalse((p.root / ".checkpoint").exists())
        for command in ("status", "resume"):
            self.assertEqual(p.keep(command).count("plankeep restore --memory"), 1, command)
        self.assertFalse((p.root / ".checkpoint").exists())
        told = p.keep("restore", "--memory")
        self.assertIn("was restored", told)
        self.assertEqual(p.keep("checkpoint", "list", "--json"), before)
        self.assertEqual(p.state()["phases"]["ground"]["tasks"]["survey"], survey)
        self.assertNotIn("--memory", p.keep("status"))
        self.assertEqual((p.root / ".checkpoint/.gitignore").read_text(), "*\n")
        self.assertNotIn(".checkpoint", p.git("status", "--porcelain"))
        p.rewind("last", "--files")
        self.assertEqual((p.root / "a").read_text(), "one")
        self.assertEqual(law(p), [])
        again = p.try_keep("restore", "--memory")
        self.assertEqual(again.returncode, 2, again.stderr)
        self.assertIn(b"no copy of an earlier history", again.stderr)

    def actors(self, p):
        return [(event["event"], event.get("by")) for event in p.events()]

    def test_lines_that_the_history_lacks_come_back_before_anything_is_recorded(self):
        p = self.begun()
        p.keep("decide", "use pg", "--by", "person:Ann")
        p.keep("block", "no net", "--by", "person:Ann")
        self.turn(p)
        path = p.root / ".checkpoint/history.jsonl"
        whole_history = path.read_bytes()
        lines = whole_history.splitlines(keepends=True)
        copies = 0
        for left in (None, b"", b"".join(lines[:1]), b"".join(lines[:-2]), whole_history[:-9]):
            for command in (("doctor", "--repair"), ("decide", "later"), ("done", "dig", "--by", "team:z"), ("note", "n")):
                with self.subTest(left=left, command=command):
                    copies += 1
                    other = p.copy(self.base / f"copy{copies}")
                    history = other.root / ".checkpoint/history.jsonl"
                    history.unlink() if left is None else history.write_bytes(left)
                    self.assertIn(b"plankeep doctor --repair", other.try_keep("doctor").stdout)
                    other.keep(*command)
                    self.assertTrue(history.read_bytes().startswith(whole_history))
                    self.assertNotIn("full_recovery", [event for event, _ in self.actors(other)])
                    self.assertEqual(law(other), [])

    def test_an_older_folder_that_was_put_back_learns_what_came_after_it(self):
        p = self.begun()
        yesterday = p.root / ".yesterday"
        shutil.copytree(p.root / ".checkpoint", yesterday)
        p.keep("done", "dig", "--by", "team:z")
        self.turn(p)
        shutil.rmtree(p.root / ".checkpoint")
        yesterday.rename(p.root / ".checkpoint")
        self.assertIn("plankeep doctor --repair", p.keep("status"))
        p.keep("sync")
        self.assertIn(("task_completed", "team:z"), self.actors(p))
        self.assertNotIn(("task_completed", "external"), self.actors(p))
        self.assertNotIn("git directory", p.keep("status"))
        self.assertEqual(law(p), [])

    def test_the_copy_of_another_history_is_not_taken_for_this_one(self):
        p = self.begun()
        self.turn(p)
        shutil.rmtree(p.root / ".checkpoint")
        p.keep("init")
        before = (p.root / ".checkpoint/history.jsonl").read_bytes()
        p.keep("done", "dig")
        self.assertTrue((p.root / ".checkpoint/history.jsonl").read_bytes().startswith(before))
        (p.root / ".checkpoint/history.jsonl").unlink()
        p.keep("sync")
        self.assertNotIn(("task_completed", "subagent:builder"), self.actors(p))

    def test_a_folder_that_a_restore_replaced_is_called_that_and_going_back_says_so(self):
        p = self.begun()
        self.turn(p)
        shutil.rmtree(p.root / ".checkpoint")
        p.keep("init")
        p.keep("restore", "--memory")
        restored = (p.root / ".checkpoint/history.jsonl").read_bytes()
        doctor = p.keep("doctor")
        self.assertIn("replaced by restore --memory", doctor)
        self.assertNotIn("came from elsewhere", doctor)
        told = p.try_keep("init", "--adopt")
        self.assertEqual(told.returncode, 0)
        aside = re.search(rb"kept as (\S+)", told.stderr)[1].decode()
        self.assertEqual((p.root / aside / "history.jsonl").read_bytes(), restored)
        self.assertIn("replaced by init --adopt", p.keep("doctor"))
        p.keep("init", "--adopt")
        self.assertEqual((p.root / ".checkpoint/history.jsonl").read_bytes(), restored)

    def test_the_history_of_another_plan_is_set_aside_and_nothing_of_it_is_taken(self):
        for longer in (False, True):
            for kept in (False, True):
                with self.subTest(longer=longer, kept=kept):
                    p, other = self.begun(), self.begun()
                    other.root = other.root.rename(other.base / "elsewhere")
                    other.plan = other.root / "plan.md"
                    shutil.rmtree(other.root / ".checkpoint")
                    other.keep("init")
                    for note in range(5 if longer else 0):
                        other.keep("note", f"theirs {note}")
                    if kept:
                        self.turn(p)
                    path = p.root / ".checkpoint/history.jsonl"
                    own = path.read_bytes()
                    theirs = (other.root / ".checkpoint/history.jsonl").read_bytes()
                    path.write_bytes(theirs)
                    doctor = p.try_keep("doctor")
                    self.assertEqual(doctor.returncode, 1)
                    self.assertIn(b"belongs to another plan: elsewhere", doctor.stdout)
                    p.keep("sync")
                    self.assertEqual([f.read_bytes() for f in path.parent.glob("history.jsonl.damaged-*")], [theirs])
                    self.assertNotIn(b"theirs", path.read_bytes())
                    self.assertIn(("task_completed", "subagent:builder"), self.actors(p))
                    if kept:
                        self.assertTrue(path.read_bytes().startswith(own))
                    self.assertIn("no problems found", p.keep("doctor"))
                    self.assertEqual(law(p), [])

    def test_a_history_that_is_a_link_is_one_problem(self):
        p = self.begun()
        self.turn(p)
        path = p.root / ".checkpoint/history.jsonl"
        path.rename(p.base / "elsewhere.jsonl")
        path.symlink_to(p.base / "elsewhere.jsonl")
        told = p.try_keep("doctor").stdout
        self.assertIn(b"\n1 problem\n", told)
        self.assertNotIn(b"check the disk", told)
        self.assertNotIn(b"warning", told)

    def test_of_several_plans_in_a_folder_each_gets_its_own_back(self):
        p = self.begun()
        todo, second = p.root / "TODO.md", p.root / "second.md"
        for path in (todo, second):
            path.write_text("- [ ] Milk <!-- TASK: milk -->\n")
            p.keep("init", path.name)
        p.keep("done", "milk", "--plan", "TODO.md")
        own = p.root / ".checkpoint/TODO.md"
        for path in (p.plan, todo):
            p.seconds += 60
            p.run(p.program, "after-hook", str(path), "Stop", "s-1", "", p.environment()["PLANKEEP_NOW"], "", "turn")
        self.assertEqual(len(self.memory(p)), 2)
        history = (own / "history.jsonl").read_bytes()
        others = {path: digest(path) for path in (p.root / ".checkpoint").rglob("history.jsonl") if path.parent != own}
        # One is lost, and begins anew.
        shutil.rmtree(own)
        self.assertIn("--memory", p.keep("status", "--plan", "TODO.md"))
        p.keep("init", "TODO.md")
        p.keep("restore", "--memory", "--plan", "TODO.md")
        self.assertTrue((own / "history.jsonl").read_bytes().startswith(history))
        self.assertEqual({path: digest(path) for path in others}, others)
        self.assertEqual(len(list((p.root / ".checkpoint").glob("TODO.md.set-aside-*"))), 1)
        # The whole folder's own plan, with the others beside it.
        state = p.state()
        (p.root / ".checkpoint/history.jsonl").unlink()
        (p.root / ".checkpoint/state.json").unlink()
        for path in (p.root / ".checkpoint").glob("recovery*"):
            path.unlink()
        p.keep("restore", "--memory", "--plan", "plan.md")
        self.assertEqual(p.state()["phases"], state["phases"])
        self.assertTrue((own / "history.jsonl").read_bytes().startswith(history))
        self.assertEqual(len(list(p.root.glob(".checkpoint.set-aside-*"))), 1)
        # All of it.
        p.git("clean", "-xfdq", "-e", "/TODO.md", "-e", "/second.md")
        self.assertFalse((p.root / ".checkpoint").exists())
        p.keep("restore", "--memory", "--plan", "TODO.md")
        p.keep("restore", "--memory", "--plan", "plan.md")
        self.assertTrue((own / "history.jsonl").read_bytes().startswith(history))
        self.assertEqual(p.state()["phases"], state["phases"])
        self.assertEqual((p.root / ".checkpoint/.gitignore").read_text(), "*\n")

    def with_mailer(self):
        p = self.begun()
        mailer = p.root / "plans/mailer/plan.md"
        mailer.parent.mkdir(parents=True)
        mailer.write_text("# M\n\n- [ ] One thing\n- [ ] Two thing\n")
        p.keep("init", "plans/mailer")
        p.keep("done", "one", "--plan", "mailer", "--by", "person:Ann")
        p.seconds += 60
        p.run(p.program, "after-hook", str(mailer), "Stop", "s-1", "", p.environment()["PLANKEEP_NOW"], "", "turn")
        return p, mailer

    def test_a_plan_whose_folder_was_deleted_is_missing_and_comes_back_with_its_text(self):
        p, mailer = self.with_mailer()
        text = mailer.read_bytes()
        remedy = "plankeep restore --memory --plan plans/mailer/plan.md"
        for name in ("mailer", "plans/mailer", "plans/mailer/", "plans/mailer/plan.md", str(mailer)):
            for leave in ("", "plans", "plans/mailer"):
                with self.subTest(name=name, leave=leave):
                    shutil.rmtree(p.root / "plans")
                    if leave:
                        (p.root / leave).mkdir(parents=True)
                    self.assertIn(remedy, p.keep("plans"))
                    listed = [plan for plan in json.loads(p.keep("plans", "--json"))["plans"] if plan["missing"]]
                    self.assertEqual([plan["plan"]["path"] for plan in listed], [str(mailer)])
                    for command in ("restore", "status"):
                        told = p.try_keep(command, "--plan", name)
                        self.assertEqual(told.returncode, 3)
                        self.assertIn(remedy.encode(), told.stderr)
                    p.keep("restore", "--memory", "--plan", name)
                    self.assertEqual(mailer.read_bytes(), text)
                    self.assertIn("person:Ann", p.keep("list", "--plan", "mailer"))
                    self.assertNotIn("missing", p.keep("plans"))

    def test_a_deleted_plan_is_forgotten_on_request_only_and_a_path_still_finds_it(self):
        p, mailer = self.with_mailer()
        shutil.rmtree(p.root / "plans")
        p.keep("doctor", "--repair")
        self.assertIn("mailer", p.keep("plans"))
        self.assertNotIn("mailer", p.keep("plans", "--rescan"))
        self.assertNotIn("mailer", p.keep("plans"))
        p.keep("restore", "--memory", "--plan", "plans/mailer/plan.md")
        shutil.rmtree(p.root / "plans")
        self.assertIn("mailer", p.keep("plans"))

    def test_a_plan_that_moved_with_its_folder_is_not_missing(self):
        p, mailer = self.with_mailer()
        mailer.parent.rename(p.root / "plans/post")
        self.assertNotIn("missing", p.keep("plans"))

    def test_a_deleted_plan_is_not_restored_through_a_link(self):
        p, _ = self.with_mailer()
        shutil.rmtree(p.root / "plans")
        (p.base / "elsewhere").mkdir()
        (p.root / "plans").symlink_to(p.base / "elsewhere")
        self.assertNotIn("mailer", p.keep("plans"))
        self.assertNotEqual(p.try_keep("restore", "--memory", "--plan", "mailer").returncode, 0)
        self.assertEqual(list((p.base / "elsewhere").iterdir()), [])

    def test_a_copy_without_the_text_says_how_git_gives_it_back(self):
        p, mailer = self.with_mailer()
        text = mailer.read_bytes()
        p.git("add", "plans")
        p.git("commit", "-qm", "plan")
        for file in (p.git_dir / "plankeep/memory").rglob("plan-text"):
            file.unlink()
        p.git("rm", "-rq", "plans")
        p.git("commit", "-qm", "gone")
        shutil.rmtree(p.root / "plans")
        told = p.try_keep("restore", "--memory", "--plan", "mailer").stderr.decode()
        self.assertIn("git checkout", told)
        command = re.search(r"git (checkout \w+ -- plans/mailer/plan.md)", told)[1]
        p.git(*command.split())
        self.assertEqual(mailer.read_bytes(), text)
        self.assertIn("person:Ann", p.keep("list", "--plan", "mailer"))

    def test_a_plan_that_git_removed_or_moved_away_is_missing(self):
        for words in (("rm", "-q"), ("mv",)):
            with self.subTest(words=words):
                p, mailer = self.with_mailer()
                p.git("add", "plans")
                p.git("commit", "-qm", "plan")
                (p.root / "old").mkdir()
                p.git(*words, "plans/mailer/plan.md", *(["old/mailer.md"] if words == ("mv",) else []))
                self.assertIn("mailer, the file is missing", p.keep("plans"))
                if words == ("mv",):
                    told = p.keep("init", "old/mailer.md")
                    self.assertIn("continued from plans/mailer/plan.md, which no longer exists", told)
                    self.assertIn("person:Ann", p.keep("list", "--plan", "mailer"))
                    self.assertNotIn("missing", p.keep("plans"))
                    continue
                (p.root / ".gitignore").write_text("plans/\n")
                self.assertNotIn("mailer", p.keep("plans"))

    def test_a_session_that_begins_anew_is_told_and_what_it_recorded_is_kept(self):
        p = self.begun()
        self.turn(p)
        p.git("clean", "-xfdq")
        self.assertIn("restore --memory", self.start_session(p))
        self.assertTrue((p.root / ".checkpoint/history.jsonl").exists())
        self.assertNotIn("restore --memory", self.start_session(p))  # said once
        self.assertIn("restore --memory", p.keep("status"))
        p.keep("done", "dig")
        self.turn(p)
        self.assertEqual(len(self.memory(p)), 2)  # neither history takes the other's place
        new = (p.root / ".checkpoint/history.jsonl").read_bytes()
        told = p.keep("restore", "--memory")
        aside = re.search(r"kept as (\S+)", told)[1]
        self.assertEqual((p.root / aside / "history.jsonl").read_bytes(), new)
        tasks = p.state()["phases"]["ground"]["tasks"]
        self.assertEqual((tasks["survey"]["completedBy"], tasks["dig"]["done"]), ("subagent:builder", True))
        self.assertEqual(law(p), [])

    def test_whoever_dies_while_copying_leaves_the_former_copy_whole(self):
        p = self.begun()
        self.turn(p)
        former = self.held(self.memory(p)[0])
        calls = self.base / "calls"
        killed = 0
        first, step = (1, 1) if whole() else (1 + rotation() % 3, 3)
        for name in ("fdatasync", "renameat", "renameat2", "unlinkat", "mkdirat"):
            for when in range(first, 100, step):
                p.keep("note", f"{name} {when}")
                # The leak checker of a sanitized program wants to trace it too, and would fail every run.
                run = self.turn(p, "env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-qq", "-o", str(calls), "-e",
                                f"trace={name}", "-e", f"inject={name}:signal=KILL:when={when}")
                held = self.held(self.memory(p)[0])
                self.assertIn(held, (former, self.tracking(p)), (name, when))
                former = held
                if run.returncode == 0:
                    break
                self.assertEqual(run.returncode, -9 if run.returncode < 0 else 137, run.stderr)
                killed += 1
        self.assertGreater(killed, 5)
        self.turn(p)
        shutil.rmtree(p.root / ".checkpoint")
        p.keep("restore", "--memory")
        self.assertEqual(law(p), [])

    def test_a_history_that_does_not_go_on_from_its_copy_does_not_take_its_place(self):
        p = self.begun()
        self.turn(p)
        held = self.held(self.memory(p)[0])
        history = p.root / ".checkpoint/history.jsonl"
        good = history.read_bytes()
        history.write_bytes(good.replace(b"survey", b"SURVEY"))
        self.turn(p)
        self.assertEqual(len(self.memory(p)), 2)
        self.assertIn(held, [self.held(copy) for copy in self.memory(p)])
        p.keep("restore", "--memory")
        self.assertTrue(history.read_bytes().startswith(good))

    def test_the_three_newest_histories_are_kept(self):
        p = self.begun()
        for _ in range(5):
            self.turn(p)
            newest = (p.root / ".checkpoint/history.jsonl").read_bytes()
            shutil.rmtree(p.root / ".checkpoint")
            p.keep("init")
        self.assertEqual(len(self.memory(p)), 3)
        p.keep("restore", "--memory")
        self.assertTrue((p.root / ".checkpoint/history.jsonl").read_bytes().startswith(newest))

    def test_a_linked_work_tree_has_its_own_and_links_are_not_followed(self):
        p = self.begun()
        self.turn(p)
        p.git("worktree", "add", "-q", str(p.base / "linked"))
        linked = type(p)(p.program, p.base)
        linked.root = p.base / "linked"
        linked.plan = linked.root / "plan.md"
        linked.git_dir = p.git_dir / "worktrees/linked"
        self.assertNotIn("--memory", linked.keep("status"))
        linked.seconds = p.seconds
        linked.keep("init")
        self.turn(linked)
        self.assertEqual(len(self.memory(linked)), 1)
        elsewhere = p.base / "elsewhere"
        shutil.move(p.git_dir / "plankeep/memory", elsewhere)
        (p.git_dir / "plankeep/memory").symlink_to(elsewhere)
        shutil.rmtree(p.root / ".checkpoint")
        self.assertNotIn("--memory", p.keep("status"))
        self.assertNotEqual(p.try_keep("restore", "--memory").returncode, 0)
        self.assertFalse((p.root / ".checkpoint").exists())


if __name__ == "__main__":
    run_tests()
