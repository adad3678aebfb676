"""Every tool's answer against its own output schema and against the schema of the command's --json.

  schemas_test.py PROGRAM
"""

import pathlib
import sys
import tempfile
import unittest

import jsonschema

from client import Client

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "schemas"))
from validate_tree import Schemas  # noqa: E402

PROGRAM = ""
TOOL_FIELDS = {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
HINTS = {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
READING = {"plan_status", "resume_context", "get_checkpoint", "list_checkpoints"}
DESTRUCTIVE = {"cleanup_checkpoints"}


class SchemasTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plankeep-mcp-")
        self.addCleanup(folder.cleanup)
        self.client = Client(PROGRAM, folder.name)
        self.addCleanup(self.client.end)
        self.client.begin()
        self.tools = {tool["name"]: tool for tool in self.client.ask("tools/list")["result"]["tools"]}
        self.schemas = Schemas()

    def call(self, output, tool, failed=False, **arguments):
        """`output`: the schema of the command's --json."""
        jsonschema.Draft202012Validator(self.tools[tool]["inputSchema"]).validate(arguments)
        result = self.client.call(tool, **arguments)
        self.assertEqual(result.get("isError", False), failed, result)
        self.assertEqual([part["type"] for part in result["content"]], ["text"])
        self.assertTrue(result["content"][0]["text"])
        structured = result["structuredContent"]
        jsonschema.Draft202012Validator(self.tools[tool]["outputSchema"]).validate(structured)
        if output:
            self.assertEqual(self.schemas.findings("output-" + output, structured), [])
        return structured

    def test_the_tools_are_described_as_the_protocol_has_it(self):
        self.assertLessEqual(len(self.tools), 9)
        for name, tool in self.tools.items():
            with self.subTest(name):
                self.assertEqual(set(tool), TOOL_FIELDS)
                self.assertEqual(set(tool["annotations"]), HINTS)
                self.assertEqual(tool["annotations"]["readOnlyHint"], name in READING)
                self.assertEqual(tool["annotations"]["destructiveHint"], name in DESTRUCTIVE)
                self.assertFalse(tool["annotations"]["openWorldHint"])
                self.assertEqual(tool["annotations"]["title"], tool["title"])
                for key in ("inputSchema", "outputSchema"):
                    jsonschema.Draft202012Validator.check_schema(tool[key])
                    self.assertEqual(tool[key]["type"], "object")
                self.assertIs(tool["inputSchema"]["additionalProperties"], False)
                self.assertIn("plan", tool["inputSchema"]["properties"])
                for given in tool["inputSchema"]["properties"].values():
                    self.assertIn("type", given)

    def test_an_input_schema_refuses_what_the_tool_does_not_know(self):
        for name, tool in self.tools.items():
            validator = jsonschema.Draft202012Validator(tool["inputSchema"])
            self.assertFalse(validator.is_valid({"surprise": 1}), name)
            self.assertTrue(self.client.call(name, surprise=1)["isError"], name)

    def test_a_plans_life(self):
        self.call("status", "plan_status")
        self.call("resume", "resume_context", budget=500)
        self.assertTrue(self.call("changes", "complete_task", ids=["login"])["changed"])
        self.assertFalse(self.call("changes", "complete_task", ids=["login"], action="done")["changed"])
        self.call("changes", "complete_task", ids=["login"], action="reopen", actor="subagent:reviewer")
        self.call("changes", "complete_task", ids=["login"], action="start")
        self.call("changes", "record", kind="decision", text="Use tokens", reason="they are short")
        self.call("changes", "record", kind="blocker", text="No staging")
        self.call("status", "plan_status")
        self.call("changes", "record", kind="unblock", text="1")
        self.call("changes", "record", kind="note", text="Look at the logs\nfirst")
        self.call("status", "plan_status", plan="plan.md")
        self.call("resume", "resume_context")

    def test_checkpoints(self):
        self.assertTrue(self.client.call("list_checkpoints")["isError"], "nothing is tracked yet")
        self.call("changes", "complete_task", ids=["login"])
        self.assertEqual(self.call("checkpoint", "list_checkpoints")["checkpoints"], [])
        self.assertTrue(self.client.call("get_checkpoint")["isError"])
        made = self.call("checkpoint", "create_checkpoint", note="before the risky part", session="s1")
        name = made["checkpoint"]["checkpoint_id"]
        self.assertEqual(made["checkpoint"]["metadata"]["note"], "before the risky part")
        self.assertTrue(made["recovery_instructions"]["steps"])
        self.assertEqual(self.call("checkpoint", "get_checkpoint")["checkpoint"]["checkpoint_id"], name)
        self.assertEqual(self.call("checkpoint", "get_checkpoint", id=name)["checkpoint"]["checkpoint_id"], name)
        self.call("checkpoint", "create_checkpoint")
        self.assertEqual(len(self.call("checkpoint", "list_checkpoints", limit=1)["checkpoints"]), 1)
        listed = self.call("checkpoint", "list_checkpoints", type="manual", phase="build", session="s1", since="1h")
        self.assertEqual([one["checkpoint_id"] for one in listed["checkpoints"]], [name])
        self.assertEqual(self.call("checkpoint", "list_checkpoints", type="turn")["checkpoints"], [])
        for wrong in ({"type": "sometimes"}, {"since": "then"}, {"limit": 0}):
            self.assertTrue(self.client.call("list_checkpoints", **wrong)["isError"], wrong)
        self.assertTrue(self.client.call("get_checkpoint", id="cp_nosuch")["isError"])
        self.assertTrue(self.client.call("cleanup_checkpoints", older_than="soon")["isError"])
        self.assertEqual(self.call("checkpoint", "cleanup_checkpoints")["deleted_count"], 0)

    def test_claims(self):
        self.call("claim", "claim_task")
        self.call("claim", "claim_task", failed=True, id="login", actor="team:b")
        self.call("claim", "claim_task", failed=True, id="logout", actor="team:b")
        self.call("claim", "claim_task", failed=True, id="schema")
        self.call("claim", "claim_task", id="login", fence=1, ttl="2h")
        self.call("status", "plan_status")
        self.call("release", "claim_task", failed=True, id="login", release=True, actor="team:b")
        self.call("release", "claim_task", id="login", release=True)
        self.call("release", "claim_task", id="login", release=True)
        self.call("claim", "claim_task", failed=True, id="login", fence=1)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
