#pragma once
// Files of Entire's shadow snapshots made into checkpoints that `rewind` can go back to, with its preview and
// undo (`checkpoint import --from entire`, spec 19). Entire itself can no longer put them back.
//
//   TRY_ASSIGN(const ImportedSnapshot done, import_shadow(context, plan, "entire/c720494-e3b0c4"));
//   ... plankeep rewind <done.answer.checkpoint.head.id> --dry-run ...
//
// What the checkpoint holds: the snapshot's files under a ref of ours (worktree/snapshot), and the plan's
// text where the snapshot has a plan that can be read, with what the history knew of it then. Left out, so
// that a rewind leaves them as they are: .entire/, anything below a .checkpoint folder, submodules, files
// whose content is missing from the repository, and entries that could lead elsewhere. Links stay links.
// Permission bits beyond the executable one are not known.
//
// The shadow branch, the work tree, the index and HEAD do not change. Order of effects and crashes: as
// checkpoints/checkpoint; what is left of a crash is objects that git's gc removes, or a ref that `checkpoint
// cleanup` drops.

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "checkpoints/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "session_store/shadow_store.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

struct ImportedSnapshot {
  sessions::ShadowSnapshot snapshot;
  CheckpointAnswer answer;  // its checkpoint, with warnings
  std::string commit_then;  // HEAD when the session began; empty: not known
  std::size_t files = 0;    // links counted
  bool has_plan = false;    // the snapshot holds the plan's text
  std::vector<git::LeftOut> left_out;
};

/// `named`: as sessions::find_snapshot. Errors: its; those of read_shadow_files and create_checkpoint;
/// not_found, no repository around the plan.
[[nodiscard]] base::Result<ImportedSnapshot> import_shadow(const Context& context, const PlanLocation& plan,
                                                           const std::string& named);

}  // namespace plankeep::app
