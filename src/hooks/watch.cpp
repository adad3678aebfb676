#include "hooks/watch.hpp"

#include <algorithm>
#include <utility>

#include "hooks/first_sight.hpp"
#include "hooks/hook_plans.hpp"
#include "model/hook_event.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/track.hpp"

namespace plankeep::app {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

PlanWatch::PlanWatch(const Context& context, system::FileWatch* files, Which which)
    : context_(context), files_(files), which_(which) {}

void PlanWatch::add(const PlanLocation& plan) {
  const bool known = std::any_of(plans_.begin(), plans_.end(),
                                 [&plan](const Watched& watched) { return watched.plan == plan; });
  if (known) return;
  plans_.push_back({plan, false, {}});
}

// The plans that a hook in this folder would look at. An untracked file without a marker is not one of them.
void PlanWatch::find_more() {
  track_at_session_start(context_, core::HookEvent{}, kTimeout, true);
  const HookPlans found = hook_plans(context_, core::HookEvent{});
  for (const FoundPlan& plan : found.plans) {
    if (require_trackable(context_, plan.plan)) add(plan.plan);
  }
}

bool PlanWatch::folder_is_gone(const PlanLocation& plan) const {
  const auto info = context_.files.info(plan.folder);
  return info && info->kind != system::FileKind::directory;
}

void PlanWatch::listen(const PlanLocation& plan) {
  if (files_ == nullptr) return;
  (void)files_->add(plan.path());
  // A plan that is a link changes where it leads to, and that may be elsewhere by now.
  const auto real = context_.files.real_path(plan.path());
  if (real && *real != plan.path()) (void)files_->add(*real);
}

void PlanWatch::bring_up_to_date(Watched& watched, WatchNews& news) {
  auto outcome = track(context_, watched.plan, Edit{});
  if (!outcome) {
    base::Error error =
        base::with_context(std::move(outcome.error()), shown_path(context_, watched.plan.path()));
    if (error.message != std::exchange(watched.problem, error.message))
      news.problems.push_back(std::move(error));
    return;
  }
  std::string problem = joined(outcome->warnings);
  const bool told = problem == std::exchange(watched.problem, problem);
  if (!outcome->events.empty() || (!told && !problem.empty())) news.changes.push_back(std::move(*outcome));
}

WatchNews PlanWatch::poll() {
  WatchNews news;
  for (auto watched = plans_.begin(); watched != plans_.end();) {
    if (!folder_is_gone(watched->plan)) {
      ++watched;
      continue;
    }
    news.gone.push_back(std::move(watched->plan));
    watched = plans_.erase(watched);
  }
  if (which_ == Which::all_of_project) find_more();
  for (Watched& watched : plans_) {
    // Before the file is read: what happens from here on is seen by one of the two.
    listen(watched.plan);
    if (!std::exchange(watched.announced, true)) news.found.push_back(watched.plan);
    bring_up_to_date(watched, news);
  }
  return news;
}

}  // namespace plankeep::app
