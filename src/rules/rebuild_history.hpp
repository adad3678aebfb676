#pragma once
// Telling a lost history again: events that, applied to an empty ledger (rules/replay), give a state back.
//
// The history is the only truth about when and by whom, so nothing can replace what it held. But if it is
// deleted or cut while the state survives, the state still knows who finished what last: retold, the law
// state = fold(plan, history) holds again. What is gone for good: tasks reopened or taken out earlier,
// when a subagent began, why a session began and ended, and the order within one moment.

#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// In order of time; first checkpoint_created, last full_recovery {source: "state.json"} at `now`. `mode`
/// says whether ids were given to boxes without markers, which the history then has to hold.
std::vector<Event> rebuild_history(const State& state, base::Instant now);

}  // namespace plankeep::core
