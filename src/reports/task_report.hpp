#pragma once
// Everything that is known of one task or criterion (`plankeep show`). Reads only.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/view.hpp"
#include "tracking/history.hpp"

namespace plankeep::app {

/// So many of its events are shown, the newest.
inline constexpr std::size_t kTaskEvents = 50;

struct RelatedTask {
  core::TaskId id;
  core::PhaseId phase;
  std::string title;
  core::BoxState state = core::BoxState::open;
  bool missing = false;  // the plan has no task of this id
};

struct TaskReport {
  std::string plan_id;
  std::string path;  // absolute
  std::string file;  // for people
  base::Instant now;
  core::PhaseRow phase;  // without its rows
  /// One of these.
  std::optional<core::TaskRow> task_row;
  std::optional<core::CriterionRow> proven_row;
  std::vector<std::string> section;  // headings below the phase's
  std::string text;                  // below its box, LF line ends; empty: none
  std::vector<RelatedTask> parents;  // the nearest last
  std::vector<RelatedTask> children;
  std::vector<RelatedTask> after;           // what it waits for, its parents' `after` left out
  std::vector<RelatedTask> needed_by;       // whose `after` names it
  std::vector<std::string> earlier_titles;  // oldest first
  std::vector<core::Event> events;          // about it, oldest first, at most kTaskEvents
  /// Checkpoints and commits of its phase, oldest first, made after it was recorded.
  std::vector<core::Event> records;

  const core::PhaseRow& phase_row() const { return phase; }
  const core::TaskRow* task() const { return task_row ? &*task_row : nullptr; }
  const core::CriterionRow* criterion_row() const { return proven_row ? &*proven_row : nullptr; }
};

/// The past of a task or criterion, from the history.
struct ItemPast {
  std::vector<core::Event> events;          // oldest first, including those under earlier ids
  std::vector<std::string> earlier_titles;  // oldest first
  std::vector<std::string> earlier_ids;     // likewise
};
/// Reads at most the newest 2,000 events of each of the item's ids.
ItemPast past_of(HistoryReader& reader, const core::PhaseId& phase, const std::string& id,
                 const std::string& title);

/// `wanted`: as for `done` (editing/find_boxes). not_found, ambiguous; conflict when the plan's file cannot
/// be read as a plan. A plan that is not tracked has no events.
[[nodiscard]] base::Result<TaskReport> report_task(const Context& context, const PlanLocation& plan,
                                                   const std::string& wanted);

}  // namespace plankeep::app
