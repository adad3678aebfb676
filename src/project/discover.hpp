#pragma once
// Which plan a command is about (spec 9). Never guesses.
//
// In this order, the first that answers: `named` (--plan), $PLANKEEP_PLAN, the plan in the working directory
// or its nearest parent within the project (project/project), the only plan below plans/ or docs/plans/, the
// one named by `plankeep use`. Plans below plans/ are looked for up to three folders deep, in the working
// directory and, where that has none, its parents up to the project; hidden
// folders and links are passed over.
//
// Errors: not_found when nothing answers; ambiguous when several plans remain, with one a line in the
// message.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

[[nodiscard]] base::Result<FoundPlan> discover(const Context& context,
                                               const std::optional<std::string>& named);

/// Every plan below plans/ and docs/plans/ of `folder`, sorted by path.
[[nodiscard]] base::Result<std::vector<PlanLocation>> plans_below(const Context& context,
                                                                  const std::string& folder);

}  // namespace plankeep::app
