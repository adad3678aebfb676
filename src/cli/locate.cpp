#include "cli/locate.hpp"

#include "tracking/plan_work.hpp"

namespace plankeep::cli {

std::optional<app::FoundPlan> find_plan(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code, app::Gone gone) {
  auto found = app::discover(program.context, named, gone);
  if (found) {
    program.explain("the plan is " + found->plan.path());
    return std::move(*found);
  }
  code = program.fail(found.error(), About::plan);
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
