#include "editing/missing_plans.hpp"

#include <algorithm>
#include <string_view>

#include "project/current_plan.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/predecessor.hpp"

namespace plankeep::app {
namespace {

bool has_box(const core::State& state, std::string_view id) {
  return std::any_of(state.phases.begin(), state.phases.end(), [id](const core::PhaseState& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [id](const core::TaskState& task) { return task.id.text == id; }) ||
           std::any_of(phase.acceptance.begin(), phase.acceptance.end(),
                       [id](const core::CriterionState& one) { return one.id.text == id; });
  });
}

bool has_phase(const core::State& state, std::string_view id) {
  return std::any_of(state.phases.begin(), state.phases.end(),
                     [id](const core::PhaseState& phase) { return phase.id.text == id; });
}

struct Known {
  std::string id;
  std::string_view kind;
};

// The first of the ids that this plan has a box for, which may have a phase in front; or the phase.
std::optional<Known> known_there(const Context& context, const PlanLocation& plan,
                                 const std::vector<std::string>& ids, const std::string& phase) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return std::nullopt;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return std::nullopt;
  const auto loaded = load_state(**tracking, plan);
  if (!loaded || !loaded->state) return std::nullopt;
  const auto known = std::find_if(ids.begin(), ids.end(), [&](const std::string& id) {
    return has_box(*loaded->state, std::string_view(id).substr(id.rfind('/') + 1));
  });
  if (known != ids.end()) return Known{*known, "task"};
  if (!phase.empty() && has_phase(*loaded->state, phase)) return Known{phase, "phase"};
  return std::nullopt;
}

std::string tracked_too(const Context& context, const PlanLocation& other) {
  return "the plan " + shown_path(context, other.path()) + " is tracked here, too, and its file is missing";
}

std::string name_it(const Context& context, const PlanLocation& plan) {
  return "give the plan: --plan " + shown_path(context, plan.path());
}

bool was_chosen(const Context& context, const PlanLocation& plan, const std::optional<std::string>& named) {
  if (named) return true;
  const auto variable = context.environment.variable("PLANKEEP_PLAN");
  if (variable && !variable->empty()) return true;
  const auto current = current_plan(context);
  return current && *current && (*current)->path == plan.path();
}

}  // namespace

std::vector<PlanLocation> missing_beside(const Context& context, const PlanLocation& plan) {
  std::vector<PlanLocation> missing;
  // Mostly none is, and one look at the folder tells.
  const auto folder = context.files.open_folder(plan.folder);
  const auto gone = folder ? gone_plans(**folder) : base::fail(folder.error());
  if (gone && gone->empty()) return missing;
  const Project project(context, plan.folder);
  for (PlanLocation& other : ProjectPlans(context, project).not_over(context.clock.now())) {
    if (other.folder != plan.folder || other == plan) continue;
    const PlanStanding standing = plan_standing(context, other);
    if (standing.missing && standing.unfinished()) missing.push_back(std::move(other));
  }
  std::sort(missing.begin(), missing.end(),
            [](const PlanLocation& a, const PlanLocation& b) { return a.path() < b.path(); });
  return missing;
}

void warn_of_missing(const Context& context, const PlanLocation& plan, std::vector<std::string>& warnings) {
  for (const PlanLocation& other : missing_beside(context, plan))
    warnings.push_back(tracked_too(context, other));
}

base::Status refuse_guess(const Context& context, const PlanLocation& plan,
                          const std::optional<std::string>& named, const std::vector<std::string>& ids,
                          const std::string& phase) {
  if (was_chosen(context, plan, named)) return {};
  for (const PlanLocation& other : missing_beside(context, plan)) {
    const auto known = known_there(context, other, ids, phase);
    if (!known) continue;
    return base::fail(base::ErrorKind::ambiguous,
                      known->id + " may also be a " + std::string(known->kind) + " of " +
                          shown_path(context, other.path()) +
                          ", which is tracked here and whose file is missing; nothing was changed",
                      name_it(context, plan));
  }
  return {};
}

base::Status refuse_choice(const Context& context, const PlanLocation& plan,
                           const std::optional<std::string>& named) {
  if (was_chosen(context, plan, named)) return {};
  const std::vector<PlanLocation> missing = missing_beside(context, plan);
  if (missing.empty()) return {};
  return base::fail(base::ErrorKind::ambiguous,
                    tracked_too(context, missing.front()) + "; nothing was claimed", name_it(context, plan));
}

void warn_of_guess(const Context& context, const PlanLocation& plan, const std::optional<std::string>& named,
                   std::vector<std::string>& warnings) {
  if (was_chosen(context, plan, named)) return;
  for (const PlanLocation& other : missing_beside(context, plan)) {
    warnings.push_back("this was recorded in " + shown_path(context, plan.path()) + "; " +
                       tracked_too(context, other));
  }
}

}  // namespace plankeep::app
