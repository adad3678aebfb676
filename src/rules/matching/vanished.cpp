#include "rules/matching/vanished.hpp"

#include "model/removed.hpp"

namespace plankeep::core {

std::vector<VanishedTask> vanished_by(const std::vector<Event>& events, bool recorded) {
  std::vector<VanishedTask> vanished;
  const auto renamed = given_new_ids(events);
  for (const Event& event : events) {
    if (event.kind != EventKind::task_removed || renamed.contains({event.phase, event.task})) continue;
    vanished.push_back({event.phase, event.task, event.title, event.done, recorded, false});
  }
  for (const Event* const event : criteria_gone(events)) {
    vanished.push_back(
        {event->phase, TaskId(event->criterion.text), event->title, event->met, recorded, true});
  }
  return vanished;
}

}  // namespace plankeep::core
