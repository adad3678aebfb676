#include <utility>

#include "model/progress.hpp"
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
  for (const Phase& phase : plan.phases) {
    PhaseInventory& inventory = event.phases.emplace_back();
    inventory.id = phase.id;
    inventory.status = status_of(phase);
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

}  // namespace

Reconciled first_sight(const Plan& plan, std::string plan_id, std::string plan_path, std::string_view by,
                       base::Instant now) {
  // The plan against itself: everything is known already, nothing happened. Decisions and blockers are
  // recorded, since "first seen" is now.
  Event created = creation(plan, plan_id, now);
  State empty;
  empty.plan_id = std::move(plan_id);
  empty.plan_path = std::move(plan_path);
  for (const Phase& phase : plan.phases) {
    PhaseState& state = empty.phases.emplace_back();
    state.id = phase.id;
    state.status = status_of(phase);
    for (const Task& task : phase.tasks) {
      TaskState& entry = state.tasks.emplace_back();
      entry.id = task.id;
      entry.title = task.title;
      entry.done = task.done();
      entry.parent = task.parent;
    }
    for (const Criterion& criterion : phase.acceptance) {
      CriterionState& entry = state.acceptance.emplace_back();
      entry.id = criterion.id;
      entry.met = criterion.met;
    }
  }
  Reconciled result = reconcile(empty, plan, by, now);
  // Nobody saw who wrote what stands there already.
  for (Event& event : result.events) event.by.clear();
  result.events.insert(result.events.begin(), std::move(created));
  result.state.last_saved = now;
  result.notices.clear();
  return result;
}

}  // namespace plankeep::core
