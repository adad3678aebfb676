#pragma once
// `plankeep next`: what to do now, and why that.
//
// Which one that is, rules/next decides.
//
// JSON: { plan {id, path}, result, progress, phase {id, title, status, line}|null, task {id, title, state,
// line, after[], waitingFor[], steps}|null, why, waiting [ {id, title, line, waitingFor[]} ], claimed [ {id,
// title, line, by, fence, until} ], criteria [ {id, title, line, verify?} ], blockers[], lease? {by, fence,
// claimedAt, until, sessionId?} }. `line` is left out where it is not known. `waiting`, `claimed` and
// `criteria` are those of the current phase; `lease` is that of `task` when it was claimed just now. `why` is
// one sentence for people; `result` is for programs:
//   task      the task to work on
//   claimed   every open task of the current phase is held by somebody, or waits
//   blocked   there are open tasks in the current phase and each waits for another; `task` is the first of
//   them
//   criteria  the current phase's tasks are done, its criteria are not
//   done      nothing is left
//   empty     the plan has no tasks and no criteria

#include <string>

#include "render/style.hpp"
#include "rules/next.hpp"

namespace plankeep::render {

std::string next_text(const core::StatusView& view, const core::Next& next, const Style& style);
std::string next_text(const core::StatusView& view, const Style& style);  // of core::next_of(view)
std::string next_json(const core::StatusView& view, const core::Next& next);
std::string next_json(const core::StatusView& view);

}  // namespace plankeep::render
