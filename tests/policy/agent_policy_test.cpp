// Which assignment is a subagent's, and what its parent is told, without a disk.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "policy/hook_policy.hpp"
#include "rules/sessions.hpp"

using namespace plankeep;
using namespace plankeep::core;
using Catch::Contains;

namespace {

AgentState agent_of(const std::string& id, const std::string& type = "coder") {
  AgentState agent;
  agent.id = id;
  agent.type = type;
  agent.session = "s1";
  agent.status = AgentStatus::running;
  return agent;
}

State waiting(const std::vector<Assignment>& assignments) {
  State state;
  SessionState session;
  session.id = "s1";
  session.assignments = assignments;
  state.sessions = {session};
  return state;
}

const Assignment kFirst{"call-1", "coder", {TaskId{"T1"}}, {}};
const Assignment kSecond{"call-2", "coder", {TaskId{"T2"}}, {}};
const Assignment kUntyped{"call-3", "", {TaskId{"T3"}}, {}};
const Assignment kPrompted{"", "", {TaskId{"T4"}}, {}};

}  // namespace

TEST_CASE("which of the calls that wait started a subagent") {
  struct Row {
    const char* what;
    std::vector<Assignment> waits;
    AgentFacts facts;
    bool just_begun;
    std::optional<std::string> task;
    std::size_t left;
  };
  const std::vector<Row> rows = {
      {"its call is known", {kFirst, kSecond}, {"a1", "call-2", {}}, false, "T2", 1},
      {"its call is known and does not wait", {kFirst}, {"a1", "call-9", {}}, true, std::nullopt, 1},
      {"... but its prompt is", {kFirst}, {"a1", "call-9", kPrompted}, true, "T4", 1},
      {"its prompt alone", {}, {"a1", "", kPrompted}, false, "T4", 0},
      {"the only one that waits", {kFirst}, {"a1", "", {}}, true, "T1", 0},
      {"... is not certain later", {kFirst}, {"a1", "", {}}, false, std::nullopt, 1},
      {"one of two", {kFirst, kSecond}, {"a1", "", {}}, true, std::nullopt, 2},
      {"a call for the default type", {kUntyped}, {"a1", "", {}}, true, "T3", 0},
      {"no call at all", {}, {"a1", "", {}}, true, std::nullopt, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    State state = waiting(row.waits);
    const auto found = take_assignment(state, agent_of("a1"), row.facts, row.just_begun);
    REQUIRE(found.has_value() == row.task.has_value());
    if (found) CHECK(found->tasks == std::vector<TaskId>{TaskId{*row.task}});
    CHECK(state.sessions[0].assignments.size() == row.left);
  }
}

TEST_CASE("a call of another type, or one that another agent may have, is not taken") {
  State state = waiting({kFirst});
  CHECK_FALSE(take_assignment(state, agent_of("a1", "tester"), {"a1", "", {}}, true));
  state.agents = {agent_of("a2", "tester")};
  CHECK_FALSE(take_assignment(state, agent_of("a1"), {"a1", "", {}}, true));
  state.agents[0].assignment_known = true;
  CHECK(take_assignment(state, agent_of("a1"), {"a1", "", {}}, true));
}

TEST_CASE("an assignment that adds no task is known, and no event") {
  HookDecision made;
  made.state = waiting({});
  made.state.agents = {agent_of("a1")};
  AgentState& agent = made.state.agents[0];
  agent.assigned_tasks = {TaskId{"T1"}};
  assign(made, "a1", kFirst, {1});
  CHECK(agent.assignment_known);
  CHECK(made.events.empty());
  assign(made, "a1", kSecond, {2});
  REQUIRE(made.events.size() == 1);
  CHECK(made.events[0].kind == EventKind::subagent_started);
  CHECK(made.events[0].tasks == std::vector<TaskId>{TaskId{"T2"}});
  assign(made, "nobody", kFirst, {3});
  CHECK(made.events.size() == 1);
  CHECK(made.beside.empty());
}

TEST_CASE("tasks of another plan are recorded in that plan") {
  HookDecision made;
  made.state = waiting({});
  made.state.agents = {agent_of("a1")};
  Assignment elsewhere = kFirst;
  elsewhere.plan = "/p/other.md";
  assign(made, "a1", elsewhere, {1});
  CHECK(made.state.agents[0].assigned_plan == "/p/other.md");
  CHECK(made.state.agents[0].assigned_tasks.empty());
  CHECK(made.events.empty());
  REQUIRE(made.beside.size() == 1);
  CHECK(made.beside[0].plan == "/p/other.md");

  HookDecision there = record_beside(made.beside[0].event, State{});
  REQUIRE(there.state.agents.size() == 1);
  CHECK(there.state.agents[0].assigned_tasks == std::vector<TaskId>{TaskId{"T1"}});
  Event ticked;
  ticked.kind = EventKind::task_completed;
  ticked.agent = "a1";
  ticked.task = TaskId{"T1"};
  apply_session_event(there.state, ticked);
  SECTION("with what was completed there") {
    Event stopped;
    stopped.kind = EventKind::subagent_stopped;
    stopped.agent = "a1";
    there = record_beside(stopped, there.state);
    CHECK(there.events.at(0).tasks == std::vector<TaskId>{TaskId{"T1"}});
    CHECK(there.state.agents[0].status == AgentStatus::stopped);
  }
  SECTION("and is cut off there with its session, which that plan need not know") {
    Event ended;
    ended.kind = EventKind::session_crash;
    ended.session = "another";
    CHECK(record_beside(ended, there.state).keep == HookDecision::Keep::nothing);
    ended.session = made.state.agents[0].session;
    there = record_beside(ended, there.state);
    CHECK(there.state.agents[0].status == AgentStatus::lost);
    CHECK(there.events.size() == 1);
  }
}

TEST_CASE("of a finding is told what is still open") {
  State state = waiting({});
  PhaseState phase;
  for (const char* id : {"T1", "T2"}) {
    TaskState& task = phase.tasks.emplace_back();
    task.id = TaskId{id};
    task.done = task.id.text == "T1";
  }
  state.phases = {phase};
  State other = state;
  other.phases[0].tasks[0].done = false;
  state.findings = {{"a1", "coder", "s1", {1}, false, {"T1", "T2", "gone"}, {}, {}},
                    {"a2", "tester", "s1", {1}, false, {"T1"}, {}, {}},
                    {"a3", "scout", "s1", {1}, false, {"T1"}, "/p/other.md", {}},
                    {"a4", "writer", "s1", {1}, false, {"T1"}, "/p/unread.md", {}}};
  HookEvent event;
  event.session_id = "s1";
  HookFacts facts;
  facts.file = "plan.md";
  facts.tells_model = true;
  facts.plans = {{"/p/other.md", &other}};
  const std::string said = deliver_findings(state, event, facts, false);
  CHECK_THAT(said, Contains("coder") && Contains("T2") && !Contains("gone"));
  CHECK_THAT(said, !Contains("tester") && Contains("scout") && Contains("writer"));
  CHECK(state.findings.empty());
}

TEST_CASE("findings go to the session they are about, once, and to its main thread alone") {
  State state = waiting({});
  state.findings = {{"a1", "coder", "s1", {1}, false, {"T1"}, {}, {}},
                    {"a2", "coder", "s1", {1}, true, {"T2"}, {}, {}},
                    {"a3", "coder", "s2", {1}, false, {"T3"}, {}, {}}};
  HookEvent event;
  event.session_id = "s1";
  HookFacts facts;
  facts.file = "plan.md";
  CHECK(deliver_findings(state, event, facts, true).empty());  // nobody would hear it
  facts.tells_model = true;
  HookEvent subagent = event;
  subagent.agent_id = "a9";
  CHECK(deliver_findings(state, subagent, facts, true).empty());
  REQUIRE(state.findings.size() == 3);
  subagent.kind = HookKind::subagent_stopped;  // the answer to its end is read by the one that started it
  State at_its_end = state;
  CHECK_THAT(deliver_findings(at_its_end, subagent, facts, false), Contains("T1") && !Contains("T2"));

  const std::string settled = deliver_findings(state, event, facts, false);
  CHECK_THAT(settled, Contains("T1") && !Contains("T2") && !Contains("T3"));
  const std::string prompt = deliver_findings(state, event, facts, true);
  CHECK_THAT(prompt, Contains("T2") && !Contains("T1"));
  REQUIRE(state.findings.size() == 1);
  CHECK(state.findings[0].session == "s2");
}
