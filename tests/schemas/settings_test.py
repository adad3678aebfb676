"""The schema of the settings and the program that reads them agree on what is good and what is not.

  settings_test.py PROGRAM

The program says what it does not like on standard error, in answer to a hook that needs the settings. (One thing is
beyond JSON Schema: to it 500.0 is the integer 500; the program wants numbers written without a point.)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from validate_tree import Schemas, load

PROGRAM = ""
SAMPLES = pathlib.Path(__file__).resolve().parent / "samples"
STOP = json.dumps({"session_id": "5e55", "hook_event_name": "Stop", "last_assistant_message": "Well."})

GOOD = ["{}", '{"$schema": 5}', '{"audit": "block"}', '{"audit": "warn"}', '{"audit": "off"}', '{"gate": "block"}',
        '{"gate": "warn"}', '{"gate": "off"}', '{"resumeBudget": 300}', '{"resumeBudget": 9900}',
        '{"contextTrigger": 50}', '{"contextTrigger": 95}', '{"checkpoints": true}', '{"checkpoints": false}',
        '{"contextWindow": 1000}', '{"contextWindow": 100000000}', '{"planNames": []}',
        '{"planNames": ["TODO.md", "TODO.md"]}', '{"planNames": [".."]}', '{"planNames": ["a b\\\\c.md"]}',
        '{"sessionTranscripts": "full"}', '{"sessionTranscripts": "slice"}', '{"sessionTranscripts": "none"}',
        '{"sessionImages": "redact"}', '{"sessionImages": "keep"}']

BAD = ['{"sessionTranscripts": "half"}', '{"sessionTranscripts": true}', '{"sessionImages": "no"}',
       '{"sessionImages": false}', "[]", "null", '"audit"', '{"Audit": "off"}', '{"colour": null}', '{"": 1}', '{"audit": "Block"}',
       '{"audit": ""}', '{"audit": true}', '{"audit": null}', '{"audit": ["off"]}', '{"gate": "on"}', '{"gate": 0}',
       '{"resumeBudget": 299}', '{"resumeBudget": 9901}', '{"resumeBudget": 300.5}', '{"resumeBudget": "300"}',
       '{"resumeBudget": -300}', '{"resumeBudget": 123456789012345678901234567890}', '{"resumeBudget": null}',
       '{"contextTrigger": 49}', '{"contextTrigger": 96}', '{"contextTrigger": "80"}', '{"checkpoints": "off"}',
       '{"checkpoints": 1}', '{"checkpoints": null}',
       '{"contextWindow": 999}', '{"contextWindow": 100000001}', '{"contextWindow": false}', '{"contextWindow": {}}',
       '{"planNames": "TODO.md"}', '{"planNames": null}', '{"planNames": {"0": "a.md"}}', '{"planNames": [1]}',
       '{"planNames": ["a.md", null]}', '{"planNames": [""]}', '{"planNames": ["a/b.md"]}',
       '{"planNames": ["a\\u0000.md"]}', '{"planNames": [["a.md"]]}']


class SettingsTest(unittest.TestCase):
    def setUp(self):
        self.schemas = Schemas()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name).resolve()
        self.project = self.top / "project"
        self.project.mkdir()
        (self.project / "plan.md").write_text("- [ ] Write it <!-- TASK: write -->\n", encoding="utf-8")
        self.own = self.top / ".config" / "plankeep"
        self.own.mkdir(parents=True)

    def complaints(self):
        run = subprocess.run([PROGRAM, "hook", "claude-code", "Stop"], input=STOP.encode(), cwd=self.project,
                             env={"PLANKEEP_CHECKPOINTS": "off", "HOME": str(self.top), "PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual((run.returncode, run.stdout), (0, b""))
        return run.stderr.decode("utf-8")

    def both(self, text, good):
        self.assertEqual(self.schemas.findings("settings", load(text)) == [], good)
        for path in (self.project / ".plankeep.json", self.own / "config.json"):
            path.write_text(text, encoding="utf-8")
            said = self.complaints()
            path.unlink()
            self.assertEqual(said == "", good, said)
            self.assertIn("" if good else str(path), said)

    def test_both_accept(self):
        for text in GOOD + [path.read_text(encoding="utf-8") for path in SAMPLES.glob("settings.*.json")]:
            with self.subTest(text=text):
                self.both(text, True)

    def test_both_refuse(self):
        for text in BAD:
            with self.subTest(text=text):
                self.both(text, False)

    def complaints_about(self, name):
        (self.project / ".plankeep.json").write_text(json.dumps({name: {"no": "such value"}}), encoding="utf-8")
        return self.complaints()

    def test_the_program_knows_every_setting_that_the_schema_names(self):
        unknown = 'unknown setting "{}"'
        self.assertIn(unknown.format("nonsense"), self.complaints_about("nonsense"))
        for name in self.schemas.texts["settings.schema.json"]["properties"]:
            with self.subTest(setting=name):
                said = self.complaints_about(name)
                self.assertNotIn(unknown.format(name), said)
                self.assertEqual(said == "", name == "$schema", said)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
