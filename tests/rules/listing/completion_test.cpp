#include "rules/listing/completion.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::core;

namespace {

Task task(BoxState state, bool optional = false) {
  Task made;
  made.id = TaskId("t");
  made.state = state;
  made.optional = optional;
  return made;
}

Criterion criterion(bool met, bool optional = false) {
  Criterion made;
  made.id = CriterionId("c");
  made.met = met;
  made.optional = optional;
  return made;
}

Plan plan_of(std::vector<Task> tasks, std::vector<Criterion> criteria) {
  Plan plan;
  Phase phase;
  phase.id = PhaseId("p");
  phase.tasks = std::move(tasks);
  phase.acceptance = std::move(criteria);
  plan.phases.push_back(std::move(phase));
  return plan;
}

State state_of(const Plan& plan) {
  State state;
  state.progress = progress_of(plan);
  for (const Phase& phase : plan.phases) {
    PhaseState& row = state.phases.emplace_back();
    row.id = phase.id;
    row.status = status_of(phase);
  }
  if (const auto current = current_of(plan).phase) state.current_phase = plan.phases[*current].id;
  return state;
}

}  // namespace

TEST_CASE("a plan with an open criterion is not complete, however many of its tasks are done") {
  struct Row {
    Plan plan;
    bool complete;
  };
  const Task done = task(BoxState::done);
  const Task open = task(BoxState::open);
  const Row rows[] = {
      {plan_of({done}, {}), true},
      {plan_of({done}, {criterion(false)}), false},
      {plan_of({done}, {criterion(true)}), true},
      {plan_of({done, open}, {}), false},
      {plan_of({}, {criterion(true)}), true},
      {plan_of({}, {criterion(false)}), false},
      {plan_of({}, {}), false},
      {Plan{}, false},
      {plan_of({done, task(BoxState::open, true)}, {criterion(false, true)}), true},
      {plan_of({task(BoxState::open, true)}, {}), false},
      {plan_of({task(BoxState::done, true)}, {}), true},
  };
  for (const Row& row : rows) {
    CAPTURE(&row - rows);
    CHECK(is_complete(row.plan) == row.complete);
    CHECK(is_complete(state_of(row.plan)) == row.complete);
  }
}

TEST_CASE("a state without its phases is complete when it counts a task and no phase is current") {
  State state = state_of(plan_of({task(BoxState::done)}, {criterion(false)}));
  state.phases.clear();
  CHECK_FALSE(is_complete(state));
  state.current_phase.reset();
  CHECK(is_complete(state));
}
