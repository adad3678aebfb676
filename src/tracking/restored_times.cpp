#include "tracking/restored_times.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

#include "markdown/parse_plan.hpp"
#include "rules/replay.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using core::Event;
using core::EventKind;

Event retold(EventKind kind, base::Instant time, const core::PhaseId& phase) {
  Event event;
  event.kind = kind;
  event.time = time;
  event.phase = phase;
  return event;
}

// Of the events that stand before the first one that is not wanted.
Result<core::State> state_before(
    system::Folder& tracking, const PlanLocation& location, std::string_view text,
    const std::function<bool(const Event& event, const store::HistoryLine& line)>& wanted) {
  auto plan = markdown::parse_plan(text);
  if (!plan) return core::State{};
  core::Ledger ledger;
  TRY(store::read_events(tracking, 0, [&](const Event& event, const store::HistoryLine& line) {
    if (!wanted(event, line)) return false;
    ledger.apply(event);
    return true;
  }));
  return ledger.rebuild(*plan, location.plan_id(), location.path());
}

}  // namespace

std::vector<Event> give_back_times(const core::State& then, core::State& state) {
  std::vector<Event> events;
  for (core::PhaseState& phase : state.phases) {
    const auto known = std::find_if(then.phases.begin(), then.phases.end(),
                                    [&phase](const core::PhaseState& one) { return one.id == phase.id; });
    if (known == then.phases.end()) continue;
    std::unordered_map<std::string_view, const core::TaskState*> tasks;
    for (const core::TaskState& task : known->tasks) tasks.emplace(task.id.text, &task);
    for (core::TaskState& task : phase.tasks) {
      const auto one = tasks.find(task.id.text);
      if (one == tasks.end() || !task.done || !one->second->done || !one->second->completed_at) continue;
      const core::TaskState& before = *one->second;
      if (task.completed_at == before.completed_at && task.completed_by == before.completed_by) continue;
      Event& event = events.emplace_back(retold(EventKind::task_completed, *before.completed_at, phase.id));
      event.task = task.id;
      event.title = task.title;
      event.by = before.completed_by;
      event.via = core::kGivenBack;
      task.completed_at = before.completed_at;
      task.completed_by = before.completed_by;
    }
    std::unordered_map<std::string_view, const core::CriterionState*> criteria;
    for (const core::CriterionState& criterion : known->acceptance)
      criteria.emplace(criterion.id.text, &criterion);
    for (core::CriterionState& criterion : phase.acceptance) {
      const auto one = criteria.find(criterion.id.text);
      if (one == criteria.end() || !criterion.met || !one->second->met || !one->second->verified_at) continue;
      if (criterion.verified_at == one->second->verified_at) continue;
      Event& event =
          events.emplace_back(retold(EventKind::acceptance_met, *one->second->verified_at, phase.id));
      event.criterion = criterion.id;
      event.via = core::kGivenBack;
      event.evidence = one->second->evidence;
      criterion.verified_at = one->second->verified_at;
      if (one->second->evidence) criterion.evidence = one->second->evidence;
    }
    if (known->started_at && phase.started_at && known->started_at != phase.started_at) {
      events.push_back(retold(EventKind::phase_started, *known->started_at, phase.id));
      phase.started_at = known->started_at;
    }
    if (known->completed_at && phase.completed_at && known->completed_at != phase.completed_at) {
      events.push_back(retold(EventKind::phase_completed, *known->completed_at, phase.id));
      phase.completed_at = known->completed_at;
    }
  }
  return events;
}

void give_back_times(const core::State& then, core::Reconciled& result, base::Instant now) {
  const std::vector<Event> given = give_back_times(then, result.state);
  std::erase_if(result.events, [&given, now](const Event& event) {
    return event.time == now && std::any_of(given.begin(), given.end(), [&event](const Event& one) {
             return one.kind == event.kind && one.phase == event.phase && one.task == event.task &&
                    one.criterion == event.criterion;
           });
  });
  result.events.insert(result.events.end(), given.begin(), given.end());
}

Result<core::State> state_then(system::Folder& tracking, const PlanLocation& location, std::string_view text,
                               std::uint64_t history_offset) {
  return state_before(tracking, location, text,
                      [history_offset](const Event&, const store::HistoryLine& line) {
                        return line.offset < history_offset;
                      });
}

Result<core::State> state_at(system::Folder& tracking, const PlanLocation& location, std::string_view text,
                             base::Instant moment) {
  return state_before(tracking, location, text, [moment](const Event& event, const store::HistoryLine&) {
    return event.time < moment;
  });
}

}  // namespace plankeep::app
