"""`plankeep checkpoint diff` and `checkpoint checkout` in real repositories.

  difference_test.py PROGRAM
"""

import json
import os
import pathlib
import stat
import sys
import tempfile
import unittest

from rewind_support import Project

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "schemas"))
from validate_tree import Schemas  # noqa: E402

PROGRAM = ""
SCHEMAS = Schemas()


class DifferenceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plankeep-difference-")
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(folder.name)
        self.project = Project(PROGRAM, self.base).start()
        p = self.project
        p.write(".gitattributes", "*.crlf text eol=lf\n*.txt diff=shown\n")
        p.git("config", "diff.shown.textconv", "false")
        p.git("config", "diff.external", "false")
        p.write("a.txt", "one\ntwo\n")
        p.write("gone.txt", "gone\n")
        p.write("raw.crlf", b"a\r\nb\r\n")
        p.write("sub/deep/b.bin", b"\0\1\2")
        p.write("run.sh", "#!/bin/sh\n", 0o750)
        p.write("key", "secret\n", 0o600)
        os.symlink("../../outside", p.root / "sub" / "link")
        p.commit()
        self.first = p.checkpoint()
        p.keep("done", "survey")
        p.keep("start", "dig")
        p.write("a.txt", "one\nthree\n")
        (p.root / "gone.txt").unlink()
        p.write("new.txt", "new\n")
        p.write("sub/deep/b.bin", b"\0\1\3")
        self.second = p.checkpoint()

    def diff(self, *words):
        found = json.loads(self.project.keep("checkpoint", "diff", "--json", *words))
        self.assertEqual(SCHEMAS.findings("output-checkpoint-diff", found), [])
        return found

    def test_two_checkpoints_tell_tasks_then_files(self):
        found = self.diff(self.first, self.second)
        self.assertEqual((found["from"]["checkpoint"], found["to"]["checkpoint"]), (self.first, self.second))
        self.assertEqual([(one["change"], one["id"]) for one in found["tasks"]], [("ticked", "survey"), ("started", "dig")])
        self.assertTrue(found["plan_changed"])
        files = {one["path"]: (one["change"], one["added"], one["removed"]) for one in found["files"]}
        self.assertEqual(files.pop("plan.md")[0], "changed")
        self.assertEqual(files, {"a.txt": ("changed", 1, 1), "gone.txt": ("removed", 0, 1), "new.txt": ("added", 1, 0),
                                 "sub/deep/b.bin": ("changed", None, None)})
        text = self.project.keep("checkpoint", "diff", self.first, self.second)
        self.assertLess(text.index("ticked"), text.index("diff --git"))
        for part in ("survey: Survey", "-two", "+three", "deleted file mode 100644"):
            self.assertIn(part, text)

    def test_the_other_way_round_it_is_the_opposite(self):
        found = self.diff(self.second, self.first)
        self.assertEqual([one["change"] for one in found["tasks"]], ["unticked", "stopped"])
        self.assertEqual([one["change"] for one in found["files"] if one["path"] == "gone.txt"], ["added"])

    def test_one_checkpoint_is_held_against_now_and_nothing_is_left_behind(self):
        p = self.project
        p.write("untracked.txt", "x\n")
        p.keep("done", "dig")
        before = (p.git("for-each-ref"), p.git("count-objects", "-v"), p.tree())
        found = self.diff(self.second)
        self.assertIsNone(found["to"])
        self.assertEqual([(one["change"], one["id"]) for one in found["tasks"]], [("ticked", "dig")])
        self.assertEqual(sorted(one["path"] for one in found["files"]), ["plan.md", "untracked.txt"])
        self.assertEqual((p.git("for-each-ref"), p.git("count-objects", "-v"), p.tree()), before)

    def test_stat_has_numbers_and_no_lines(self):
        text = self.project.keep("checkpoint", "diff", self.first, self.second, "--stat")
        self.assertNotIn("diff --git", text)
        self.assertRegex(text, r"changed +\+1 -1 +a\.txt")
        self.assertRegex(text, r"changed +binary +sub/deep/b\.bin")
        self.assertIn("5 files, ", text)
        self.assertNotIn("diff", self.diff(self.first, self.second, "--stat"))

    def test_paths_are_named_from_where_one_stands(self):
        p = self.project
        found = json.loads(p.run(PROGRAM, "checkpoint", "diff", "--json", self.first, self.second, "--", "deep", "../a.txt",
                                 cwd=p.root / "sub").stdout)
        self.assertEqual([one["path"] for one in found["files"]], ["a.txt", "sub/deep/b.bin"])
        self.assertEqual(len(self.diff(self.first, "--", "new.txt")["files"]), 1)
        # No pattern: a name.
        self.assertEqual(p.try_keep("checkpoint", "diff", self.first, "--", "*.txt").returncode, 2)
        self.assertEqual(p.try_keep("checkpoint", "diff", self.first, "--", "../..").returncode, 2)
        p.write("*.txt", "x")
        self.assertEqual([one["path"] for one in self.diff(self.first, "--", "*.txt")["files"]], ["*.txt"])

    def test_the_same_has_no_difference(self):
        found = self.diff(self.second, self.second)
        self.assertEqual((found["tasks"], found["files"], found["plan_changed"]), ([], [], False))
        self.assertEqual(self.project.keep("checkpoint", "diff", self.second), "the plan is identical\nno files differ\n")

    def test_names_and_contents_of_strangers_move_no_terminal(self):
        p = self.project
        p.write("evil\x1b[2J\n.txt", "x\x1b]0;title\x07\n")
        for words in ((), ("--stat",), ("--json",)):
            text = p.keep("checkpoint", "diff", self.second, *words)
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\x07", text)
            self.assertIn("evil", text)

    def test_without_a_snapshot_the_plan_is_compared(self):
        p = self.project
        p.write(".plankeep.json", '{"snapshots": false}')
        alone = p.checkpoint()
        p.keep("done", "dig")
        for words in ((alone,), (self.first, alone), (alone, self.second)):
            found = self.diff(*words)
            self.assertIsNone(found["files"], words)
            self.assertIn(f"{alone} has no file snapshot", found["warnings"][0])
        self.assertEqual([one["id"] for one in self.diff(alone)["tasks"]], ["dig"])
        p.git("update-ref", "-d", p.git("for-each-ref", "--format=%(refname)", "refs/plankeep").split()[0])
        p.git("-c", "gc.pruneExpire=now", "gc", "-q", "--prune=now")
        found = self.diff(self.first, self.second)
        self.assertIsNone(found["files"])
        self.assertIn("no longer has", found["warnings"][0])

    def test_what_is_no_question_is_said(self):
        p = self.project
        for words, says in (((), "which checkpoint?"), ((self.first, self.second, "x"), "two IDs at most"),
                            (("nothing",), "no checkpoint nothing")):
            run = p.try_keep("checkpoint", "diff", *words)
            self.assertEqual(run.returncode, 2)
            self.assertIn(says, run.stderr.decode())
        self.assertEqual(p.try_keep("checkpoint", "list", "--stat").returncode, 2)
        self.assertEqual(p.try_keep("checkpoint", "show", self.first, self.second).returncode, 2)

    # --- checkout ---

    def files_below(self, top):
        found = {}
        for folder, folders, files in os.walk(top):
            for name in [*files, *[one for one in folders if (pathlib.Path(folder) / one).is_symlink()]]:
                path = pathlib.Path(folder) / name
                relative = str(path.relative_to(top))
                found[relative] = os.readlink(path) if path.is_symlink() else (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        return found

    def test_a_checkpoint_becomes_a_folder_of_its_own_to_the_byte(self):
        p = self.project
        before = (p.git("for-each-ref"), p.git("count-objects", "-v"), p.tree(), p.users_own())
        target = self.base / "old"
        done = json.loads(p.keep("checkpoint", "checkout", self.first, "../old", "--json"))
        self.assertEqual(SCHEMAS.findings("output-checkpoint-checkout", done), [])
        self.assertEqual((done["folder"], done["plan_file"], done["warnings"]), (str(target.resolve()), "plan.md", []))
        found = self.files_below(target)
        self.assertEqual(done["files"], len(found))
        self.assertEqual(sorted(found), [".gitattributes", "a.txt", "gone.txt", "key", "plan.md", "raw.crlf", "run.sh",
                                         "sub/deep/b.bin", "sub/link"])
        self.assertEqual(found["raw.crlf"][0], b"a\r\nb\r\n")
        self.assertEqual((found["run.sh"][1], found["key"][1], found["sub/link"]), (0o750, 0o600, "../../outside"))
        self.assertIn(b"- [ ] Survey", found["plan.md"][0])
        self.assertEqual((p.git("for-each-ref"), p.git("count-objects", "-v"), p.tree(), p.users_own()), before)
        self.assertEqual(p.git("worktree", "list").count("\n"), 1)

    def test_a_plan_that_git_ignores_is_written_with_the_text_of_then(self):
        p = self.project
        p.write(".gitignore", "plan.md\n")
        p.git("rm", "-q", "--cached", "plan.md")
        ignored = p.checkpoint()
        p.keep("done", "dig")
        p.keep("checkpoint", "checkout", ignored, "../old")
        then = (self.base / "old" / "plan.md").read_text()
        self.assertIn("- [x] Dig", p.plan.read_text())
        self.assertIn("Dig", then)
        self.assertNotIn("- [x] Dig", then)

    def test_only_an_empty_folder_or_a_new_one_is_taken(self):
        p = self.project
        full = self.base / "full"
        full.mkdir()
        (full / "mine").write_text("mine")
        file = self.base / "file"
        file.write_text("mine")
        elsewhere = self.base / "elsewhere"
        elsewhere.mkdir()
        link = self.base / "link"
        link.symlink_to(elsewhere)
        for name in ("full", "file", "link", "missing/below"):
            run = p.try_keep("checkpoint", "checkout", self.first, f"../{name}")
            self.assertNotEqual(run.returncode, 0, name)
        self.assertEqual(list(elsewhere.iterdir()), [])
        self.assertEqual([path.name for path in full.iterdir()], ["mine"])
        empty = self.base / "empty"
        empty.mkdir()
        self.assertIn(f"rm -r -- {empty}\n", p.keep("checkpoint", "checkout", self.first, str(empty)))
        for name, told in (("it's", "'\\''s'\n"), ("two\nlines", "control\n")):
            self.assertTrue(p.keep("checkpoint", "checkout", self.first, str(self.base / name)).endswith(told), name)
        self.assertTrue((empty / "a.txt").exists())

    def test_a_snapshot_that_is_gone_leaves_no_folder(self):
        p = self.project
        p.git("update-ref", "-d", p.git("for-each-ref", "--format=%(refname)", "refs/plankeep").split()[0])
        p.git("gc", "-q", "--prune=now")
        run = p.try_keep("checkpoint", "checkout", self.first, "../old")
        self.assertEqual(run.returncode, 2)
        self.assertIn("no longer has", run.stderr.decode())
        self.assertFalse((self.base / "old").exists())

    def test_a_content_that_is_missing_takes_everything_away_again(self):
        p = self.project
        name = p.git("rev-parse", f"{self.object_of(self.first)}:sub/deep/b.bin").strip()
        (p.git_dir / "objects" / name[:2] / name[2:]).unlink()
        run = p.try_keep("checkpoint", "checkout", self.first, "../old")
        self.assertNotEqual(run.returncode, 0)
        self.assertFalse((self.base / "old").exists())

    def object_of(self, checkpoint):
        shown = json.loads(self.project.keep("checkpoint", "show", checkpoint, "--json"))
        return shown["checkpoint"]["moment"]["snapshot"]["commit"]

    def test_inside_the_work_tree_it_is_said(self):
        done = json.loads(self.project.keep("checkpoint", "checkout", self.first, "old", "--json"))
        self.assertIn("inside the work tree", done["warnings"][0])


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
