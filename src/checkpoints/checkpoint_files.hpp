#pragma once
// `plankeep checkpoint checkout`: a checkpoint's files as a folder of its own, beside what is there now.
//
// Plain files, no git work tree: that one would run the repository's filters and hooks, so its bytes would
// not be those of the checkpoint, and it would stay in the user's `git worktree list`. So nothing in the
// repository changes, and the folder is removed like any other. What is written: worktree/tree_files; the
// plan with the text that the checkpoint has of it.
//
// Killed: the folder has some of the files. After an error what was written is taken away again.

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

struct CheckedOut {
  core::CheckpointHead checkpoint;
  std::string folder;     // absolute
  std::string plan_file;  // in it; empty: the checkpoint holds no text of the plan
  std::size_t files = 0;  // links counted, and the plan
  std::vector<std::string> warnings;
};

/// `which` as get_checkpoint takes it; `folder` as named from the working directory: an empty one, or one
/// that is not there in a folder that is. conflict when something is in it or under its name; not_found when
/// the checkpoint holds no snapshot, or git has it no more.
[[nodiscard]] base::Result<CheckedOut> check_out(const Context& context, const PlanLocation& plan,
                                                 const std::string& which, const std::string& folder);

}  // namespace plankeep::app
