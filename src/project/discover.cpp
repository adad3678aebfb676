#include "project/discover.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "project/current_plan.hpp"
#include "project/project.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr int kDeepest = 3;

// Adds the plans in `path` and below. Two files in one folder that both look like its plan make the whole
// question ambiguous, so that error is passed on.
base::Status collect(const Context& context, const std::string& path, int depth,
                     std::vector<PlanLocation>& plans) {
  TRY_ASSIGN(auto here, plan_in_folder(context, path));
  // What was opened is let go: there may be more plans than a process may have files open.
  if (here) plans.push_back(std::move(here->plan));
  if (depth == kDeepest) return {};
  auto folder = context.files.open_folder(path);
  if (!folder && folder.error().kind == base::ErrorKind::not_found) return {};
  if (!folder) return base::fail(std::move(folder.error()));
  TRY_ASSIGN(const auto names, (*folder)->list());
  for (const std::string& name : names) {
    if (name.empty() || name.front() == '.') continue;
    TRY_ASSIGN(const auto info, (*folder)->info(name));
    if (info.kind != system::FileKind::directory) continue;
    TRY(collect(context, path + "/" + name, depth + 1, plans));
  }
  return {};
}

bool is_directory(const Context& context, const std::string& path) {
  const auto info = context.files.info(path);
  return info && info->kind == system::FileKind::directory;
}

base::Error several(const Context& context, const std::vector<PlanLocation>& plans) {
  base::Error error{ErrorKind::ambiguous, "several plans found:", {}, {}};
  for (const PlanLocation& plan : plans) error.message += "\n" + shown_path(context, plan.path());
  error.hint = "give one with --plan PATH, or choose one for this project: plankeep use PATH";
  return error;
}

}  // namespace

Result<std::vector<PlanLocation>> plans_below(const Context& context, const std::string& folder) {
  std::vector<PlanLocation> plans;
  for (const char* below : {"/plans", "/docs/plans"}) {
    const std::string path = (folder == "/" ? std::string() : folder) + below;
    if (!is_directory(context, path)) continue;
    TRY(collect(context, path, 0, plans));
  }
  std::sort(plans.begin(), plans.end(),
            [](const PlanLocation& a, const PlanLocation& b) { return a.path() < b.path(); });
  // docs/plans may be a link to plans.
  plans.erase(std::unique(plans.begin(), plans.end()), plans.end());
  return plans;
}

Result<FoundPlan> discover(const Context& context, const std::optional<std::string>& named) {
  if (named) return plan_at(context, *named);
  if (const auto variable = context.environment.variable("PLANKEEP_PLAN"); variable && !variable->empty()) {
    auto plan = plan_at(context, *variable);
    if (!plan) return base::fail(base::with_context(std::move(plan.error()), "PLANKEEP_PLAN"));
    return plan;
  }

  std::string here = context.environment.working_directory();
  const auto real = context.files.real_path(here);
  if (real) here = *real;
  // What stands above the project belongs to somebody else.
  const std::string root = Project(context, here).root();
  for (std::string at = here;; at = parent_of(at)) {
    // What is above a path without links has none either.
    auto plan = real ? plan_in_real_folder(context, at) : plan_in_folder(context, at);
    // A folder above that may not be read ends the way up: a plan above it is not taken for the nearest one.
    if (!plan && at != here) break;
    if (!plan) return base::fail(std::move(plan.error()));
    if (*plan) return std::move(**plan);
    if (at == root || at == "/") break;
  }

  std::vector<PlanLocation> plans;
  for (std::string at = here; plans.empty(); at = parent_of(at)) {
    TRY_ASSIGN(plans, plans_below(context, at));
    if (at == root || at == "/") break;
  }
  if (plans.size() == 1) return FoundPlan{std::move(plans.front())};

  TRY_ASSIGN(const auto current, current_plan(context));
  if (current) {
    auto plan = plan_at(context, current->path);
    if (!plan) {
      base::Error error = base::with_context(std::move(plan.error()), "the plan chosen with plankeep use");
      error.hint = "choose another: plankeep use PATH, or forget it: plankeep use --clear";
      return base::fail(std::move(error));
    }
    return plan;
  }
  if (!plans.empty()) return base::fail(several(context, plans));
  const auto foreign = context.files.info(here + "/" + std::string(store::kDefaultPlanName));
  if (foreign && foreign->kind == system::FileKind::regular)
    return base::fail(ErrorKind::not_found,
                      "no plan here: plan.md belongs to another user, and so does the folder",
                      "to use it anyway: --plan plan.md");
  return base::fail(ErrorKind::not_found,
                    "no plan found: no plan.md in this folder or a parent, none below plans/",
                    "give one with --plan PATH, or start tracking a file: plankeep init FILE");
}

}  // namespace plankeep::app
