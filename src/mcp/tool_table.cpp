#include "mcp/tool_table.hpp"

#include <array>

namespace plankeep::mcp {
namespace {

// What clients give to a model counts in tokens for as long as it works, so every word of a description has
// to earn its place; tests/mcp holds the limit. Output schemas have the shapes of
// schemas/output-*.schema.json without their words.

// Pieces that several schemas share; they stand in them as a string, "@name".
constexpr std::array kPieces = {
    SchemaPiece{"@strings", R"({"type":"array","items":{"type":"string"}})"},
    SchemaPiece{"@plan", R"({"type":"object","required":["id","path"],"properties":{
        "id":{"type":"string"},"path":{"type":"string"}}})"},
    SchemaPiece{"@progress",
                R"({"type":"object","required":["totalTasks","completedTasks","percentage"],"properties":{
        "totalTasks":{"type":"integer"},"completedTasks":{"type":"integer"},"percentage":{"type":"number"}}})"},
    SchemaPiece{"@lease",
                R"({"type":["object","null"],"required":["by","fence","claimedAt","until","standing"],
        "properties":{"by":{"type":"string"},"fence":{"type":"integer"},"claimedAt":{"type":"string"},
        "until":{"type":"string"},"standing":{"enum":["held","expired","gone"]},"sessionId":{"type":"string"},
        "host":{"type":"string"},"process":{"type":"string"}}})"},
    // A whole checkpoint has work_state and moment beside it.
    SchemaPiece{"@head", R"({"type":"object","required":["checkpoint_id","instance_id","checkpoint_type",
        "sequence_num","timestamp","metadata"],"properties":{"checkpoint_id":{"type":"string"},
        "instance_id":{"type":"string"},"checkpoint_type":{"type":"string"},"sequence_num":{"type":"integer"},
        "context_window_percent":{"type":["integer","null"]},"timestamp":{"type":"string"},
        "phase_id":{"type":["string","null"]},"metadata":{"type":"object"},"work_state":{"type":"object"},
        "moment":{"type":"object"}}})"},
    SchemaPiece{
        "@actor",
        R"({"type":"string","description":"Who did it: main (default), external, person[:NAME], subagent:TYPE, team:ID"})"},
};

constexpr std::string_view kChanges = R"({"type":"object",
  "required":["plan","changed","revision","progress","events","notices","warnings"],
  "properties":{"plan":"@plan","changed":{"type":"boolean"},"revision":{"type":"integer"},"progress":"@progress",
  "events":{"type":"array","items":{"type":"object","required":["ts","event"],
    "properties":{"ts":{"type":"string"},"event":{"type":"string"}}}},
  "notices":{"type":"array","items":{"type":"object","required":["kind","text"],
    "properties":{"kind":{"type":"string"},"text":{"type":"string"}}}},
  "warnings":"@strings"}})";

constexpr std::string_view kCheckpoint = R"({"type":"object",
  "required":["plan","checkpoint","recovery_instructions","warnings"],
  "properties":{"plan":"@plan","checkpoint":"@head",
  "recovery_instructions":{"type":"object","required":["finished","standing","steps"],
    "properties":{"finished":"@strings","standing":"@strings","steps":"@strings"}},
  "warnings":"@strings"}})";

// Of a session checkpoint there is the checkpoint alone.
constexpr std::string_view kAnyCheckpoint = R"({"type":"object","required":["checkpoint"],
  "properties":{"plan":"@plan","kind":{"const":"checkpoint"},"checkpoint":{"type":"object"},
  "recovery_instructions":{"type":"object","required":["finished","standing","steps"],
    "properties":{"finished":"@strings","standing":"@strings","steps":"@strings"}},
  "warnings":"@strings"}})";

constexpr std::array kTools = {
    Tool{"plan_status", "Plan status",
         "Show the plan's progress: its phases, the current phase's tasks and criteria with their ids, "
         "blockers and decisions. Read-only.",
         R"("fleet":{"type":"boolean","description":"Add what other machines did"})", "", R"({"type":"object",
  "required":["plan","source","progress","phases","currentPhase","currentTask","blockers","decisions","warnings",
    "lastCheckpoint","revision","waiting","leases","tasks","criteria"],
  "properties":{"plan":"@plan","source":{"enum":["state","recovery","history","none"]},"progress":"@progress",
  "phases":{"type":"array","items":{"type":"object",
    "required":["id","title","status","total","done","acceptanceTotal","acceptanceMet"],
    "properties":{"id":{"type":"string"},"title":{"type":"string"},
    "status":{"enum":["pending","in_progress","completed"]},"total":{"type":"integer"},"done":{"type":"integer"},
    "acceptanceTotal":{"type":"integer"},"acceptanceMet":{"type":"integer"},"proven":{"type":"boolean"},
    "proof":{"type":"object"}}}},
  "currentPhase":{"type":["string","null"]},"currentTask":{"type":["string","null"]},"blockers":"@strings",
  "decisions":{"type":"array","items":{"type":"object","required":["decision"],
    "properties":{"time":{"type":"string"},"decision":{"type":"string"},"reason":{"type":"string"}}}},
  "warnings":"@strings","lastCheckpoint":{"type":["string","null"]},"revision":{"type":"integer"},
  "waiting":{"type":"array","items":{"type":"object","required":["id","phaseId","waitingFor"],
    "properties":{"id":{"type":"string"},"phaseId":{"type":"string"},"waitingFor":"@strings"}}},
  "leases":{"type":"array","items":{"type":"object","required":["id","phaseId","by","fence","until","standing"],
    "properties":{"id":{"type":"string"},"phaseId":{"type":"string"},"by":{"type":"string"},
    "fence":{"type":"integer"},"until":{"type":"string"},"standing":{"type":"string"}}}},
  "tasks":{"type":"array","items":{"type":"object","required":["id","title","state"],
    "properties":{"id":{"type":"string"},"title":{"type":"string"},"state":{"enum":["open","active","done"]},
    "optional":{"type":"boolean"},"line":{"type":"integer"}}}},"tasksLeftOut":{"type":"integer"},
  "criteria":{"type":"array","items":{"type":"object","required":["id","title","met"],
    "properties":{"id":{"type":"string"},"title":{"type":"string"},"met":{"type":"boolean"}}}},
  "note":{"type":"string"},"fleet":{"type":"object"}}})",
         Effect::reads, plan_status},
    Tool{
        "resume_context", "Resume context",
        "Get a hand-over for continuing the work: the current task, blockers, decisions, and what changed "
        "since the last session. Read-only.",
        R"("budget":{"type":"integer","minimum":300,"maximum":9900,"default":2000,"description":"Maximum number of characters"})",
        "",
        R"({"type":"object","required":["plan","revision","savedAt","budget","characters","text"],
  "properties":{"plan":"@plan","revision":{"type":"integer"},"savedAt":{"type":["string","null"]},
  "budget":{"type":"integer"},"characters":{"type":"integer"},"text":{"type":"string"}}})",
        Effect::reads, resume_context},
    Tool{
        "complete_task", "Complete tasks",
        "Tick tasks or acceptance criteria in the plan once they are really done, untick them (reopen), or "
        "mark them as in progress (start). Boxes already in that state stay as they are.",
        R"("ids":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Ids as shown by plan_status; PHASE/ID if an id is not unique"},"action":{"type":"string","enum":["done","reopen","start"],"default":"done"},"actor":"@actor")",
        R"("ids")", kChanges, Effect::keeps, complete_task},
    Tool{
        "record", "Record in the plan",
        "Add a decision or a blocker to the plan, remove a blocker (unblock), or leave a note for the next "
        "session (replaces the previous note).",
        R"("kind":{"type":"string","enum":["decision","blocker","unblock","note"]},"text":{"type":"string","description":"For unblock: the blocker's text, part of it or its number; for note: empty removes the note"},"reason":{"type":"string","description":"The reason for the decision"},"actor":"@actor")",
        R"("kind","text")", kChanges, Effect::keeps, record},
    Tool{
        "claim_task", "Claim a task",
        "Claim a task for a limited time so that no other agent starts it: the given one, or the next "
        "available. Claim it again with its fence to extend the claim; release gives it up. Fails if someone "
        "else holds it.",
        R"("id":{"type":"string","description":"Default: the next available task"},"ttl":{"type":"string","description":"How long: 90s, 30m (default), 2h, 1d"},"fence":{"type":"integer","minimum":1,"description":"Fence of the claim to renew or release"},"release":{"type":"boolean"},"fleet":{"type":"boolean","description":"For all machines"},"actor":"@actor")",
        "", R"({"type":"object","required":["plan","result","task","previous","revision","warnings"],
  "properties":{"plan":"@plan",
  "result":{"enum":["claimed","renewed","taken_over","held","lost","done","waiting","released","nothing","refused"]},
  "task":{"type":"object","required":["id","phaseId","title"],"properties":{"id":{"type":"string"},
    "phaseId":{"type":"string"},"title":{"type":"string"},"line":{"type":"integer"}}},
  "lease":"@lease","previous":"@lease","waitingFor":"@strings","revision":{"type":"integer"},"warnings":"@strings","fleet":{"type":"object"}}})",
        Effect::adds, claim_task},
    Tool{"create_checkpoint", "Create a checkpoint",
         "Make a permanent record of the current state of the work (phase, tasks, changed files, git state) "
         "and get instructions for continuing from it. Use it before something risky.",
         R"("note":{"type":"string"},"session":{"type":"string","description":"The client session"})", "",
         kCheckpoint, Effect::adds, create_checkpoint},
    Tool{
        "get_checkpoint", "Show a checkpoint", "Show a checkpoint and how to continue from it. Read-only.",
        R"("id":{"type":"string","default":"last","description":"Id or prefix of an id, last, or a time (2026-11-20 15:00, UTC: the newest until then); also the id of a session checkpoint that a commit names"})",
        "", kAnyCheckpoint, Effect::reads, get_checkpoint},
    Tool{
        "list_checkpoints", "List checkpoints", "List checkpoints, newest first. Read-only.",
        R"("type":{"type":"string","enum":["context_window","epic_completion","manual","turn","pre_compact","session_end","pre_rewind"]},"phase":{"type":"string"},"session":{"type":"string"},"since":{"type":"string","description":"2h, 3d or a time"},"limit":{"type":"integer","minimum":1,"maximum":100,"default":10})",
        "", R"({"type":"object","required":["plan","checkpoints"],"properties":{"plan":"@plan",
  "checkpoints":{"type":"array","items":"@head"}}})",
        Effect::reads, list_checkpoints},
    Tool{
        "cleanup_checkpoints", "Clean up checkpoints",
        "Delete old checkpoints permanently, except those of completed phases. With dry_run, only list them.",
        R"("older_than":{"type":"string","default":"30d"},"dry_run":{"type":"boolean","default":false})", "",
        R"({"type":"object","required":["plan","dry_run","deleted_count","freed_bytes","deleted","dropped_snapshots",
    "warnings"],
  "properties":{"plan":"@plan","dry_run":{"type":"boolean"},"deleted_count":{"type":"integer"},
  "freed_bytes":{"type":"integer"},"deleted":"@strings","dropped_snapshots":{"type":"integer"},
  "warnings":"@strings"}})",
        Effect::deletes, cleanup_checkpoints},
};

}  // namespace

std::span<const SchemaPiece> schema_pieces() {
  return kPieces;
}

std::span<const Tool> tool_table() {
  return kTools;
}

}  // namespace plankeep::mcp
