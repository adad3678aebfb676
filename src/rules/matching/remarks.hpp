#pragma once
// Decisions and blockers of a plan against those of the previous state (rules/reconcile). Pure.

#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// Appends the plan's decisions and blockers to `next`, each text once, and the events for those that are new
/// or gone to `events`. A known decision keeps its time; a new one gets `now`.
void match_remarks(const State& previous, const Plan& plan, std::string_view by, base::Instant now,
                   State& next, std::vector<Event>& events);

}  // namespace plankeep::core
