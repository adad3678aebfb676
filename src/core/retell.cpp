#include "core/retell.hpp"

#include <algorithm>

namespace plankeep::core {
namespace {

Event event(EventKind kind, base::Instant time, const PhaseId& phase = PhaseId()) {
  Event made;
  made.kind = kind;
  made.time = time;
  made.phase = phase;
  return made;
}

void retell_phase(const PhaseState& phase, std::vector<Event>& events) {
  if (phase.started_at) events.push_back(event(EventKind::phase_started, *phase.started_at, phase.id));
  for (const TaskState& task : phase.tasks) {
    if (!task.done || !task.completed_at) continue;
    Event& made = events.emplace_back(event(EventKind::task_completed, *task.completed_at, phase.id));
    made.task = task.id;
    made.by = task.completed_by;
    made.title = task.title;
  }
  for (const CriterionState& criterion : phase.acceptance) {
    if (!criterion.met || !criterion.verified_at) continue;
    Event& made = events.emplace_back(event(EventKind::acceptance_met, *criterion.verified_at, phase.id));
    made.criterion = criterion.id;
    made.by = "external";  // the state does not keep who ticked a criterion
  }
  if (phase.completed_at) events.push_back(event(EventKind::phase_completed, *phase.completed_at, phase.id));
}

// What was there from the beginning: everything whose time nobody saw.
Event creation(const State& state, PlanMode mode, base::Instant time) {
  Event created = event(EventKind::checkpoint_created, time);
  created.plan_id = state.plan_id;
  created.count = state.progress.total;
  for (const PhaseState& phase : state.phases) {
    PhaseInventory& inventory = created.phases.emplace_back();
    inventory.id = phase.id;
    inventory.status = phase.status;
    for (const TaskState& task : phase.tasks) {
      inventory.tasks.push_back(task.id);
      if (task.done && !task.completed_at) inventory.done.push_back(task.id);
      if (mode == PlanMode::unmarked) created.ids.push_back({task.id, task.title, phase.id});
    }
    for (const CriterionState& criterion : phase.acceptance) {
      inventory.criteria.push_back(criterion.id);
      if (criterion.met && !criterion.verified_at) inventory.met.push_back(criterion.id);
    }
  }
  return created;
}

}  // namespace

std::vector<Event> retell(const State& state, PlanMode mode, base::Instant now) {
  std::vector<Event> events;
  for (const DecisionState& decision : state.decisions) {
    Event& made = events.emplace_back(event(EventKind::decision_recorded, decision.time));
    made.text = decision.decision;
    made.reason = decision.reason;
  }
  for (const PhaseState& phase : state.phases) retell_phase(phase, events);
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  const base::Instant first = events.empty() ? now : std::min(now, events.front().time);
  events.insert(events.begin(), creation(state, mode, first));
  for (const std::string& blocker : state.blockers) {
    events.emplace_back(event(EventKind::blocker_raised, now)).text = blocker;
  }
  if (state.session_notes) events.emplace_back(event(EventKind::note_saved, now)).text = *state.session_notes;
  events.emplace_back(event(EventKind::full_recovery, now)).detail = "state.json";
  return events;
}

}  // namespace plankeep::core
