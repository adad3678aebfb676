#include "editing/other_trees.hpp"

#include <algorithm>
#include <utility>

#include "model/item_key.hpp"
#include "project/git_directory.hpp"
#include "project/project.hpp"
#include "tracking/lease_holders.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

using base::Result;

constexpr std::string_view kOwnFolder = "plankeep";
constexpr std::string_view kClaimsLock = "claims.lock";

}  // namespace

Result<OtherTrees> OtherTrees::open(const Context& context, const PlanLocation& plan,
                                    std::chrono::milliseconds timeout) {
  OtherTrees others;
  const std::string top = Project(context, plan.folder).root();
  const std::vector<std::string> tops = other_work_trees(context, top);
  if (tops.empty()) return others;
  const auto git = git_directory_of(context, top);
  if (!git) return others;
  if (const auto common = context.files.open_folder(common_git_directory(context, git->path))) {
    if (const auto ours = (*common)->make_folder(kOwnFolder)) {
      auto lock = (*ours)->lock(kClaimsLock, timeout);
      if (!lock && lock.error().kind == base::ErrorKind::busy) return base::fail(std::move(lock.error()));
      if (lock) others.lock_ = std::move(*lock);
    }
  }
  const std::vector<PlanLocation> places = same_place_in(tops, top, plan);
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto state = recorded_state(context, places[i]);
    if (!state) continue;
    for (const core::PhaseState& phase : state->phases) {
      for (const core::TaskState& task : phase.tasks) {
        if (!task.done) continue;
        Tick tick{tops[i], task.title, task.completed_at.value_or(base::Instant{})};
        Tick& known = others.ticks_.try_emplace(core::key_of(phase.id, task.id), tick).first->second;
        if (known.time < tick.time) known = std::move(tick);
      }
    }
    Tree& tree = others.trees_.emplace_back();
    tree.statuses = lease_statuses(context, *state, context.clock.now());
    tree.state = std::move(*state);
  }
  return others;
}

const core::LeaseState* OtherTrees::lease(const core::PhaseId& phase, const core::TaskId& task,
                                          const core::Holder& holder) const {
  for (const Tree& tree : trees_) {
    for (std::size_t i = 0; i < tree.state.leases.size(); ++i) {
      const core::LeaseState& one = tree.state.leases[i];
      const bool stands = tree.statuses[i] == core::LeaseStatus::held;
      if (stands && one.phase == phase && one.task == task && !core::same_holder(one, holder)) return &one;
    }
  }
  return nullptr;
}

const OtherTrees::Tick* OtherTrees::tick(const core::PhaseId& phase, const core::TaskId& task,
                                         const std::string& title) const {
  const auto known = ticks_.find(core::key_of(phase, task));
  return known == ticks_.end() || known->second.title != title ? nullptr : &known->second;
}

std::int64_t OtherTrees::last_fence() const {
  std::int64_t last = 0;
  for (const Tree& tree : trees_) last = std::max(last, tree.state.last_fence);
  return last;
}

}  // namespace plankeep::app
