#include "model/json/state_json.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "model/random_state.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::ErrorKind;
using base::Instant;
using nlohmann::ordered_json;
using test::hostile_text;

namespace {

// One of everything.
State full_state() {
  State state;
  state.plan_id = "auth";
  state.plan_path = "/home/me/plans/auth/plan.md";
  state.last_saved = {1763653430123};
  state.checksum = "sha256:0123456789abcdef";
  state.progress = {3, 1, 333};
  PhaseState phase;
  phase.id = PhaseId("p1");
  phase.title = "Setup";
  phase.status = PhaseStatus::in_progress;
  phase.started_at = Instant{1763653430000};
  phase.completed_at = Instant{1763653430001};
  phase.tasks = {
      {TaskId("t1"), "First", true, false, Instant{1763653430002}, "subagent:x", {{"evidence", "{}"}}},
      {TaskId("t2"), "Second", false, true, std::nullopt, "", {}}};
  phase.acceptance = {{CriterionId("c1"), "Works", true, Instant{1763653430003}, Evidence{}, {}}};
  Evidence& evidence = *phase.acceptance[0].evidence;
  evidence.command = "make test";
  evidence.duration_ms = 1250;
  evidence.output_sha256 = "0000000000000000000000000000000000000000000000000000000000000000";
  evidence.last_lines = "all\nfine";
  evidence.head = "0123456789abcdef0123456789abcdef01234567";
  evidence.dirty = true;
  evidence.tree = "1111111111111111111111111111111111111111111111111111111111111111";
  evidence.time = {1763653430003};
  state.phases = {phase};
  state.current_phase = PhaseId("p1");
  state.blockers = {"no key"};
  state.decisions = {{{1763653430004}, "Use X", "because", {}}};
  state.session_notes = "note";
  state.note_is_automatic = true;
  AgentState agent;
  agent.id = "a1";
  agent.type = "worker";
  agent.assigned_tasks = {TaskId("t2")};
  agent.completed_tasks = {TaskId("t1")};
  agent.last_active = {1763653430005};
  agent.status = AgentStatus::lost;
  agent.session = "s1";
  agent.sent_back = true;
  state.agents = {agent};
  SessionState session;
  session.id = "s1";
  session.client = "claude-code";
  session.started_at = {1763653430006};
  session.ended_at = Instant{1763653430007};
  session.last_active = {1763653430008};
  session.process = "1234 5678";
  session.prompts = 9;
  session.context_percent = 81;
  session.context_window = 200000;
  session.context_full = true;
  session.resume_due = true;
  session.last_message = "Done with t1.";
  session.last_answer = "session_start startup";
  session.last_answered = {1763653430010};
  session.last_revision = 6;
  session.assignments = {{"u1", "worker", {TaskId("t2")}, {}}};
  state.sessions = {session};
  state.findings = {{"a1", "worker", "s1", {1763653430009}, true, {"t2"}, "/other/plan.md", {}}};
  LeaseState lease;
  lease.task = TaskId("t2");
  lease.phase = PhaseId("p1");
  lease.by = "main";
  lease.fence = 4;
  lease.since = {1763653430011};
  lease.renewed = {1763653430012};
  lease.until = {1763653430013};
  lease.session = "s1";
  lease.host = "here";
  lease.process = "1234:5678";
  state.leases = {lease};
  state.last_fence = 5;
  state.lint_errors = {"duplicate-id: task t1"};
  state.revision = 7;
  state.history_offset = 1234;
  state.plan_stamp = PlanStamp{1763653430123456789, 4096, UINT64_MAX};
  state.unknown = {{"later", "{\"s\": 1}"}};
  return state;
}

std::string error_of(std::string_view text) {
  const base::Result<State> state = decode_state(text);
  if (state) return "";
  CHECK(state.error().kind == ErrorKind::corrupt);
  return state.error().message;
}

ordered_json tree() {
  return ordered_json::parse(encode_state(full_state()));
}

// Every value of a tree: as a pointer for nlohmann, and as the path that an error names it by.
struct Place {
  ordered_json::json_pointer pointer;
  std::string path;
};

void collect(const ordered_json& value, const Place& here, std::vector<Place>& places) {
  places.push_back(here);
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      collect(inner, {here.pointer / key, here.path.empty() ? key : here.path + "." + key}, places);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      collect(value[i], {here.pointer / i, here.path + "[" + std::to_string(i) + "]"}, places);
    }
  }
}

}  // namespace

TEST_CASE("state.json has the shape of spec 3, to the byte") {
  CHECK(encode_state(full_state()) == R"({
  "version": 2,
  "planId": "auth",
  "planPath": "/home/me/plans/auth/plan.md",
  "lastCheckpoint": "2025-11-20T15:43:50.123Z",
  "checksum": "sha256:0123456789abcdef",
  "progress": {
    "totalTasks": 3,
    "completedTasks": 1,
    "percentage": 33.3
  },
  "phases": {
    "p1": {
      "status": "in_progress",
      "startedAt": "2025-11-20T15:43:50.000Z",
      "completedAt": "2025-11-20T15:43:50.001Z",
      "title": "Setup",
      "tasks": {
        "t1": {
          "done": true,
          "completedAt": "2025-11-20T15:43:50.002Z",
          "completedBy": "subagent:x",
          "title": "First",
          "evidence": {}
        },
        "t2": {
          "done": false,
          "title": "Second",
          "optional": true
        }
      },
      "acceptance": {
        "c1": {
          "met": true,
          "verifiedAt": "2025-11-20T15:43:50.003Z",
          "title": "Works",
          "evidence": {
            "command": "make test",
            "exitStatus": 0,
            "durationMs": 1250,
            "outputSha256": "0000000000000000000000000000000000000000000000000000000000000000",
            "lastLines": "all\nfine",
            "head": "0123456789abcdef0123456789abcdef01234567",
            "dirty": true,
            "tree": "1111111111111111111111111111111111111111111111111111111111111111",
            "time": "2025-11-20T15:43:50.003Z"
          }
        }
      }
    }
  },
  "currentPhase": "p1",
  "currentTask": null,
  "blockers": [
    "no key"
  ],
  "decisions": [
    {
      "time": "2025-11-20T15:43:50.004Z",
      "decision": "Use X",
      "reason": "because"
    }
  ],
  "sessionNotes": "note",
  "agents": {
    "a1": {
      "type": "worker",
      "assignedTasks": [
        "t2"
      ],
      "completedTasks": [
        "t1"
      ],
      "lastActive": "2025-11-20T15:43:50.005Z",
      "status": "lost",
      "sessionId": "s1",
      "sentBack": true
    }
  },
  "noteIsAutomatic": true,
  "sessions": {
    "s1": {
      "client": "claude-code",
      "startedAt": "2025-11-20T15:43:50.006Z",
      "endedAt": "2025-11-20T15:43:50.007Z",
      "lastActive": "2025-11-20T15:43:50.008Z",
      "process": "1234 5678",
      "prompts": 9,
      "contextPercent": 81,
      "contextWindow": 200000,
      "contextFull": true,
      "resumeDue": true,
      "lastMessage": "Done with t1.",
      "lastAnswer": "session_start startup",
      "lastAnswered": "2025-11-20T15:43:50.010Z",
      "lastRevision": 6,
      "assignments": [
        {
          "toolUse": "u1",
          "type": "worker",
          "tasks": [
            "t2"
          ]
        }
      ]
    }
  },
  "claims": [
    {
      "agentId": "a1",
      "agentType": "worker",
      "sessionId": "s1",
      "time": "2025-11-20T15:43:50.009Z",
      "background": true,
      "unverified": [
        "t2"
      ],
      "plan": "/other/plan.md"
    }
  ],
  "leases": [
    {
      "taskId": "t2",
      "phaseId": "p1",
      "by": "main",
      "fence": 4,
      "claimedAt": "2025-11-20T15:43:50.011Z",
      "renewedAt": "2025-11-20T15:43:50.012Z",
      "until": "2025-11-20T15:43:50.013Z",
      "sessionId": "s1",
      "host": "here",
      "process": "1234:5678"
    }
  ],
  "lastFence": 5,
  "lintErrors": [
    "duplicate-id: task t1"
  ],
  "everyBox": true,
  "revision": 7,
  "historyOffset": 1234,
  "planStamp": {
    "mtimeNs": 1763653430123456789,
    "size": 4096,
    "inode": 18446744073709551615
  },
  "later": {"s": 1}
}
)");
}

TEST_CASE("A state without anything has every required key and no optional one") {
  const ordered_json text = ordered_json::parse(encode_state(State{}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : text.items()) keys.push_back(key);
  CHECK(keys == std::vector<std::string>{"version", "planId", "planPath", "lastCheckpoint", "checksum",
                                         "progress", "phases", "currentPhase", "currentTask", "blockers",
                                         "decisions", "sessionNotes", "agents", "everyBox", "revision",
                                         "historyOffset"});
  CHECK(text["currentPhase"].is_null());
  CHECK(text["sessionNotes"].is_null());
}

TEST_CASE("A state is read back as it was written, whatever its texts hold") {
  CHECK(rc::check("round trip", [] {
    const State state = random_state();
    const std::string text = encode_state(state);
    const base::Result<State> back = decode_state(text);
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == state);
    RC_ASSERT(encode_state(*back) == text);
    RC_ASSERT(ordered_json::accept(text));
  }));
}

TEST_CASE("A recovery copy is read back as it was written") {
  CHECK(rc::check("round trip", [] {
    const Recovery recovery{random_time(), hostile_text(), random_state()};
    const base::Result<Recovery> back = decode_recovery(encode_recovery(recovery));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == recovery);
  }));
  const ordered_json text = ordered_json::parse(encode_recovery({{0}, "every 5th save", full_state()}));
  CHECK(text["savedAt"] == "1970-01-01T00:00:00.000Z");
  CHECK(text["reason"] == "every 5th save");
  CHECK(text["state"] == tree());
  CHECK(text.size() == 3);
}

TEST_CASE("A recovery copy without a part, or with a damaged state, is corrupt") {
  const ordered_json whole = ordered_json::parse(encode_recovery({{0}, "r", full_state()}));
  for (const char* key : {"savedAt", "reason", "state"}) {
    ordered_json text = whole;
    text.erase(key);
    CHECK_FALSE(decode_recovery(text.dump()).has_value());
  }
  ordered_json text = whole;
  text["state"]["revision"] = "7";
  const base::Result<Recovery> read = decode_recovery(text.dump());
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().message.starts_with("state.revision: expected a whole number"));
}

TEST_CASE("Fields that this version does not know survive at every level") {
  ordered_json text = tree();
  const std::vector<ordered_json::json_pointer> objects{
      ordered_json::json_pointer(""),
      ordered_json::json_pointer("/phases/p1"),
      ordered_json::json_pointer("/phases/p1/tasks/t2"),
      ordered_json::json_pointer("/phases/p1/acceptance/c1"),
      ordered_json::json_pointer("/phases/p1/acceptance/c1/evidence"),
      ordered_json::json_pointer("/decisions/0"),
      ordered_json::json_pointer("/agents/a1"),
      ordered_json::json_pointer("/sessions/s1"),
      ordered_json::json_pointer("/claims/0"),
      ordered_json::json_pointer("/leases/0")};
  for (const auto& where : objects) text[where]["future"] = ordered_json::parse(R"({"deep":[1,{"x":null}]})");
  const base::Result<State> state = decode_state(text.dump(4));
  REQUIRE(state.has_value());
  CHECK(ordered_json::parse(encode_state(*state)) == text);
}

TEST_CASE("A wrong type at any known key is corrupt and named") {
  const ordered_json whole = tree();
  std::vector<Place> places;
  collect(whole, {ordered_json::json_pointer(""), ""}, places);
  std::size_t refused = 0;
  for (const Place& place : places) {
    if (place.path.starts_with("later") || place.path.find("t1.evidence") != std::string::npos) continue;
    for (const ordered_json& wrong :
         {ordered_json(nullptr), ordered_json(true), ordered_json(-3), ordered_json(2.5),
          ordered_json("text"), ordered_json::array({ordered_json::array()}),
          ordered_json::parse(R"({"x":[]})")}) {
      const ordered_json& right = whole[place.pointer];
      // The same type is another value and may be fine; so is null where null is allowed.
      if (wrong.type() == right.type()) continue;
      if (wrong.is_number() && right.is_number() && wrong.get<double>() >= 0 &&
          place.path.ends_with("percentage")) {
        continue;
      }
      if (wrong.is_number_integer() && right.is_number_integer() && place.path.ends_with("mtimeNs")) continue;
      const bool may_be_null =
          place.path == "currentPhase" || place.path == "currentTask" || place.path == "sessionNotes";
      if (may_be_null && (wrong.is_null() || wrong.is_string())) continue;
      ordered_json text = whole;
      text[place.pointer] = wrong;
      const std::string message = error_of(text.dump());
      CAPTURE(place.path, wrong.dump(), message);
      REQUIRE_FALSE(message.empty());
      // An object with wrong content is named by the key inside it.
      CHECK(message.starts_with(place.path));
      CHECK(message.find("expected") != std::string::npos);
      ++refused;
    }
  }
  CHECK(refused > 350);
}

TEST_CASE("A value of the right type that cannot be is corrupt") {
  const auto with = [](const char* pointer, const ordered_json& value) {
    ordered_json text = tree();
    text[ordered_json::json_pointer(pointer)] = value;
    return error_of(text.dump());
  };
  CHECK(with("/version", 3).find("version 2") != std::string::npos);
  CHECK(with("/version", 1).find("version 2") != std::string::npos);
  CHECK(with("/lastCheckpoint", "today").starts_with("lastCheckpoint: expected a time"));
  CHECK(with("/phases/p1/status", "done").starts_with("phases.p1.status: expected pending"));
  CHECK(with("/phases/p1/tasks/t1/completedAt", "")
            .starts_with("phases.p1.tasks.t1.completedAt: expected a time"));
  CHECK(with("/progress/totalTasks", -1).starts_with("progress.totalTasks: expected a number from 0"));
  CHECK(with("/progress/completedTasks", -1).starts_with("progress.completedTasks"));
  CHECK(with("/progress/percentage", -0.1).starts_with("progress.percentage"));
  CHECK(with("/progress/percentage", 100.1).starts_with("progress.percentage"));
  CHECK(with("/revision", -1).starts_with("revision"));
  CHECK(with("/historyOffset", -1).starts_with("historyOffset"));
  CHECK(with("/planStamp/inode", -1).starts_with("planStamp.inode"));
  CHECK(with("/agents/a1/status", "done").starts_with("agents.a1.status: expected running, stopped or lost"));
  CHECK(with("/agents/a1/status", "").starts_with("agents.a1.status"));
  CHECK(with("/sessions/s1/startedAt", "today").starts_with("sessions.s1.startedAt: expected a time"));
  CHECK(with("/sessions/s1/endedAt", "").starts_with("sessions.s1.endedAt: expected a time"));
  CHECK(with("/sessions/s1/prompts", -1).starts_with("sessions.s1.prompts: expected a number from 0"));
  CHECK(with("/sessions/s1/contextPercent", -1).starts_with("sessions.s1.contextPercent"));
  CHECK(with("/sessions/s1/contextPercent", 1000).empty());
  CHECK(with("/sessions/s1/contextPercent", 1001)
            .starts_with("sessions.s1.contextPercent: expected a percentage"));
  CHECK(with("/sessions/s1/contextPercent", INT64_MAX).starts_with("sessions.s1.contextPercent"));
  CHECK(with("/sessions/s1/contextWindow", -1).starts_with("sessions.s1.contextWindow"));
  CHECK(with("/sessions/s1/lastRevision", -1).starts_with("sessions.s1.lastRevision"));
  CHECK(with("/leases/0/fence", -1).starts_with("leases[0].fence: expected a number from 0"));
  CHECK(with("/leases/0/until", "").starts_with("leases[0].until: expected a time"));
  CHECK(with("/lastFence", -1).starts_with("lastFence: expected a number from 0"));
  CHECK(with("/claims/0/time", "").starts_with("claims[0].time: expected a time"));
}

TEST_CASE("Without a key that spec 3 requires a state is corrupt, without the others it is not") {
  const std::set<std::string> optional{"revision",
                                       "everyBox",
                                       "sentBack",
                                       "historyOffset",
                                       "planStamp",
                                       "title",
                                       "optional",
                                       "evidence",
                                       "durationMs",
                                       "outputSha256",
                                       "lastLines",
                                       "head",
                                       "dirty",
                                       "tree",
                                       "startedAt",
                                       "endedAt",
                                       "completedAt",
                                       "verifiedAt",
                                       "reason",
                                       "completedBy",
                                       "noteIsAutomatic",
                                       "sessions",
                                       "claims",
                                       "leases",
                                       "lastFence",
                                       "host",
                                       "process",
                                       "lintErrors",
                                       "status",
                                       "sessionId",
                                       "p1",
                                       "t1",
                                       "t2",
                                       "c1",
                                       "a1",
                                       "s1",
                                       "later",
                                       "s"};
  // The same names are required elsewhere. What a session or a claim is nothing without is at the end.
  const auto may_be_missing = [&optional](const Place& place) {
    if (place.path == "sessions.s1.startedAt" || place.path == "claims[0].agentId") return false;
    if (place.path == "phases.p1.status") return false;
    if (place.path.starts_with("sessions.s1.") || place.path.starts_with("claims[0].")) return true;
    return optional.count(place.pointer.back()) == 1;
  };
  const ordered_json whole = tree();
  std::vector<Place> places;
  collect(whole, {ordered_json::json_pointer(""), ""}, places);
  std::size_t required = 0;
  for (const Place& place : places) {
    if (place.pointer.empty() || !whole[place.pointer.parent_pointer()].is_object()) continue;
    ordered_json text = whole;
    text[place.pointer.parent_pointer()].erase(place.pointer.back());
    const std::string message = error_of(text.dump());
    CAPTURE(place.path, message);
    if (may_be_missing(place)) {
      CHECK(message.empty());
    } else {
      CHECK(message.find("\"" + place.pointer.back() + "\"") != std::string::npos);
      ++required;
    }
  }
  CHECK(required == 43);
}

TEST_CASE("What an older state does not say of agents, sessions and claims has its default") {
  ordered_json text = tree();
  text["agents"]["a1"].erase("status");
  text["agents"]["a1"].erase("sessionId");
  text["sessions"] = ordered_json::parse(R"({"s":{"startedAt":"2025-11-20T15:43:50Z"}})");
  text["claims"] = ordered_json::parse(R"([{"agentId":"a"}])");
  text.erase("noteIsAutomatic");
  text.erase("lintErrors");
  const base::Result<State> state = decode_state(text.dump());
  REQUIRE(state.has_value());
  CHECK(state->agents.at(0).status == AgentStatus::running);
  CHECK(state->agents.at(0).session.empty());
  SessionState session;
  session.id = "s";
  session.started_at = {1763653430000};
  CHECK(state->sessions == std::vector<SessionState>{session});
  AuditFinding claim;
  claim.agent = "a";
  CHECK(state->findings == std::vector<AuditFinding>{claim});
  CHECK_FALSE(state->note_is_automatic);
  CHECK(state->lint_errors.empty());
}

TEST_CASE("An id that comes twice is corrupt and named") {
  const std::string whole = tree().dump();
  const auto twice = [&](const std::string& first) {
    std::string text = whole;
    const std::size_t at = text.find("\"" + first + "\":{");
    REQUIRE(at != std::string::npos);
    std::size_t end = text.find('{', at);
    for (int depth = 0; end < text.size(); ++end) {
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    text.insert(at, text.substr(at, end + 1 - at) + ",");
    return error_of(text);
  };
  CHECK(twice("p1").starts_with("phases: expected every id once, \"p1\""));
  CHECK(twice("t1").starts_with("phases.p1.tasks: expected every id once, \"t1\""));
  CHECK(twice("c1").starts_with("phases.p1.acceptance: expected every id once, \"c1\""));
  CHECK(twice("a1").starts_with("agents: expected every id once, \"a1\""));
  CHECK(twice("s1").starts_with("sessions: expected every id once, \"s1\""));
}

TEST_CASE("Of a list that comes twice the last one holds") {
  std::string text = tree().dump();
  text.insert(
      1,
      R"("blockers":["old"],"decisions":[],"lintErrors":["old"],"claims":[{"agentId":"old"}],"sessions":{},)"
      R"("phases":{"p0":{"status":"pending","tasks":{},"acceptance":{}}},)");
  const base::Result<State> state = decode_state(text);
  REQUIRE(state.has_value());
  CHECK(ordered_json::parse(encode_state(*state)) == tree());
}

TEST_CASE("Every shorter beginning of a state is corrupt") {
  const std::string text = encode_state(full_state());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    CAPTURE(length);
    REQUIRE_FALSE(decode_state(std::string_view(text).substr(0, length)).has_value());
  }
  CHECK(decode_state(std::string_view(text).substr(0, text.size() - 1)).has_value());
  CHECK_FALSE(decode_state(text + "{}").has_value());
  CHECK_FALSE(decode_state(text + std::string(1, '\0')).has_value());
}

TEST_CASE("A state with any byte changed is read or refused, never worse") {
  const std::string whole = encode_state(full_state());
  CHECK(rc::check("one byte", [&] {
    std::string text = whole;
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
    const base::Result<State> state = decode_state(text);
    if (state) {
      RC_ASSERT(decode_state(encode_state(*state)).value() == *state);
    } else {
      RC_ASSERT(state.error().kind == ErrorKind::corrupt);
    }
  }));
}

TEST_CASE("Nesting beyond the limit is corrupt wherever it stands") {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += open;
    CHECK(error_of(deep) != "");
    CHECK(error_of("{\"future\":" + deep).find("future: expected at most 256 levels") == 0);
    CHECK(error_of("{\"phases\":{\"p\":{\"tasks\":{\"t\":{\"evidence\":" + deep)
              .find("phases.p.tasks.t.evidence: expected at most 256 levels") == 0);
    CHECK(error_of("{\"blockers\":[" + deep).find("blockers[0]: expected a string") == 0);
  }
}

TEST_CASE("What is no object is corrupt") {
  for (const char* text : {"", " ", "null", "[]", "5", "\"state\"", "{}", "{", "\xff", "\xef\xbb\xbf{}"}) {
    CAPTURE(text);
    CHECK(error_of(text) != "");
  }
}

TEST_CASE("A chain or a commit's id that cannot be one is corrupt") {
  State state = full_state();
  state.history_chain = std::string(32, 'a');
  state.last_commit = SavedCommit{std::string(40, 'a'), 1, PhaseId("p1"), "tier0", false, Instant{3}, {}};
  const ordered_json whole = ordered_json::parse(encode_state(state));
  REQUIRE(decode_state(whole.dump())->history_chain == state.history_chain);
  REQUIRE(decode_state(whole.dump())->last_commit == state.last_commit);
  const auto with = [&whole](const char* key, const std::string& value) {
    ordered_json text = whole;
    text[key] = value;
    return error_of(text.dump());
  };
  CHECK(with("historyChain", "x").starts_with("historyChain: expected 32 hexadecimal digits"));
  CHECK(with("historyChain", std::string(32, 'g')).starts_with("historyChain"));
  CHECK(with("checkpoint_commit_sha", "HEAD")
            .starts_with("checkpoint_commit_sha: expected the id of a commit"));
}

TEST_CASE("A state that does not say how much of the history it holds is told from one that holds nothing") {
  State state;
  state.plan_path = "/plan.md";
  std::string text = encode_state(state);
  CHECK(decode_state(text)->history_offset_known);
  const std::size_t at = text.find("\"historyOffset\": 0");
  REQUIRE(at != std::string::npos);
  text.replace(at, 18, "\"x\": 0");
  CHECK_FALSE(decode_state(text)->history_offset_known);
}
