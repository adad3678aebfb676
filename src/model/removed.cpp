#include "model/removed.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "model/item_key.hpp"

namespace plankeep::core {
namespace {

bool left_recently(const RemovedTask& removed, base::Instant now) {
  return now.milliseconds - removed.removed_at.milliseconds <= kRemovedKeptMilliseconds;
}

bool same_title(const RemovedTask& removed, const TaskId& id, std::string_view title) {
  const WrittenNumber before = written_number(removed.title, removed.task.text);
  const WrittenNumber now = written_number(title, id.text);
  if (before.number.empty() != now.number.empty()) return removed.title == title;
  return before.words == now.words;
}

// Of several of one id or title the one that left this phase, else the one that left last.
template <class Same>
std::vector<RemovedTask>::iterator newest_that(State& state, const PhaseId& phase, const Same& same) {
  auto found = state.removed.end();
  for (auto at = state.removed.end(); at != state.removed.begin();) {
    --at;
    if (!same(*at)) continue;
    if (at->phase == phase) return at;
    if (found == state.removed.end()) found = at;
  }
  return found;
}

// What only a changed plan leads to. A proof may come without any change.
bool tells_of_items(const Event& event) {
  switch (event.kind) {
    case EventKind::task_completed:
    case EventKind::task_reopened:
    case EventKind::task_added:
    case EventKind::task_removed:
    case EventKind::task_renamed:
    case EventKind::task_moved:
    case EventKind::tasks_ordered:
    case EventKind::boxes_found:
    case EventKind::boxes_skipped:
    case EventKind::acceptance_added:
    case EventKind::acceptance_removed:
    case EventKind::acceptance_moved:
    case EventKind::phase_started:
    case EventKind::phase_completed:
    case EventKind::phase_reopened:
    case EventKind::phase_added:
    case EventKind::phase_removed:
    case EventKind::decision_recorded:
    case EventKind::decision_removed:
    case EventKind::blocker_raised:
    case EventKind::blocker_resolved:
      return true;
    case EventKind::acceptance_met:
    case EventKind::acceptance_unmet:
      return !event.evidence;
    default:
      return false;
  }
}

}  // namespace

void keep_removed(State& state, const PhaseId& phase, const TaskState& task, base::Instant now) {
  std::erase_if(state.removed, [&](const RemovedTask& old) {
    return (old.task == task.id && old.phase == phase && !took_the_number(task.title, old.title, task.id)) ||
           !left_recently(old, now);
  });
  if (!task.done || !task.completed_at) return;
  RemovedTask fresh{task.id, phase, task.title, *task.completed_at, task.completed_by, now};
  // The same order whatever that of the state before, which may have been rebuilt from the history.
  const auto before = [](const RemovedTask& a, const RemovedTask& b) {
    if (a.removed_at != b.removed_at) return a.removed_at < b.removed_at;
    return a.phase != b.phase ? a.phase < b.phase : a.task < b.task;
  };
  const auto place = std::upper_bound(state.removed.begin(), state.removed.end(), fresh, before);
  state.removed.insert(place, std::move(fresh));
  // Not one by one: a plan of very many tasks may lose them all at once.
  if (state.removed.size() > 2 * kRemovedKept)
    state.removed.erase(state.removed.begin(), state.removed.end() - kRemovedKept);
}

void give_back(State& state, const PhaseId& phase, TaskState& task, base::Instant now) {
  if (state.removed.empty()) return;
  // A task that is taken out while its id comes in at another title has lost the id to that one.
  const auto lost_its_id = [&](const RemovedTask& old) {
    return old.title != task.title &&
           (old.removed_at == now || took_the_number(task.title, old.title, task.id));
  };
  auto found = newest_that(state, phase,
                           [&](const RemovedTask& old) { return old.task == task.id && !lost_its_id(old); });
  if (found == state.removed.end() && !task.title.empty())
    found = newest_that(state, phase,
                        [&](const RemovedTask& old) { return same_title(old, task.id, task.title); });
  if (found == state.removed.end()) return;
  if (task.done && left_recently(*found, now)) {
    task.completed_at = found->completed_at;
    task.completed_by = found->completed_by;
  }
  state.removed.erase(found);
}

void forget_removed(State& state, const PhaseId& phase, const TaskId& task, std::string_view title) {
  std::erase_if(state.removed, [&](const RemovedTask& old) {
    return old.task == task && old.phase == phase && old.title == title;
  });
}

std::vector<const Event*> criteria_gone(const std::vector<Event>& events) {
  struct Added {
    std::size_t unmet = 0;
    std::size_t met = 0;
  };
  std::map<PhaseId, Added> added;
  for (const Event& event : events) {
    if (event.kind != EventKind::acceptance_added) continue;
    Added& here = added[event.phase];
    ++(event.met ? here.met : here.unmet);
  }
  std::vector<const Event*> gone;
  for (const Event& event : events) {
    if (event.kind != EventKind::acceptance_removed || event.skipped) continue;
    const auto here = added.find(event.phase);
    if (here != added.end() && here->second.unmet > 0) {
      --here->second.unmet;
    } else if (here != added.end() && event.met && here->second.met > 0) {
      --here->second.met;
    } else {
      gone.push_back(&event);
    }
  }
  return gone;
}

void note_vanished(FromHistory& state, const Event& event) {
  const bool removed = event.kind == EventKind::task_removed || event.kind == EventKind::acceptance_removed;
  if (removed && !event.skipped) {
    state.vanished_at = event.time;
  } else if (state.vanished_at && event.time > *state.vanished_at && tells_of_items(event)) {
    state.vanished_at.reset();
  }
}

}  // namespace plankeep::core
