#include "rewind/other_plans.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/restored_times.hpp"

namespace plankeep::app {

using base::Status;

std::vector<PlanLocation> other_plans(const Context& context, const std::string& top,
                                      const std::vector<git::TreeChange>& changes) {
  std::vector<PlanLocation> plans;
  std::map<std::string, std::vector<std::string>> tracked;  // by folder
  for (const git::TreeChange& change : changes) {
    const std::string path = top + "/" + change.path;
    PlanLocation plan{parent_of(path), last_part(path)};
    if (!plan.name.ends_with(".md")) continue;
    const auto [known, fresh] = tracked.try_emplace(plan.folder);
    if (fresh) {
      const auto folder = context.files.open_folder(plan.folder);
      auto names = folder ? store::tracked_files(**folder) : base::fail(folder.error());
      if (names) known->second = std::move(*names);
    }
    const std::vector<std::string>& names = known->second;
    if (std::find(names.begin(), names.end(), plan.name) != names.end()) plans.push_back(std::move(plan));
  }
  return plans;
}

Status record_other_plan(const Context& context, const PlanLocation& plan, base::Instant then,
                         const std::string& actor) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{actor, true, true}));
  if (!work.readable()) return {};
  TRY_ASSIGN(const core::State before, state_at(work.tracking(), plan, work.bytes(), then));
  core::State state = work.state();
  std::vector<core::Event> events = give_back_times(before, state);
  if (events.empty()) return {};
  return work.save(std::move(state), std::move(events));
}

}  // namespace plankeep::app
