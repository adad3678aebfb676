// Which plan a claim is held against, and what is made of it, without a disk.
#include "policy/claim_policy.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace plankeep;
using namespace plankeep::core;
using Ids = std::vector<std::string>;

namespace {

State plan_of(const std::vector<std::pair<const char*, bool>>& tasks) {
  State state;
  PhaseState phase;
  phase.id = PhaseId{"p"};
  for (const auto& [id, done] : tasks) {
    TaskState task;
    task.id = TaskId{id};
    task.title = std::string("Make ") + id;
    task.done = done;
    phase.tasks.push_back(task);
  }
  state.phases = {phase};
  return state;
}

const State kAlpha = plan_of({{"T001", false}, {"T002", false}});
const State kBeta = plan_of({{"T001", true}, {"T003", false}});

AskedPlan asked(const char* id, const State& state, bool own) {
  const std::string below = std::string("plans/") + id + "/plan.md";
  return {"/home/kim/" + below, below, id, below, &state, {}, own, false};
}

Ids unverified(const Verdict& verdict) {
  Ids ids;
  for (const TaskId& id : verdict.audit.unverified) ids.push_back(id.text);
  return ids;
}

const std::string kBetaPath = "/home/kim/plans/beta/plan.md";

}  // namespace

TEST_CASE("the audit knows which task is nested below which") {
  State state = plan_of({{"T1", false}, {"T2", false}});
  state.phases[0].tasks[1].parent = TaskId{"T1"};
  const std::vector<AuditTask> tasks = audit_tasks(state, nullptr);
  REQUIRE(tasks.size() == 2);
  CHECK(tasks[0].parent.empty());
  CHECK(tasks[1].parent.text == "T1");
}

TEST_CASE("the plan that a claim is held against") {
  AgentState given_alpha;
  given_alpha.assigned_tasks = {TaskId{"T001"}};
  given_alpha.assignment_known = true;
  AgentState given_beta;
  given_beta.assigned_plan = kBetaPath;
  given_beta.assignment_known = true;
  AgentState given_nothing;
  struct Row {
    const char* what;
    const AgentState* agent;
    const char* prompt;
    const char* message;
    bool wrote_beta;
    Ids unverified;
    std::string plan;
  };
  const std::vector<Row> rows = {
      {"the one it was given", &given_alpha, "", "T001 is done.", false, {"T001"}, ""},
      {"... another one", &given_beta, "", "T001 is done.", false, {}, kBetaPath},
      {"... which has it open", &given_beta, "", "T003 is done.", false, {"T003"}, kBetaPath},
      {"the one it wrote in", &given_nothing, "", "T001 is done.", true, {}, kBetaPath},
      {"both: nobody is accused", &given_alpha, "", "T001 is done.", true, {}, ""},
      {"the one that its prompt names",
       &given_nothing,
       "Do T001 of plans/beta/plan.md",
       "T001 is done.",
       false,
       {},
       kBetaPath},
      {"the one that it names",
       nullptr,
       "",
       "I worked through plans/alpha/plan.md. T001 is done.",
       false,
       {"T001"},
       ""},
      {"... by its id", nullptr, "", "I worked on the plan alpha. T001 is done.", false, {"T001"}, ""},
      {"... as a word alone is no name", nullptr, "", "The alpha release: T001 is done.", false, {}, ""},
      {"an id that one plan alone has", nullptr, "", "T003 is done.", false, {"T003"}, kBetaPath},
      {"ids of two plans", nullptr, "", "T002 and T003 are done.", false, {}, ""},
      {"an id that both have", nullptr, "", "T001 is done.", false, {}, ""},
      {"whole plans", nullptr, "", "All tasks are done.", false, {}, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Claim claim{{asked("alpha", kAlpha, true), asked("beta", kBeta, false)},
                row.agent,
                row.prompt,
                row.message,
                row.agent != nullptr};
    claim.plans[1].written = row.wrote_beta;
    const Verdict verdict = judge(claim);
    CHECK(unverified(verdict) == row.unverified);
    if (!row.unverified.empty() || !row.plan.empty()) CHECK(verdict.plan == row.plan);
  }
}

TEST_CASE("of one plan, a claim is held against what the agent was given") {
  AgentState agent;
  agent.assigned_tasks = {TaskId{"T001"}};
  agent.assignment_known = true;
  const auto said = [&agent](const char* message, bool known) {
    agent.assignment_known = known;
    agent.assigned_tasks = known ? std::vector<TaskId>{TaskId{"T001"}} : std::vector<TaskId>{};
    return unverified(judge({{asked("alpha", kAlpha, true)}, &agent, {}, message, true}));
  };
  CHECK(said("All assigned tasks are complete.", true) == Ids{"T001"});
  CHECK(said("All assigned tasks are complete.", false).empty());
  CHECK(said("T002 is done.", false) == Ids{"T002"});
  // What is said to be open beside it tells nobody what "all tasks" are.
  CHECK(said("All tasks are done. T002 is not.", false).empty());
  CHECK(said("All tasks except T002 are done.", false) == Ids{"T001"});
}

TEST_CASE("who says that everything is done does not mean optional tasks") {
  State state = plan_of({{"T001", true}, {"T002", false}});
  state.phases[0].tasks[1].optional = true;
  const auto said = [&state](const char* message) {
    return unverified(judge({{asked("alpha", state, true)}, nullptr, {}, message, false}));
  };
  CHECK(said("All tasks of the plan are done.").empty());
  CHECK(said("All tasks are done.").empty());
  CHECK(said("T002 is done.") == Ids{"T002"});
}

TEST_CASE("a tick in a copy of the plan counts") {
  const State copy = plan_of({{"T001", true}, {"T002", false}});
  AskedPlan plan = asked("alpha", kAlpha, true);
  plan.copies = {&copy};
  CHECK(unverified(judge({{plan}, nullptr, {}, "T001 and T002 are done.", false})) == Ids{"T002"});
}
