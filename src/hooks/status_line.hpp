#pragma once
// The one line for a client's status line, and what the client tells with the asking (spec 10.7).
//
// Reads the state, and the end of the history where the state knows that tasks vanished. Looks at the plan's
// file only to see whether it is the one that the state was made from: by its stamp, or, where there is none
// and all would be said to be done, by its checksum. It is never parsed. How full the context window is, if
// it changed, is written into the session's bookkeeping; when the lock is not to be had at once, the next
// call will do it.

#include <optional>

#include "clients/status_line.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "render/progress/status_line.hpp"

namespace plankeep::app {

struct StatusLinePlan {
  PlanLocation location;
  core::State state;
  render::BesideState beside{};
};

/// nullopt when no plan is tracked there.
std::optional<StatusLinePlan> look_for_status_line(const Context& context,
                                                   const clients::StatusLineInput& input);

}  // namespace plankeep::app
