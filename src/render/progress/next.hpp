#pragma once
// `plankeep next`: what to do now, and why that.
//
// The order in which tasks are offered: of the current phase those that are being worked on, then its open
// ones, then likewise those of the later phases (a phase is an order, no barrier: what has to wait says so
// with `after:`). Optional tasks, those whose `after` is open and those that somebody holds are never offered
// while they are so.
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
//   them criteria  the current phase's tasks are done, its criteria are not done      nothing is left empty
//   the plan has no tasks and no criteria

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/progress/view.hpp"
#include "render/style.hpp"

namespace plankeep::render {

enum class NextKind { task, claimed, blocked, criteria, done, empty };
std::string_view name_of(NextKind kind);

struct Next {
  NextKind kind = NextKind::empty;
  const PhaseRow* phase = nullptr;  // into the view
  const TaskRow* task = nullptr;
  std::string why;  // one sentence without a final stop
  std::vector<const TaskRow*>
      waiting;  // open tasks of the current phase, other than `task`, that wait for others
  std::vector<const TaskRow*> held;           // likewise, that somebody holds
  std::vector<const CriterionRow*> criteria;  // of the current phase, not met
  bool claimed_now = false;                   // `task` was claimed by this call
};

/// Indices into the view's phases and that phase's tasks.
struct Choice {
  std::size_t phase = 0;
  std::size_t task = 0;
  bool operator==(const Choice&) const = default;
};

/// The task to be offered; nullopt when none can be begun now.
std::optional<Choice> choose(const StatusView& view);
/// Why that one: a sentence without a final stop.
std::string why_chosen(const StatusView& view, const Choice& choice);

/// Points into `view`, which must outlive it.
Next next_of(const StatusView& view);
/// The same for a task that was claimed just now, `why` as it was before.
Next claimed_next(const StatusView& view, const core::PhaseId& phase, const core::TaskId& task,
                  std::string why);

std::string next_text(const StatusView& view, const Next& next, const Style& style);
std::string next_text(const StatusView& view, const Style& style);  // of next_of(view)
std::string next_json(const StatusView& view, const Next& next);
std::string next_json(const StatusView& view);

}  // namespace plankeep::render
