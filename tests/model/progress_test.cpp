#include "model/progress.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

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
