#include "editing/other_trees.hpp"

#include <algorithm>
#include <utility>

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
  if (const auto common = context.files.open_folder(common_git_directory(context, top))) {
    if (const auto ours = (*common)->make_folder(kOwnFolder)) {
      auto lock = (*ours)->lock(kClaimsLock, timeout);
      if (!lock && lock.error().kind == base::ErrorKind::busy) return base::fail(std::move(lock.error()));
      if (lock) others.lock_ = std::move(*lock);
    }
  }
  for (const PlanLocation& there : same_place_in(tops, top, plan)) {
    auto state = recorded_state(context, there);
    if (!state) continue;
    Tree& tree = others.trees_.emplace_back();
    tree.top = Project(context, there.folder).root();
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

std::string OtherTrees::done_in(const core::PhaseId& phase, const core::TaskId& task,
                                const std::string& title) const {
  for (const Tree& tree : trees_) {
    for (const core::PhaseState& one : tree.state.phases) {
      if (one.id != phase) continue;
      if (std::any_of(one.tasks.begin(), one.tasks.end(), [&](const core::TaskState& there) {
            return there.done && there.id == task && there.title == title;
          }))
        return tree.top;
    }
  }
  return {};
}

std::int64_t OtherTrees::last_fence() const {
  std::int64_t last = 0;
  for (const Tree& tree : trees_) last = std::max(last, tree.state.last_fence);
  return last;
}

}  // namespace plankeep::app
