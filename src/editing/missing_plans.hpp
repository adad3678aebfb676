#pragma once
// Plans that are tracked in a plan's folder and whose files are away just now: moved for a moment, or on
// another branch. Where no plan was named, a command about a task may mean one of them (spec 9.1: nothing is
// guessed). Reads only.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// Those in `plan`'s folder that are unfinished, by path.
std::vector<PlanLocation> missing_beside(const Context& context, const PlanLocation& plan);

/// For what is shown of `plan`: a line for each of them.
void warn_of_missing(const Context& context, const PlanLocation& plan, std::vector<std::string>& warnings);

/// For a command about the tasks and criteria `ids`, and the phase with the id `phase` where that is not
/// empty, of a plan that was found, not named. ambiguous: one of the ids is known in a missing plan beside
/// it, too. `named`: what the caller was given; it, PLANKEEP_PLAN and `plankeep use` are no guess.
[[nodiscard]] base::Status refuse_guess(const Context& context, const PlanLocation& plan,
                                        const std::optional<std::string>& named,
                                        const std::vector<std::string>& ids, const std::string& phase = {});

/// For a command that chooses a task itself (`next --claim`), likewise. ambiguous: a plan beside it is
/// missing, whose turn it may be.
[[nodiscard]] base::Status refuse_choice(const Context& context, const PlanLocation& plan,
                                         const std::optional<std::string>& named);

/// For a command that wrote what names no task of the plan that was found, not named: a line for each of the
/// missing plans, which could have been meant.
void warn_of_guess(const Context& context, const PlanLocation& plan, const std::optional<std::string>& named,
                   std::vector<std::string>& warnings);

}  // namespace plankeep::app
