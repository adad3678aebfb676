#pragma once
// A new plan file from a template (`plankeep new`), tracked at once.
//
// Nothing that is there is ever overwritten: the file is made only if there is none of that name, and is
// complete when its name appears. Killed before that: nothing, or an empty folder.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// marked: phases, tasks and a criterion with markers. plain: headings and boxes. spec: tasks with numbers
/// and steps, as spec-driven tools write them.
enum class PlanTemplate { marked, plain, spec };

/// Where the plan of this name goes: a name with "/" or ending in ".md" is a path; else
/// "plans/SLUG/plan.md", of a spec "specs/SLUG/tasks.md".
std::string path_of_new_plan(const std::string& name, PlanTemplate made_from);

/// The text, with `title` as its level-1 heading.
std::string text_of_new_plan(std::string_view title, PlanTemplate made_from);

/// Makes the file and the folders that it needs. conflict when a file of that name is there; invalid_input
/// for a name that is empty or holds control characters.
[[nodiscard]] base::Result<PlanLocation> new_plan(const Context& context, const std::string& name,
                                                  PlanTemplate made_from);

}  // namespace plankeep::app
