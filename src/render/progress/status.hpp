#pragma once
// `plankeep status`: the overview for people and, in the shape of spec 9, for programs. Also what `init`
// answers.

#include <cstddef>
#include <optional>
#include <string>

#include "render/recorded/commit.hpp"
#include "render/style.hpp"
#include "rules/forecast/forecast.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// How much of a plan is shown.
struct StatusDetail {
  bool all_tasks = false;            // every phase with all of its tasks and criteria
  bool brief = false;                // two lines: progress, and the current task
  std::optional<std::size_t> phase;  // only this one, with all of its tasks and criteria
  std::size_t rows = 0;              // it is to fit into so many lines, where it can; 0: no limit
};

/// Progress, every phase with its bar, the current phase with its tasks, what is in the way, what was last
/// done. No line is wider than the style's columns, but for ids and places; ends with a line feed. What has
/// no room is counted: tasks far from the current one first, then phases far from the current one.
std::string status_text(const core::StatusView& view, const Style& style, const StatusDetail& detail = {});

/// `check`: what `status --check` says of the last checkpoint (render/recorded/commit); null: what the
/// history knows is said. `forecast`: what `status --forecast` adds; null: nothing.
std::string status_json(const core::StatusView& view, const CheckpointCheckView* check = nullptr,
                        const core::Forecast* forecast = nullptr);

/// `init`: what was found. `created` is false when the plan was tracked already. `continued`: the file that
/// is gone and whose records the plan goes on with; mostly empty.
std::string init_text(const core::StatusView& view, bool created, const std::string& continued,
                      const Style& style);
/// The status object with "created" and, where there is one, "continued" in front.
std::string init_json(const core::StatusView& view, bool created, const std::string& continued);

}  // namespace plankeep::render
