"""Every schema has a sample that passes, and refuses what its file may never hold.

The good samples are whole files. A bad one is a good one with one change, so that a refusal can have one cause only.
"""

import copy
import pathlib
import unittest

from validate_tree import Schemas, check_schemas, load

GOOD = pathlib.Path(__file__).resolve().parent / "samples"
NO_SAMPLE = {"definitions"}

MISSING = object()

# schema: (sample, path of the value that is changed, what it is changed to)
BAD = [
    ("state.full", ["version"], 1),
    ("state.full", ["version"], MISSING),
    ("state.full", ["planPath"], "plans/auth/plan.md"),
    ("state.full", ["checksum"], "sha256:XYZ"),
    ("state.full", ["lastCheckpoint"], "yesterday"),
    ("state.full", ["progress", "percentage"], 101),
    ("state.full", ["progress", "totalTasks"], "3"),
    ("state.full", ["phases"], []),
    ("state.full", ["phases", "tokens", "status"], "finished"),
    ("state.full", ["phases", "tokens", "tasks", "token-table", "done"], "yes"),
    ("state.full", ["phases", "tokens", "tasks", "token-table", "completedAt"], None),
    ("state.full", ["phases", "tokens", "acceptance", "single-use", "met"], 1),
    ("state.full", ["phases", "tokens", "acceptance", "single-use", "evidence"], {}),
    ("state.full", ["phases", "tokens", "acceptance", "single-use", "evidence", "command"], MISSING),
    ("state.full", ["phases", "tokens", "acceptance", "single-use", "evidence", "exitStatus"], 256),
    ("state.full", ["phases", "tokens", "acceptance", "single-use", "evidence", "dirty"], 1),
    ("state.full", ["phases", "tokens", "acceptance", "single-use", "evidence", "tree"], "abc"),
    ("state.full", ["phases", "not an id"], {"status": "pending", "tasks": {}, "acceptance": {}}),
    ("state.full", ["currentPhase"], MISSING),
    ("state.full", ["blockers"], "keys"),
    ("state.full", ["decisions", 0, "time"], MISSING),
    ("state.full", ["sessionNotes"], 5),
    ("state.full", ["agents", "a1", "assignedTasks"], "token-table"),
    ("state.full", ["historyOffset"], -1),
    ("state.full", ["agents", "a1", "status"], "done"),
    ("state.full", ["agents", "a1", "sessionId"], None),
    ("state.full", ["agents", "a1", "sentBack"], 1),
    ("state.full", ["sessions", "5e55", "lastAnswered"], ""),
    ("state.full", ["noteIsAutomatic"], "yes"),
    ("state.full", ["sessions"], []),
    ("state.full", ["sessions", "5e55"], None),
    ("state.full", ["sessions", "5e55", "startedAt"], MISSING),
    ("state.full", ["sessions", "5e55", "startedAt"], "today"),
    ("state.full", ["sessions", "5e54", "endedAt"], None),
    ("state.full", ["sessions", "5e55", "lastActive"], 5),
    ("state.full", ["sessions", "5e55", "client"], 5),
    ("state.full", ["sessions", "5e55", "process"], 4711),
    ("state.full", ["sessions", "5e55", "prompts"], -1),
    ("state.full", ["sessions", "5e55", "contextPercent"], -1),
    ("state.full", ["sessions", "5e55", "contextPercent"], 1001),
    ("state.full", ["sessions", "5e55", "contextPercent"], 81.5),
    ("state.full", ["sessions", "5e55", "contextWindow"], "200k"),
    ("state.full", ["sessions", "5e55", "contextFull"], 1),
    ("state.full", ["sessions", "5e55", "resumeDue"], None),
    ("state.full", ["sessions", "5e55", "lastMessage"], []),
    ("state.full", ["sessions", "5e55", "lastAnswer"], {}),
    ("state.full", ["sessions", "5e55", "lastRevision"], -1),
    ("state.full", ["sessions", "5e55", "assignments"], {}),
    ("state.full", ["sessions", "5e55", "assignments", 0, "tasks"], MISSING),
    ("state.full", ["sessions", "5e55", "assignments", 0, "tasks", 0], "not an id"),
    ("state.full", ["sessions", "5e55", "assignments", 0, "toolUse"], 1),
    ("state.full", ["claims"], {}),
    ("state.full", ["claims", 0, "agentId"], MISSING),
    ("state.full", ["claims", 0, "time"], MISSING),
    ("state.full", ["claims", 0, "unverified"], "token-table"),
    ("state.full", ["claims", 0, "unverified", 0], 5),
    ("state.full", ["claims", 0, "background"], "yes"),
    ("state.full", ["leases"], {}),
    ("state.full", ["leases", 0, "taskId"], MISSING),
    ("state.full", ["leases", 0, "fence"], 0),
    ("state.full", ["leases", 0, "until"], "soon"),
    ("state.full", ["leases", 0, "process"], 4711),
    ("state.full", ["lastFence"], "3"),
    ("state.full", ["lintErrors"], "none"),
    ("state.full", ["lintErrors", 0], {}),
    ("recovery.full", ["reason"], MISSING),
    ("recovery.full", ["savedAt"], 5),
    ("recovery.full", ["state", "version"], 3),
    ("history-event.completed", ["ts"], MISSING),
    ("history-event.completed", ["event"], MISSING),
    ("history-event.completed", ["taskId"], MISSING),
    ("history-event.completed", ["taskId"], ["token-table"]),
    ("history-event.completed", ["by"], ""),
    ("history-event.completed", ["batch"], "0/2"),
    ("history-event.completed", ["agentId"], 7),
    ("history-event.note", ["note"], MISSING),
    ("history-event.note", ["reason"], None),
    ("history-event.claimed", ["taskId"], MISSING),
    ("history-event.claimed", ["by"], ""),
    ("history-event.claimed", ["until"], "later"),
    ("history-event.claimed", ["fence"], 0),
    ("history-event.claimed", ["process"], 4711),
    ("history-event.released", ["taskId"], "not an id"),
    ("history-event.released", ["fence"], "3"),
    ("history-event.released", ["from"], None),
    ("history-event.session-started", ["sessionId"], 5),
    ("history-event.session-started", ["client"], None),
    ("history-event.session-started", ["source"], ["startup"]),
    ("history-event.session-ended", ["sessionId"], None),
    ("history-event.session-ended", ["client"], {}),
    ("history-event.session-ended", ["reason"], False),
    ("history-event.session-crash", ["lastKnownState"], MISSING),
    ("history-event.session-crash", ["lastKnownState"], None),
    ("history-event.session-crash", ["sessionId"], 5),
    ("history-event.session-recovered", ["from"], MISSING),
    ("history-event.session-recovered", ["from"], 5),
    ("history-event.session-recovered", ["tasksRestored"], MISSING),
    ("history-event.session-recovered", ["tasksRestored"], -1),
    ("history-event.session-recovered", ["tasksRestored"], "3"),
    ("history-event.subagent-started", ["agentType"], MISSING),
    ("history-event.subagent-started", ["agentId"], 5),
    ("history-event.subagent-started", ["tasks"], MISSING),
    ("history-event.subagent-started", ["tasks"], 2),
    ("history-event.subagent-started", ["tasks", 0], "not an id"),
    ("history-event.subagent-stopped", ["agentType"], None),
    ("history-event.subagent-stopped", ["completed"], MISSING),
    ("history-event.subagent-stopped", ["completed"], -1),
    ("history-event.subagent-stopped", ["completedTasks", 0], "not an id"),
    ("history-event.subagent-stopped", ["claimed"], "token-table"),
    ("history-event.subagent-stopped", ["unverified", 0], 5),
    ("history-event.proven", ["evidence"], None),
    ("history-event.proven", ["evidence", "time"], MISSING),
    ("history-event.not-proven", ["evidence", "timedOut"], "yes"),
    ("history-event.unknown", ["ts"], "2026-11-20"),
    ("output-parse.full", ["mode"], "half"),
    ("output-parse.full", ["phases", 0, "tasks", 0, "line"], 0),
    ("output-parse.full", ["phases", 0, "tasks", 0, "after"], MISSING),
    ("output-parse.full", ["diagnostics", 0, "code"], "no-such-code"),
    ("output-status.full", ["source"], "memory"),
    ("output-status.full", ["warnings"], MISSING),
    ("output-status.full", ["waiting", 0, "waitingFor"], []),
    ("output-status.full", ["leases", 0, "standing"], "perhaps"),
    ("output-status.full", ["leases", 0, "id"], MISSING),
    ("output-claim.taken-over", ["result"], "perhaps"),
    ("output-claim.taken-over", ["lease"], None),
    ("output-claim.taken-over", ["lease", "fence"], MISSING),
    ("output-claim.taken-over", ["previous", "standing"], MISSING),
    ("output-claim.waiting", ["waitingFor"], MISSING),
    ("output-claim.waiting", ["task", "phaseId"], MISSING),
    ("output-release.released", ["result"], "done"),
    ("output-release.released", ["previous"], MISSING),
    ("output-graph.full", ["tasks", 0, "key"], "token-table"),
    ("output-graph.full", ["tasks", 0, "state"], "ready"),
    ("output-graph.full", ["order", 0], 1),
    ("output-graph.full", ["cycles", 0], []),
    ("output-graph.full", ["unknown", 0, "id"], MISSING),
    ("next.full", ["checksum"], "sha256:1"),
    ("next.full", ["next", "phases", 0, "tasks", 0, "waitingFor"], MISSING),
    ("output-next.claimed", ["lease", "until"], MISSING),
    ("output-next.claimed", ["claimed", 0, "by"], ""),
    ("output-next.task", ["result"], "maybe"),
    ("output-next.task", ["why"], ""),
    ("output-lint.full", ["errors"], -1),
    ("output-changes.full", ["events", 0, "taskId"], MISSING),
    ("output-changes.full", ["notices", 0, "kind"], "gossip"),
    ("output-install.full", ["change"], "written"),
    ("output-install.full", ["path"], "settings.json"),
    ("output-install.full", ["entries", 0, "state"], "new"),
    ("output-install.full", ["notes"], MISSING),
    ("output-plans.full", ["plans", 0, "inFlight"], 1),
    ("output-plans.full", ["plans", 0, "lastActivity"], "yesterday"),
    ("output-plans.full", ["plans", 1, "stale"], MISSING),
    ("output-plans.full", ["folder"], "here"),
    ("output-restore.list", ["texts", 0, "number"], 0),
    ("output-restore.list", ["texts", 0, "digits"], "0123"),
    ("output-restore.list", ["warnings"], MISSING),
    ("output-restore.preview", ["what"], "all"),
    ("output-restore.preview", ["diff"], MISSING),
    ("history-event.rewound", ["to"], MISSING),
    ("history-event.attributed", ["by"], MISSING),
    ("history-event.checkpoint-saved", ["checkpointId"], "cp_1"),
    ("history-event.checkpoint-complete", ["milestone_index"], -1),
    ("history-event.drift", ["source"], "guess"),
    ("sidecar.full", ["schema_version"], "2.0.0"),
    ("sidecar.full", ["sha"], "abc"),
    ("sidecar.full", ["run_id"], "two\nlines"),
    ("sidecar.full", ["milestone_index"], -1),
    ("sidecar.full", ["created_at"], "today"),
    ("sidecar.full", ["tier"], "tier3"),
    ("sidecar.full", ["tier"], "tier0"),
    ("sidecar.full", ["verification_commands"], MISSING),
    ("sidecar.full", ["relinked_from"], ""),
    ("sidecar.full", ["tree"], "HEAD"),
    ("commit-index.full", ["version"], 2),
    ("commit-index.full", ["files"], "abc"),
    ("commit-index.full", ["runs", "auth", 0, 0], "HEAD"),
    ("commit-index.full", ["runs", "auth", 0], ["4f2a", 1]),
    ("output-commit.full", ["sha"], None),
    ("output-commit.full", ["files", 0, "change"], "modified"),
    ("output-commit.full", ["previous"], MISSING),
    ("output-commit.dry-run", ["tier"], "tier0"),
    ("output-status.check", ["checkpointSource"], "guess"),
    ("output-status.check", ["drift"], MISSING),
    ("output-status.check", ["drift", "source"], "none"),
    ("output-doctor.full", ["checks"], []),
    ("output-doctor.full", ["checks", 0, "health"], "fine"),
    ("output-resume.full", ["text"], None),
    ("output-annotate.full", ["added", 0, "kind"], "PHASE"),
    ("output-export.full", ["version"], 2),
    ("output-export.full", ["plan", "file"], "/home/kim/plan.md"),
    ("output-export.full", ["phases", 0, "tasks", 0, "completedBy"], ""),
    ("output-export.full", ["phases", 0, "acceptance", 0, "met"], "yes"),
    ("output-import.full", ["path"], "plan.md"),
    ("output-import.full", ["notes"], MISSING),
    ("output-git-setup.full", ["steps", 0, "state"], "new"),
    ("output-git-setup.full", ["effective"], None),
    ("output-use.full", ["plan"], 5),
    ("output-status.full", ["phases", 0, "proof", "commands"], 0),
    ("output-verify.full", ["criteria", 0, "result"], "maybe"),
    ("output-verify.full", ["criteria", 0, "proof"], MISSING),
    ("output-verify.full", ["criteria", 0, "command"], ""),
    ("output-verify.full", ["proven"], -1),
    ("output-version.full", ["version"], "new"),
    ("checkpoint.full", ["checkpoint_id"], "cp_0A1b2c_007"),
    ("checkpoint.full", ["checkpoint_id"], "cp_0a1b2c_07"),
    ("checkpoint.full", ["instance_id"], ""),
    ("checkpoint.full", ["checkpoint_type"], "save"),
    ("checkpoint.full", ["sequence_num"], -1),
    ("checkpoint.full", ["context_window_percent"], 81.5),
    ("checkpoint.full", ["timestamp"], "2026-11-20"),
    ("checkpoint.full", ["phase_id"], MISSING),
    ("checkpoint.full", ["metadata", "event_id"], MISSING),
    ("checkpoint.full", ["metadata", "manual"], "yes"),
    ("checkpoint.full", ["metadata", "size_bytes"], 5001),
    ("checkpoint.full", ["work_state", "current_epic", "test_results", "passed"], MISSING),
    ("checkpoint.full", ["work_state", "current_epic", "duration_hours"], MISSING),
    ("checkpoint.full", ["work_state", "files_modified"], 12),
    ("checkpoint.full", ["work_state", "files_modified", 0, "status"], "changed"),
    ("checkpoint.full", ["work_state", "files_modified", 0, "lines_changed"], MISSING),
    ("checkpoint.full", ["work_state", "git_status", "staged_files"], ["a"]),
    ("checkpoint.full", ["work_state", "last_commands", 0, "message"], "both"),
    ("checkpoint.full", ["work_state", "last_commands", 1, "message"], MISSING),
    ("checkpoint.full", ["work_state", "last_commands_more"], 0),
    ("checkpoint.full", ["work_state", "prd_status", "version"], "7"),
    ("checkpoint.full", ["work_state", "environment"], MISSING),
    ("checkpoint.full", ["moment", "turn"], 0),
    ("checkpoint.full", ["moment", "planDigest"], "sha256:0123456789abcdef"),
    ("checkpoint.full", ["moment", "workspaceState"], "tidy"),
    ("checkpoint.full", ["moment", "snapshot", "ref"], "refs/heads/main"),
    ("checkpoint.full", ["moment", "todoSnapshot", 0, "state"], "finished"),
    ("checkpoint.full", ["moment", "createdAt"], MISSING),
    ("output-checkpoint.show", ["recovery_instructions"], MISSING),
    ("output-checkpoint.show", ["recovery_instructions", "steps"], []),
    ("output-checkpoint.show", ["checkpoint", "moment"], MISSING),
    ("output-checkpoint.list", ["checkpoints", 0, "metadata"], MISSING),
    ("output-checkpoint.list", ["dry_run"], None),
    ("output-checkpoint.cleanup", ["deleted", 0], "1"),
    ("output-checkpoint.cleanup", ["freed_bytes"], MISSING),
    ("settings.full", ["colour"], "blue"),
    ("settings.full", ["audit"], "loud"),
    ("settings.full", ["gate"], True),
    ("settings.full", ["resumeBudget"], 299),
    ("settings.full", ["contextWindow"], "200k"),
    ("settings.full", ["planNames", 0], "a/b.md"),
]


def changed(value, path, to):
    value = copy.deepcopy(value)
    part = value
    for step in path[:-1]:
        part = part[step]
    if to is MISSING:
        del part[path[-1]]
    else:
        part[path[-1]] = to
    return value


class SchemasTest(unittest.TestCase):
    def setUp(self):
        self.schemas = Schemas()
        self.samples = {path.stem: load(path.read_text(encoding="utf-8")) for path in GOOD.glob("*.json")}

    def test_every_schema_is_a_valid_schema(self):
        self.assertEqual(check_schemas(self.schemas), [])

    def test_every_schema_has_a_sample_that_passes(self):
        for name in set(self.schemas.names()) - NO_SAMPLE:
            with self.subTest(schema=name):
                self.assertTrue([sample for sample in self.samples if sample.split(".")[0] == name])
        for sample, value in self.samples.items():
            with self.subTest(sample=sample):
                self.assertEqual(self.schemas.findings(sample.split(".")[0], value), [])

    def test_one_wrong_value_is_refused(self):
        for sample, path, to in BAD:
            with self.subTest(sample=sample, path=path):
                value = changed(self.samples[sample], path, to)
                self.assertNotEqual(self.schemas.findings(sample.split(".")[0], value), [])

    def test_every_schema_refuses_something(self):
        refused = {sample.split(".")[0] for sample, _, _ in BAD}
        self.assertEqual(refused, set(self.schemas.names()) - NO_SAMPLE)


if __name__ == "__main__":
    unittest.main()
