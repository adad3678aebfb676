#pragma once
// Words looked for in what a plan says and what was recorded of it (`plankeep search`). Reads only.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// So many hits are given, the plan's own before those of the history.
inline constexpr std::size_t kMostHits = 1000;

struct SearchHit {
  std::string plan_id;
  std::string file;  // the plan's, for people
  /// "task", "criterion", "phase", "decision", "blocker", "note" or "history".
  std::string kind;
  std::string id;         // of a task, criterion or phase; of the event's task in "history"
  std::string text;       // what holds the words
  std::int64_t line = 0;  // of the plan; 0: not in it
  base::Instant time{};   // of a line of the history
  std::string event;      // its name
  std::string by;         // its actor
  std::string state;      // of a task or criterion: "open", "active", "done"
  /// Of a line of the history: all of it. Else null: hits in the plan may be many, and events are large.
  std::shared_ptr<const core::Event> recorded;
};

struct SearchResult {
  std::vector<SearchHit> hits;
  bool cut = false;  // there were more than kMostHits
  std::vector<std::string> warnings;
};

/// A hit holds every one of `words`, letter case and the way in which marks are written aside, at any place.
/// invalid_input without a word. A plan that cannot be read is a warning when several are searched.
[[nodiscard]] base::Result<SearchResult> search(const Context& context,
                                                const std::vector<PlanLocation>& plans,
                                                const std::vector<std::string>& words);

}  // namespace plankeep::app
