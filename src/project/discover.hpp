#pragma once
// Which plan a command is about (spec 9.1). Never guesses.
//
// In this order, the first that answers: `named` (--plan), $PLANKEEP_PLAN, the plan that the client's session
// wrote in last below which we run, the one named by `plankeep use`, the plan in the working directory or its
// nearest parent within the project (project/project), the only active plan of the project: of those that are
// tracked (project/project_plans), in a known layout (project/known_layouts), or below plans/ or docs/plans/
// up to three folders deep. Of several active plans, in the project or in one folder, the one with the
// highest rank (ProjectPlans::rank), if only one has it. Hidden folders and links are passed over there. A
// tracked plan that is found on the way and missing in the project's list is added to it. In a folder without
// a tracked plan, offer_untracked() chooses. A tracked plan whose file is gone is no candidate while another
// is active, also where `plankeep use` names it: then FoundPlan::gone_choice says so.
//
// Errors: not_found when nothing answers; ambiguous when several plans remain, with one a line in the
// message.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/plan_standing.hpp"

namespace plankeep::app {

/// When a tracked plan whose file is gone is chosen: `last`, only if no tracked plan with a file is active;
/// `as_others`, as if its file were there, for commands that put the file back.
enum class Gone { last, as_others };

/// `named`: a file, a folder, or an id that `plans` shows.
[[nodiscard]] base::Result<FoundPlan> discover(const Context& context,
                                               const std::optional<std::string>& named,
                                               Gone gone = Gone::last);

/// The plan of this name: a file, a folder, or else an id of a plan of the project we are in, or of another
/// work tree of its repository. Git is asked for these, and only if nothing else has the name.
[[nodiscard]] base::Result<FoundPlan> plan_named(const Context& context, const std::string& name);

/// Chooses among the untracked plans of one folder. Does nothing if a plan in it is tracked.
///
/// `plans` is what plans_in_real_folder() returned for `folder`. Files with boxes that a known layout names
/// (project/known_layouts; layouts such as "*.md" do not count) are added. If any plan has boxes, those
/// without are dropped; then, if the layout of any plan names its folder too, those known by file name only
/// are dropped. So in specs/NAME/ the plan is spec-kit's tasks.md, not the plan.md beside it.
void offer_untracked(const Context& context, const std::string& folder, std::vector<FoundPlan>& plans);

struct PlanChoice {
  PlanLocation plan;
  std::string id;  // among the others (project/plan_id)
  PlanStanding standing;
};
/// The plans that the project has or could have, by path: those above, with how far each is. A file that is
/// not tracked counts when it holds a box.
std::vector<PlanChoice> plan_choices(const Context& context);
/// Those of them that nobody tracks.
std::vector<PlanChoice> untracked_choices(const Context& context);
/// The same as seen from this absolute folder, with what is in the known layouts below it, as if it were a
/// project of its own (a package, for example).
std::vector<PlanChoice> untracked_choices(const Context& context, const std::string& folder);
/// As lines for people: id, file, progress. Of more than 20 the first, and how many there are besides.
std::string choice_lines(const Context& context, const std::vector<PlanChoice>& choices);

}  // namespace plankeep::app
