#pragma once
// When and by whom things were done that come back done with an earlier text of the plan (rewind/restore,
// rewind/rewind).

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/git_directory.hpp"
#include "project/plan_location.hpp"
#include "rules/reconcile.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Puts the times and actors of `then` into `state` wherever a thing is done in both, and gives the events
/// that say so, each with its own old time and marked as repeated (`via`), so that nothing counts twice.
std::vector<core::Event> give_back_times(const core::State& then, core::State& state);
/// A state does not know who met a criterion: takes it from the history for events of criteria that were
/// given back, which have no actor yet. `external` where it has none.
[[nodiscard]] base::Status name_criteria_given_back(system::Folder& tracking,
                                                    std::vector<core::Event>& events);
/// The same as the first for the result of a reconciliation at `now`. Removes its own events of the same
/// things, which would name the person who restores.
void give_back_times(const core::State& then, core::Reconciled& result, base::Instant now);

/// The same for what this reconciliation has as newly done, if it had come undone within the last 30 days
/// because git wrote another text: it gets its time and actor from before that. If git wrote this file alone,
/// also what came undone by an edit, which git discarded. Likewise decisions and blockers that git took away.
/// However it came about, phases and criteria that had left the plan and come back get their times and
/// evidence back. Reads the history only if there is anything of the kind.
[[nodiscard]] base::Status give_back_earlier_times(system::Folder& tracking, const PlanLocation& location,
                                                   std::string_view text, GitWrote wrote,
                                                   core::Reconciled& result, base::Instant now);

/// The same for tasks that are newly done in a text that git wrote, or done in a plan that is seen for the
/// first time, by the records of the plan in the other work trees of the repository: who did it there and
/// when, of several the last, unless it was reopened here since (Event::via: core::kFromWorkTree). Phases
/// that begin with them began then. Reads those records only if there is such a task; what cannot be read, or
/// was not made by this user's plankeep, counts for nothing.
void take_times_of_work_trees(const Context& context, system::Folder& tracking, const PlanLocation& location,
                              core::Reconciled& result, base::Instant now);

/// Of these tasks (core::key_of), when somebody last reopened each, from `since` on. That git wrote a text in
/// which it is open does not count.
[[nodiscard]] base::Result<std::unordered_map<std::string, base::Instant>> last_reopened(
    system::Folder& tracking, std::unordered_set<std::string> tasks, base::Instant since);

/// What was believed of a plan with this text when the history had so many bytes. An empty state when the
/// text is no plan.
[[nodiscard]] base::Result<core::State> state_then(system::Folder& tracking, const PlanLocation& location,
                                                   std::string_view text, std::uint64_t history_offset);
/// The same of a moment: what was recorded before it. Times that were given back later do not count, old as
/// they are.
[[nodiscard]] base::Result<core::State> state_at(system::Folder& tracking, const PlanLocation& location,
                                                 std::string_view text, base::Instant moment);

}  // namespace plankeep::app
