"""`plankeep rewind` in real git repositories: the hard cases, one a test.

  rewind_test.py PROGRAM
"""

import hashlib
import json
import os
import random
import re
import time
import unittest

from rewind_support import PLAN, Project, ProjectTest, law, quoted, run_tests

SEQUENCES = int(os.environ.get("PLANKEEP_SEQUENCES", "6"))


class RewindTest(ProjectTest):
    def refused(self, project, *words, says):
        before = project.tree()
        run = project.try_keep(*words)
        self.assertNotEqual(run.returncode, 0, run.stdout)
        self.assertIn(says, run.stderr.decode())
        self.assertEqual(project.tree(), before)
        self.assertEqual(project.leftovers(), [])

    def test_files_and_plan_come_back_and_go_again(self):
        p = self.project()
        p.write(".gitignore", "*.o\n")
        p.write("a.txt", "one")
        p.write("gone/b.txt", "two")
        p.write("run.sh", "#!/bin/sh\n", 0o755)
        p.commit()
        p.keep("done", "survey", "--by", "subagent:builder")
        p.write("untracked", b"\0\r\n\xff")
        os.symlink("a.txt", p.root / "link")
        p.write("x.o", "then")
        then = p.tree()
        target = p.checkpoint()
        survey = p.state()["phases"]["ground"]["tasks"]["survey"]

        p.keep("reopen", "survey")
        p.keep("done", "dig", "bricks")
        p.write("a.txt", "changed")
        (p.root / "gone/b.txt").unlink()
        (p.root / "gone").rmdir()
        (p.root / "run.sh").chmod(0o644)
        (p.root / "untracked").unlink()
        (p.root / "link").unlink()
        p.write("link/inside", "a folder now")
        p.write("since/new", "new")
        p.write("x.o", "now")
        now = p.tree()
        own = p.users_own()

        dry = p.rewind(target, "--dry-run")
        self.assertEqual(p.tree(), now)
        self.assertTrue(dry["planChanged"])
        self.assertIsNone(dry["from"])
        self.assertEqual({file["path"]: file["change"] for file in dry["files"]},
                         {"a.txt": "changed", "gone/b.txt": "added", "run.sh": "mode", "untracked": "added",
                          "link": "added", "link/inside": "removed", "since/new": "removed"})
        done = p.rewind(target)
        self.assertEqual(done["files"], dry["files"])
        self.assertEqual(done["kept"], [])
        then["x.o"] = now["x.o"]
        self.assertEqual(p.tree(), then)
        self.assertEqual(p.users_own(), own)
        self.assertEqual(p.state()["phases"]["ground"]["tasks"]["survey"], survey)
        self.assertFalse(p.state()["phases"]["ground"]["tasks"]["dig"]["done"])
        event = p.rewound()[-1]
        self.assertEqual((event["from"], event["to"], event["what"], event["by"]), (done["from"], target, "all", "main"))

        undone = p.rewind("--undo")
        self.assertEqual(undone["to"]["checkpoint"], done["from"])
        self.assertEqual(p.tree(), now)
        p.rewind("--redo")
        self.assertEqual(p.tree(), then)
        self.assertEqual(p.rewind(target)["from"], None)  # nothing to do
        self.assertEqual(p.users_own(), own)
        self.assertEqual(p.leftovers(), [])
        self.assertEqual(law(p), [])

    def test_the_plan_comes_back_with_its_permissions_like_any_file(self):
        p = self.project()
        p.write("a", "one", 0o600)
        p.commit()

        def modes():
            return [(p.root / name).stat().st_mode & 0o7777 if (p.root / name).exists() else None
                    for name in ("plan.md", "a")]
        p.plan.chmod(0o640)
        target = p.checkpoint()
        p.plan.chmod(0o600)
        p.write("a", "two", 0o664)
        p.keep("done", "survey")
        for words, come in (((target,), [0o640, 0o600]), (("--undo",), [0o600, 0o664]), (("--redo",), [0o640, 0o600]),
                            (("--undo", "--plan"), [0o600, 0o600]), (("--undo",), [0o600, 0o664])):
            p.rewind(*words)
            self.assertEqual(modes(), come, words)

        # With the same text; in the parts that are asked for; what was gone.
        p.rewind(target)
        p.plan.chmod(0o664)
        before = p.plan.read_bytes()
        self.assertIsNone(p.rewind(target, "--files")["from"])
        dry = p.rewind(target, "--dry-run")
        self.assertEqual((dry["planChanged"], dry.get("planPermissionsChanged")), (False, True))
        self.assertEqual(modes(), [0o664, 0o600])
        self.assertIn("restored the plan's permissions from", p.keep("rewind", target, "--plan"))
        self.assertEqual((modes(), p.plan.read_bytes()), ([0o640, 0o600], before))
        self.assertIsNone(p.rewind(target)["from"])
        p.rewind("--undo")
        self.assertEqual(modes(), [0o664, 0o600])
        p.plan.unlink()
        p.rewind(target)
        self.assertEqual(modes(), [0o640, 0o600])
        p.rewind("--undo")
        self.assertEqual(modes(), [None, 0o600])
        p.rewind("--redo")
        self.assertEqual(modes(), [0o640, 0o600])
        self.assertEqual(law(p), [])

    def test_a_plan_that_no_snapshot_holds_keeps_its_permissions(self):
        p = self.project()
        p.write(".gitignore", "plan.md\n")
        p.commit()
        target = p.checkpoint()
        p.keep("done", "survey")
        p.plan.chmod(0o640)
        p.rewind(target)
        self.assertEqual(p.plan.stat().st_mode & 0o7777, 0o640)

    def test_the_work_tree_is_captured_once(self):
        p = self.project()
        p.write("a", "one")
        p.commit()
        target = p.checkpoint()
        p.write("a", "two")
        p.write("since", "new")
        real = p.run("sh", "-c", "command -v git").stdout.decode().strip()
        bin_, calls = p.base / "bin", p.base / "calls"
        bin_.mkdir()
        (bin_ / "git").write_text(f"#!/bin/sh\necho \"$*\" >> {calls}\nexec {real} \"$@\"\n")
        (bin_ / "git").chmod(0o755)
        for changes, words in ((True, [target]), (False, [target, "--files"])):
            calls.write_text("")
            run = p.run("env", f"PATH={bin_}:{os.environ['PATH']}", self.program, "rewind", *words, "--json")
            told = json.loads(run.stdout)
            self.assertEqual((bool(told["files"]), told["from"] is not None), (changes, changes))
            self.assertEqual(len([line for line in calls.read_text().splitlines() if line.endswith(" write-tree")]), 1)

    def test_what_somebody_writes_after_the_safety_snapshot_is_not_lost(self):
        p = self.project()
        p.write("a", "one")
        p.write("b", "one")
        p.commit()
        target = p.checkpoint()
        p.write("a", "two")
        p.write("b", "two")
        real = p.run("sh", "-c", "command -v git").stdout.decode().strip()
        bin_, once = p.base / "bin", p.base / "once"
        bin_.mkdir()
        # Between the capture and the moving away: when the contents are read that will come.
        (bin_ / "git").write_text(f"#!/bin/sh\ncase \"$*\" in *'cat-file --batch-check')\n"
                                  f"test -e {once} || printf 3 > a; chmod 600 b; touch {once};; esac\nexec {real} \"$@\"\n")
        (bin_ / "git").chmod(0o755)
        run = p.run("env", f"PATH={bin_}:{os.environ['PATH']}", self.program, "rewind", target, "--files", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(once.exists())
        self.assertEqual(((p.root / "a").read_text(), (p.root / "b").read_text()), ("one", "one"))
        p.rewind("--undo")
        self.assertEqual(((p.root / "a").read_text(), (p.root / "b").read_text()), ("3", "two"))
        self.assertEqual((p.root / "b").stat().st_mode & 0o777, 0o600)

    def test_the_plan_or_the_files_alone(self):
        p = self.project()
        p.write("a", "one")
        p.commit()
        target = p.checkpoint()
        p.keep("done", "survey")
        p.write("a", "two")
        plan = p.plan.read_bytes()
        p.rewind(target, "--files")
        self.assertEqual((p.root / "a").read_text(), "one")
        self.assertEqual(p.plan.read_bytes(), plan)
        self.assertEqual(p.rewound()[-1]["what"], "files")
        p.rewind("--undo")
        self.assertEqual((p.root / "a").read_text(), "two")
        p.rewind(target, "--plan")
        self.assertEqual(p.plan.read_text(), PLAN)
        self.assertEqual((p.root / "a").read_text(), "two")
        self.assertEqual(law(p), [])

    def test_one_path_comes_back_alone(self):
        p = self.project()
        for name in ("a", "folder/b", "folder/c", "folders", "gone"):
            p.write(name, "one")
        p.commit()
        target = p.checkpoint()
        for name in ("a", "folder/b", "folder/c", "folders", "folder/new"):
            p.write(name, "two")
        (p.root / "gone").unlink()
        p.keep("done", "survey")
        before = p.tree()
        dry = json.loads(p.keep("rewind", target, "--dry-run", "--json", "--", "folder/", "gone"))
        self.assertEqual([file["path"] for file in dry["files"]], ["folder/b", "folder/c", "folder/new", "gone"])
        done = json.loads(p.keep("rewind", target, "--json", "--", "folder/b"))
        self.assertEqual(([file["path"] for file in done["files"]], done["what"]), (["folder/b"], "files"))
        self.assertEqual(p.tree(), {**before, "folder/b": ("f", b"one")})
        p.rewind("--undo")
        self.assertEqual(p.tree(), before)
        run = p.try_keep("rewind", target, "--", "b", cwd=p.root / "folder")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(p.tree(), {**before, "folder/b": ("f", b"one")})
        run = p.try_keep("rewind", "--undo", "--", "folder/b")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(p.tree(), before)
        self.refused(p, "rewind", target, "--", "nothing", says="neither in the checkpoint nor in the work tree")
        self.refused(p, "rewind", target, "--", "..", says="outside the work tree")
        self.refused(p, "rewind", target, "--", "plan.md", says="is the plan itself")
        self.refused(p, "rewind", target, "--plan", "--", "a", says="PATH works only with --files")
        self.assertEqual(law(p), [])

    def test_a_plan_whose_folder_was_renamed_does_not_come_back_twice(self):
        p = self.project()
        p.write("plans/a/plan.md", "# A\n<!-- CHECKPOINT: one -->\n- [ ] X <!-- TASK: x -->\n")
        p.write("plans/a/notes", "one")
        p.keep("init", "plans/a/plan.md")
        target = json.loads(p.keep("checkpoint", "create", "--json", "--plan", "plans/a"))["checkpoint"]["checkpoint_id"]
        (p.root / "plans/a").rename(p.root / "plans/b")
        p.keep("done", "x", "--plan", "plans/b")
        p.rewind(target, "--of", "plans/b")
        self.assertFalse((p.root / "plans/a/plan.md").exists())
        self.assertTrue((p.root / "plans/a/notes").exists())
        self.assertIn("- [ ] X", (p.root / "plans/b/plan.md").read_text())

    def test_what_a_killed_writer_left_is_removed(self):
        p = self.project()
        p.write(".plan.md.plankeep-tmp", "half")
        p.keep("doctor", "--repair")
        self.assertFalse((p.root / ".plan.md.plankeep-tmp").exists())

    def test_an_undo_that_finds_everything_back_takes_no_step(self):
        p = self.project()
        p.write("a", "one")
        first = p.checkpoint()
        p.write("a", "two")
        p.rewind(first)
        p.write("a", "three")
        p.rewind(first)
        p.write("a", "three")
        before = p.events()
        for words in ("--undo",), ("--undo", "--files"), ("--undo",):
            run = p.try_keep("rewind", *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("already identical to", run.stdout.decode())
        self.assertEqual(p.events(), before)
        further = re.search("One step further: plankeep rewind (cp_[0-9a-f_]+)", run.stdout.decode()).group(1)
        self.assertIn("Redo: plankeep rewind --redo", p.keep("rewind", further))
        self.assertEqual((p.root / "a").read_text(), "two")
        self.refused(p, "rewind", "--undo", says="there is no rewind to undo")
        p.rewind("--redo")
        self.assertEqual((p.root / "a").read_text(), "three")

    def test_an_undo_of_a_part_leaves_the_other_part_to_be_undone(self):
        p = self.project()
        p.write("a", "one")
        p.write("b", "one")
        target = p.checkpoint()
        p.write("a", "two")
        p.write("b", "two")
        p.keep("done", "survey", "--by", "person:Ann")
        ticked = p.plan.read_text()
        p.rewind(target)
        p.keep("rewind", "--undo", "--", "a")
        self.assertEqual(((p.root / "a").read_text(), (p.root / "b").read_text()), ("two", "one"))
        p.rewind("--undo", "--files")
        self.assertEqual(((p.root / "b").read_text(), p.plan.read_text()), ("two", PLAN))
        self.assertEqual(p.rewind("--undo")["what"], "plan")
        self.assertEqual(p.plan.read_text(), ticked)
        self.assertEqual([event["what"] for event in p.rewound()], ["all", "paths", "files", "plan"])
        self.refused(p, "rewind", "--undo", says="there is no rewind to undo")
        p.rewind("--redo")
        p.rewind("--redo")
        self.assertEqual(((p.root / "b").read_text(), p.plan.read_text()), ("one", PLAN))
        self.assertEqual(law(p), [])

    def test_a_plan_outside_every_repository_comes_back_alone(self):
        p = self.project(git=None)
        p.write("a", "one")
        target = p.checkpoint()
        p.keep("done", "survey")
        p.write("a", "two")
        run = p.try_keep("rewind", target)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("not in a git repository", run.stderr.decode())
        self.assertEqual(p.plan.read_text(), PLAN)
        self.assertEqual((p.root / "a").read_text(), "two")
        self.refused(p, "rewind", target, "--files", says="not in a git repository")

    def test_an_operation_of_gits_in_progress_refuses(self):
        p = self.project()
        p.write("a", "base")
        p.commit()
        target = p.checkpoint()
        p.git("checkout", "-q", "-b", "other")
        p.write("a", "other")
        p.commit()
        p.git("checkout", "-q", "main")
        p.write("a", "mine")
        p.commit()
        p.git("merge", "other", check=False)
        self.refused(p, "rewind", target, says="in the middle of a merge")
        p.git("merge", "--abort")
        p.git("rebase", "other", check=False)
        self.refused(p, "rewind", target, says="in the middle of a rebase")
        p.git("rebase", "--abort")
        p.git("cherry-pick", "other", check=False)
        self.refused(p, "rewind", target, "--head", says="in the middle of a cherry-pick")
        p.git("cherry-pick", "--abort")
        p.git("bisect", "start")
        self.refused(p, "rewind", target, says="in the middle of a bisect")
        p.git("bisect", "reset")
        p.rewind(target)
        self.assertEqual((p.root / "a").read_text(), "base")

    def test_a_snapshot_that_git_has_no_more_stops_everything(self):
        p = self.project()
        p.write("a", "one")
        target = p.checkpoint()
        p.write("a", "two")
        p.keep("done", "survey")
        for ref in p.git("for-each-ref", "--format=%(refname)", "refs/plankeep").split():
            p.git("update-ref", "-d", ref)
        p.git("gc", "-q", "--prune=now")
        self.assertIn("git no longer has 1 snapshot of checkpoints", p.try_keep("doctor").stdout.decode())
        self.refused(p, "rewind", target, says="git no longer has the snapshot of")
        p.write("a", "three")
        latest = p.checkpoint()
        p.write("a", "four")
        p.checkpoint()
        choices = p.rewind("--list")["choices"]
        self.assertEqual([(one.get("snapshot_gone", False), one["files_changed"]) for one in choices],
                         [(False, 1), (False, None), (True, None)])
        self.assertIn("plan only, files gone", p.keep("rewind", "--list").splitlines()[2])
        p.rewind(latest, "--files")
        p.rewind(target, "--plan")
        self.assertEqual(p.plan.read_text(), PLAN)

    def test_sparse_linked_detached_unborn_and_sha256(self):
        p = self.project()
        p.write("in/a", "a")
        p.write("out/b", "b")
        p.commit()
        p.git("sparse-checkout", "set", "in")
        target = p.checkpoint()
        p.write("in/a", "changed")
        p.git("checkout", "-q", "--detach")
        p.rewind(target)
        self.assertEqual((p.root / "in/a").read_text(), "a")
        self.assertFalse((p.root / "out/b").exists())
        self.assertEqual(p.git("status", "--porcelain"), "")

        for git in (("init", "-q"), ("init", "-q", "--object-format=sha256")):
            p = self.project(git=git)
            p.write("a", "a")
            target = p.checkpoint()
            p.write("a", "b")
            p.write("b", "b")
            p.rewind(target)
            self.assertEqual((p.root / "a").read_text(), "a")
            self.assertFalse((p.root / "b").exists())

        p = self.project()
        p.commit()
        p.git("worktree", "add", "-q", str(p.base / "linked"))
        linked = Project(self.program, p.base)
        linked.root = p.base / "linked"
        linked.plan = linked.root / "plan.md"
        linked.keep("init")
        linked.write("a", "a")
        target = linked.checkpoint()
        linked.write("a", "b")
        linked.rewind(target)
        self.assertEqual((linked.root / "a").read_text(), "a")

    def test_submodules_and_nested_repositories_are_never_touched(self):
        library = self.project()
        library.write("lib", "lib")
        library.commit()
        p = self.project()
        p.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "sub")
        p.commit()
        p.write("nested/file", "n")
        p.run("git", "init", "-q", "nested")
        p.write("a", "a")
        target = p.checkpoint()
        p.write("sub/lib", "changed")
        p.write("nested/file", "changed")
        p.write("a", "changed")
        done = p.rewind(target)
        self.assertEqual([file["path"] for file in done["files"]], ["a"])
        self.assertEqual((p.root / "sub/lib").read_text(), "changed")
        self.assertEqual((p.root / "nested/file").read_text(), "changed")

    def test_names_that_differ_in_letter_case_are_two_files_whatever_git_was_told(self):
        p = self.project()
        p.write("readme.md", "old")
        p.commit()
        target = p.checkpoint()
        p.git("config", "core.ignorecase", "true")
        (p.root / "readme.md").rename(p.root / "README.md")
        p.write("README.md", "my new text")
        now = p.tree()
        p.rewind(target)
        self.assertEqual((p.root / "readme.md").read_text(), "old")
        self.assertFalse((p.root / "README.md").exists())
        p.rewind("--undo")
        self.assertEqual(p.tree(), now)

    def test_a_change_is_seen_whatever_signs_git_was_told_to_go_by(self):
        for setting in (("core.trustctime", "false"), ("core.checkStat", "minimal")):
            p = self.project()
            p.write("f", "11")
            os.utime(p.root / "f", (1767225600, 1767225600))
            p.commit()
            p.git("config", *setting)
            points = []
            for text in ("11", "22", "33"):
                p.write("f", text)
                os.utime(p.root / "f", (1767225600, 1767225600))
                points.append(p.checkpoint())
                time.sleep(1.1)  # git takes the times of changes by the second
            first, second, _ = points
            p.rewind(second)
            self.assertEqual((p.root / "f").read_text(), "22", setting)
            p.rewind(first)
            self.assertEqual((p.root / "f").read_text(), "11", setting)

    def test_a_repository_made_in_a_tracked_folder_is_left_alone(self):
        for way in [], ["--head"]:
            with self.subTest(way=way):
                p = self.project()
                p.write("api/main.c", "v1")
                p.write("a", "then")
                p.commit()
                target = p.checkpoint()
                p.run("git", "init", "-q", "api")
                p.write("api/main.c", "v2")
                p.write("api/new.c", "uncommitted")
                p.write("a", "now")
                done = p.rewind(target, *way)
                self.assertEqual([file["path"] for file in done["files"]], ["a"])
                self.assertEqual([file["path"] for file in done["kept"]], ["api/"])
                p.rewind("--undo")
                self.assertEqual((p.root / "a").read_text(), "now")
                self.assertEqual((p.root / "api/main.c").read_text(), "v2")
                self.assertEqual((p.root / "api/new.c").read_text(), "uncommitted")

    def test_large_files_stay_and_are_listed(self):
        p = self.project()
        p.write(".plankeep.json", '{"snapshotFileLimit": 1000}')
        p.write("large", "l" * 2000)
        p.write("small", "s")
        target = p.checkpoint()
        p.write("large", "now small")
        p.write("small", "t" * 2000)
        p.write("plain", "x")
        done = p.rewind(target)
        self.assertEqual([kept["path"] for kept in done["kept"]], ["large", "small"])
        self.assertEqual((p.root / "large").read_text(), "now small")
        self.assertEqual((p.root / "small").read_text(), "t" * 2000)
        self.assertFalse((p.root / "plain").exists())

    @unittest.skipUnless(os.geteuid() == 0, "another user is needed, for whom files are unreadable")
    def test_a_large_file_that_is_gone_is_said_to_be(self):
        p = self.project()
        p.write("big", b"0" * (11 << 20))
        p.write("grows", "small")
        p.write("key", "k", 0o600)
        target = p.checkpoint()
        (p.root / "big").unlink()
        p.write("grows", b"0" * (11 << 20))
        p.write("key", "k", 0o644)
        said = p.rewind(target, "--dry-run")
        self.assertEqual((said["gone"], [left["path"] for left in said["leftOut"]]),
                         ([{"path": "big", "reason": "too large"}], ["grows"]))
        self.assertIn("gone, and in no checkpoint to restore from: big (too large)", p.keep("rewind", target, "--dry-run"))
        run = p.try_keep("checkpoint", "diff", target)
        self.assertIn("grows cannot be compared: one side does not hold it (too large)", run.stderr.decode())
        self.assertIn("other permissions: key", run.stdout.decode())
        self.assertNotIn("grows", run.stdout.decode())

    def test_unreadable_files_are_left_out_and_stay(self):
        p = self.project()
        p.write("a", "a")
        p.write("secret", "secret", 0)
        os.chmod(self.base, 0o755)
        for folder, folders, files in os.walk(p.base):
            os.chown(folder, 65534, 65534)
            for name in files:
                os.chown(os.path.join(folder, name), 65534, 65534)

        def as_nobody(*words):
            run = p.run(self.program, *words, user=65534, group=65534, extra_groups=[])
            self.assertEqual(run.returncode, 0, run.stderr)
            return json.loads(run.stdout)
        target = as_nobody("checkpoint", "create", "--json")["checkpoint"]["checkpoint_id"]
        p.write("a", "b")
        done = as_nobody("rewind", target, "--json")
        self.assertEqual([file["path"] for file in done["files"]], ["a"])
        self.assertEqual((p.root / "secret").read_text(), "secret")
        self.assertEqual((p.root / "a").read_text(), "a")

    def test_a_plan_that_is_gone_or_emptied_comes_back(self):
        p = self.project()
        p.keep("done", "survey")
        text = p.plan.read_bytes()
        target = p.checkpoint()
        p.plan.write_text("nothing\n")
        p.rewind(target)
        self.assertEqual(p.plan.read_bytes(), text)
        p.plan.unlink()
        p.rewind(target)
        self.assertEqual(p.plan.read_bytes(), text)
        self.assertEqual(law(p), [])

    NO_PLANS = (b"", b"# Notes\n\nAn hour of prose.\n", b"\xff\x00bytes", None,
                PLAN.replace("- [ ] Dig", "<<<<<<< ours\n- [ ] Dig deep\n=======\n- [ ] Dig\n>>>>>>> theirs").encode())

    def test_what_was_no_plan_or_missing_comes_back_with_undo(self):
        for git, rules in ((None, ""), (("init", "-q", "-b", "main"), ""), (("init", "-q", "-b", "main"), "plan.md\n")):
            for there in self.NO_PLANS:
                with self.subTest(git=bool(git), rules=rules, there=there):
                    p = self.project(git=git)
                    p.write(".gitignore", rules)
                    p.write("a", "one")
                    p.keep("done", "survey")
                    text = p.plan.read_bytes()
                    target = p.checkpoint()
                    p.write("a", "two")
                    p.plan.unlink()
                    if there is not None:
                        p.plan.write_bytes(there)
                    for words in ((target,), (target, "--plan")):
                        p.keep("rewind", *words, "--dry-run")
                        p.rewind(*words)
                        self.assertEqual(p.plan.read_bytes(), text)
                        p.rewind("--undo")
                        self.assertEqual(p.plan.read_bytes() if p.plan.exists() else None, there)
                        self.assertEqual((p.root / "a").read_text(), "two")
                        self.assertEqual(p.state()["progress"]["completedTasks"], 1)
                        p.rewind("--redo")
                        self.assertEqual(p.plan.read_bytes(), text)
                        p.rewind("--undo")
                    if git:
                        p.rewind("--redo")
                        self.assertEqual(law(p), [])

    def test_a_plan_that_was_moved_comes_back_as_it_was_moved(self):
        p = self.project()
        p.write("a", "one")
        p.commit()
        target = p.checkpoint()
        (p.root / "docs").mkdir()
        p.git("mv", "plan.md", "docs/plan.md")
        p.write("a", "two")
        before = p.tree()
        p.rewind(target)
        self.assertTrue(p.plan.exists())
        p.rewind("--undo")
        self.assertEqual(p.tree(), before)

    def test_a_folder_under_the_plans_name_refuses(self):
        p = self.project()
        target = p.checkpoint()
        p.plan.unlink()
        p.plan.mkdir()
        self.refused(p, "rewind", target, says="what is there now cannot be kept")
        self.refused(p, "rewind", target, "--dry-run", says="what is there now cannot be kept")

    def test_an_ignored_file_stays_and_the_dry_run_says_the_same(self):
        p = self.project()
        p.write("local.cfg", "port=1")
        p.write("gen/a", "one")
        p.write("b", "one")
        target = p.checkpoint()
        p.write(".gitignore", "local.cfg\ngen/\n")
        p.write("local.cfg", "port=2, my password")
        p.write("gen/a", "two")
        p.write("b", "two")
        said = p.rewind(target, "--dry-run")
        done = p.rewind(target)
        for one in (said, done):
            self.assertEqual([file["path"] for file in one["files"]], [".gitignore", "b"])
            self.assertEqual([kept["path"] for kept in one["kept"]], ["gen/a", "local.cfg"])
        p.rewind("--undo")
        self.assertEqual((p.root / "local.cfg").read_text(), "port=2, my password")
        self.assertEqual((p.root / "gen/a").read_text(), "two")
        self.assertEqual(law(p), [])

    def test_a_number_is_a_row_of_the_list(self):
        p = self.project()
        ids = []
        for name in ("one", "two", "three"):
            p.write("a", name)
            ids.append(p.checkpoint())
        self.assertEqual(p.rewind("1", "--dry-run")["to"]["checkpoint"], ids[2])
        self.assertEqual(p.rewind("3", "--dry-run")["to"]["checkpoint"], ids[0])
        self.assertEqual(p.rewind("001", "--dry-run")["to"]["checkpoint"], ids[0])
        self.refused(p, "rewind", "4", says="the list has no row 4")
        for words in (("checkpoint", "show", "4"), ("checkpoint", "diff", "4"), ("checkpoint", "checkout", "4", "../out")):
            self.refused(p, *words, says="the list has no row 4")

    def test_a_path_that_no_checkpoint_holds_is_refused(self):
        p = self.project()
        p.write(".gitignore", "*.log\n")
        p.write("a.log", "ignored")
        p.write("big", b"0" * (11 << 20))
        p.write("a", "one")
        target = p.checkpoint()
        p.write("a", "two")
        for path, why in (("a.log", "git ignores it"), ("big", "too large"), (".git/config", "part of git's own folder"),
                          (".checkpoint/state.json", "part of plankeep's own folder")):
            self.refused(p, "rewind", target, "--dry-run", "--", path, says=f"{path} is in no checkpoint ({why})")
            self.refused(p, "rewind", target, "--", path, says=f"error: {path} is in no checkpoint ({why})")
            self.refused(p, "checkpoint", "diff", target, "--", path, says=f"{path} is in no checkpoint ({why})")

    def test_what_was_broken_off_is_told_and_undone(self):
        p = self.project()
        p.write("a", "one")
        target = p.checkpoint()
        p.write("a", "two")
        p.keep("done", "survey")
        plan = p.plan.read_bytes()
        p.rewind(target)
        # As it is when the process died between the files and the plan.
        folder = p.root / ".git/plankeep/rewind"
        for name in ("new", "old"):
            (folder / name).mkdir(parents=True)
        (folder / "old/0").write_text("two")
        status = (p.root / "a").stat()
        facts = f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"
        p.plan.write_bytes(plan)
        note = json.dumps({"plan": str(p.plan), "from": "cp_000000_001", "to": target, "what": "all", "by": "main",
                           "planBefore": hashlib.sha256(plan).hexdigest(),
                           "planAfter": hashlib.sha256(PLAN.encode()).hexdigest()})
        (folder / "journal").write_text(
            f"plankeep-restore 1\nnote {quoted(note)}\nstaging git-dir\nmove 0 100644 1:3:5 {facts} a\nend\n")
        run = p.try_keep("doctor")
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"the rewind to {target} was interrupted", run.stdout.decode())
        run = p.try_keep("rewind", "--undo")
        self.assertEqual(run.returncode, 4)
        self.assertIn("plankeep doctor --repair", run.stderr.decode())
        self.assertIn("a rewind was interrupted", p.try_keep("status").stdout.decode())
        run = p.try_keep("doctor", "--repair")
        self.assertIn("is undone now", run.stderr.decode())
        self.assertEqual((p.root / "a").read_text(), "two")
        self.assertNotIn("interrupted", p.try_keep("status").stdout.decode())
        self.assertEqual(p.plan.read_bytes(), plan)
        self.assertEqual(p.leftovers(), [])
        self.assertIn("snapshots, ", p.keep("doctor"))

    def test_cleanup_drops_what_no_checkpoint_has(self):
        p = self.project()
        p.write("a", "one")
        p.checkpoint()
        p.write("a", "two")
        p.checkpoint()
        self.assertEqual(len(p.git("for-each-ref", "refs/plankeep").splitlines()), 2)
        p.seconds += 1200
        p.keep("checkpoint", "cleanup", "--older-than", "1m", "--all")
        self.assertEqual(p.git("for-each-ref", "refs/plankeep"), "")

    def test_what_cannot_be_is_said(self):
        p = self.project()
        self.refused(p, "rewind", says="there are no checkpoints yet")
        self.refused(p, "rewind", "--undo", says="plankeep: error")
        target = p.checkpoint()
        self.refused(p, "rewind", "--undo", says="there is no rewind to undo")
        self.refused(p, "rewind", "cp_000000_999", says="cp_000000_999")
        self.refused(p, "rewind", target, "--undo", says="give only one of")
        self.refused(p, "rewind", target, "--plan", "--files", says="only one of")
        self.refused(p, "rewind", "--turn", "x", says="is not a turn number")

    def test_any_sequence_of_edits_and_rewinds_comes_back(self):
        names = ["a", "b", "dir/c", "dir/d", "dir", "deep/er/e", "ü ñ\n"]
        for sequence in range(SEQUENCES):
            seed = random.randrange(1 << 32)
            rng = random.Random(seed)
            with self.subTest(seed=seed):
                p = self.project()
                p.write("base", "base")
                p.commit()
                known = {}  # checkpoint: tree
                past, future = [], []  # what --undo and --redo go to
                for step in range(10):
                    kind = rng.random()
                    if kind < 0.55:
                        self.edit(p, rng, names)
                    elif kind < 0.75 or not known:
                        known[p.checkpoint()] = p.tree()
                    elif kind < 0.85 or not past and not future:
                        target = rng.choice(sorted(known))
                        now = p.tree()
                        if p.rewind(target)["from"] is not None:
                            past.append(now)
                            future.clear()
                        self.assertEqual(p.tree(), known[target])
                    else:
                        back, forth, word = (past, future, "--undo") if past else (future, past, "--redo")
                        forth.append(p.tree())
                        p.try_keep("rewind", word)
                        self.assertEqual(p.tree(), back.pop())
                self.assertEqual(p.leftovers(), [])
                p.keep("sync")
                self.assertEqual(law(p), [])

    def edit(self, p, rng, names):
        path = p.root / rng.choice(names)
        action = rng.random()
        if action < 0.2:
            p.keep(rng.choice(["done", "reopen"]), rng.choice(["survey", "dig", "bricks"]))
            return
        if action < 0.3:
            p.plan.write_text(p.plan.read_text() + f"- [ ] More <!-- TASK: t{rng.randrange(1000)} -->\n")
            return
        if path.is_dir() and not path.is_symlink():
            for inside in sorted(path.rglob("*"), reverse=True):
                inside.rmdir() if inside.is_dir() and not inside.is_symlink() else inside.unlink()
            path.rmdir()
        elif path.is_symlink() or path.exists():
            path.unlink()
        for parent in path.relative_to(p.root).parents:
            above = p.root / parent
            if above != p.root and (above.is_symlink() or above.is_file()):
                above.unlink()
        if action < 0.45:
            for parent in path.relative_to(p.root).parents:  # git knows no empty folders
                above = p.root / parent
                if above != p.root and above.is_dir() and not any(above.iterdir()):
                    above.rmdir()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if action < 0.6:
            path.symlink_to(rng.choice(["base", "nowhere", "dir"]))
        else:
            path.write_bytes(rng.randbytes(rng.randrange(200)))
            path.chmod(rng.choice([0o644, 0o755]))


if __name__ == "__main__":
    run_tests()
