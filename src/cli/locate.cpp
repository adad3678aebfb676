#include "cli/locate.hpp"

#include "base/text.hpp"
#include "project/current_plan.hpp"
#include "tracking/kept_copies.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::cli {
namespace {

void explain_choice(Program& program, const app::FoundPlan& found) {
  program.explain("the plan is " + found.plan.path());
  const std::string warning = app::gone_choice_words(program.context, found);
  if (!warning.empty()) program.warn(warning);
}

// A plan that cannot be found may be one that was deleted, folder and all: then only a copy is left.
std::optional<app::PlanLocation> lost_one(Program& program, const std::optional<std::string>& named,
                                          const base::Error& error) {
  if (error.kind != base::ErrorKind::not_found) return std::nullopt;
  auto lost = app::lost_plan(program.context, named);
  return lost ? std::optional(std::move(lost->plan)) : std::nullopt;
}

}  // namespace

std::optional<std::string> named_plan(Program& program, const std::optional<std::string>& named,
                                      const std::vector<std::string>& ids) {
  if (named) return named;
  for (const std::string& id : ids) {
    const std::size_t colon = id.rfind(':');
    if (colon == std::string::npos || colon == 0 || !base::all_digits(std::string_view(id).substr(colon + 1)))
      continue;
    std::string path = id.substr(0, colon);
    const auto info = program.context.files.info(app::absolute_path(program.context, path));
    if (info && info->kind == system::FileKind::regular) return path;
  }
  return std::nullopt;
}

std::optional<app::FoundPlan> find_plan(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code, app::Gone gone) {
  auto found = app::discover(program.context, named, gone);
  if (found) {
    explain_choice(program, *found);
    return std::move(*found);
  }
  base::Error& error = found.error();
  if (const auto lost = lost_one(program, named, error)) {
    const std::string shown = app::shown_path(program.context, lost->path());
    error.message = shown + " and its records no longer exist; the git directory has a copy of them";
    error.hint = "to restore them: plankeep restore --memory --plan " + shown;
  }
  code = program.fail(error, About::plan);
  return std::nullopt;
}

std::optional<app::PlanLocation> locate(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code) {
  auto found = find_plan(program, named, code);
  if (!found) return std::nullopt;
  return std::move(found->plan);
}

std::optional<app::PlanLocation> locate_or_lost(Program& program, const std::optional<std::string>& named,
                                                ExitCode& code) {
  const auto found = app::discover(program.context, named);
  if (found) {
    explain_choice(program, *found);
    return found->plan;
  }
  auto lost = lost_one(program, named, found.error());
  if (!lost) code = program.fail(found.error(), About::plan);
  return lost;
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

std::optional<app::PlanLocation> locate_recorded(Program& program, const std::optional<std::string>& named,
                                                 ExitCode& code) {
  auto plan = locate_tracked(program, named, code);
  if (!plan) return std::nullopt;
  const base::Status tracked = app::require_tracked(program.context, *plan);
  if (tracked) return plan;
  code = program.fail(tracked.error(), About::plan);
  return std::nullopt;
}

}  // namespace plankeep::cli
