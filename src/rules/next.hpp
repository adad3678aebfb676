#pragma once
// Which task is next, and why that one: the one definition, for people, models and `claim --next`.
//
//   StatusView view = make_view({...});     // rules/view
//   Next next = next_of(view);              // points into the view
//
// Tasks are offered in this order: workable ones (spec 7.9: open, with nothing open below them) of the
// current phase, first those in progress or held by the reader, then those below one in progress, then the
// others; then likewise those of later phases (a phase is an order, not a barrier: a task that has to wait
// has an `after:`), also while criteria of the current phase are not met. A task whose steps are all done is
// offered so that it can be ticked. Never offered: optional tasks, tasks that wait or whose parent waits, and
// tasks that somebody holds, or whose parent is held, in this work tree or in another, or that are done in
// another one; and nothing of an archived plan. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/view.hpp"

namespace plankeep::core {

/// What the answer is:
///   - task: the task to work on
///   - claimed: every open task of the current phase is held by somebody, is done in another work tree, or
///   waits
///   - blocked: there are open tasks in the current phase and each waits for another. `task` is the first.
///   - criteria: the current phase's tasks are done, its criteria are not, and no task of a later phase can
///   begin
///   - done: nothing is left
///   - vanished: every box in the plan is done, but open ones are gone from it, which no sync has recorded
///   - archived: something is left, but somebody said that the plan is over
///   - unreadable: nothing was left when the plan was last recorded, and it cannot be read now
///   - empty: the plan has no tasks and no criteria
enum class NextKind { task, claimed, blocked, criteria, done, vanished, archived, unreadable, empty };
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

/// Every box that counts is done (rules/listing/completion), and no open one is gone without a record. Of a
/// plan that cannot be read nobody knows that.
bool is_complete(const StatusView& view);
/// The same of what was last recorded, whether the plan can be read or not.
bool was_complete(const StatusView& view);
/// Open tasks or unmet criteria are gone from the plan, and nobody has recorded that: it may be a mistake.
bool lost_open_tasks(const std::vector<VanishedTask>& vanished);

/// Of a plan that is done: "every task is done and every criterion met", and what does not count
/// (rules/notice, beside_done).
std::string why_done(const StatusView& view);
/// Of a plan that lost_open_tasks: "every box in the plan is done, but open tasks are no longer in it".
std::string why_vanished(const std::vector<VanishedTask>& vanished);

/// It is archived, and something is left: nothing of it is offered.
bool is_archived_unfinished(const StatusView& view);
/// Of such a plan, with the way back.
inline constexpr std::string_view kWhyArchived = "the plan is archived; undo: plankeep archive --undo";

/// What a command takes for this task without asking back: the id, with its phase where the id alone may mean
/// another task too (spec 7.8, 9.2).
std::string name_for_command(const StatusView& view, const PhaseRow& phase, const TaskRow& task);

/// Points into `view`, which must outlive it.
Next next_of(const StatusView& view);
/// The same for a task that was claimed just now, `why` as it was before.
Next claimed_next(const StatusView& view, const PhaseId& phase, const TaskId& task, std::string why);

/// Whether a task can be begun, as far as the plan tells.
inline bool can_begin(const TaskWork& work) {
  return work.workable && work.ready;
}

/// The task has steps, and all of them are done.
inline bool only_to_tick(const TaskRow& task) {
  return task.children > 0 && task.children_done == task.children && task.work.workable;
}

/// The first of `count` tasks of a phase that is offered: one that can begin, those in progress first, then
/// those below one that is. The functions take an index.
template <class CanBegin, class IsActive, class IsBelowActive>
std::optional<std::size_t> first_offered(std::size_t count, CanBegin can_begin, IsActive is_active,
                                         IsBelowActive is_below_active) {
  std::optional<std::size_t> first;
  std::optional<std::size_t> below;
  for (std::size_t i = 0; i < count; ++i) {
    if (!can_begin(i)) continue;
    if (is_active(i)) return i;
    if (!below && is_below_active(i)) below = i;
    if (!first) first = i;
  }
  return below ? below : first;
}

}  // namespace plankeep::core
