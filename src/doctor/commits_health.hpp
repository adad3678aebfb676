#pragma once
// The part of `doctor` about commits (spec 13): malformed sidecars, sidecars whose commits git has rewritten,
// checkpoints without a sidecar, drift. Says nothing, and starts no git, where no commit was made as a
// checkpoint (there is no .checkpoint/commits).

#include <vector>

#include "base/result.hpp"
#include "doctor/doctor.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// Reads only.
std::vector<Finding> examine_commits(const Context& context, const PlanLocation& plan);

/// Links what can be linked, adds the events of sidecars that the history does not know, and records a drift
/// once. Gives a line for each thing done.
[[nodiscard]] base::Result<std::vector<std::string>> repair_commits(const Context& context,
                                                                    const PlanLocation& plan);

}  // namespace plankeep::app
