#pragma once
// What `plankeep timeline` shows: history, checkpoints and commits together (rules/timeline). Reads only; the
// newest of each, so the length of the history does not matter.
//
// What cannot be read of checkpoints or commits (no git, a damaged store) is left out and said in `warnings`.
// Errors: not_found when the plan is not tracked; those of the history.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/timeline.hpp"

namespace plankeep::app {

struct TimelineRequest {
  std::size_t count = 30;              // of the newest
  std::optional<base::Instant> since;  // not older than this
  bool events = true;
  bool checkpoints = true;
  bool commits = true;
};

struct Timeline {
  std::vector<core::TimelineEntry> entries;  // oldest first
  std::vector<std::string> warnings;
};

/// Commits older than the plan's first event are not its business, unless `since` asks for them.
[[nodiscard]] base::Result<Timeline> timeline(const Context& context, const PlanLocation& plan,
                                              const TimelineRequest& request);

}  // namespace plankeep::app
