#pragma once
// What is left to do, as sections of a resume text. Private to this room.

#include <cstddef>

#include "render/progress/resume_fit.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// Of the current phase, but for the current task.
Section open_tasks_of(const core::StatusView& view, std::size_t limit);
/// Of the phases behind the current one: tasks that are in progress or claimed. Where the current phase has
/// no open task left, behind them the other open tasks of the next phase that has some.
Section later_tasks_of(const core::StatusView& view, std::size_t limit);
/// Criteria of the current phase that are not proven, then ticked ones of other phases that are not.
Section criteria_of(const core::StatusView& view, std::size_t limit);

}  // namespace plankeep::render
