#pragma once
// Bringing the records up to the plan's text: `sync`, and later every hook that sees an edit.
//
// Nothing changed: writes nothing (an empty list of events), and does not wait for the lock unless the edit
// was announced. The plan cannot be read as a plan: its last state is kept, `readable` is false and the
// warnings say why (spec 6.5). Errors: not_found for a plan that is not tracked (see require_trackable),
// conflict, busy after `timeout`, io.

#include <chrono>

#include "base/result.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

[[nodiscard]] base::Result<Outcome> track(const Context& context, const PlanLocation& plan, const Edit& edit,
                                          std::chrono::milliseconds timeout = kTimeout,
                                          PlanWork::Create create = PlanWork::Create::if_plan);
/// The same of a plan that was just found: what was opened for it is used, not opened again.
[[nodiscard]] base::Result<Outcome> track(const Context& context, FoundPlan found, const Edit& edit,
                                          std::chrono::milliseconds timeout = kTimeout,
                                          PlanWork::Create create = PlanWork::Create::if_plan);

}  // namespace plankeep::app
