#pragma once
// The last checkpoint of a run (spec 13): sidecars, else git's log, else the log of an older tool, else none.
//
// A sidecar answers for a commit that HEAD comes from. What git has done to the others decides:
//
// - amended, rebased, squashed, picked to this branch: some commit that HEAD comes from has its work
//   (commits/successors). The sidecar answers with that commit; commits/relink gives it a sidecar.
// - made in another branch, or reset away: its work is not here, and neither is its checkpoint. The sidecar
//   stays for the day when the branch is here, or the commit is brought back (git reflog).
// - gone (pruned): as reset away.
//
// Of those that answer the highest milestone counts, then the newest. Where there is no repository, nobody
// can say where a commit is, and every sidecar answers. Of git's log only what HEAD comes from counts, in the
// same order, commits that several were squashed into with what their messages carry.
//
// Reads only; starts git only where there is a repository: one process while the best sidecar's commit is
// among the last of this branch, a few more when it is not.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "git/checkpoint_message.hpp"
#include "model/plan.hpp"
#include "model/sidecar.hpp"
#include "project/context.hpp"
#include "project/plan_repository.hpp"
#include "store/sidecars.hpp"
#include "system/file_system.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

/// `tracking`: null where nothing is tracked. `repository`: null where there is none.
[[nodiscard]] base::Result<core::CommitCheckpoint> last_milestone(system::Folder* tracking,
                                                                  PlanRepository* repository,
                                                                  const core::RunQuery& query);

/// What `status --check` tells.
struct CheckpointCheck {
  core::CommitCheckpoint last;
  std::optional<core::Drift> drift;
};
/// `run`: empty: the plan's own. `read`: the plan as it is. Errors are git's.
[[nodiscard]] base::Result<CheckpointCheck> check_checkpoint(const Context& context, const PlanLocation& plan,
                                                             const core::Plan& read,
                                                             const std::string& run = {});

/// The last commit that `shown` has from the history, as git has it now: the one that status --check tells
/// of, so that both say the same. Where git cannot say, the history's stays. Starts git, so never for a hook,
/// and only where the history knows a commit.
void ask_git_for_last_commit(const Context& context, Shown& shown);

/// The checkpoints that a commit's message tells of.
std::vector<core::CheckpointMessage> messages_of(const git::CommitFacts& commit);

/// Commits that a sidecar takes the place of, however often they were rewritten.
std::set<std::string> replaced_by(store::Sidecars& sidecars, const core::Sidecar& sidecar);

}  // namespace plankeep::app
