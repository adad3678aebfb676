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
#include <vector>

#include "base/json_writer.hpp"
#include "model/sidecar.hpp"
#include "render/style.hpp"

namespace plankeep::render {

struct CommitView {
  std::string plan_id;
  std::string path;
  bool committed = false;
  bool existing = false;  // a commit that was there was bound
  bool dry_run = false;
  core::Sidecar sidecar;
  bool sidecar_written = false;
  std::string message;
  struct File {
    char change = 'M';  // git's letter
    std::string path;
  };
  std::vector<File> files;
  core::CommitCheckpoint before;
  std::vector<std::string> warnings;
};

std::string commit_text(const CommitView& view, const Style& style);
std::string commit_json(const CommitView& view);

/// "1234567890 is the last checkpoint: milestone 1, phase api", unsafe text made safe.
std::string last_commit_words(const core::SavedCommit& commit);
/// "the plan is at milestone 1 (api), the last checkpoint at milestone 0 (db)".
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
