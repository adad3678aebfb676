#include "model/progress.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/dependencies.hpp"
#include "model/parents.hpp"
#include "model/random_plan.hpp"

using namespace plankeep::core;

TEST_CASE("percentages are rounded half up, but 0 and 100 are kept for none and all") {
  CHECK(percent_tenths(0, 0) == 0);
  CHECK(percent_tenths(1, 3) == 333);
  CHECK(percent_tenths(2, 3) == 667);
  CHECK(percent_tenths(1, 16) == 63);
  CHECK(percent_tenths(1, 8) == 125);
  CHECK(percent_tenths(1999, 2000) == 999);
  CHECK(percent_tenths(1, 100'000) == 1);
  CHECK(percent_tenths(5, 5) == 1000);
}

TEST_CASE("percentages grow with what is done and stay between 0 and 100") {
  CHECK(rc::check("monotone", [] {
    const auto total = *rc::gen::inRange<std::int64_t>(1, 1'000'000);
    const auto done = *rc::gen::inRange<std::int64_t>(0, total + 1);
    const auto now = percent_tenths(done, total);
    RC_ASSERT(now >= 0);
    RC_ASSERT(now <= 1000);
    RC_ASSERT((now == 1000) == (done == total));
    RC_ASSERT((now == 0) == (done == 0));
    if (done > 0) RC_ASSERT(percent_tenths(done - 1, total) <= now);
  }));
}

TEST_CASE("the current task is an active one, else one that need not wait, else the first open one") {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  auto& tasks = plan.phases[0].tasks;
  for (const char* id : {"a", "b", "c"}) {
    tasks.emplace_back();
    tasks.back().id = TaskId(id);
  }
  tasks[0].after = {TaskId("c")};
  CHECK(current_of(plan).task == 1U);
  tasks[2].state = BoxState::active;
  CHECK(current_of(plan).task == 2U);
  tasks[2].state = BoxState::open;
  tasks[1].after = {TaskId("nowhere")};
  tasks[2].after = {TaskId("a")};
  CHECK(current_of(plan).task == 0U);
}

namespace {

struct Row {
  const char* id;
  const char* parent = "";
  BoxState state = BoxState::open;
  bool optional = false;
  std::vector<std::string> after{};
};

Plan plan_of(const std::vector<Row>& rows) {
  Plan plan;
  Phase& phase = plan.phases.emplace_back();
  phase.id = PhaseId("p");
  for (const Row& row : rows) {
    Task& task = phase.tasks.emplace_back();
    task.id = TaskId(row.id);
    task.parent = TaskId(row.parent);
    task.state = row.state;
    task.optional = row.optional;
    for (const std::string& id : row.after) task.after.emplace_back(id);
  }
  return plan;
}

std::string current_task(const std::vector<Row>& rows) {
  const Plan plan = plan_of(rows);
  const Current current = current_of(plan);
  return current.task ? plan.phases[*current.phase].tasks[*current.task].id.text : std::string();
}

constexpr auto kOpen = BoxState::open;
constexpr auto kActive = BoxState::active;
constexpr auto kDone = BoxState::done;

}  // namespace

TEST_CASE("a parent comes when nothing below it is left, optional tasks never") {
  CHECK(current_task({{"a"}, {"b", "a"}, {"c", "b"}}) == "c");
  CHECK(current_task({{"a"}, {"b", "a", kDone}, {"c", "b"}}) == "c");
  CHECK(current_task({{"a"}, {"b", "a", kDone}, {"c", "a", kOpen, true}}) == "a");
  CHECK(current_task({{"a", "", kActive, true}, {"b"}}) == "b");
  CHECK(current_task({{"a", "", kActive}, {"b", "a"}, {"c"}}) == "b");
  CHECK(current_task({{"c"}, {"a", "", kActive}, {"b", "a"}}) == "b");
  CHECK(current_task({{"a", "", kActive, true}}).empty());
}

TEST_CASE("a child waits for what its parent waits for") {
  CHECK(current_task({{"a", "", kOpen, false, {"c"}}, {"b", "a"}, {"c"}}) == "c");
  CHECK(current_task({{"a", "", kOpen, false, {"gone"}}, {"b", "a"}}) == "b");
  const Plan plan = plan_of({{"a", "", kOpen, false, {"c"}}, {"b", "a", kOpen, false, {"d"}}, {"c"}, {"d"}});
  const Dependencies graph(plan);
  CHECK_FALSE(graph.ready(1));
  CHECK(graph.waiting_for(1) == std::vector<TaskId>{TaskId("d"), TaskId("c")});
  CHECK(graph.waiting_for(0) == std::vector<TaskId>{TaskId("c")});
}

TEST_CASE("optional tasks and criteria stand beside the totals") {
  Plan plan = plan_of({{"a", "", kDone}, {"b", "", kOpen, true}, {"c", "", kDone, true}});
  CHECK(progress_of(plan) == Progress{1, 1, 1000, 2, 1});
  CHECK(status_of(plan.phases[0]) == PhaseStatus::completed);
  Criterion& criterion = plan.phases[0].acceptance.emplace_back();
  CHECK(status_of(plan.phases[0]) == PhaseStatus::in_progress);
  criterion.optional = true;
  CHECK(status_of(plan.phases[0]) == PhaseStatus::completed);
}

TEST_CASE("a phase of optional items only is completed when all of them are, and never current") {
  Plan plan = plan_of({{"a", "", kOpen, true}, {"b", "", kDone, true}});
  CHECK(status_of(plan.phases[0]) == PhaseStatus::in_progress);
  CHECK_FALSE(current_of(plan).phase.has_value());
  plan.phases[0].tasks[0].state = kDone;
  CHECK(status_of(plan.phases[0]) == PhaseStatus::completed);
  CHECK(status_of(Phase()) == PhaseStatus::pending);
}

TEST_CASE("parents that stand nowhere, behind their child or in a circle are none") {
  const Plan plan = plan_of({{"a", "c"}, {"b", "b"}, {"c", "gone"}, {"d", "a"}});
  CHECK(parents_of(plan.phases[0]) == std::vector<std::size_t>{kNoParent, kNoParent, kNoParent, 0});
}

TEST_CASE("what is current is open, and nothing is current only when everything is complete") {
  CHECK(rc::check("current", [] {
    const Plan plan = random_marked_plan();
    const Current current = current_of(plan);
    if (!current.phase) {
      for (const Phase& phase : plan.phases)
        RC_ASSERT(is_empty(phase) || status_of(phase) == PhaseStatus::completed);
      return;
    }
    const Phase& phase = plan.phases[*current.phase];
    RC_ASSERT(status_of(phase) != PhaseStatus::completed);
    if (current.task) {
      RC_ASSERT(!phase.tasks[*current.task].done());
      RC_ASSERT(!phase.tasks[*current.task].optional);
    }
  }));
}
