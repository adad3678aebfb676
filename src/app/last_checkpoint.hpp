#pragma once
// The last checkpoint of a run (spec 13): sidecars, else git's log, else the log of an older tool, else none.
//
// A sidecar answers for a commit that HEAD comes from. What git has done to the others decides:
//
// - amended, rebased, squashed, picked to this branch: some commit that HEAD comes from has the same tree or
//   the same patch id, or is a checkpoint of the same run and milestone without a sidecar of its own. The
//   sidecar answers with that commit; app/relink gives it a sidecar.
// - made in another branch, or reset away: its work is not here, and neither is its checkpoint. The sidecar
//   stays for the day when the branch is here, or the commit is brought back (git reflog).
// - gone (pruned): as reset away.
//
// Of those that answer the highest milestone counts, then the newest. Where there is no repository, nobody
// can say where a commit is, and every sidecar answers. Of git's log only what HEAD comes from counts, in the
// same order.
//
// Reads only; starts git only where there is a repository: two processes while the best sidecar's commit is
// here, a few more when it is not.

#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/plan_repository.hpp"
#include "base/result.hpp"
#include "core/plan.hpp"
#include "core/sidecar.hpp"
#include "store/sidecars.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// `tracking`: null where nothing is tracked. `repository`: null where there is none.
[[nodiscard]] base::Result<core::CommitCheckpoint> last_checkpoint(system::Folder* tracking,
                                                                   PlanRepository* repository,
                                                                   const std::string& run);

/// What `status --check` tells.
struct CheckpointCheck {
  core::CommitCheckpoint last;
  std::optional<core::Drift> drift;
};
/// Of the plan's own run. `read`: the plan as it is. Errors are git's.
[[nodiscard]] base::Result<CheckpointCheck> check_checkpoint(const Context& context, const PlanLocation& plan,
                                                             const core::Plan& read);

/// The commit that took an orphan's place.
struct Home {
  std::size_t orphan = 0;  // index into what was asked for
  git::CommitFacts commit;
  std::string patch_id;  // of the commit, where it was needed
  bool same = false;     // the same tree or patch, not only the same message
};

/// Which commits that HEAD comes from took the place of commits that it does not come from. `known`: those
/// that have sidecars of their own are no answer to a message alone. Those without an answer are left out.
[[nodiscard]] base::Result<std::vector<Home>> homes_of(git::Commits& commits,
                                                       const std::vector<core::Sidecar>& orphans,
                                                       store::Sidecars& known);

}  // namespace plankeep::app
