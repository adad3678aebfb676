"""Runs the program through a plan's life and checks every file and every --json output against the schemas.

  program_test.py PROGRAM
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from validate_tree import Schemas, check_tree, load

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLANS = sorted((ROOT / "examples" / "plans").glob("*/plan.md"))
FIXTURES = sorted((ROOT / "tests" / "fixtures" / "plans").glob("*.md"))
PROGRAM = ""


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.schemas = Schemas()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name).resolve()
        self.folder = self.top / "project" / "a-plan"
        self.folder.mkdir(parents=True)
        self.plan = self.folder / "plan.md"
        (self.top / "home").mkdir()

    def run_program(self, *arguments, statuses=(0,)):
        environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.top / "home"), "PATH": "/usr/bin:/bin"}
        run = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertIn(run.returncode, statuses, f"{arguments}: {run.stderr.decode('utf-8', 'replace')}")
        return run.stdout.decode("utf-8")

    def check_output(self, schema, *arguments, statuses=(0,)):
        value = load(self.run_program(*arguments, statuses=statuses))
        self.assertEqual(self.schemas.findings("output-" + schema, value), [], arguments)
        return value

    def check_files(self):
        self.assertEqual(check_tree(self.schemas, self.folder), [])

    def check_reading(self):
        for command in ("status", "next", "resume", "doctor", "export", "graph", "list"):
            self.check_output(command, command, "--json")
        self.check_output("parse", "parse", "plan.md", "--json")
        self.check_output("lint", "lint", "plan.md", "--format", "json", statuses=(0, 1))
        for line in self.run_program("log", "--json").splitlines():
            self.assertEqual(self.schemas.findings("history-event", load(line)), [])
        self.check_files()

    def test_every_command_of_a_plans_life(self):
        shutil.copy(ROOT / "examples" / "plans" / "marked-feature" / "plan.md", self.plan)
        self.assertTrue(self.check_output("status", "init", "--json")["created"])
        self.check_reading()
        for arguments in (["done", "new-since"], ["start", "slow-search"], ["reopen", "new-since"],
                          ["done", "slow-search", "spread-runs", "new-since", "matcher-speed", "exactly-once"],
                          ["decide", "Mail at the full hour", "--reason", "people read it then"],
                          ["block", "No test account"], ["note", "Ask the index team again"], ["unblock", "1"],
                          ["sync", "--by", "team:search"]):
            self.check_output("changes", *arguments, "--json")
            self.check_reading()
        text = self.plan.read_text(encoding="utf-8")
        self.plan.write_text(text.replace("<!-- TASK: digest |", "<!-- TASK: hourly-digest |")
                             .replace("<!-- CHECKPOINT: rollout -->", "<!-- CHECKPOINT: launch -->"), encoding="utf-8")
        self.check_output("changes", "sync", "--json")
        self.check_reading()

    def test_proof(self):
        self.plan.write_text("## P\n<!-- CHECKPOINT: p -->\n- [ ] T <!-- TASK: t -->\n"
                             "- [ ] Good <!-- ACCEPT: good | verify: echo fine -->\n"
                             "- [x] Bad <!-- ACCEPT: bad | verify: echo no; exit 3 -->\n"
                             "- [x] Slow <!-- ACCEPT: slow | verify: sleep 600 -->\n", encoding="utf-8")
        self.check_output("verify", "verify", "--check", "--json", statuses=(1,))
        self.check_output("verify", "verify", "good", "bad", "--yes", "--json", statuses=(1,))
        self.check_output("verify", "verify", "slow", "--yes", "--timeout", "1", "--json", statuses=(1,))
        self.check_output("verify", "verify", "good", "--check", "--json")
        self.check_reading()
        (self.folder / ".checkpoint" / "state.json").unlink()
        self.check_output("verify", "verify", "good", "--check", "--json")
        self.run_program("sync")
        self.check_reading()

    def test_claims(self):
        shutil.copy(ROOT / "examples" / "plans" / "marked-feature" / "plan.md", self.plan)
        self.run_program("init")
        task = self.check_output("next", "next", "--claim", "--by", "subagent:coder", "--json")
        claimed = task["task"]["id"]
        self.check_reading()
        for expected, status, arguments in (
                ("held", 1, ["claim", claimed]), ("lost", 1, ["claim", claimed, "--fence", "7"]),
                ("renewed", 0, ["claim", claimed, "--fence", str(task["lease"]["fence"]), "--ttl", "2h"]),
                ("refused", 1, ["release", claimed]), ("released", 0, ["release", claimed, "--force"]),
                ("nothing", 0, ["release", claimed]), ("claimed", 0, ["claim", claimed, "--session", "s1"])):
            answer = self.check_output(arguments[0], *arguments, "--json", statuses=(status,))
            self.assertEqual(answer["result"], expected, arguments)
            self.check_reading()
        self.check_output("changes", "done", claimed, "--by", "team:kim", "--json")
        self.assertEqual(self.check_output("claim", "claim", claimed, "--json", statuses=(1,))["result"], "done")
        while self.check_output("next", "next", "--claim", "--json", statuses=(0, 1))["task"] is not None:
            self.check_reading()

    def test_a_doctor_without_a_plan_says_what_it_can(self):
        told = self.check_output("doctor", "doctor", "--json")
        self.assertIsNone(told["plan"])
        self.assertTrue({"plan", "program", "hooks"} <= {check["name"] for check in told["checks"]}, told)
        # Of a plan that was named there is nothing to say without it.
        self.run_program("doctor", "--plan", "nowhere.md", statuses=(3,))

    def test_damage_and_what_repairs_it(self):
        shutil.copy(ROOT / "examples" / "plans" / "marked-feature" / "plan.md", self.plan)
        self.run_program("init")
        self.run_program("done", "new-since", "--by", "subagent:builder")
        tracking = self.folder / ".checkpoint"
        for names in (["state.json"], ["state.json", "recovery.json"]):
            for name in names:
                (tracking / name).write_text("{ not json", encoding="utf-8")
            self.check_output("doctor", "doctor", "--json", statuses=(0, 1))
            self.check_output("status", "status", "--json")
            self.check_output("changes", "sync", "--json")
            self.check_reading()
            state = json.loads((tracking / "state.json").read_text(encoding="utf-8"))
            self.assertEqual(state["phases"]["matcher"]["tasks"]["new-since"]["completedBy"], "subagent:builder")
        self.plan.write_text("nothing here any more\n", encoding="utf-8")
        self.run_program("sync", "--json", statuses=(0, 1, 4))
        self.check_files()
        self.check_output("changes", "sync", "--accept-empty", "--json")
        self.check_files()

    def test_plain_and_chinese_plans(self):
        for plan in PLANS:
            with self.subTest(plan=plan.parent.name):
                shutil.rmtree(self.folder / ".checkpoint", ignore_errors=True)
                shutil.copy(plan, self.plan)
                self.check_output("annotate", "annotate", "plan.md", "--check", "--json", statuses=(0, 1))
                self.run_program("init")
                current = self.check_output("next", "next", "--json")
                self.check_output("changes", "done", current["task"]["id"], "--json")
                self.check_reading()
                self.check_output("annotate", "annotate", "plan.md", "--json")
                self.check_output("changes", "sync", "--json")
                self.check_reading()

    def test_parse_and_init_of_every_plan_of_the_conformance_suite(self):
        for plan in FIXTURES:
            with self.subTest(plan=plan.name):
                shutil.rmtree(self.folder / ".checkpoint", ignore_errors=True)
                shutil.copyfile(plan, self.plan)
                run = subprocess.run([PROGRAM, "parse", "plan.md", "--json"], cwd=self.folder, env={},
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=False)
                if run.returncode != 0:
                    continue
                self.assertEqual(self.schemas.findings("output-parse", load(run.stdout)), [])
                self.run_program("init")
                self.check_files()

    def test_version_and_an_error_on_standard_output(self):
        self.check_output("version", "version", "--json")
        error = json.loads(self.run_program("status", "--json", statuses=(3,)))
        self.assertEqual(self.schemas.findings("output-error", error), [])
        self.assertEqual(error["error"]["exit"], 3)
        self.assertEqual(self.run_program("status", statuses=(3,)), "")

    def test_an_imported_plan(self):
        shutil.copy(ROOT / "examples" / "dialects" / "ralph" / "prd.json", self.folder)
        self.check_output("import", "import", "prd.json", "--dry-run", "--json")
        self.assertTrue(self.check_output("import", "import", "prd.json", "--json")["written"])
        self.check_output("status", "init", "--json")
        self.check_reading()

    def test_the_chosen_plan(self):
        shutil.copy(ROOT / "examples" / "plans" / "chinese" / "plan.md", self.plan)
        self.assertIsNone(self.check_output("use", "use", "--json")["plan"])
        self.assertEqual(self.check_output("use", "use", "plan.md", "--json")["plan"], str(self.plan))
        self.assertIsNone(self.check_output("use", "use", "--clear", "--json")["plan"])


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    if len(PLANS) < 3 or len(FIXTURES) < 80:
        sys.exit("the example plans or the conformance suite are missing")
    unittest.main()
