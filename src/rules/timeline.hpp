#pragma once
// Plan events, checkpoints of the work and commits on one line of time. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "model/checkpoint.hpp"
#include "model/event.hpp"

namespace plankeep::core {

/// A commit as it is shown, with what a checkpoint_complete event of the history says about it.
struct TimelineCommit {
  std::string id;
  std::string author;
  std::string subject;
  std::optional<std::int64_t> milestone;
  PhaseId phase;
  std::string tier;
  bool operator==(const TimelineCommit&) const = default;
};

/// Exactly one of the three is there.
struct TimelineEntry {
  base::Instant time;
  std::optional<Event> event;
  std::optional<ListedCheckpoint> checkpoint;
  std::optional<TimelineCommit> commit;
  bool operator==(const TimelineEntry&) const = default;
};

struct TimedCommit {
  base::Instant time;
  TimelineCommit commit;
};

/// Oldest first; of one moment events first, then checkpoints, then commits, each in the order given. A
/// checkpoint_saved gives way to its checkpoint where that is among `checkpoints`; a checkpoint_complete to
/// its commit, likewise. Recovery copies are left out. `events` oldest first, the others in any order.
std::vector<TimelineEntry> timeline_of(std::vector<Event> events, std::vector<ListedCheckpoint> checkpoints,
                                       std::vector<TimedCommit> commits);

}  // namespace plankeep::core
