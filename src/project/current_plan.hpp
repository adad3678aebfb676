#pragma once
// The plan that a person chose for a project (`plankeep use`). It ranks above the folder's plan
// (project/discover).
//
// Kept outside the project, in $XDG_STATE_HOME/plankeep/current-plans.json (~/.local/state where that is not
// set), so that no repository is littered: { "projects": { "/path/of/project": "/path/of/plan.md" } }. The
// project is the nearest folder with a .git, else the working directory. Written by temporary file and
// rename, synced; a damaged file is set aside when the next choice is written and counts as empty until then.
// A choice stays when its file goes: it may be back after the next checkout.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// What to do where the file of the plan that was chosen is gone.
std::string_view other_choice_words();

/// Warns that the command is about another plan than the one that was chosen, whose file is gone; empty when
/// it is not.
std::string gone_choice_words(const Context& context, const FoundPlan& found);

struct CurrentPlan {
  std::string project;
  std::string path;  // as it was chosen, absolute
};

/// nullopt when none was chosen for this project, or there is no home folder to keep it in.
[[nodiscard]] base::Result<std::optional<CurrentPlan>> current_plan(const Context& context);

[[nodiscard]] base::Result<CurrentPlan> choose_plan(const Context& context, const PlanLocation& plan);

/// Whether there was a choice to forget.
[[nodiscard]] base::Result<bool> forget_plan(const Context& context);

}  // namespace plankeep::app
