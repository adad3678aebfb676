#pragma once
// Rebuilds a lost history from a state: events that, folded from nothing (rules/replay), give that state.
//
// Only the history knows when and by whom, so nothing can replace what it held. But if it is deleted or cut
// while the state survives, the state still knows who finished what last, and with the rebuilt history the
// law state = fold(plan, history) holds again. Lost for good: tasks that were reopened or removed earlier,
// when a subagent began, why a session began and ended, and the order within one moment.

#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// In order of time. The first is checkpoint_created with the plan's ids and what was done at unknown times;
/// the last is full_recovery {source: "state.json"} at `now`.
std::vector<Event> rebuild_history(const State& state, base::Instant now);

/// The events that turn the state of a history, `left`, into `state`. Without those that `left` already
/// contains and without checkpoint_created; the last is full_recovery, as above.
std::vector<Event> missing_history(const State& left, const State& state, base::Instant now);

}  // namespace plankeep::core
