#pragma once
// `plankeep next`: what to do now, and why that.
//
// JSON: { plan {id, path}, result, progress, phase {id, title, status, line}|null, task {id, title, state,
// line, after[], waitingFor[], steps}|null, why, waiting [ {id, title, line, waitingFor[]} ], criteria [ {id,
// title, line, verify?} ], blockers[] }. `line` is left out where it is not known. `why` is one sentence for
// people; `result` is for programs:
//   task      the task to work on
//   blocked   there are open tasks in the current phase and each waits for another; `task` is the first of
//   them criteria  the current phase's tasks are done, its criteria are not done      nothing is left empty
//   the plan has no tasks and no criteria

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/style.hpp"
#include "render/view.hpp"

namespace plankeep::render {

enum class NextKind { task, blocked, criteria, done, empty };
std::string_view name_of(NextKind kind);

struct Next {
  NextKind kind = NextKind::empty;
  const PhaseRow* phase = nullptr;  // into the view
  const TaskRow* task = nullptr;
  std::string why;                      // one sentence without a final stop
  std::vector<const TaskRow*> waiting;  // open tasks of the phase, other than `task`, that wait for others
  std::vector<const CriterionRow*> criteria;  // of the phase, not met
};

/// Points into `view`, which must outlive it.
Next next_of(const StatusView& view);

std::string next_text(const StatusView& view, const Style& style);
std::string next_json(const StatusView& view);

}  // namespace plankeep::render
