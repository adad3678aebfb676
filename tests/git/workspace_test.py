"""`plankeep plans` in real git repositories: linked work trees are looked through, what git ignores is not.

  workspace_test.py PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""


class WorkspaceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name).resolve()
        self.project = self.top / "project"
        self.project.mkdir()
        (self.top / "home").mkdir()
        self.environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.top / "home"), "PATH": os.environ["PATH"],
                            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
                            "GIT_AUTHOR_NAME": "Kim", "GIT_AUTHOR_EMAIL": "kim@example.org",
                            "GIT_COMMITTER_NAME": "Kim", "GIT_COMMITTER_EMAIL": "kim@example.org"}

    def run_in(self, folder, *words):
        run = subprocess.run(words, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(run.returncode, 0, run.stderr.decode())
        return run.stdout.decode()

    def add(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plan.md").write_text("- [ ] Do <!-- TASK: do -->\n- [x] Done <!-- TASK: did -->\n")
        self.run_in(folder, PROGRAM, "init")

    def found(self, folder):
        output = json.loads(self.run_in(folder, PROGRAM, "plans", "--json"))
        self.assertEqual(output["warnings"], [])
        return sorted(str(pathlib.Path(plan["plan"]["path"]).parent.relative_to(self.top)) for plan in output["plans"])

    def test_what_git_ignores_is_left_out(self):
        self.run_in(self.project, "git", "init", "-q")
        (self.project / ".gitignore").write_text("build/\n/vendor\n*.tmp\n")
        for name in ("a", "build/x", "deep/build/y", "vendor/z", "deep/vendor", "old.tmp", "new"):
            self.add(self.project / name)
        self.assertEqual(self.found(self.project), ["project/a", "project/deep/vendor", "project/new"])
        # Asked about by name, an ignored folder is looked through.
        self.assertEqual(self.found(self.project / "vendor"), ["project/vendor/z"])

    def test_without_a_repository_only_names_count(self):
        for name in ("a", "build/x", "node_modules/y", ".hidden/z"):
            self.add(self.project / name)
        self.assertEqual(self.found(self.project), ["project/a", "project/build/x"])

    def test_linked_work_trees_are_looked_through_wherever_they_lie(self):
        self.run_in(self.project, "git", "init", "-q")
        (self.project / "file").write_text("1\n")
        self.run_in(self.project, "git", "add", "file")
        self.run_in(self.project, "git", "commit", "-qm", "first")
        self.run_in(self.project, "git", "worktree", "add", "-q", str(self.top / "beside"))
        self.run_in(self.project, "git", "worktree", "add", "-q", str(self.project / "inside"))
        for folder in (self.project, self.top / "beside", self.project / "inside"):
            self.add(folder / "plans" / "one")
        every = ["beside/plans/one", "project/inside/plans/one", "project/plans/one"]
        self.assertEqual(self.found(self.project), every)
        self.assertEqual(self.found(self.top / "beside"), every)
        # A part of a work tree is only that part.
        self.assertEqual(self.found(self.project / "plans"), ["project/plans/one"])

    def test_a_work_tree_that_is_gone_is_no_trouble(self):
        self.run_in(self.project, "git", "init", "-q")
        (self.project / "file").write_text("1\n")
        self.run_in(self.project, "git", "add", "file")
        self.run_in(self.project, "git", "commit", "-qm", "first")
        self.run_in(self.project, "git", "worktree", "add", "-q", str(self.top / "beside"))
        subprocess.run(["rm", "-r", str(self.top / "beside")], check=True)
        self.add(self.project)
        self.assertEqual(self.found(self.project), ["project"])


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
