#pragma once
// What is claimed and done in the same plan in the other work trees of its repository: each has records of
// its own, and agents that work side by side must not get one task.
//
//   TRY_ASSIGN(const OtherTrees others, OtherTrees::open(context, plan));   // before the plan is locked
//   if (others.lease(phase, task, &holder)) ...                             // somebody else has it
//
//   const OtherTrees others = OtherTrees::look(context, plan);              // without the lock, to show it
//   TRY(leave_out(context, shown, others, view));
//
// Holds a lock that all work trees of the repository share ("claims.lock" in the plankeep folder of the git
// directory that they share) for as long as it lives, so that of two that claim at once in two trees one sees
// the other's claim. Whoever claims takes this lock first and that of the plan second. Without other work
// trees there is no lock, and nothing is known; where that folder cannot be written, what is known is known
// without a lock. Records that cannot be read, or were not made by this user's plankeep, count for nothing.
//
// Crash: the lock ends with its process; nothing else is written.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/ids.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/lease.hpp"
#include "rules/view.hpp"
#include "system/file_system.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

class OtherTrees {
 public:
  /// busy: another process claims, for longer than `timeout`.
  [[nodiscard]] static base::Result<OtherTrees> open(const Context& context, const PlanLocation& plan,
                                                     std::chrono::milliseconds timeout);

  /// What is known now, without the lock.
  static OtherTrees look(const Context& context, const PlanLocation& plan);

  /// Whether the plan has records in another work tree.
  bool any() const { return !trees_.empty(); }

  /// The claim of somebody else than `holder` (null: of anybody) that stands there; null: none. Lives as long
  /// as this.
  const core::LeaseState* lease(const core::PhaseId& phase, const core::TaskId& task,
                                const core::Holder* holder) const;
  /// A tick of a task with this id and title there; nullptr: it is open in all of them.
  struct Tick {
    std::string top;  // of the work tree; of several that of the last tick
    std::string title;
    base::Instant time{};  // 0: nobody saw it
  };
  const Tick* tick(const core::PhaseId& phase, const core::TaskId& task, const std::string& title) const;
  /// The greatest fence that was given out there.
  std::int64_t last_fence() const;

 private:
  void read(const Context& context, const PlanLocation& plan, const std::string& top,
            const std::vector<std::string>& tops);

  struct Tree {
    core::State state;
    std::vector<core::LeaseStatus> statuses;  // of its leases, in their order
  };

  std::unique_ptr<system::Lock> lock_;
  std::vector<Tree> trees_;
  std::unordered_map<std::string, Tick> ticks_;  // by the tasks' keys (core::key_of)
};

/// The open tasks of `plan` that are done in another work tree, by their keys (core::key_of), with its top.
/// Who reopened one here later wants it done again: `tracking` holds the plan's history.
[[nodiscard]] base::Result<std::unordered_map<std::string, std::string>> done_elsewhere(
    const core::Plan& plan, system::Folder& tracking, const OtherTrees& others);

/// What somebody has or did in another work tree is nothing to begin with, nor is what stands below it: marks
/// it so in the view. What `holder` has there is left in; null: there is no such holder.
[[nodiscard]] base::Status leave_out(const core::Plan& plan, system::Folder& tracking,
                                     const OtherTrees& others, const core::Holder* holder,
                                     core::StatusView& view);
/// The same for a plan that is shown (`view` is of it), whoever asks.
[[nodiscard]] base::Status leave_out(const Context& context, const Shown& shown, const OtherTrees& others,
                                     core::StatusView& view);

}  // namespace plankeep::app
