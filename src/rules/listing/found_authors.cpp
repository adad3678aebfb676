#include "rules/listing/found_authors.hpp"

#include <utility>

namespace plankeep::core {
namespace {

// Whether it tells of a change that somebody made in the plan. What follows from one (a phase is complete)
// and what only notes something does not.
bool tells_of_change(const Event& event) {
  switch (event.kind) {
    case EventKind::task_completed:
    case EventKind::task_started:
    case EventKind::task_reopened:
    case EventKind::task_added:
    case EventKind::task_removed:
    case EventKind::task_renamed:
    case EventKind::task_moved:
    case EventKind::acceptance_met:
    case EventKind::acceptance_unmet:
    case EventKind::acceptance_added:
    case EventKind::acceptance_removed:
    case EventKind::acceptance_moved:
    case EventKind::decision_recorded:
    case EventKind::decision_removed:
    case EventKind::blocker_raised:
    case EventKind::blocker_resolved:
    case EventKind::boxes_skipped:
      return true;
    default:
      return false;
  }
}

// The event that `attributed` corrects: the last one before it that says that the task was done.
Event* corrected_by(std::vector<Event>& events, std::size_t attributed) {
  const Event& correction = events[attributed];
  for (std::size_t i = attributed; i-- > 0;) {
    Event& event = events[i];
    if (event.task != correction.task || event.phase != correction.phase) continue;
    if (event.kind == EventKind::task_completed) return event.by == correction.from ? &event : nullptr;
    if (event.kind == EventKind::task_reopened || event.kind == EventKind::task_removed) return nullptr;
  }
  return nullptr;
}

}  // namespace

std::vector<Event> with_authors(std::vector<Event> events) {
  std::vector<char> settled(events.size(), 0);  // attributed later, or a correction that is made
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != EventKind::task_attributed) continue;
    Event* const corrected = corrected_by(events, i);
    if (corrected == nullptr) continue;
    corrected->by = events[i].by;
    corrected->agent = events[i].agent;
    settled[static_cast<std::size_t>(corrected - events.data())] = 1;
    settled[i] = 1;
  }
  std::vector<Event> kept;
  kept.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind == EventKind::task_attributed && settled[i] != 0) continue;
    if (events[i].kind == EventKind::checksum_mismatch) {
      // The changes of one save have one time.
      bool found = false;
      bool nobodys = false;
      for (std::size_t k = i + 1; k < events.size() && events[k].time == events[i].time; ++k) {
        found = found || settled[k] != 0;
        nobodys = nobodys || (settled[k] == 0 && tells_of_change(events[k]));
      }
      if (found && !nobodys) continue;
    }
    kept.push_back(std::move(events[i]));
  }
  return kept;
}

}  // namespace plankeep::core
