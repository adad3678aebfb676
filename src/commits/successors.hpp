#pragma once
// Where the work of a commit went that HEAD does not come from: rewritten, squashed, picked, merged as one.
//
// A commit that HEAD comes from is the home of an orphan, a sidecar's commit that HEAD does not come from,
// when, in this order,
//
// - it has the same tree, or the same patch id (amended words, rebased, picked);
// - it has no sidecar of its own and its message, or one that it carries of the commits that were squashed
//   into it, is that of a checkpoint of the same run and milestone;
// - the orphan's phase came to be completed in it, as the plan reads in this commit and in the one before.
//   Not where the orphan's phase was not complete itself.
//
// So squash merges onto a branch that moved on are found whatever their message says, as long as the plan is
// in the repository.

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "model/sidecar.hpp"
#include "project/plan_repository.hpp"
#include "store/sidecars.hpp"

namespace plankeep::app {

struct Successor {
  std::size_t rewritten = 0;  // index into what was asked for
  git::CommitFacts commit;
  std::string patch_id;  // of the commit, where it was needed
  bool same = false;     // the same tree or patch: what was verified of the orphan holds for it
};

/// In the order of the orphans, without those that have none. `known`: the sidecars there are. `plan_path`:
/// in the repository; empty: the plan's text is not looked at. A few git processes, none without orphans.
[[nodiscard]] base::Result<std::vector<Successor>> successors_of(git::Commits& commits,
                                                                 const std::vector<core::Sidecar>& rewritten,
                                                                 store::Sidecars& known,
                                                                 const std::string& plan_path);

/// The last phase that is completed in one text of a plan and not in the one before.
std::optional<std::size_t> newly_completed(const core::Plan& plan, const core::Plan& before);

}  // namespace plankeep::app
