#pragma once
// Is everything in order with a plan's files, and putting it right (spec 9, doctor).
//
// `examine` reads only, apart from an empty file that it makes and removes to see whether the folder can be
// written: plan, state, recovery copies, history, checkpoints, earlier texts, evidence of ticked
// criteria (which may start git), trust in commands, lock, what is left over. `repair` is a sync under the
// lock that also sets what is no file, damaged recovery copies, a damaged store of checkpoints and a torn end
// of the history aside, and puts back what only the copy in the git directory has; nothing is ever deleted
// (spec 6).

#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

enum class Condition { fine, attention, broken };

struct Finding {
  std::string name;  // what was looked at: "plan.md", "state.json", "history.jsonl", ...
  Condition condition = Condition::fine;
  std::string message;  // one line
  std::string remedy;   // what to do; empty when there is nothing
};

/// The first finding of all is the plan. An untracked plan is one finding.
[[nodiscard]] base::Result<std::vector<Finding>> examine(const Context& context, const PlanLocation& plan);

/// Only whether the history's chain holds (model/chain); broken when it does not. not_found for a plan that
/// is not tracked.
[[nodiscard]] base::Result<Finding> examine_chain(const Context& context, const PlanLocation& plan);

/// Errors as track. Call examine afterwards to see what is left.
[[nodiscard]] base::Result<Outcome> repair(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
