#include "rules/timeline.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace plankeep::core {

std::vector<TimelineEntry> timeline_of(std::vector<Event> events, std::vector<ListedCheckpoint> checkpoints,
                                       std::vector<TimedCommit> commits) {
  std::unordered_set<std::string> known;
  for (const ListedCheckpoint& one : checkpoints) known.insert(one.head.id.text);
  std::unordered_map<std::string, TimelineCommit*> by_id;
  for (TimedCommit& one : commits) by_id.emplace(one.commit.id, &one.commit);

  std::vector<TimelineEntry> entries;
  entries.reserve(events.size() + checkpoints.size() + commits.size());
  for (Event& event : events) {
    if (event.kind == EventKind::recovery_saved) continue;
    if (event.kind == EventKind::checkpoint_saved && known.contains(event.checkpoint)) continue;
    if (event.kind == EventKind::checkpoint_complete) {
      if (const auto found = by_id.find(event.commit); found != by_id.end()) {
        found->second->milestone = event.milestone;
        found->second->phase = event.phase;
        found->second->tier = event.tier;
        continue;
      }
    }
    TimelineEntry& entry = entries.emplace_back();
    entry.time = event.time;
    entry.event = std::move(event);
  }
  for (ListedCheckpoint& one : checkpoints) {
    TimelineEntry& entry = entries.emplace_back();
    entry.time = one.head.timestamp;
    entry.checkpoint = std::move(one);
  }
  for (TimedCommit& one : commits) {
    TimelineEntry& entry = entries.emplace_back();
    entry.time = one.time;
    entry.commit = std::move(one.commit);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TimelineEntry& a, const TimelineEntry& b) { return a.time < b.time; });
  return entries;
}

}  // namespace plankeep::core
