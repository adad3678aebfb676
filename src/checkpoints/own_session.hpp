#pragma once
// The client's session that this process runs in.

#include "checkpoints/checkpoint.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/processes.hpp"

namespace plankeep::app {

/// Its client's process is one of our ancestors, the nearest counts. nullptr when none is known.
const core::SessionState* session_around(system::Processes& processes, const core::State& state);

/// A checkpoint that somebody asks for inside a session belongs to it: its instance, and its transcript for
/// the commands that were used last. One that names a session, or runs in none, stays as it is.
CheckpointRequest in_own_session(const Context& context, const PlanLocation& plan, CheckpointRequest request);

}  // namespace plankeep::app
