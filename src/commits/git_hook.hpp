#pragma once
// What git's hooks ask for: `plankeep git-hook post-commit` and `post-rewrite` (installed by git-setup
// --hooks).
//
// post-commit: an ordinary commit in which a tracked plan shows a phase completed that is not completed in
// its first parent gets a sidecar, for the last such phase. Where the commit names session checkpoints
// (Entire-Checkpoint in its final trailer block), the history of every tracked plan that it changes tells of
// them (checkpoint_linked). A commit with the message of a checkpoint is
// `plankeep commit`'s own business, and while a rebase or the like is in progress nothing is done: what comes
// of it is told by post-rewrite.
//
// post-rewrite: the sidecars follow (commits/relink). git says on standard input which commit became which;
// where another hook has read that already, trees, patch ids and messages have to do.
//
// Never in the way: whatever fails is the caller's to swallow.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// For the repository around the working directory, where git runs its hooks.
[[nodiscard]] base::Status after_commit(const Context& context);

/// `input`: "<old> <new>" a line, as githooks(5) has it.
[[nodiscard]] base::Status after_rewrite(const Context& context, std::string_view input);

}  // namespace plankeep::app
