#pragma once
// What is kept for how long (spec 12), without anybody asking: checkpoints for 30 days, those of completed
// phases and the newest of each session for ever; sidecars (spec 13) as long as git has their commit, or no
// other sidecar tells of the same phase.
//
//   retain(context, plan);       // the last thing of the process that made a checkpoint (checkpoints/job)
//
// At most once a day for each plan, which cleanup.log of the tracking folder knows: a line for each time,
// with what went. Killed: as clean_up_checkpoints; without the line it is done again, and finds nothing.
//
// clean_up_checkpoints does it when somebody asks. The records go first, then refs, sidecars and the event;
// killed behind the records, refs that no checkpoint has, which the next one drops, and no event.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// Drops the refs of the plan's snapshots that are older than `older_than` and not among `kept` (those that
/// checkpoints have, sorted), so that git can reclaim them: those of deleted checkpoints, and those whose
/// record was never written. Gives how many. Called once, after the records are gone. `work_tree_top`: of the
/// repository around the plan.
using SnapshotDropper = std::function<base::Result<std::int64_t>(
    const std::string& work_tree_top, const std::vector<std::string>& kept, base::Instant older_than)>;

/// For how long checkpoints are kept where nothing else is said.
inline constexpr std::int64_t kCheckpointDays = 30;

/// What was made in the last so many milliseconds stays, however little older_than_ms says.
inline constexpr std::int64_t kFreshFor = base::kHour;

struct CleanUpRequest {
  std::int64_t older_than_ms = kCheckpointDays * base::kDay;
  bool all = false;  // also what was made in the last hour, and the newest of each session
  bool dry = false;  // only say what would be deleted
};

struct CleanUpAnswer {
  PlanLocation plan;
  bool dry = false;  // nothing was deleted
  records::CleanedUp cleaned;
  std::int64_t dropped_snapshots = 0;
  std::vector<std::string> sidecars;  // that went, or would: the ids of their commits (checkpoints/retention)
  std::vector<std::string> warnings;
  std::vector<core::Event> events;  // what was recorded
};

/// Deletes checkpoints that are older than so many milliseconds; epic_completion and, unless `all` is asked
/// for, the newest of each session stay for ever. Sidecars of commits that git has no more go by the same
/// time. The history gets an event `checkpoints_cleaned`, a name that readers of the history pass over, where
/// something went. `drop` may be empty: then refs stay, and a warning says so where there are some. Nothing
/// is deleted, and no store made, where there is none.
[[nodiscard]] base::Result<CleanUpAnswer> clean_up_checkpoints(const Context& context,
                                                               const PlanLocation& plan,
                                                               const CleanUpRequest& request,
                                                               const SnapshotDropper& drop);

/// The commits whose sidecars can go: made before `older_than`, git has the commit no more, and another
/// sidecar of the same run and milestone is newer, or its commit is there. Reads only. None without git, and
/// in a shallow repository, where git does not know.
[[nodiscard]] base::Result<std::vector<std::string>> dead_sidecars(const Context& context,
                                                                   const PlanLocation& plan,
                                                                   base::Instant older_than);

/// Gives what was recorded, edits of the plan that nobody had seen among it. Nothing is done, and no line
/// written, while nothing is old enough.
[[nodiscard]] base::Result<std::vector<core::Event>> retain(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
