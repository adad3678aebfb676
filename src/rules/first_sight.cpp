#include <utility>

#include "model/progress.hpp"
#include "rules/matching/remarks.hpp"
#include "rules/reconcile.hpp"

namespace plankeep::core {
namespace {

// What stood there at first sight, for the ledger.
Event creation(const Plan& plan, const std::string& plan_id, base::Instant now) {
  Event event;
  event.time = now;
  event.kind = EventKind::checkpoint_created;
  event.plan_id = plan_id;
  event.total_tasks = progress_of(plan).total;
  event.every_box = true;
  event.phases.reserve(plan.phases.size());
  for (const Phase& phase : plan.phases) {
    PhaseInventory& inventory = event.phases.emplace_back();
    inventory.id = phase.id;
    inventory.status = status_of(phase);
    inventory.tasks.reserve(phase.tasks.size());
    for (const Task& task : phase.tasks) {
      inventory.tasks.push_back(task.id);
      if (task.done()) inventory.done.push_back(task.id);
      (task.marked ? event.marked : event.ids).push_back({task.id, task.title, phase.id, task.parent});
    }
    for (const Criterion& criterion : phase.acceptance) {
      inventory.criteria.push_back(criterion.id);
      if (criterion.met) inventory.met.push_back(criterion.id);
    }
  }
  return event;
}

PhaseState state_of(const Phase& phase) {
  PhaseState state;
  state.id = phase.id;
  state.title = phase.title;
  state.status = status_of(phase);
  state.tasks.reserve(phase.tasks.size());
  for (const Task& task : phase.tasks) state.tasks.push_back(core::state_of(task));
  for (const Criterion& criterion : phase.acceptance) state.acceptance.push_back(core::state_of(criterion));
  return state;
}

}  // namespace

TaskState state_of(const Task& task) {
  TaskState state;
  state.id = task.id;
  state.title = task.title;
  state.done = task.done();
  state.optional = task.optional;
  state.parent = task.parent;
  return state;
}

CriterionState state_of(const Criterion& criterion) {
  CriterionState state;
  state.id = criterion.id;
  state.title = criterion.title;
  state.met = criterion.met;
  state.optional = criterion.optional;
  return state;
}

void take_counts(const Plan& plan, State& state) {
  state.progress = progress_of(plan);
  state.skipped = plan.skipped;
  const Current current = current_of(plan);
  if (current.phase) state.current_phase = plan.phases[*current.phase].id;
  if (current.task) state.current_task = plan.phases[*current.phase].tasks[*current.task].id;
}

Reconciled first_sight(const Plan& plan, std::string plan_id, std::string plan_path, base::Instant now) {
  Reconciled result;
  result.events.push_back(creation(plan, plan_id, now));
  State& state = result.state;
  state.plan_id = std::move(plan_id);
  state.plan_path = std::move(plan_path);
  state.last_saved = now;
  state.every_box = true;
  state.phases.reserve(plan.phases.size());
  for (const Phase& phase : plan.phases) state.phases.push_back(state_of(phase));
  take_counts(plan, state);
  // Nobody saw who wrote what stands there already, but "first seen" is now.
  match_remarks(State(), plan, {}, now, state, result.events);
  if (state.skipped > 0) {
    Event& skipped = result.events.emplace_back();
    skipped.time = now;
    skipped.kind = EventKind::boxes_skipped;
    skipped.boxes = state.skipped;
  }
  return result;
}

}  // namespace plankeep::core
