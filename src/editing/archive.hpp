#pragma once
// Saying that a plan is over (spec 2.6), and that it is not after all.
//
// An archived plan is no more chosen by itself, put before a model or counted among the active ones; it can
// be read and changed by its name as before. The plan's text stays as it is.

#include <optional>
#include <string>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// Records plan_archived; nothing when it is so already. Errors as save_note (editing/record).
[[nodiscard]] base::Result<Outcome> archive_plan(const Context& context, const PlanLocation& plan, bool undo,
                                                 const std::string& actor);

/// What `archive --undo` means where no plan is named: the plan that other commands find if it is archived,
/// else the only archived one below the root of the project (tracking/workspace). nullopt: none is archived.
/// ambiguous: several are.
[[nodiscard]] base::Result<std::optional<PlanLocation>> only_archived(const Context& context);

/// Moves the plan's file and its records into `folder`, which is made when missing, and records where it is
/// now, also in the project's list. Other plans of either folder keep their records. conflict, before
/// anything is moved: `folder` has a file of this name or records of one, or it is on another file system. If
/// it is killed in between, the file has moved, but perhaps not all records. The history moves first; the
/// rest is made anew from it. If not even the history has moved, move the file back by hand.
[[nodiscard]] base::Result<Outcome> move_plan(const Context& context, const PlanLocation& plan,
                                              const std::string& folder, const std::string& actor);

}  // namespace plankeep::app
