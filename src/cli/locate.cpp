#include "cli/locate.hpp"

#include "project/discover.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::cli {

std::optional<app::PlanLocation> locate(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code) {
  auto plan = app::discover(program.context, named);
  if (plan) return std::move(*plan);
  code = program.fail(plan.error(), About::plan);
  return std::nullopt;
}

std::optional<app::PlanLocation> locate_tracked(Program& program, const std::optional<std::string>& named,
                                                ExitCode& code) {
  auto plan = locate(program, named, code);
  if (!plan) return plan;
  const base::Status trackable = app::require_trackable(program.context, *plan);
  if (trackable) return plan;
  code = program.fail(trackable.error(), About::plan);
  return std::nullopt;
}

}  // namespace plankeep::cli
