#pragma once
// Whose a change of the plan is that no hook announced: that of the one agent that had a command in the shell
// (spec 9.6), else nobody's.

#include "project/context.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

/// To be asked under the lock, for the sync that records the change.
Edit found_edit(const Context& context, const PlanWork& work);

}  // namespace plankeep::app
