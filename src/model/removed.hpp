#pragma once
// Tasks that were done and left the plan: State::removed, and when the newest ones left it, done or open:
// State::vanished_at. Pure.
//
// A branch switch, a half-written file or a merge takes tasks out of a plan for a moment. When they come back
// ticked, who finished them and when comes back with them (spec 8): found by id, else by their exact title. A
// number in front of a title (model/item_key) does not make the task: the words behind it must be the same,
// and the number may be another. An id that is another task's in the same save is no way back to the one that
// had it. Reconciling and the ledger (rules/replay) both go through here, so what is
// believed now is what a rebuild would believe. Only what is known is kept: a tick that nobody saw happen has
// nothing to give back.
//
// Bounded: the newest kRemovedKept tasks at least, twice as many at most, none that left longer than
// kRemovedKeptMilliseconds ago.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

inline constexpr std::size_t kRemovedKept = 500;
inline constexpr std::int64_t kRemovedKeptMilliseconds = 30 * base::kDay;

/// Notes down that `task` of `phase` left the plan at `now`, if it was done and that is known.
void keep_removed(State& state, const PhaseId& phase, const TaskState& task, base::Instant now);

/// `task` of `phase` is new at `now`. If it is done and was here before, it gets its completion back. Either
/// way it is no longer among the removed.
void give_back(State& state, const PhaseId& phase, TaskState& task, base::Instant now);

/// It is not gone: it goes on under another id.
void forget_removed(State& state, const PhaseId& phase, const TaskId& task, std::string_view title);

/// The events that take a criterion out for good, and not by a SKIP marker: one whose id is changed is told
/// as removed and added, and whatever came unmet in its phase keeps the plan open; for a met one, a met one
/// may stand.
std::vector<const Event*> criteria_gone(const std::vector<Event>& events);

/// Keeps State::vanished_at: an event that takes a task or criterion out sets it, unless a SKIP marker does;
/// a later one of the plan's items ends it. Events about anything else (sessions, claims, notes, checkpoints,
/// proof) leave it as it is, and so do those that are told of an earlier time (tracking/restored_times).
void note_vanished(FromHistory& state, const Event& event);

}  // namespace plankeep::core
