#pragma once
// Other tracked plans in the same work tree, whose texts a rewind of one plan takes along as files (spec 14):
// they are named before, and what comes back done keeps when and by whom. Private to rewind/rewind*.

#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "worktree/restore_tree.hpp"

namespace plankeep::app {

/// Those among the changes, by path. `top`: of the work tree. A folder that cannot be read has none.
std::vector<PlanLocation> other_plans(const Context& context, const std::string& top,
                                      const std::vector<git::TreeChange>& changes);

/// Records the text that the plan has now, with the times and actors of the moment that it is of. busy when
/// its lock is not had; what stays unrecorded then is found by its next sync, as an edit from outside.
[[nodiscard]] base::Status record_other_plan(const Context& context, const PlanLocation& plan,
                                             base::Instant then, const std::string& actor);

}  // namespace plankeep::app
