#pragma once
// What use cases that change something did, as render shows it. The command line and the tools of the MCP
// server answer with the same facts; they are put together here, once (tracking/show has those that only
// look).

#include "checkpoints/checkpoint.hpp"
#include "editing/claim.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "render/claim.hpp"
#include "render/recorded/changes.hpp"
#include "render/recorded/checkpoint.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// Without remarks: those are the caller's.
render::Changes changes_of(const Outcome& outcome);

render::ClaimAnswer answer_of(const Context& context, const Claimed& claimed);
/// Only where it has a lease. Title and line are those of the plan as it was read.
render::ClaimAnswer answer_of(const Context& context, const ClaimedNext& claimed);
render::ClaimAnswer answer_of(const Context& context, const Released& released);

render::CleanUpView view_of(const PlanLocation& plan, const CleanUpAnswer& answer, bool dry);

}  // namespace plankeep::app
