#pragma once
// What is kept for how long (spec 12), without anybody asking: checkpoints for 30 days, those of completed
// phases and the newest of each session for ever; sidecars (spec 13) as long as git has their commit, or no
// other sidecar tells of the same phase.
//
//   retain(context, plan);       // the last thing of the process that made a checkpoint (checkpoints/job)
//
// At most once a day for each plan, which cleanup.log of the tracking folder knows: a line for each time,
// with what went. Killed: as clean_up_checkpoints; without the line it is done again, and finds nothing.

#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// The commits whose sidecars can go: made before `older_than`, git has the commit no more, and another
/// sidecar of the same run and milestone is newer, or its commit is there. Reads only. None without git, and
/// in a shallow repository, where git does not know.
[[nodiscard]] base::Result<std::vector<std::string>> dead_sidecars(const Context& context,
                                                                   const PlanLocation& plan,
                                                                   base::Instant older_than);

/// Gives what was recorded, edits of the plan that nobody had seen among it. Nothing is done, and no line
/// written, while nothing is old enough.
[[nodiscard]] base::Result<std::vector<core::Event>> retain(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
