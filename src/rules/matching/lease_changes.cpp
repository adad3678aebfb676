#include "rules/matching/lease_changes.hpp"

#include <unordered_set>

#include "rules/lease.hpp"
#include "rules/matching/renumbering.hpp"

namespace plankeep::core {

std::vector<Notice> settle_leases(const State& previous, const std::vector<Event>& events,
                                  std::string_view by, base::Instant now, State& state) {
  std::vector<Notice> notices;
  if (previous.leases.empty() && previous.agents.empty()) return notices;
  std::unordered_set<std::string_view> known;
  for (const LeaseState& lease : previous.leases) known.insert(lease.task.text);
  for (const AgentState& agent : previous.agents) {
    for (const TaskId& id : agent.assigned_tasks) known.insert(id.text);
  }
  Renumbering renumbering;
  bool renumbered = false;
  for (const Event& event : events) {
    const bool other_id = event.kind == EventKind::task_added && known.contains(event.from);
    if (other_id && renumbering.take(event, state)) {
      known.insert(event.task.text);
      renumbered = true;
    }
    if (event.kind != EventKind::phase_removed && !known.contains(event.task.text)) continue;
    if (event.kind == EventKind::task_removed) renumbering.keep(event, TaskState{}, state);
    const LeaseState* lease = find_lease(state, event.phase, event.task);
    if (event.kind == EventKind::task_completed && lease != nullptr && lease->until > now && lease->by != by)
      notices.push_back(done_by_another(event.task, by, *lease));
    apply_lease_event(state, event);
  }
  if (renumbered) drop_repeated_tasks(state);
  return notices;
}

}  // namespace plankeep::core
