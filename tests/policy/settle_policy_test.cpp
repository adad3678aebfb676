// What is due when tools came to their end, and which leases an event renews, without a disk.
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "policy/hook_policy.hpp"
#include "rules/lease.hpp"
#include "rules/sessions.hpp"

using namespace plankeep;
using namespace plankeep::core;
using Catch::Contains;
using Keep = HookDecision::Keep;

namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr base::Instant kNow{1'000 * kMinute};

base::Instant minutes_ago(std::int64_t minutes) {
  return {kNow.milliseconds - minutes * kMinute};
}

HookEvent settled_by(const std::string& agent = {}) {
  HookEvent event;
  event.kind = HookKind::tools_settled;
  event.session_id = "s1";
  event.agent_id = agent;
  if (!agent.empty()) event.agent_type = "coder";
  return event;
}

State working() {
  State state;
  SessionState session;
  session.id = "s1";
  session.last_active = minutes_ago(1);
  state.sessions = {session};
  return state;
}

HookFacts facts_now() {
  HookFacts facts;
  facts.now = kNow;
  facts.tells_model = true;
  facts.file = "plan.md";
  return facts;
}

void add_finding(State& state, bool background) {
  AuditFinding claim;
  claim.agent = "a1";
  claim.agent_type = "coder";
  claim.session = "s1";
  claim.background = background;
  claim.unverified = {"T1"};
  state.findings.push_back(claim);
}

void add_agent(State& state, bool known) {
  AgentState agent;
  agent.id = "a1";
  agent.type = "coder";
  agent.session = "s1";
  agent.assignment_known = known;
  state.agents.push_back(agent);
}

struct Row {
  const char* what;
  std::string agent;  // whose tools; empty: the main thread's
  std::function<void(State&, HookFacts&)> with;
  bool due;
};

}  // namespace

TEST_CASE("what makes the end of tools worth the lock") {
  const auto session = [](State& state) -> SessionState& { return state.sessions[0]; };
  const std::vector<Row> rows = {
      {"nothing", {}, [](State&, HookFacts&) {}, false},
      {"a session that is not known", {}, [](State& s, HookFacts&) { s.sessions.clear(); }, false},
      {"a claim for the parent", {}, [](State& s, HookFacts&) { add_finding(s, false); }, true},
      {"... of what ran beside it", {}, [](State& s, HookFacts&) { add_finding(s, true); }, false},
      {"... a subagent's tools", "a2", [](State& s, HookFacts&) { add_finding(s, false); }, false},
      {"... that no model would hear",
       {},
       [](State& s, HookFacts& f) {
         add_finding(s, false);
         f.tells_model = false;
       },
       false},
      {"two minutes of silence",
       {},
       [&](State& s, HookFacts&) { session(s).last_active = minutes_ago(2); },
       true},
      {"... by a session whose process is known",
       {},
       [&](State& s, HookFacts&) {
         session(s).last_active = minutes_ago(9);
         session(s).process = "77 1";
       },
       false},
      {"... by one that has ended",
       {},
       [&](State& s, HookFacts&) {
         session(s).last_active = minutes_ago(9);
         session(s).ended_at = kNow;
       },
       false},
      {"a subagent whose assignment is open", "a1", [](State& s, HookFacts&) { add_agent(s, false); }, true},
      {"... is known", "a1", [](State& s, HookFacts&) { add_agent(s, true); }, false},
      {"... of another agent", "a2", [](State& s, HookFacts&) { add_agent(s, false); }, false},
      {"a window that fills up",
       {},
       [](State&, HookFacts& f) {
         f.context_percent = 80;
         f.context_trigger = 80;
       },
       true},
      {"... and is not full yet",
       {},
       [](State&, HookFacts& f) {
         f.context_percent = 79;
         f.context_trigger = 80;
       },
       false},
      {"... and was told of",
       {},
       [&](State& s, HookFacts& f) {
         session(s).context_full = true;
         f.context_percent = 95;
         f.context_trigger = 80;
       },
       false},
      {"... of a subagent", "a2",
       [](State&, HookFacts& f) {
         f.context_percent = 95;
         f.context_trigger = 80;
       },
       false},
      {"an edited prompt",
       {},
       [](State&, HookFacts& f) {
         f.edited = EditedPromptFacts{"m1", {}};
       },
       true},
      {"... of a session that has ended",
       {},
       [&](State& s, HookFacts& f) {
         session(s).ended_at = kNow;
         f.edited = EditedPromptFacts{"m1", {}};
       },
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    State state = working();
    HookFacts facts = facts_now();
    row.with(state, facts);
    const HookEvent event = settled_by(row.agent);
    CHECK(anything_due(event, state, facts) == row.due);
    CHECK((settle(event, state, facts).keep == Keep::nothing) == !row.due);
  }
}

TEST_CASE("what is due when tools came to their end is done once") {
  State state = working();
  HookFacts facts = facts_now();
  add_finding(state, false);
  add_finding(state, true);
  facts.context_percent = 91;
  facts.context_trigger = 80;
  facts.edited = EditedPromptFacts{"m1", "Go back with plankeep rewind c7."};
  facts.process = "77 1";
  const HookEvent event = settled_by();

  const HookDecision made = settle(event, state, facts);
  CHECK(made.keep == Keep::save);
  CHECK(made.copy == "context_window");
  CHECK_THAT(made.answer.context, Contains("T1") && Contains("rewind c7"));
  REQUIRE(made.jobs.size() == 1);
  CHECK(made.jobs[0].plan == 0);
  CHECK(made.jobs[0].checkpoint == WantedCheckpoint{CheckpointType::context_window, {}, 91});
  const SessionState& session = made.state.sessions[0];
  CHECK(session.context_full);
  CHECK(session.edited_prompt == "m1");
  CHECK(session.last_active == kNow);
  CHECK(session.process == "77 1");
  REQUIRE(made.state.findings.size() == 1);
  CHECK(made.state.findings[0].background);

  facts.edited.reset();  // hooks/ asks only for one that was not reported
  CHECK_FALSE(anything_due(event, made.state, facts));
}

TEST_CASE("silence that is broken is bookkeeping, and no event") {
  State state = working();
  state.sessions[0].last_active = minutes_ago(3);
  const HookDecision made = settle(settled_by(), state, facts_now());
  CHECK(made.keep == Keep::bookkeeping);
  CHECK(made.events.empty());
  CHECK(made.answer.silent());
  CHECK(made.state.sessions[0].last_active == kNow);
}

TEST_CASE("a subagent's first tools bring its assignment") {
  State state = working();
  add_agent(state, false);
  HookFacts facts = facts_now();
  facts.agents = {{"a1", {}, Assignment{{}, {}, {TaskId{"T2"}}, {}}}};
  const HookDecision made = settle(settled_by("a1"), state, facts);
  REQUIRE(made.events.size() == 1);
  CHECK(made.events[0].kind == EventKind::subagent_started);
  CHECK(made.events[0].tasks == std::vector<TaskId>{TaskId{"T2"}});
  CHECK(made.state.agents[0].assignment_known);
  facts.agents = {{"a1", {}, {}}};
  CHECK(settle(settled_by("a1"), state, facts).events.empty());
}

TEST_CASE("which leases an event renews") {
  struct Case {
    const char* what;
    std::string by;
    std::string session;
    std::int64_t age;  // minutes of 30
    HookEvent event;
    bool renewed;
  };
  HookEvent prompt = settled_by();
  prompt.kind = HookKind::prompt_submitted;
  HookEvent turn = settled_by();
  turn.kind = HookKind::turn_ended;
  HookEvent end = settled_by();
  end.kind = HookKind::session_ended;
  HookEvent other = settled_by();
  other.session_id = "s2";
  HookEvent nobody = settled_by();
  nobody.session_id.clear();
  const std::vector<Case> cases = {
      {"half of its time has gone", "main", "s1", 15, settled_by(), true},
      {"not yet", "main", "s1", 14, settled_by(), false},
      {"a prompt", "main", "s1", 16, prompt, true},
      {"a turn", "main", "s1", 16, turn, true},
      {"an end does not", "main", "s1", 16, end, false},
      {"another session", "main", "s1", 16, other, false},
      {"no session", "main", "", 16, nobody, false},
      {"a subagent's, by the main thread", "subagent:coder", "s1", 16, settled_by(), false},
      {"a subagent's own", "subagent:coder", "s1", 16, settled_by("a1"), true},
  };
  for (const Case& row : cases) {
    CAPTURE(row.what);
    State state = working();
    LeaseState lease;
    lease.task = TaskId{"T1"};
    lease.by = row.by;
    lease.session = row.session;
    lease.fence = 3;
    lease.since = lease.renewed = minutes_ago(row.age);
    lease.until = minutes_ago(row.age - 30);
    state.leases = {lease};
    const std::vector<Event> events = lease_renewals(row.event, state, {}, kNow);
    REQUIRE(events.size() == (row.renewed ? 1 : 0));
    if (row.renewed) CHECK(events[0].kind == EventKind::task_claimed);
  }
  CHECK(lease_renewals(settled_by(), working(), {}, kNow).empty());
}

TEST_CASE("a claim that a subagent's call of our MCP server made is the subagent's") {
  struct Case {
    const char* what;
    OwnCalls::Claim call;
    std::function<void(State&, HookEvent&)> with;
    bool taken;
  };
  const auto nothing = [](State&, HookEvent&) {};
  const auto lease = [](State& state) -> LeaseState& { return state.leases[0]; };
  const std::vector<Case> cases = {
      {"by the fence of the answer", {"", 4}, nothing, true},
      {"by the id, where the answer names no fence", {"T1", 0}, nothing, true},
      {"by the id with its phase", {"p1/T1", 0}, nothing, true},
      {"not by another fence", {"T1", 5}, nothing, false},
      {"not by another id", {"T2", 0}, nothing, false},
      {"of a server that does not know its session",
       {"", 4},
       [&](State& s, HookEvent&) { lease(s).session.clear(); },
       true},
      {"not of another session", {"", 4}, [&](State& s, HookEvent&) { lease(s).session = "s2"; }, false},
      {"not what somebody else holds", {"", 4}, [&](State& s, HookEvent&) { lease(s).by = "team:x"; }, false},
      {"not an old one", {"", 4}, [&](State& s, HookEvent&) { lease(s).renewed = minutes_ago(2); }, false},
      {"not the main thread's", {"", 4}, [](State&, HookEvent& e) { e.agent_id.clear(); }, false},
      {"not of an agent whose type nobody knows",
       {"", 4},
       [](State&, HookEvent& e) { e.agent_type.clear(); },
       false},
      {"with the type that its start told",
       {"", 4},
       [](State& s, HookEvent& e) {
         e.agent_type.clear();
         add_agent(s, true);
       },
       true},
      {"not where the id may mean two",
       {"T1", 0},
       [&](State& s, HookEvent&) {
         s.leases.push_back(lease(s));
         s.leases[1].phase = PhaseId("p2");
         s.leases[1].fence = 5;
       },
       false},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    State state = working();
    LeaseState held;
    held.task = TaskId("T1");
    held.phase = PhaseId("p1");
    held.by = "main";
    held.session = "s1";
    held.process = "77 1";
    held.host = "here";
    held.fence = 4;
    held.since = held.renewed = kNow;
    held.until = {kNow.milliseconds + 30 * kMinute};
    state.leases = {held};
    HookEvent event = settled_by("a1");
    one.with(state, event);
    HookFacts facts = facts_now();
    facts.own_calls.claims = {one.call};
    const HookDecision made = settle(event, state, facts);
    REQUIRE((made.events.size() == 1) == one.taken);
    if (!one.taken) {
      CHECK(made.events.empty());
      continue;
    }
    const Event& taken = made.events[0];
    CHECK(taken.kind == EventKind::task_claimed);
    CHECK(taken.from == "main");
    CHECK(taken.reason == kRenewed);
    CHECK(taken.fence == 4);
    const LeaseState& now = made.state.leases.at(0);
    CHECK(now.by == "subagent:coder");
    CHECK(now.session == "s1");
    CHECK(now.process == "77 1");
    CHECK(now.until == held.until);
    // The next call has nothing to take.
    CHECK_FALSE(own_calls_may_wait(event, made.state, kNow));
    CHECK(settle(event, made.state, facts).events.empty());
  }
}

TEST_CASE("the calls of a batch are read only where something fresh may be theirs") {
  State state = working();
  state.phases.emplace_back().id = PhaseId("p1");
  CHECK_FALSE(own_calls_may_wait(settled_by("a1"), state, kNow));
  LeaseState held;
  held.task = TaskId("T1");
  held.phase = PhaseId("p1");
  held.by = "main";
  held.session = "s1";
  held.fence = 1;
  held.renewed = kNow;
  state.leases = {held};
  CHECK(own_calls_may_wait(settled_by("a1"), state, kNow));
  CHECK_FALSE(own_calls_may_wait(settled_by(), state, kNow));
  CHECK(sender_counts(settled_by(), state, kNow));
  CHECK_FALSE(own_calls_may_wait(settled_by("a1"), state, {kNow.milliseconds + 2 * kMinute}));
}
