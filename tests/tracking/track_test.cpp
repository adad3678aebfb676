#include "tracking/track.hpp"

#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "model/chain.hpp"
#include "project/project_plans.hpp"
#include "rules/attribution.hpp"
#include "store/journal.hpp"
#include "support/bookkeeping.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using test::World;
using Lines = std::vector<std::string>;
using core::EventKind;

namespace {

app::Outcome tracked(World& world, const app::Edit& edit = {}) {
  auto outcome = app::track(world.context, world.location, edit);
  if (!outcome) FAIL(outcome.error().message);
  return std::move(*outcome);
}

// The parts of a state that the law state = fold(plan, history) speaks of.
core::State lawful(core::State state) {
  state = test::without_bookkeeping(std::move(state));
  state.revision = 0;
  state.history_offset = 0;
  state.plan_stamp.reset();
  state.last_saved = {};
  state.checksum.clear();
  return state;
}

}  // namespace

TEST_CASE("a large plan that was saved right after an edit is compared once, and not parsed by each sync") {
  World world;
  std::string text = "# Large\n\n## All\n<!-- CHECKPOINT: all -->\n";
  for (int i = 1; i <= 2000; ++i) {
    const std::string id = "t" + std::to_string(i);
    text += "- [ ] Some task " + id + " <!-- TASK: " + id + " -->\n";
  }
  world.put_plan(text);
  const base::Instant later = world.clock.now();
  world.clock.set(base::Instant{0});  // no stamp is old enough to be believed
  REQUIRE(app::track(world.context, world.location, {}));
  REQUIRE_FALSE(world.state()->plan_stamp);
  world.clock.set(later);
  const auto before = world.events();
  const auto sync = [&world] {
    world.disk().forget_log();
    REQUIRE(app::track(world.context, world.location, {}));
    return world.operations_named("read plan.md");
  };
  CHECK(sync() == 1);
  CHECK(sync() == 0);
  CHECK(world.operations_named("lock") == 0);
  CHECK(world.events() == before);
  SECTION("and a tick in it is seen") {
    world.edit("[ ] Some task t7 ", "[x] Some task t7 ");
    CHECK(sync() > 0);
    CHECK(world.state()->progress.completed == 1);
  }
}

TEST_CASE("the first sight of a marked plan creates its records and knows no times") {
  World world;
  world.put_plan(test::kPlanText);
  const app::Outcome outcome = tracked(world);
  CHECK(World::lines_of(outcome.events).front() == "checkpoint_created");
  CHECK(outcome.state.revision == 1);
  CHECK(outcome.state.progress.total == 4);
  CHECK(outcome.state.progress.completed == 1);
  const core::TaskState* schema = World::task(outcome.state, "schema");
  REQUIRE(schema != nullptr);
  CHECK(schema->done);
  CHECK_FALSE(schema->completed_at);
  CHECK(world.disk().get("/home/kim/.checkpoint/.gitignore") == "*\n");
  CHECK(world.state() == outcome.state);
}

TEST_CASE("a plan without markers is not tracked by itself and its folder is not littered") {
  World world;
  world.put_plan("- [ ] Write it\n");
  const auto before = world.disk().everything();
  const auto outcome = app::track(world.context, world.location, {});
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == base::ErrorKind::not_found);
  CHECK(world.disk().everything() == before);
  REQUIRE(app::start_tracking(world.context, world.location));
  CHECK(tracked(world).events.empty());
}

TEST_CASE("a box ticked by an editor is recorded as external, after the mismatch") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  const app::Outcome outcome = tracked(world);
  CHECK(World::lines_of(outcome.events) ==
        Lines{"checksum_mismatch reparse", "task_completed login external"});
  const core::TaskState* login = World::task(outcome.state, "login");
  REQUIRE(login != nullptr);
  CHECK(login->completed_by == "external");
  CHECK(login->completed_at == world.clock.now());
  CHECK(outcome.state.last_saved == world.clock.now());
  CHECK(outcome.state.revision == 2);
}

TEST_CASE("an announced edit has its actor and no mismatch") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  const app::Outcome outcome = tracked(world, {"subagent:coder", true, false});
  CHECK(World::lines_of(outcome.events) == Lines{"task_completed login subagent:coder"});
}

TEST_CASE("nothing changed: nothing is written, locked or synced") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.clock.advance(60'000);
  const auto before = world.disk().everything();
  world.disk().forget_log();
  CHECK(tracked(world).events.empty());
  CHECK(world.disk().everything() == before);
  CHECK(world.operations_named("lock") == 0);
  CHECK(world.operations_named("write") == 0);
  CHECK(world.operations_named("sync") == 0);
}

TEST_CASE("one change is one sync of the history, none of the state") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  world.disk().forget_log();
  tracked(world);
  CHECK(world.operations_named("sync_data history.jsonl") == 1);
  CHECK(world.operations_named("sync") == 1);
}

TEST_CASE("an announced change without an event is kept without a sync") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("# Auth\n", "# Auth\n\nSome prose.\n");
  world.disk().forget_log();
  const app::Outcome outcome = tracked(world, {"main", true, false});
  CHECK(outcome.events.empty());
  CHECK(world.operations_named("sync") == 0);
  CHECK(world.state()->revision == 2);
  world.disk().forget_log();
  CHECK(tracked(world).events.empty());
  CHECK(world.operations_named("write") == 0);
}

TEST_CASE("reopening and removing a done task gives notices") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("- [x] Schema <!-- TASK: schema -->\n", "");
  const app::Outcome outcome = tracked(world);
  REQUIRE(outcome.notices.size() == 1);
  CHECK(outcome.notices.front().kind == core::NoticeKind::task_removed);
}

TEST_CASE("a missing plan keeps the last state, says so once, and nothing more") {
  World world;
  world.put_plan(test::kPlanText);
  const core::State before = tracked(world).state;
  world.disk().erase("/home/kim/plan.md");
  app::Outcome outcome = tracked(world);
  CHECK_FALSE(outcome.readable);
  CHECK(World::lines_of(outcome.events) == Lines{"parse_error state.json"});
  CHECK(outcome.warnings.size() == 1);
  CHECK(outcome.state.phases == before.phases);
  const auto files = world.disk().everything();
  outcome = tracked(world);
  CHECK_FALSE(outcome.readable);
  CHECK(outcome.events.empty());
  CHECK(world.disk().everything() == files);

  SECTION("and it comes back as it was") {
    world.put_plan(test::kPlanText);
    CHECK(tracked(world).events.empty());
    CHECK(world.state()->phases == before.phases);
    CHECK_FALSE(world.state()->plan_unreadable);
    // Gone again: news.
    world.disk().erase("/home/kim/plan.md");
    CHECK(app::is_newly_missing(world.context, world.location));
    CHECK(World::lines_of(tracked(world).events) == Lines{"parse_error state.json"});
    CHECK_FALSE(app::is_newly_missing(world.context, world.location));
    CHECK(tracked(world).events.empty());
  }
  SECTION("nor is anything told again when it is found without a state") {
    world.disk().erase("/home/kim/.checkpoint/state.json");
    world.disk().erase("/home/kim/.checkpoint/recovery.json");
    CHECK(tracked(world).events.empty());
  }
}

TEST_CASE("what is no plan any more is not taken for an empty one") {
  World world;
  world.put_plan(test::kPlanText);
  const core::State before = tracked(world).state;
  SECTION("binary") {
    world.put_plan(std::string("\0\1\2", 3));
  }
  SECTION("a folder") {
    world.disk().erase("/home/kim/plan.md");
    world.disk().put_folder("/home/kim/plan.md");
  }
  SECTION("emptied") {
    world.put_plan("");
  }
  SECTION("all tasks gone") {
    world.put_plan("# Auth\n\nLater.\n");
  }
  const app::Outcome outcome = tracked(world);
  CHECK_FALSE(outcome.readable);
  CHECK(World::lines_of(outcome.events) == Lines{"parse_error state.json"});
  CHECK(world.state()->phases == before.phases);
  CHECK(world.state()->checksum == before.checksum);
}

TEST_CASE("a plan that cannot be read is told once, whatever is recorded beside it meanwhile") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.put_plan("");
  CHECK(World::lines_of(tracked(world).events) == Lines{"parse_error state.json"});
  for (const core::EventKind kind :
       {core::EventKind::checkpoint_saved, core::EventKind::session_started, core::EventKind::task_claimed}) {
    app::PlanWork work(world.context, world.location);
    REQUIRE(work.open(app::PlanWork::Create::if_plan));
    REQUIRE(work.lock(app::kTimeout));
    REQUIRE(work.sync(app::Edit{}));
    core::Event event;
    event.time = work.now();
    event.kind = kind;
    event.task = core::TaskId("login");
    event.by = "main";
    REQUIRE(work.save(work.state(), {event}));
    work.unlock();
    CHECK(tracked(world).events.empty());
  }
  // Emptied again after it was there: news.
  world.put_plan(std::string(test::kPlanText) + "- [ ] More\n");
  tracked(world);
  world.put_plan("");
  CHECK(World::lines_of(tracked(world).events) == Lines{"parse_error state.json"});
}

TEST_CASE("a plan that somebody is just writing is looked at again before it is reported as empty") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.clock.advance(5000);
  std::string written = world.plan();
  written[written.find("[ ] Login") + 1] = 'x';
  world.put_plan("");
  int reads = 0;
  const int enough = GENERATE(2, 3, 99);
  world.disk().before = [&](const std::string& operation) {
    if (operation.rfind("read plan.md", 0) == 0 && ++reads == enough) world.put_plan(written);
  };
  const app::Outcome outcome = tracked(world, {.actor = "main", .announced = true});
  CHECK(outcome.readable == (enough < 99));
  if (outcome.readable) {
    CHECK(reads <= enough + 1);  // once more where it changed under the look
    CHECK(World::lines_of(outcome.events) == Lines{"task_completed login main"});
    return;
  }
  CHECK(reads == 3);
  CHECK(World::lines_of(outcome.events) == Lines{"parse_error state.json"});
  // Nobody waits for it again.
  CHECK(tracked(world, {.actor = "main", .announced = true}).events.empty());
  CHECK(reads == 4);
}

TEST_CASE("a tick announced while the plan was empty is its author's when it is there again") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.clock.advance(5000);
  std::string written = world.plan();
  written[written.find("[ ] Login") + 1] = 'x';
  world.put_plan("");
  const std::vector<core::TextEdit> edits{{"- [ ] Login", "- [x] Login"}};
  const core::EditedLines lines(edits);
  app::Edit edit{.actor = "subagent:coder", .announced = true, .lines = &lines, .said = edits};
  CHECK_FALSE(tracked(world, edit).readable);
  // Reported already, kept all the same.
  edit.actor = "main";
  CHECK_FALSE(tracked(world, edit).readable);
  CHECK(world.state()->unread.size() == 2);
  world.clock.advance(1000);
  world.put_plan(written);
  const app::Outcome outcome = tracked(world);
  CHECK(outcome.readable);
  CHECK(World::task(outcome.state, "login")->completed_by == "subagent:coder");
  CHECK(outcome.state.unread.empty());
}

TEST_CASE("an emptied plan is taken over when it is meant so") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.put_plan("# Auth\n");
  const app::Outcome outcome = tracked(world, {"main", true, true});
  CHECK(outcome.readable);
  CHECK(outcome.state.progress.total == 0);
  const Lines lines = World::lines_of(outcome.events);
  CHECK(std::count_if(lines.begin(), lines.end(),
                      [](const std::string& line) { return line.rfind("task_removed", 0) == 0; }) == 4);
}

TEST_CASE("a damaged state is set aside and rebuilt from plan and history") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  const core::State before = tracked(world, {"team:blue", true, false}).state;
  world.clock.advance(60'000);
  const std::string garbage = "{\"version\": 2, \"pla";
  SECTION("damaged") {
    world.disk().put("/home/kim/.checkpoint/state.json", garbage);
  }
  SECTION("deleted") {
    world.disk().erase("/home/kim/.checkpoint/state.json");
  }
  const bool damaged = world.disk().get("/home/kim/.checkpoint/state.json").has_value();

  const app::Outcome outcome = tracked(world);
  CHECK(World::lines_of(outcome.events) == Lines{"full_recovery plan.md_reparse"});
  CHECK(lawful(outcome.state) == lawful(before));
  REQUIRE(world.state());
  CHECK(lawful(*world.state()) == lawful(before));
  bool kept = false;
  for (const auto& [path, content] : world.disk().everything()) {
    kept = kept || (path.find("state.json.damaged-") != std::string::npos && content == garbage);
  }
  CHECK(kept == damaged);
  CHECK(tracked(world).events.empty());
}

namespace {

constexpr const char* kState = "/home/kim/.checkpoint/state.json";
constexpr const char* kHistory = "/home/kim/.checkpoint/history.jsonl";

core::Event of_session(EventKind kind, base::Instant time, std::string session) {
  core::Event event;
  event.kind = kind;
  event.time = time;
  event.session = std::move(session);
  return event;
}

core::Event of_agent(EventKind kind, base::Instant time, std::string session, std::string agent) {
  core::Event event = of_session(kind, time, std::move(session));
  event.agent = std::move(agent);
  event.agent_type = "coder";
  event.tasks = {core::TaskId("login")};
  return event;
}

// What hooks leave behind: an ended session that lost a subagent, a running one with two of them, an
// automatic note, and the bookkeeping that no history holds.
core::State with_sessions(World& world) {
  world.put_plan(test::kPlanText);
  tracked(world);
  const auto now = [&world] {
    world.clock.advance(1000);
    return world.clock.now();
  };
  std::string lines;
  const auto report = [&lines](const core::Event& event) { lines += core::encode_event(event); };
  core::Event start = of_session(EventKind::session_started, now(), "s1");
  start.client = "claude-code";
  report(start);
  report(of_agent(EventKind::subagent_started, now(), "s1", "cut-off"));
  report(of_session(EventKind::session_crash, now(), "s1"));
  start = of_session(EventKind::session_started, now(), "s2");
  start.client = "codex";
  report(start);
  report(of_agent(EventKind::subagent_started, now(), "s2", "back"));
  report(of_agent(EventKind::subagent_started, now(), "s2", "at-work"));
  report(of_agent(EventKind::subagent_stopped, now(), "s2", "back"));
  core::Event note = of_session(EventKind::note_saved, now(), "");
  note.note = "Login is next.";
  note.reason = "session_end";
  report(note);
  world.disk().put(kHistory, world.disk().get(kHistory).value_or("") + lines);
  world.edit("[ ] Login", "[x] Login");
  app::Edit edit{"subagent:coder", true, false};
  edit.agent = "at-work";
  core::State state = tracked(world, edit).state;
  for (core::SessionState& session : state.sessions) {
    session.last_active = world.clock.now();
    session.process = "7 8";
    session.prompts = 3;
    session.context_percent = 40;
    session.last_message = "so far";
    session.assignments = {{"u1", "coder", {core::TaskId("logout")}, {}}};
  }
  state.findings = {{"at-work", "coder", "s2", world.clock.now(), true, {"logout"}, {}, {}}};
  world.disk().put(kState, core::encode_state(state));
  return state;
}

}  // namespace

TEST_CASE("sessions, their subagents and the note survive the loss of the state") {
  World world;
  const core::State before = with_sessions(world);
  REQUIRE(before.sessions.size() == 2);
  CHECK(before.sessions[0].ended_at);
  CHECK_FALSE(before.sessions[1].ended_at);
  REQUIRE(before.agents.size() == 3);
  CHECK(before.agents[0].status == core::AgentStatus::lost);
  CHECK(before.agents[1].status == core::AgentStatus::stopped);
  CHECK(before.agents[2].status == core::AgentStatus::running);
  CHECK(before.agents[2].completed_tasks == std::vector{core::TaskId("login")});
  CHECK(before.note_is_automatic);

  world.clock.advance(60'000);
  SECTION("deleted") {
    world.disk().erase(kState);
  }
  SECTION("damaged") {
    world.disk().put(kState, "{\"version\": 2, \"sessions\": {\"s1\": 5}}");
  }
  SECTION("with a session that is damaged alone") {
    std::string text = core::encode_state(before);
    const std::string right = "\"prompts\": 3";
    text.replace(text.find(right), right.size(), "\"prompts\": -");
    world.disk().put(kState, text);
  }
  const core::State after = tracked(world).state;
  CHECK(lawful(after) == lawful(before));
  // What no history holds is lost, and only that.
  CHECK(after.findings.empty());
  CHECK(after.sessions.at(1).prompts == 0);
  CHECK(after.sessions.at(1).assignments.empty());
  CHECK(tracked(world).events.empty());
}

TEST_CASE("a change of the plan leaves the bookkeeping of sessions as it was") {
  World world;
  const core::State before = with_sessions(world);
  world.edit("[ ] Logout", "[x] Logout");
  CHECK(tracked(world).state.sessions == before.sessions);
  REQUIRE(world.state());
  CHECK(world.state()->sessions == before.sessions);
  CHECK(world.state()->agents == before.agents);
  CHECK(world.state()->findings == before.findings);
  CHECK(world.state()->note_is_automatic);
}

TEST_CASE("sessions and subagents survive the loss of the history, and of the state after it") {
  World world;
  const core::State before = with_sessions(world);
  world.clock.advance(60'000);
  SECTION("deleted") {
    world.disk().erase(kHistory);
  }
  SECTION("cut in the middle of the sessions") {
    const std::string text = world.disk().get(kHistory).value_or("");
    world.disk().put(kHistory, text.substr(0, text.find('\n', text.find("subagent_started")) + 1));
  }
  SECTION("cut behind the last session") {
    const std::string text = world.disk().get(kHistory).value_or("");
    world.disk().put(kHistory, text.substr(0, text.rfind("{\"ts\"")));
  }
  core::State after = tracked(world).state;
  CHECK(lawful(after) == lawful(before));
  CHECK(after.sessions == before.sessions);
  CHECK(after.findings == before.findings);
  world.disk().erase(kState);
  after = tracked(world).state;
  CHECK(lawful(after) == lawful(before));
}

TEST_CASE("a recovery copy stands in for a lost state, and what came after it is folded in") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  const std::string old = *world.disk().get("/home/kim/.checkpoint/state.json");
  world.edit("[ ] Login", "[x] Login");
  const core::State before = tracked(world).state;
  world.clock.advance(60'000);
  world.disk().put("/home/kim/.checkpoint/recovery.json",
                   "{\"savedAt\":\"2026-11-20T15:43:50.123Z\",\"reason\":\"x\",\"state\":" + old + "}");
  world.disk().erase("/home/kim/.checkpoint/state.json");
  const app::Outcome outcome = tracked(world);
  CHECK(World::lines_of(outcome.events) == Lines{"state_corrupted recovery.json"});
  CHECK(lawful(outcome.state) == lawful(before));
}

TEST_CASE("a save that died before its state was written is finished without a word") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  const std::string old = *world.disk().get("/home/kim/.checkpoint/state.json");
  world.edit("[ ] Login", "[x] Login");
  const core::State before = tracked(world, {"main", true, false}).state;
  world.disk().put("/home/kim/.checkpoint/state.json", old);
  const app::Outcome outcome = tracked(world);
  CHECK(outcome.events.empty());
  CHECK(lawful(outcome.state) == lawful(before));
  CHECK(world.state()->checksum == before.checksum);
  CHECK(world.told().size() == world.events().size());
}

namespace {

// As a tool would write them that knows the formats of spec 3 to 5 and none of our additive fields.
constexpr const char* kPlainState = R"({"version":2,"planId":"kim","planPath":"/home/kim/plan.md",
"lastCheckpoint":"2026-11-20T10:00:05Z","checksum":"sha256:CHECKSUM",
"progress":{"totalTasks":4,"completedTasks":1,"percentage":25},
"phases":{"build":{"status":"in_progress","startedAt":"2026-11-20T10:00:00Z",
 "tasks":{"schema":{"done":true,"completedAt":"2026-11-20T10:00:01Z","completedBy":"subagent:db"},
          "login":{"done":false},"logout":{"done":false}},"acceptance":{}},
 "ship":{"status":"in_progress","startedAt":"2026-11-20T10:00:02Z","tasks":{"notes":{"done":false}},
 "acceptance":{"tests":{"met":true,"verifiedAt":"2026-11-20T10:00:03Z"}}}},
"currentPhase":"build","currentTask":"login","blockers":[],
"decisions":[{"time":"2026-11-19T09:00:00Z","decision":"Use SQLite"}],
"sessionNotes":"Login is next.","agents":{"a1":{"type":"db","assignedTasks":["schema"],"completedTasks":["schema"],
"lastActive":"2026-11-20T10:00:01Z"}},"theirs":{"kept":1}})";
constexpr std::string_view kPlainHistory =
    R"({"ts":"2026-11-20T10:00:00Z","event":"checkpoint_created","planId":"kim"}
{"ts":"2026-11-20T10:00:00Z","event":"phase_started","phaseId":"build"}
{"ts":"2026-11-20T10:00:01Z","event":"task_completed","taskId":"schema","by":"subagent:db"}
{"ts":"2026-11-20T10:00:03Z","event":"acceptance_met","criteriaId":"tests","by":"main"}
{"ts":"2026-11-20T10:00:05Z","event":"checkpoint_created","planId":"kim","tasks":4}
)";

struct Plain : World {
  std::string text{test::kPlanText};
  Plain() {
    text.replace(text.find("[ ] Tests"), 3, "[x]");
    text += "<!-- DECISION: Use SQLite -->\n";
    put_plan(text);
    std::string state(kPlainState);
    state.replace(state.find("sha256:CHECKSUM"), 15, base::short_checksum(text));
    disk().put_folder("/home/kim/.checkpoint");
    disk().put(kState, state);
    disk().put(kHistory, kPlainHistory);
  }
};

void check_plain(const core::State& state) {
  const core::TaskState* schema = World::task(state, "schema");
  REQUIRE(schema != nullptr);
  CHECK(schema->completed_by == "subagent:db");
  CHECK(schema->completed_at.has_value());
  CHECK(state.phases.at(0).started_at.has_value());
  CHECK(state.phases.at(1).acceptance.at(0).verified_at.has_value());
  CHECK(base::to_iso8601(state.decisions.at(0).time) == "2026-11-19T09:00:00.000Z");
  CHECK(state.session_notes == "Login is next.");
  REQUIRE(state.agents.size() == 1);
  CHECK(state.agents[0].type == "db");
  CHECK(state.unknown.size() == 1);
}

}  // namespace

TEST_CASE("a folder that another tool wrote without our fields is taken over without loss or false events") {
  Plain world;
  SECTION("as it is") {
    const app::Outcome outcome = tracked(world);
    CHECK(World::lines_of(outcome.events).empty());
    check_plain(outcome.state);
    CHECK(outcome.new_errors.empty());
    CHECK(world.state()->history_offset == kPlainHistory.size());
    world.disk().forget_log();
    CHECK(tracked(world).events.empty());
    CHECK(world.operations_named("lock") == 0);
  }
  SECTION("with a recovery copy in the state's place") {
    world.disk().put("/home/kim/.checkpoint/recovery.json",
                     R"({"savedAt":"2026-11-20T10:00:05Z","reason":"every_5th_save","state":)" +
                         world.disk().get(kState).value_or("") + "}");
    world.disk().erase(kState);
    const app::Outcome outcome = tracked(world);
    CHECK(World::lines_of(outcome.events) == Lines{"state_corrupted recovery.json"});
    check_plain(outcome.state);
  }
  SECTION("with an edit") {
    world.edit("[ ] Login", "[x] Login");
    const app::Outcome outcome = tracked(world, {"main", true, false});
    CHECK(World::lines_of(outcome.events) == Lines{"task_completed login main"});
    check_plain(outcome.state);
  }
  SECTION("with an event that the state does not hold yet") {
    world.disk().put(
        kHistory,
        std::string(kPlainHistory) +
            R"({"ts":"2026-11-20T10:00:06Z","event":"task_completed","taskId":"login","by":"team:x"})"
            "\n");
    world.put_plan(world.text.replace(world.text.find("[ ] Login"), 3, "[x]"));
    const app::Outcome outcome = tracked(world);
    CHECK(outcome.events.empty());
    CHECK(World::task(outcome.state, "login")->completed_by == "team:x");
    check_plain(outcome.state);
  }
  SECTION("with times finer than those of the state") {
    std::string finer(kPlainHistory);
    for (std::size_t at = 0; (at = finer.find(":05Z", at)) != std::string::npos; ++at)
      finer.replace(at, 4, ":05.9Z");
    world.disk().put(kHistory, finer);
    const app::Outcome outcome = tracked(world);
    CHECK(outcome.events.empty());
    check_plain(outcome.state);
  }
  SECTION("without any history") {
    world.disk().erase(kHistory);
    const app::Outcome outcome = tracked(world);
    CHECK(World::lines_of(outcome.events).empty());
    check_plain(outcome.state);
  }
}

TEST_CASE("a state without titles keeps its tasks where ids come from the text") {
  World world;
  world.put_plan("# P\n\n## Build\n\n- [x] Write it\n- [ ] Ship it\n");
  REQUIRE(app::start_tracking(world.context, world.location));
  std::string text = world.disk().get(kState).value();
  for (const std::string title : {"Write it", "Ship it"}) {
    const std::string field = ",\n          \"title\": \"" + title + "\"";
    const std::size_t at = text.find(field);
    REQUIRE(at != std::string::npos);
    text.erase(at, field.size());
  }
  world.disk().put(kState, text);
  world.edit("[ ] Ship", "[x] Ship");
  const app::Outcome outcome = tracked(world, {"main", true, false});
  CHECK(World::lines_of(outcome.events).front() == "task_completed ship-it main");
  CHECK(std::none_of(outcome.events.begin(), outcome.events.end(),
                     [](const core::Event& event) { return event.kind == EventKind::task_renamed; }));
}

TEST_CASE("tasks that are gone for one sync come back with who and when") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  tracked(world, {"subagent:bob", true, false});
  const auto when = World::task(*world.state(), "login")->completed_at;
  const std::string whole = world.plan();
  world.clock.advance(60'000);
  world.put_plan(whole.substr(0, whole.find("- [x] Login")));
  tracked(world);
  CHECK(World::task(*world.state(), "login") == nullptr);
  world.clock.advance(60'000);
  SECTION("with the state") {}
  SECTION("with the history alone") {
    world.disk().erase(kState);
  }
  SECTION("with a history that was told again") {
    world.disk().put(kHistory, "");
  }
  world.put_plan(whole);
  const app::Outcome outcome = tracked(world);
  REQUIRE(World::task(outcome.state, "login") != nullptr);
  CHECK(World::task(outcome.state, "login")->completed_by == "subagent:bob");
  CHECK(World::task(outcome.state, "login")->completed_at == when);
  world.disk().erase(kState);
  CHECK(lawful(tracked(world).state) == lawful(outcome.state));
}

TEST_CASE("a folder that was moved or copied is taken over and says so once") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  core::State before = tracked(world, {"team:blue", true, false}).state;
  before.unknown = {{"theirs", "1"}};
  world.disk().put(kState, core::encode_state(before));
  world.disk().put_folder("/home/moved");
  world.disk().put_folder("/home/moved/.checkpoint");
  for (const std::string name :
       {"plan.md", ".checkpoint/state.json", ".checkpoint/history.jsonl", ".checkpoint/.gitignore"}) {
    world.disk().put("/home/moved/" + name, world.disk().get("/home/kim/" + name).value());
  }
  const app::PlanLocation moved{"/home/moved", "plan.md"};
  const auto outcome = app::track(world.context, moved, {});
  REQUIRE(outcome);
  CHECK(World::lines_of(outcome->events) == Lines{"plan_moved"});
  CHECK(outcome->events[0].from == "/home/kim/plan.md");
  CHECK(outcome->events[0].to == "/home/moved/plan.md");
  CHECK(outcome->state.plan_id == "moved");
  CHECK(outcome->state.unknown == before.unknown);
  CHECK(World::task(outcome->state, "login")->completed_by == "team:blue");
  CHECK(app::track(world.context, moved, {})->events.empty());
  for (const auto& [path, content] : world.disk().everything())
    CHECK(path.find(".damaged-") == std::string::npos);
  // What it was copied from goes on as if nothing had been.
  CHECK(tracked(world).events.empty());
  CHECK(world.state()->unknown == before.unknown);
}

TEST_CASE("an emptied plan whose state is lost counts what the history still has") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  tracked(world);
  world.disk().put(kState, "{");
  world.disk().put("/home/kim/.checkpoint/recovery.json", "{");
  world.disk().put(kHistory, world.disk().get(kHistory).value() + "{\"ts\":\"2026");
  world.put_plan("# Auth\n");
  const app::Outcome outcome = tracked(world);
  CHECK_FALSE(outcome.readable);
  CHECK(outcome.state.progress.total == 4);
  CHECK(outcome.state.progress.completed == 2);
}

TEST_CASE("what an edit shows as ticked by it at first sight is told with its author") {
  World world;
  std::string text(test::kPlanText);
  text.replace(text.find("[ ] Login"), 3, "[x]");
  world.put_plan(text);
  const std::vector<core::TextEdit> edits{{"- [ ] Login form", "- [x] Login form"}};
  const core::EditedLines lines(edits);
  app::Edit edit{"subagent:coder", true, false};
  edit.lines = &lines;
  const app::Outcome outcome = tracked(world, edit);
  CHECK(World::lines_of(outcome.events) ==
        Lines{"checkpoint_created", "task_completed login subagent:coder"});
  CHECK(World::task(outcome.state, "login")->completed_by == "subagent:coder");
  CHECK_FALSE(World::task(outcome.state, "schema")->completed_at);
  world.disk().erase(kState);
  CHECK(lawful(tracked(world).state) == lawful(outcome.state));
}

TEST_CASE("the chain of the history holds through saves, a lost state and lines of other tools") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  tracked(world);
  const std::string foreign = R"({"ts":"2026-11-20T15:50:00Z","event":"their_own"})"
                              "\n";
  world.disk().put(kHistory, world.disk().get(kHistory).value() + foreign);
  world.edit("[x] Login", "[ ] Login");
  tracked(world);
  world.disk().erase(kState);
  world.edit("[ ] Login", "[x] Login");
  tracked(world);
  CHECK(world.state()->history_chain == core::chain_of(world.disk().get(kHistory).value()));
  auto folder = world.files.open_folder("/home/kim/.checkpoint");
  const core::ChainReport report = store::check_chain(**folder).value();
  CHECK(report.holds());
  CHECK(report.unchained == 1);
}

TEST_CASE("a lock that is held makes a change busy, and nothing is lost") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  auto folder = world.files.open_folder("/home/kim/.checkpoint");
  REQUIRE(folder);
  auto lock = (*folder)->lock("lock", std::chrono::milliseconds{0});
  REQUIRE(lock);
  world.edit("[ ] Login", "[x] Login");
  const auto outcome = app::track(world.context, world.location, {}, std::chrono::milliseconds{0});
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == base::ErrorKind::busy);
  lock->reset();
  CHECK(World::lines_of(tracked(world).events).back() == "task_completed login external");
}

TEST_CASE("each plan of a folder has records of its own") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  const auto before = world.disk().get("/home/kim/.checkpoint/history.jsonl");
  const app::PlanLocation other{"/home/kim", "other.md"};
  world.disk().put("/home/kim/other.md", test::kPlanText);
  REQUIRE(app::start_tracking(world.context, other));
  world.disk().put("/home/kim/other.md", "- [x] Schema <!-- TASK: schema -->\n");
  const auto outcome = app::track(world.context, other, {});
  REQUIRE(outcome);
  CHECK(outcome->state.plan_id == "other");
  CHECK(outcome->state.plan_path == "/home/kim/other.md");
  CHECK(world.disk().get("/home/kim/.checkpoint/other.md/history.jsonl"));
  CHECK(world.disk().get("/home/kim/.checkpoint/history.jsonl") == before);
  CHECK(tracked(world).events.empty());
}

TEST_CASE(
    "a file with the boxes of one that is gone goes on with its records, and nothing counts as damaged") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  tracked(world, {"team:blue", true, false});
  world.disk().put("/home/kim/other.md", *world.disk().get("/home/kim/plan.md"));
  world.disk().erase("/home/kim/plan.md");
  tracked(world);  // it is missing
  const app::PlanLocation other{"/home/kim", "other.md"};
  std::vector<core::Event> events;
  SECTION("by itself, where tracking may begin with it") {
    const auto unasked =
        app::track(world.context, other, {}, app::kTimeout, app::PlanWork::Create::if_marked);
    REQUIRE(unasked);
    events = unasked->events;
  }
  SECTION("when it is asked for") {
    const auto started = app::start_tracking(world.context, other);
    REQUIRE(started);
    CHECK_FALSE(started->created);
    events = started->outcome.events;
  }
  CHECK(world.state()->plan_path == "/home/kim/other.md");
  CHECK(World::task(*world.state(), "login")->completed_by == "team:blue");
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == EventKind::plan_moved);
}

TEST_CASE("a marked file with other boxes than the one that is gone begins only when it is asked for") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.disk().put("/home/kim/other.md", "- [ ] Something else <!-- TASK: else -->\n");
  world.disk().erase("/home/kim/plan.md");
  const app::PlanLocation other{"/home/kim", "other.md"};
  const auto unasked = app::track(world.context, other, {}, app::kTimeout, app::PlanWork::Create::if_marked);
  REQUIRE_FALSE(unasked);
  CHECK(unasked.error().kind == base::ErrorKind::conflict);
  CHECK_THAT(unasked.error().hint, Catch::Contains("plankeep init other.md"));
}

TEST_CASE("a file that was moved to another folder goes on with its records by itself") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  tracked(world, {"team:blue", true, false});
  const app::PlanLocation moved{"/home/kim/plans/shop", "plan.md"};
  world.disk().put(moved.path(), *world.disk().get("/home/kim/plan.md"));
  world.disk().erase("/home/kim/plan.md");
  tracked(world);  // it is missing
  const auto unasked = app::track(world.context, moved, {}, app::kTimeout, app::PlanWork::Create::if_boxes);
  REQUIRE(unasked);
  CHECK(World::task(unasked->state, "login")->completed_by == "team:blue");
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/state.json"));
  CHECK(std::count_if(unasked->events.begin(), unasked->events.end(),
                      [](const core::Event& event) { return event.kind == EventKind::plan_moved; }) == 1);
}

TEST_CASE("a plan.md that was moved beside other plans has .checkpoint itself, with its records") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  const std::string name = GENERATE("plan.md", "road.md");
  const bool alone = GENERATE(true, false);
  CAPTURE(name, alone);
  const app::PlanLocation before{"/home/kim/shop", name};
  const app::PlanLocation after{"/home/kim/docs", "plan.md"};
  const auto tracks = [&world](const app::PlanLocation& plan) {
    world.disk().put(plan.path(), "# " + plan.name + "\n\n- [ ] Write\n- [ ] Print " + plan.name + "\n");
    REQUIRE(app::start_tracking(world.context, plan));
  };
  tracks({"/home/kim/docs", "letter.md"});
  if (!alone) tracks({"/home/kim/shop", "beside.md"});
  world.disk().put(before.path(), test::kPlanText);
  REQUIRE(app::start_tracking(world.context, before));
  std::string ticked(test::kPlanText);
  world.disk().put(before.path(), ticked.replace(ticked.find("[ ] Login"), 3, "[x]"));
  REQUIRE(app::track(world.context, before, {"team:blue", true, false}));
  world.disk().put(after.path(), *world.disk().get(before.path()));
  world.disk().erase(before.path());

  const auto started = app::start_tracking(world.context, after);
  REQUIRE(started);
  CHECK_FALSE(started->created);
  CHECK(started->continued == "shop/" + name);
  CHECK(World::task(started->outcome.state, "login")->completed_by == "team:blue");
  CHECK(world.disk().get("/home/kim/docs/.checkpoint/history.jsonl"));
  CHECK(world.disk().get("/home/kim/docs/.checkpoint/letter.md/state.json"));
  CHECK(world.disk().get("/home/kim/shop/.checkpoint/beside.md/state.json").has_value() != alone);
  const auto again = app::start_tracking(world.context, after);
  REQUIRE(again);
  CHECK(again->continued.empty());
  CHECK(again->outcome.events.empty());
}

TEST_CASE("a file that was moved and is called the same leaves its old place at once") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  const app::PlanLocation before{"/home/kim/plans/mailer", "plan.md"};
  const app::PlanLocation after{"/home/kim/docs/plans", "mailer.md"};
  world.disk().put(before.path(), test::kPlanText);
  REQUIRE(app::start_tracking(world.context, before));
  world.disk().put(after.path(), test::kPlanText);
  world.disk().erase(before.path());
  REQUIRE(app::track(world.context, after, {}, app::kTimeout, app::PlanWork::Create::if_boxes));
  const app::ProjectPlans plans(world.context, app::Project(world.context, "/home/kim"));
  REQUIRE(plans.all().size() == 1);
  CHECK(plans.all()[0].path() == after.path());
}

TEST_CASE("a renamed file that has its records below .checkpoint goes on with them") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  const app::PlanLocation before{"/home/kim", "road.md"};
  const app::PlanLocation after{"/home/kim", "road-2026.md"};
  world.disk().put(before.path(), "# Road\n\n- [ ] Lay stones\n- [ ] Paint lines\n");
  REQUIRE(app::start_tracking(world.context, before));
  world.disk().put(before.path(), "# Road\n\n- [x] Lay stones\n- [ ] Paint lines\n");
  REQUIRE(app::track(world.context, before, {"team:blue", true, false}));
  world.disk().erase(before.path());

  SECTION("with its records") {
    world.disk().put(after.path(), "# Road\n\n- [x] Lay stones\n- [ ] Paint lines\n- [ ] Open it\n");
    const auto started = app::start_tracking(world.context, after);
    REQUIRE(started);
    CHECK_FALSE(started->created);
    CHECK(started->continued == "road.md");
    CHECK(started->outcome.state.phases.front().tasks.front().completed_by == "team:blue");
    const auto again = app::start_tracking(world.context, after);
    REQUIRE(again);
    CHECK(again->continued.empty());
    CHECK(again->outcome.events.empty());
  }
  SECTION("another plan begins anew, and the records stay") {
    world.disk().put(after.path(), "# Shop\n\n- [ ] Order\n- [ ] Pay\n");
    const auto started = app::start_tracking(world.context, after);
    REQUIRE(started);
    CHECK(started->created);
    CHECK(started->continued.empty());
    world.disk().put(before.path(), "# Road\n\n- [x] Lay stones\n- [ ] Paint lines\n");
    const auto back = app::start_tracking(world.context, before);
    REQUIRE(back);
    CHECK(back->outcome.state.phases.front().tasks.front().completed_by == "team:blue");
  }
  SECTION("of several that it may have been none is taken") {
    const app::PlanLocation copy{"/home/kim", "copy.md"};
    world.disk().put(before.path(), "# Road\n\n- [x] Lay stones\n- [ ] Paint lines\n");
    world.disk().put(copy.path(), "# Copy\n\n- [ ] Lay stones\n- [ ] Paint lines\n");
    REQUIRE(app::start_tracking(world.context, copy));
    world.disk().erase(before.path());
    world.disk().erase(copy.path());
    world.disk().put(after.path(), "# Now\n\n- [ ] Lay stones\n- [ ] Paint lines\n");
    const auto started = app::start_tracking(world.context, after);
    REQUIRE_FALSE(started);
    CHECK(started.error().kind == base::ErrorKind::conflict);
  }
}

TEST_CASE("a plan that is called otherwise than before keeps everything, and says so once") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  world.edit("[ ] Login", "[x] Login");
  core::State before = tracked(world, {"team:blue", true, false}).state;
  CHECK(before.plan_id == "kim");
  world.disk().put("/home/kim/.git/config", "[remote \"origin\"]\n\turl = https://host/shop.git\n");
  const bool history = GENERATE(true, false);
  if (!history) world.disk().erase("/home/kim/.checkpoint/history.jsonl");
  world.edit("[ ] Logout", "[x] Logout");
  const app::Outcome outcome = tracked(world);
  CHECK(outcome.state.plan_id == "shop");
  CHECK(World::task(outcome.state, "login")->completed_by == "team:blue");
  CHECK(std::count_if(outcome.events.begin(), outcome.events.end(), [](const core::Event& event) {
          return event.kind == core::EventKind::plan_moved && event.plan_id == "shop" &&
                 event.from == event.to;
        }) == 1);
  // And back again: the history knows both names.
  world.disk().put("/home/kim/.git/config", "");
  world.edit("[ ] Release", "[x] Release");
  CHECK(tracked(world).state.plan_id == "kim");
  CHECK(world.state()->phases.size() == 2);
}

TEST_CASE("a second init changes nothing") {
  World world;
  world.put_plan("- [ ] a\n- [x] b\n");
  auto started = app::start_tracking(world.context, world.location);
  REQUIRE(started);
  CHECK(started->created);
  const auto before = world.disk().everything();
  started = app::start_tracking(world.context, world.location);
  REQUIRE(started);
  CHECK_FALSE(started->created);
  CHECK(world.disk().everything() == before);
}

TEST_CASE("every fifth save and every completed phase leave a recovery copy") {
  World world;
  world.put_plan(test::kPlanText);
  tracked(world);
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/recovery.json"));
  world.edit("[ ] Login", "[x] Login");
  tracked(world);
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/recovery.json"));
  world.edit("[ ] Logout", "[x] Logout");
  const app::Outcome outcome = tracked(world);
  CHECK(outcome.events.back().kind == core::EventKind::recovery_saved);
  CHECK(outcome.events.back().reason == "phase_completed");
  CHECK(world.disk().get("/home/kim/.checkpoint/recovery.json"));
}

TEST_CASE("an id stays with its box when an unmarked plan is reworded and reordered") {
  World world;
  world.put_plan("# P\n- [ ] Write the parser\n- [ ] Ship it\n");
  REQUIRE(app::start_tracking(world.context, world.location));
  world.clock.advance(60'000);
  world.put_plan("# P\n- [ ] Ship it\n- [x] Write the parser quickly\n");
  const app::Outcome outcome = tracked(world);
  const core::TaskState* parser = World::task(outcome.state, "write-the-parser");
  REQUIRE(parser != nullptr);
  CHECK(parser->done);
  SECTION("and also after a loss of the state") {
    const core::State before = outcome.state;
    world.disk().erase("/home/kim/.checkpoint/state.json");
    CHECK(lawful(tracked(world).state) == lawful(before));
  }
}

TEST_CASE("killed at any operation of a sync, the change is whole after the next one") {
  for (std::int64_t operation = 1; operation < 200; ++operation) {
    World world;
    world.put_plan(test::kPlanText);
    tracked(world);
    world.edit("[ ] Login", "[x] Login");
    world.disk().restart();
    world.disk().plan_fault({test::Fault::Kind::die, operation, 7});
    const auto died = app::track(world.context, world.location, {});
    const bool reached = world.disk().dead();
    world.disk().restart();
    world.clock.advance(1000);
    const app::Outcome outcome = tracked(world);
    INFO("operation " << operation);
    REQUIRE(World::task(outcome.state, "login") != nullptr);
    CHECK(World::task(outcome.state, "login")->completed_by == "external");
    const Lines told = world.told();
    CHECK(std::count(told.begin(), told.end(), "task_completed login external") == 1);
    if (!reached) {
      CHECK(died);
      CHECK(operation > 5);
      return;
    }
  }
  FAIL("a sync takes more operations than expected");
}
