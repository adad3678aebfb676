#include "cli/locate.hpp"

#include "tracking/kept_copies.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::cli {
namespace {

// A plan that cannot be found may be one that was deleted, folder and all.
base::Error with_lost_plan(Program& program, const std::optional<std::string>& named, base::Error error) {
  if (error.kind != base::ErrorKind::not_found) return error;
  const auto lost = app::lost_plan(program.context, named);
  if (!lost) return error;
  const std::string shown = app::shown_path(program.context, lost->plan.path());
  error.message = shown + " and its records no longer exist; the git directory has a copy of them";
  error.hint = "to restore them: plankeep restore --memory --plan " + shown;
  return error;
}

}  // namespace

std::optional<app::FoundPlan> find_plan(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code, app::Gone gone) {
  auto found = app::discover(program.context, named, gone);
  if (found) {
    program.explain("the plan is " + found->plan.path());
    return std::move(*found);
  }
  code = program.fail(with_lost_plan(program, named, std::move(found.error())), About::plan);
  return std::nullopt;
}

std::optional<app::PlanLocation> locate(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code) {
  auto found = find_plan(program, named, code);
  if (!found) return std::nullopt;
  return std::move(found->plan);
}

std::optional<app::PlanLocation> locate_tracked(Program& program, const std::optional<std::string>& named,
                                                ExitCode& code, app::Gone gone) {
  auto found = find_plan(program, named, code, gone);
  if (!found) return std::nullopt;
  const base::Status trackable = app::require_trackable(program.context, *found);
  if (trackable) return std::move(found->plan);
  code = program.fail(trackable.error(), About::plan);
  return std::nullopt;
}

}  // namespace plankeep::cli
