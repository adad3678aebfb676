#pragma once
// What an edit of the plan does to the leases of tasks that were ticked, moved, taken out or given another
// id, and to the ids of the last that subagents have. The fold of the same events does the same
// (rules/replay). Pure.

#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"
#include "rules/notice.hpp"

namespace plankeep::core {

/// Brings the leases and subagents of `state`, which are those of `previous`, up to date with the events of
/// the edit, `by` whom it is. Gives the notices: what was ticked while somebody else holds it.
std::vector<Notice> settle_leases(const State& previous, const std::vector<Event>& events,
                                  std::string_view by, base::Instant now, State& state);

}  // namespace plankeep::core
