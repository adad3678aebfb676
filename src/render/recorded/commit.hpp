#pragma once
// What `plankeep commit` did, or would do.
//
// JSON: { plan {id, path}, committed, existing?, dryRun, sha, runId, milestoneIndex, milestoneTitle, phaseId,
// tier, verificationCommands[], sidecarWritten, message, files [ {change, path} ], previous {
// checkpointSource, sha?, milestoneIndex? }, warnings[] }; sha and tier are null where nothing was committed
// and no commit that is there was bound (existing). And the part of `status --check` about it:
// "checkpointSource", "sha"?, "milestoneIndex"?, "phaseId"?, "drift" { plan, checkpoint, source } or null.
// Without
// --check `status` says the same from the history, where a checkpoint was committed; both sources are
// "history" then.

#include <optional>
#include <string>
#include <string_view>

#include "base/json_writer.hpp"
#include "commits/commit.hpp"
#include "model/sidecar.hpp"
#include "render/style.hpp"

namespace plankeep::render {

std::string commit_text(const app::CommitReport& report, bool dry_run, const Style& style);
std::string commit_json(const app::PlanLocation& plan, const app::CommitReport& report, bool dry_run);

/// "1234567890 is the last checkpoint: milestone 1, phase api", unsafe text made safe.
std::string last_commit_words(const core::SavedCommit& commit);
/// "the plan is at milestone 1 (api), the last phase commit at milestone 0 (db)".
std::string drift_words(const core::Drift& drift);

/// What `status --check` says of plan and last checkpoint.
struct CheckpointCheckView {
  core::CommitCheckpoint last;
  std::optional<core::Drift> drift;
};
/// A line: which commit the last checkpoint is. The drift is a warning among the others.
std::string checkpoint_text(const CheckpointCheckView& view);
void write_checkpoint(base::JsonWriter& out, const CheckpointCheckView& view);
/// As the history tells of it.
void write_checkpoint(base::JsonWriter& out, const core::SavedCommit& commit,
                      const std::optional<core::Drift>& drift);

}  // namespace plankeep::render
