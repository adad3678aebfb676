#include "hooks/first_sight.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "hooks/hook_plans.hpp"
#include "project/known_folders.hpp"
#include "project/known_layouts.hpp"
#include "project/listed/layout_plans.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/search_plans.hpp"
#include "tracking/track.hpp"

namespace plankeep::app {
namespace {

// Of somebody's whole collection nothing is guessed.
constexpr std::size_t kMostLookedAt = 200;
constexpr std::size_t kMostFiles = 2 * kMostKnownPlans;

// A file that nobody tracks, with an open box in it.
std::optional<UntrackedFile> open_plan(const Context& context, const PlanLocation& plan) {
  auto file = untracked_file(context, plan);
  return file && file->open ? std::move(file) : std::nullopt;
}

// Plans that were tracked and whose .checkpoint is gone, for example by git clean. There is no limit on their
// number, because each was tracked before. Of other files than those that hooks track by themselves (spec
// 2.4) only those with markers.
std::vector<UntrackedFile> plans_without_records(const Context& context, const Project& project,
                                                 const ProjectPlans& known) {
  std::vector<UntrackedFile> seen;
  for (const PlanLocation& plan : known.without_records()) {
    auto file = open_plan(context, plan);
    if (!file) continue;
    const std::string below = plan.path().substr(project.root() == "/" ? 1 : project.root().size() + 1);
    if (file->marked || known_layout(below) != nullptr || names_plan(project.settings(), plan.name))
      seen.push_back(std::move(*file));
  }
  return seen;
}

bool is_tracked(const Context& context, const PlanLocation& plan) {
  const auto folder = context.files.open_folder(plan.folder);
  return folder && store::open_tracking(**folder, plan.name);
}

// Tracked, and not in the list: a folder that was renamed took its records along.
void take_into_list(const Context& context, const std::vector<PlanLocation>& files) {
  std::size_t left = kMostTrackedAtOnce;
  for (const PlanLocation& file : files) {
    if (left == 0 || !is_tracked(context, file)) continue;
    ProjectPlans::note(context, file, plan_standing(context, file));
    --left;
  }
}

std::vector<UntrackedFile> new_plans(const Context& context, const Project& project,
                                     const ProjectPlans& known) {
  std::vector<UntrackedFile> seen;
  // Where a plan is known nothing new is looked for: a project with many costs no more than one with few.
  std::vector<PlanLocation> files =
      plans_in_known_layouts(context, project.root(), kMostFiles, known.folders());
  const std::size_t start = project.root() == "/" ? 1 : project.root().size() + 1;
  std::erase_if(files, [&](const PlanLocation& file) { return known.knows(file.path().substr(start)); });
  if (files.size() > kMostLookedAt) return seen;
  take_into_list(context, files);
  for (const PlanLocation& file : files) {
    if (auto plan = open_plan(context, file)) seen.push_back(std::move(*plan));
    if (seen.size() > kMostTrackedAtOnce) return {};
  }
  // What a search found elsewhere may be a template or a sample: only where there is no other plan it is
  // meant.
  if (!seen.empty() || known.count_unfinished() > 0) return seen;
  const std::vector<PlanLocation> searched = known.untracked();
  if (searched.size() > kMostTrackedAtOnce) return seen;
  for (const PlanLocation& file : searched) {
    if (auto plan = open_plan(context, file)) seen.push_back(std::move(*plan));
    if (seen.size() > 1) return {};
  }
  return seen;
}

// The plan.md that commands in the session's folder would take (spec 9.1): of the folder itself or its
// nearest parent within the project that has a plan.
std::vector<UntrackedFile> nearest_plan(const Context& context, const Project& project,
                                        const ProjectPlans& known, const std::string& here) {
  std::vector<UntrackedFile> seen;
  const std::size_t start = project.root() == "/" ? 1 : project.root().size() + 1;
  for (std::string at = here;; at = parent_of(at)) {
    // Mostly it is known, and no folder has to be listed.
    const std::string below = at.size() > start ? at.substr(start) + "/" : std::string();
    if (known.knows(below + std::string(store::kDefaultPlanName))) return seen;
    const auto plans = plans_in_real_folder(context, at);
    if (!plans) return seen;
    for (const FoundPlan& found : *plans) {
      if (!is_default_plan_name(found.plan.name)) continue;
      if (auto plan = open_plan(context, found.plan)) seen.push_back(std::move(*plan));
    }
    if (!plans->empty() || at == project.root() || at == "/") return seen;
  }
}

}  // namespace

void track_at_session_start(const Context& context, const core::HookEvent& event,
                            std::chrono::milliseconds timeout, bool marked_only) {
  const auto here = context.files.real_path(working_folder(context, event.cwd));
  if (!here) return;
  const Project project(context, *here);
  FirstSight track_what = project.settings().track;
  if (track_what == FirstSight::off) return;
  if (marked_only) track_what = FirstSight::marked;
  const ProjectPlans known(context, project);
  std::vector<UntrackedFile> found = plans_without_records(context, project, known);
  for (UntrackedFile& plan : new_plans(context, project, known)) found.push_back(std::move(plan));
  for (UntrackedFile& plan : nearest_plan(context, project, known, *here)) found.push_back(std::move(plan));
  for (const UntrackedFile& seen : found) {
    if (track_what == FirstSight::marked && !seen.marked) continue;
    (void)track(context, seen.plan, Edit{}, timeout, PlanWork::Create::if_boxes);
  }
}

}  // namespace plankeep::app
