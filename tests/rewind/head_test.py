"""`plankeep rewind --head` and its undo, in real git repositories: the hard cases, one a test.

  head_test.py PROGRAM
"""

import hashlib
import json
import os
import tempfile

from rewind_support import PLAN, ProjectTest, SeparateProject, law, other_file_system, quoted, run_tests


def modes(project):
    return {path: (project.root / path).lstat().st_mode & 0o7777 for path in project.tree()}


class HeadTest(ProjectTest):
    def standing(self, p):
        """Everything that --head may change and --undo has to put back."""
        return {"tree": p.tree(), "modes": modes(p), "index": p.git("ls-files", "-s", "-v"),
                "HEAD": (p.git_dir / "HEAD").read_text(), "refs": p.git("for-each-ref", "refs/heads", "refs/tags"),
                "stash": p.git("stash", "list"), "status": p.git("status", "--porcelain")}

    def there_and_back(self, p, target):
        """What --head answers; with its undo everything is as it was."""
        before = self.standing(p)
        done = p.rewind(target, "--head")
        self.assertEqual(p.git("stash", "list"), before["stash"])
        self.assertEqual(p.git("for-each-ref", "refs/heads", "refs/tags"), before["refs"])
        self.assertEqual(p.leftovers(), [])
        there = self.standing(p)
        p.rewind("--undo")
        self.assertEqual(self.standing(p), before)
        p.rewind("--redo")
        self.assertEqual(self.standing(p), there)
        p.rewind("--undo")
        self.assertEqual(self.standing(p), before)
        self.assertEqual(p.leftovers(), [])
        self.assertEqual(law(p), [])
        return done

    def test_files_index_and_head_go_there_and_back(self):
        p = self.project()
        p.write("a", "one")
        first = p.commit("first")
        p.write("b", "not committed then")
        target = p.checkpoint()
        then = p.tree()
        p.write("a", "two")
        p.keep("done", "survey")
        second = p.commit("second")
        p.write("a", "dirty")
        p.write("staged", "staged")
        p.git("add", "staged")
        p.write("staged", "and changed")
        p.write("untracked", "u", 0o600)
        p.keep("done", "dig")
        done = p.rewind(target, "--head")
        self.assertEqual((done["commit"], done.get("branch"), done["headMoved"]), (first, None, True))
        self.assertNotIn("leftBehind", done)  # main has them
        self.assertEqual(p.git("rev-parse", "HEAD").strip(), first)
        self.assertEqual(p.tree(), then)
        self.assertEqual(p.git("status", "--porcelain"), "?? b\n")
        p.rewind("--undo")
        self.assertEqual(p.git("symbolic-ref", "HEAD").strip(), "refs/heads/main")
        self.assertEqual(p.git("rev-parse", "HEAD").strip(), second)
        self.there_and_back(p, target)

    def test_an_undo_of_the_plan_leaves_files_and_head_and_what_is_ticked_since_stays(self):
        p = self.project()
        p.write("a", "one")
        first = p.commit("first")
        target = p.checkpoint()
        p.write("a", "two")
        p.keep("done", "survey")
        second = p.commit("second")
        p.rewind(target, "--head")
        p.rewind("--undo", "--plan")
        self.assertEqual((p.git("rev-parse", "HEAD").strip(), (p.root / "a").read_text()), (first, "one"))
        p.keep("done", "dig")
        done = p.rewind("--undo")
        self.assertEqual((done["what"], done["planChanged"]), ("files_and_head", False))
        self.assertEqual((p.git("rev-parse", "HEAD").strip(), (p.root / "a").read_text()), (second, "two"))
        tasks = p.state()["phases"]["ground"]["tasks"]
        self.assertEqual((tasks["survey"]["done"], tasks["dig"]["done"]), (True, True))
        self.assertNotEqual(p.try_keep("rewind", "--undo").returncode, 0)
        p.rewind("--redo")
        self.assertEqual((p.git("rev-parse", "HEAD").strip(), (p.root / "a").read_text()), (first, "one"))
        self.assertIn("[x] Dig", p.plan.read_text())
        self.assertEqual((p.leftovers(), law(p)), ([], []))

    def test_a_detached_head_and_commits_on_no_branch_are_said(self):
        p = self.project()
        p.write("a", "one")
        p.commit("first")
        target = p.checkpoint()
        p.write("a", "two")
        p.commit("second")
        said = p.keep("rewind", target, "--head")
        self.assertIn("HEAD is detached", said)
        p.write("a", "three")
        lost = p.commit("on no branch")
        said = p.keep("rewind", "--undo")
        self.assertIn("1 commit is no longer on any branch; to keep: git branch NAME " + lost[:12], said)
        self.assertNotIn("detached", said)
        self.assertEqual(p.rewind(target, "--head", "--dry-run")["headMoved"], True)

    def test_the_branch_is_taken_again_unless_another_work_tree_has_it(self):
        p = self.project()
        p.write("a", "one")
        p.commit("first")
        target = p.checkpoint()
        p.git("checkout", "-q", "-b", "other")
        p.write("a", "two")
        p.commit("second")
        self.assertEqual(self.there_and_back(p, target)["branch"], "main")
        p.git("worktree", "add", "-q", str(p.base / "linked"), "main")
        self.assertNotIn("branch", self.there_and_back(p, target))

    def test_an_ignored_file_in_the_way_is_kept_and_comes_back(self):
        p = self.project()
        p.write("config.local", "then")
        p.commit("c")
        target = p.checkpoint()
        p.git("rm", "-q", "--cached", "config.local")
        p.write(".gitignore", "config.local\n")
        p.commit("ignore")
        p.write("config.local", "my only copy", 0o600)
        said = p.rewind(target, "--head", "--dry-run")
        self.assertEqual(([file["path"] for file in said["files"]], said["kept"]), ([".gitignore", "config.local"], []))
        self.there_and_back(p, target)
        self.assertEqual((p.root / "config.local").read_text(), "my only copy")
        self.assertEqual([kept["path"] for kept in p.rewind(target)["kept"]], ["config.local"])
        self.assertEqual((p.root / "config.local").read_text(), "my only copy")
        p.rewind("--undo")
        p.rewind(target, "--head")
        self.assertEqual((p.root / "config.local").read_text(), "then")

    def test_what_git_looks_away_from_comes_back(self):
        """assume-unchanged, intent to add, staged and deleted, staged and changed, no longer tracked."""
        p = self.project()
        for name in ("a", "b", "c"):
            p.write(name, "one")
        p.commit("first")
        target = p.checkpoint()
        p.write("a", "two")
        p.commit("second")
        p.write("a", "assumed")
        p.git("update-index", "--assume-unchanged", "a")
        p.write("intent", "to add")
        p.git("add", "-N", "intent")
        p.write("gone", "staged")
        p.git("add", "gone")
        (p.root / "gone").unlink()
        p.git("rm", "-q", "--cached", "b")
        self.there_and_back(p, target)

    def test_bytes_and_modes_come_back_whatever_filters_say(self):
        p = self.project()
        p.git("config", "core.autocrlf", "true")
        p.git("config", "filter.up.clean", "tr a-z A-Z")
        p.git("config", "filter.up.smudge", "tr A-Z a-z")
        p.write(".gitattributes", "* text=auto\n*.lf text eol=lf\n*.up filter=up\n")
        p.write("a.txt", "a\n")
        p.commit("first")
        target = p.checkpoint()
        p.write("a.txt", "a\r\nb\n")
        p.write("new.txt", "a\r\nb\r\n")
        p.write("new.lf", "a\r\n")
        p.write("new.up", "Mixed Case")
        p.write("secret", "key", 0o600)
        p.git("add", "new.up")
        self.there_and_back(p, target)

    def test_a_plan_that_was_committed_since_has_its_mode_of_then(self):
        p = self.project()
        p.plan.chmod(0o640)
        p.write("a", "one")
        p.git("add", "a")
        p.git("commit", "-q", "-m", "the plan is not tracked yet")
        target = p.checkpoint()
        p.plan.chmod(0o664)
        p.commit("it is now")
        p.keep("done", "survey")
        self.there_and_back(p, target)
        p.rewind(target, "--head")
        self.assertEqual(p.plan.stat().st_mode & 0o777, 0o640)

    def test_an_ignored_plan_and_an_untracked_one(self):
        for rules in ("plan.md\n*.o\n", "*.o\n"):
            p = self.project()
            p.write(".gitignore", rules)
            p.write("a", "one")
            p.git("add", ".gitignore", "a")
            p.git("commit", "-q", "-m", "first")
            target = p.checkpoint()
            p.write("a", "two")
            p.git("commit", "-q", "-a", "-m", "second")
            p.write("a", "three")
            p.keep("done", "survey")
            self.there_and_back(p, target)
            p.rewind(target, "--head")
            self.assertEqual(((p.root / "a").read_text(), p.plan.read_text()), ("one", PLAN))

    def test_a_folder_that_took_a_files_place_and_an_untracked_one_do_not_wedge(self):
        p = self.project()
        p.write("f", "one")
        p.write("g", "one")
        p.commit("first")
        target = p.checkpoint()
        (p.root / "f").unlink()
        p.write("f/new", "precious")
        p.write("g", "dirty")
        p.git("rm", "-q", "--cached", "g")
        p.keep("done", "survey")
        self.there_and_back(p, target)

    def test_sparse_split_and_submodules(self):
        p = self.project()
        p.write("in/a", "one")
        p.write("out/b", "one")
        p.commit("first")
        p.git("sparse-checkout", "set", "in")
        target = p.checkpoint()
        p.write("in/a", "two")
        p.commit("second")
        p.write("in/a", "three")
        self.there_and_back(p, target)
        p.rewind(target, "--head")
        self.assertEqual(p.git("status", "--porcelain", "--untracked-files=no"), "")
        self.assertFalse((p.root / "out/b").exists())

        p = self.project()
        p.git("config", "core.splitIndex", "true")
        p.write("a", "one")
        p.commit("first")
        target = p.checkpoint()
        p.write("a", "two")
        p.commit("second")
        p.write("b", "staged")
        p.git("add", "b")
        self.there_and_back(p, target)

    def test_git_at_work_refuses_and_changes_nothing(self):
        p = self.project()
        p.write("a", "one")
        p.commit("first")
        target = p.checkpoint()
        p.write("a", "two")
        p.commit("second")
        (p.git_dir / "index.lock").write_text("")
        before = self.standing(p)
        run = p.try_keep("rewind", target, "--head")
        self.assertEqual(run.returncode, 5, run.stderr)
        self.assertIn("index.lock exists", run.stderr.decode())
        self.assertEqual((self.standing(p), p.leftovers()), (before, []))
        (p.git_dir / "index.lock").unlink()
        p.rewind(target, "--head")

    def test_a_commit_that_is_gone_stops_everything(self):
        p = self.project()
        p.write("a", "one")
        p.commit("first")
        p.write("a", "lost")
        p.commit("lost")
        p.write(".plankeep.json", '{"snapshots": false}')
        target = p.checkpoint()
        p.git("reset", "-q", "--hard", "HEAD~1")
        p.git("reflog", "expire", "--expire=now", "--all")
        p.git("gc", "-q", "--prune=now")
        before = self.standing(p)
        for what in ("--head", "--all"):
            run = p.try_keep("rewind", target, what)
            self.assertEqual(run.returncode, 2)
            self.assertIn("has no file snapshot", run.stderr.decode())
        self.assertEqual(self.standing(p), before)

    def test_a_git_that_is_killed_is_no_answer(self):
        p = self.project()
        p.write("a", "one")
        p.commit("first")
        target = p.checkpoint()
        p.write("a", "two")
        p.commit("second")
        p.rewind(target, "--head")
        before = self.standing(p)
        real = p.run("sh", "-c", "command -v git").stdout.decode().strip()
        for word in ("symbolic-ref", "rev-parse --quiet", "cat-file --batch-check", "for-each-ref --format=%(refname)%00%(objectname)%00%(HEAD)"):
            bin_ = p.base / "bin"
            bin_.mkdir(exist_ok=True)
            (bin_ / "git").write_text(f"#!/bin/sh\ncase \"$*\" in *'{word}'*) kill -9 $$;; esac\nexec {real} \"$@\"\n")
            (bin_ / "git").chmod(0o755)
            run = p.run("env", f"PATH={bin_}:{os.environ['PATH']}", self.program, "rewind", "--undo")
            (bin_ / "git").unlink()
            self.assertNotIn(run.returncode, (0, 1), (word, run.stdout))
            self.assertEqual((self.standing(p), p.leftovers()), (before, []), word)

    def test_what_a_sparse_checkout_leaves_out_goes_by_the_index_that_comes(self):
        p = self.project()
        p.write("in/a", "one")
        p.write("far/b", "one")
        p.commit("first")
        target = p.checkpoint()
        p.write("in/a", "two")
        p.commit("second")
        p.rewind(target, "--head")
        whole = self.standing(p)
        p.git("sparse-checkout", "set", "in")
        sparse = self.standing(p)
        self.assertNotIn("far/b", sparse["tree"])
        p.rewind("--undo")
        self.assertEqual(p.git("status", "--porcelain"), "")
        self.assertEqual((p.root / "far/b").read_text(), "one")
        p.rewind("--redo")
        self.assertEqual(self.standing(p), sparse)
        p.git("sparse-checkout", "set", "far")
        other = self.standing(p)
        p.rewind(p.rewound()[-2]["from"], "--head")
        self.assertEqual(self.standing(p), sparse)
        p.rewind("--undo")
        self.assertEqual(self.standing(p), other)
        p.git("sparse-checkout", "disable")
        self.assertEqual(self.standing(p)["tree"], whole["tree"])

    def test_a_file_that_another_index_left_out_is_kept_as_a_new_one(self):
        p = self.project()
        p.write("in/a", "one")
        p.write("far/b", "one")
        p.git("add", "in")
        p.git("commit", "-qm", "first")
        target = p.checkpoint()
        p.commit("second")
        p.git("sparse-checkout", "set", "in")
        sparse = self.standing(p)
        self.assertNotIn("far/b", sparse["tree"])
        p.rewind(target, "--head")
        self.assertEqual((p.root / "far/b").read_text(), "one")
        p.write("far/b", "two")
        before = self.standing(p)
        p.rewind("--undo")
        self.assertEqual(self.standing(p), sparse)
        p.rewind("--redo")
        self.assertEqual(self.standing(p), before)

    def test_nothing_comes_back_below_a_file_that_a_sparse_checkout_leaves_out(self):
        p = self.project()
        p.write("in/a", "one")
        p.write("deep/er/e.txt", "one")
        p.commit("first")
        target = p.checkpoint()
        p.git("rm", "-rq", "deep")
        p.write("deep/er", "a file now")
        p.commit("second")
        p.git("sparse-checkout", "set", "in")
        before = self.standing(p)
        told = p.rewind(target, "--all")
        self.assertEqual([one["path"] for one in told["kept"]], ["deep/er", "deep/er/e.txt"])
        self.assertEqual(self.standing(p), before)

    def test_with_the_git_directory_on_another_file_system(self):
        place = other_file_system(self.base)
        if place is None:
            self.skipTest("there is no second file system to put a git directory on")
        other = tempfile.TemporaryDirectory(dir=place, prefix="plankeep-rewind-")
        self.addCleanup(other.cleanup)
        p = SeparateProject(self.program, self.base, other.name).start()
        p.write("a", "one")
        p.commit()
        target = p.checkpoint()
        p.write("a", "two")
        p.commit()
        p.write("untracked", "u")
        self.there_and_back(p, target)

    def test_one_that_an_earlier_version_broke_off_is_given_up_and_blocks_nothing(self):
        p = self.project()
        p.write("a", "one")
        first = p.commit()
        target = p.checkpoint()
        p.write("a", "two")
        p.commit()
        p.keep("done", "survey")
        plan = p.plan.read_bytes()
        safety = p.checkpoint()
        folder = p.root / ".git/plankeep/rewind"
        for name in ("new", "old"):
            (folder / name).mkdir(parents=True)
        note = json.dumps({"plan": str(p.plan), "from": safety, "to": target, "what": "head", "by": "main",
                           "planBefore": hashlib.sha256(plan).hexdigest(),
                           "planAfter": hashlib.sha256(b"another").hexdigest(), "branch": "refs/heads/main",
                           "commit": p.git("rev-parse", "main").strip(), "toBranch": "", "toCommit": first, "popped": ""})
        (folder / "journal").write_text(f"plankeep-restore 1\nnote {quoted(note)}\nstaging git-dir\nend\n")
        told = p.try_keep("doctor", "--repair").stderr.decode()
        self.assertIn("could not be completed", told)
        self.assertIn("plankeep rewind " + safety, told)
        self.assertIn("plankeep/given-up-1", told)
        self.assertEqual(p.plan.read_bytes(), plan)
        self.assertTrue((p.root / ".git/plankeep/given-up-1/journal").exists())
        self.there_and_back(p, target)

    def test_a_journal_nobody_can_read_is_given_up_and_blocks_nothing(self):
        p = self.project()
        p.write("a", "one")
        target = p.checkpoint()
        p.write("a", "two")
        for number, words in enumerate((("rewind", target, "--plan"), ("rewind", target), ("doctor", "--repair")), 1):
            folder = p.root / ".git/plankeep/rewind"
            (folder / "old").mkdir(parents=True)
            (folder / "old/0").write_text("mine")
            (folder / "journal").write_text("plankeep-restore 1\nnote")
            run = p.try_keep(*words)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            self.assertIn("could not be completed", run.stderr.decode())
            self.assertEqual((p.root / f".git/plankeep/given-up-{number}/old/0").read_text(), "mine")
            self.assertEqual(p.leftovers(), [])


if __name__ == "__main__":
    run_tests()
