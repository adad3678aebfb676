#pragma once
// `plankeep checkpoint diff`: in what two checkpoints differ, or one and how things are now. Reads only: a
// look at the work tree leaves no object behind.
//
// A checkpoint without a snapshot, and one whose snapshot git has no more, is compared by its plan alone,
// which `warnings` says. Errors: those of get_checkpoint, not_found for a path that is nowhere, those of
// worktree/snapshot.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/todo_changes.hpp"
#include "worktree/tree_diff.hpp"

namespace plankeep::app {

struct CheckpointDiffRequest {
  std::string from;                  // as get_checkpoint takes it
  std::optional<std::string> to;     // nullopt: how things are now
  std::vector<std::string> paths{};  // only these files and folders, as named from the working directory
  bool with_patch = true;            // the lines too
};

struct CheckpointDiff {
  core::CheckpointHead from;
  std::optional<core::CheckpointHead> to;  // nullopt: now
  std::vector<core::TodoChange> tasks;     // of the plan; not of the paths alone
  std::optional<bool> plan_changed;        // other bytes; nullopt: one of both could not be read
  std::optional<std::vector<git::FileDifference>> files;  // by path; nullopt: not known
  std::optional<std::string> patch;  // as git shows it, with the bytes of the files; nullopt: not asked for
  std::vector<std::string> warnings;
};

[[nodiscard]] base::Result<CheckpointDiff> diff_checkpoints(const Context& context, const PlanLocation& plan,
                                                            const CheckpointDiffRequest& request);

}  // namespace plankeep::app
