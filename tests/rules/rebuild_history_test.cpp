#include "rules/rebuild_history.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/random_evidence.hpp"
#include "model/random_leases.hpp"
#include "model/random_plan.hpp"
#include "model/random_sessions.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"
#include "rules/replay.hpp"
#include "rules/sessions.hpp"
#include "support/bookkeeping.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

TEST_CASE("a history told again from the state gives the state back") {
  CHECK(rc::check("retell", [] {
    const auto make = [] { return random_plan(); };
    State state = first_sight(make(), "id", "/plan.md", Instant{1}).state;
    Plan plan;
    const int steps = *rc::gen::inRange(1, 6);
    for (int step = 0; step < steps; ++step) {
      plan = make();
      keep_ids(state, plan);
      const Instant now{2 + step};
      Reconciled next = reconcile(state, plan, "kim", now);
      name_agents(next.state, next.events);
      state = std::move(next.state);
      if (*rc::gen::arbitrary<bool>()) {
        (void)prove_something(state, plan, now);
        state = reconcile(state, plan, "kim", now).state;
      }
      const int records = *rc::gen::inRange(0, 8);
      for (int i = 0; i < records; ++i) record(state, random_session_event(now));
      for (int i = 0; i < 3; ++i) {
        if (const auto event = random_lease_event(state, now)) apply_lease_event(state, *event);
      }
      note_down(state, now);
    }
    const std::vector<Event> events = rebuild_history(state, Instant{100});
    RC_ASSERT(std::is_sorted(events.begin(), events.end(),
                             [](const Event& a, const Event& b) { return a.time < b.time; }));
    Ledger ledger;
    // What is left of the history before does no harm: telling begins anew.
    Event leftover;
    leftover.kind = EventKind::task_completed;
    leftover.phase = PhaseId("p1");
    leftover.task = TaskId("a");
    leftover.by = "somebody";
    ledger.apply(leftover);
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i) ledger.apply(random_session_event(Instant{1}));
    for (const Event& event : events) ledger.apply(event);
    Plan same = plan;
    const Reconciled result =
        reconcile(ledger.rebuild(same, "id", "/plan.md"), same, "external", Instant{200});
    RC_ASSERT(result.events.empty());
    State wanted = test::without_bookkeeping(state);
    wanted.last_saved = Instant{100};
    wanted.vanished_at.reset();  // what it was is no longer told
    RC_ASSERT(test::without_bookkeeping(result.state) == wanted);
  }));
}

namespace {

SessionState session(std::string id, std::int64_t start, std::optional<Instant> end = std::nullopt) {
  SessionState made;
  made.id = std::move(id);
  made.client = "codex";
  made.started_at = Instant{start};
  made.ended_at = end;
  return made;
}

AgentState agent(std::string id, std::string of, std::int64_t active, AgentStatus status) {
  AgentState made;
  made.id = std::move(id);
  made.type = "builder";
  made.assigned_tasks = {TaskId("t1"), TaskId("t2")};
  made.completed_tasks = {TaskId("t2")};
  made.last_active = Instant{active};
  made.status = status;
  made.session = std::move(of);
  return made;
}

// What a history told from this state alone makes of its sessions and subagents.
State retold(const State& state) {
  Ledger ledger;
  const std::vector<Event> events = rebuild_history(state, Instant{100});
  CHECK(std::is_sorted(events.begin(), events.end(),
                       [](const Event& a, const Event& b) { return a.time < b.time; }));
  for (const Event& event : events) ledger.apply(event);
  return ledger.state();
}

}  // namespace

TEST_CASE("sessions and subagents of a retold history are what they were") {
  State state;
  SECTION("each status in a running session") {
    state.sessions = {session("s1", 1)};
    state.agents = {agent("a1", "s1", 2, AgentStatus::running), agent("a2", "s1", 3, AgentStatus::stopped)};
  }
  SECTION("lost with an ended session") {
    state.sessions = {session("s1", 1, Instant{5})};
    state.agents = {agent("a1", "s1", 2, AgentStatus::lost), agent("a2", "s1", 5, AgentStatus::lost)};
  }
  SECTION("lost in a session that began again since") {
    state.sessions = {session("s1", 6)};
    state.agents = {agent("a1", "s1", 2, AgentStatus::lost), agent("a2", "s1", 7, AgentStatus::running)};
  }
  SECTION("lost in a session that is no longer known") {
    state.agents = {agent("a1", "s1", 2, AgentStatus::lost), agent("a2", "s2", 2, AgentStatus::running)};
  }
  SECTION("running though its session ended in the same moment") {
    state.sessions = {session("s1", 1, Instant{5})};
    state.agents = {agent("a1", "s1", 5, AgentStatus::running), agent("a2", "s1", 5, AgentStatus::lost)};
  }
  SECTION("in another order than that of their last moments") {
    state.sessions = {session("s1", 1), session("s2", 1, Instant{9})};
    state.agents = {agent("a1", "s1", 8, AgentStatus::stopped), agent("a2", "s2", 4, AgentStatus::lost),
                    agent("a3", "s1", 6, AgentStatus::running), agent("a4", "s1", 6, AgentStatus::stopped)};
  }
  SECTION("without tasks") {
    state.agents = {agent("a1", "", 2, AgentStatus::running)};
    state.agents[0].assigned_tasks.clear();
    state.agents[0].completed_tasks.clear();
  }
  SECTION("as many as are kept") {
    for (std::size_t i = 0; i < kSessionsKept; ++i)
      state.sessions.push_back(session("s" + std::to_string(i), static_cast<std::int64_t>(i)));
    for (std::size_t i = 0; i < kAgentsKept; ++i) {
      state.agents.push_back(agent("a" + std::to_string(i), "s1", static_cast<std::int64_t>(90 - i),
                                   i % 2 == 0 ? AgentStatus::stopped : AgentStatus::running));
    }
  }
  const State back = retold(state);
  CHECK(test::without_bookkeeping(back).sessions == state.sessions);
  CHECK(back.agents == state.agents);
  CHECK(same_by_history(back, state));
}

TEST_CASE("the newest checkpoint is told again with its time") {
  State state;
  state.latest_checkpoint = SavedCheckpoint{"cp_0a1b2c_001", "turn", PhaseId("p"), base::Instant{3}, {}};
  CHECK(retold(state).latest_checkpoint == state.latest_checkpoint);
}

TEST_CASE("the last checkpoint commit is told again with its time") {
  State state;
  state.last_commit = SavedCommit{std::string(40, 'a'), 2, PhaseId("p"), "tier1", true, base::Instant{3}, {}};
  CHECK(retold(state).last_commit == state.last_commit);
}

TEST_CASE("a retold note stays what it was, written by hand or not") {
  State state;
  state.session_notes = "so far";
  state.note_is_automatic = GENERATE(false, true);
  const State back = retold(state);
  CHECK(back.session_notes == "so far");
  CHECK(back.note_is_automatic == state.note_is_automatic);
}

TEST_CASE("a retold history says that it is one") {
  State state;
  state.plan_id = "id";
  const std::vector<Event> events = rebuild_history(state, Instant{5});
  REQUIRE(events.size() == 2);
  CHECK(events[0].kind == EventKind::checkpoint_created);
  CHECK(events[1].kind == EventKind::full_recovery);
  CHECK(events[1].source == "state.json");
}
