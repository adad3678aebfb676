#include "rules/matching/vanished.hpp"

#include <string>

#include "model/removed.hpp"

namespace plankeep::core {

std::vector<VanishedTask> vanished_by(const std::vector<Event>& events, bool recorded) {
  std::vector<VanishedTask> vanished;
  const auto renamed = given_new_ids(events);
  for (const Event& event : events) {
    const bool removed = event.kind == EventKind::task_removed && !event.skipped;
    if (!removed || renamed.contains({event.phase, event.task})) continue;
    vanished.push_back({event.phase, event.task, event.title, event.done, recorded, false});
  }
  for (const Event* const event : criteria_gone(events)) {
    vanished.push_back(
        {event->phase, TaskId(event->criterion.text), event->title, event->met, recorded, true});
  }
  return vanished;
}

std::vector<Notice> removal_notices(const std::vector<Event>& events, const State& previous) {
  std::vector<std::string> tasks;
  std::vector<std::string> criteria;
  for (const VanishedTask& one : vanished_by(events, false))
    (one.criterion ? criteria : tasks).push_back(task_name(one.id, one.title));
  std::vector<std::string> skipped_tasks;
  std::vector<std::string> skipped_criteria;
  for (const Event& event : events) {
    if (!event.skipped) continue;
    if (event.kind == EventKind::task_removed) skipped_tasks.push_back(task_name(event.task, event.title));
    if (event.kind == EventKind::acceptance_removed)
      skipped_criteria.push_back(criterion_name(event.criterion, event.title));
  }
  std::size_t before = 0;
  for (const PhaseState& phase : previous.phases) before += phase.tasks.size();
  std::vector<Notice> notices;
  if (!tasks.empty()) notices.push_back(tasks_removed(tasks, before));
  if (!criteria.empty()) notices.push_back(criteria_removed(criteria));
  if (!skipped_tasks.empty()) notices.push_back(tasks_skipped(skipped_tasks));
  if (!skipped_criteria.empty()) notices.push_back(criteria_skipped(skipped_criteria));
  return notices;
}

}  // namespace plankeep::core
