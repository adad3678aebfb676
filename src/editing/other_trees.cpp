#include "editing/other_trees.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "model/item_key.hpp"
#include "project/git_directory.hpp"
#include "project/project.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/lease_holders.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/restored_times.hpp"

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
  others.read(context, plan, top, tops);
  return others;
}

OtherTrees OtherTrees::look(const Context& context, const PlanLocation& plan) {
  OtherTrees others;
  const std::string top = Project(context, plan.folder).root();
  if (const auto tops = other_work_trees(context, top); !tops.empty()) others.read(context, plan, top, tops);
  return others;
}

void OtherTrees::read(const Context& context, const PlanLocation& plan, const std::string& top,
                      const std::vector<std::string>& tops) {
  const std::vector<PlanLocation> places = same_place_in(tops, top, plan);
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto state = recorded_state(context, places[i]);
    if (!state) continue;
    for (const core::PhaseState& phase : state->phases) {
      for (const core::TaskState& task : phase.tasks) {
        if (!task.done) continue;
        Tick tick{tops[i], task.title, task.completed_at.value_or(base::Instant{})};
        Tick& known = ticks_.try_emplace(core::key_of(phase.id, task.id), tick).first->second;
        if (known.time < tick.time) known = std::move(tick);
      }
    }
    Tree& tree = trees_.emplace_back();
    tree.statuses = lease_statuses(context, *state, context.clock.now());
    tree.state = std::move(*state);
  }
}

const core::LeaseState* OtherTrees::lease(const core::PhaseId& phase, const core::TaskId& task,
                                          const core::Holder* holder) const {
  for (const Tree& tree : trees_) {
    for (std::size_t i = 0; i < tree.state.leases.size(); ++i) {
      const core::LeaseState& one = tree.state.leases[i];
      const bool stands = tree.statuses[i] == core::LeaseStatus::held;
      const bool own = holder != nullptr && core::same_holder(one, *holder);
      if (stands && !own && one.phase == phase && one.task == task) return &one;
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

Result<std::unordered_map<std::string, std::string>> done_elsewhere(const core::Plan& plan,
                                                                    system::Folder& tracking,
                                                                    const OtherTrees& others) {
  std::unordered_map<std::string, const OtherTrees::Tick*> ticks;
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) {
      const OtherTrees::Tick* const tick = task.done() ? nullptr : others.tick(phase.id, task.id, task.title);
      if (tick != nullptr) ticks.emplace(core::key_of(phase.id, task.id), tick);
    }
  }
  std::unordered_map<std::string, std::string> done;
  if (ticks.empty()) return done;
  std::unordered_set<std::string> keys;
  for (const auto& [key, tick] : ticks) keys.insert(key);
  TRY_ASSIGN(const auto reopened, last_reopened(tracking, std::move(keys), {}));
  for (const auto& [key, tick] : ticks) {
    const auto later = reopened.find(key);
    if (later == reopened.end() || later->second < tick->time) done.emplace(key, tick->top);
  }
  return done;
}

base::Status leave_out(const core::Plan& plan, system::Folder& tracking, const OtherTrees& others,
                       const core::Holder* holder, core::StatusView& view) {
  TRY_ASSIGN(const auto done, done_elsewhere(plan, tracking, others));
  for (core::PhaseRow& phase : view.phases) {
    std::unordered_set<std::string_view> left_out;
    for (core::TaskRow& task : phase.tasks) {
      if (!left_out.contains(task.parent.text) && others.lease(phase.id, task.id, holder) == nullptr &&
          !done.contains(core::key_of(phase.id, task.id)))
        continue;
      left_out.insert(task.id.text);
      task.elsewhere = true;
    }
  }
  return {};
}

base::Status leave_out(const Context& context, const Shown& shown, const OtherTrees& others,
                       core::StatusView& view) {
  if (!others.any() || !shown.plan) return {};
  TRY_ASSIGN(const auto folder, context.files.open_folder(shown.location.folder));
  const auto tracking = store::open_tracking(*folder, shown.location.name);
  if (!tracking) return {};  // not tracked: nothing was reopened here
  return leave_out(*shown.plan, **tracking, others, nullptr, view);
}

}  // namespace plankeep::app
