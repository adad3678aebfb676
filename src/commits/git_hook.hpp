#pragma once
// What git's hooks ask for: `plankeep git-hook post-commit` and `post-rewrite` (installed by git-setup
// --hooks).
//
// post-commit: an ordinary commit that completes a phase of a tracked plan, compared with its first parent,
// gets a sidecar for the last such phase. If the commit names session checkpoints (Entire-Checkpoint in its
// final trailer block), they are recorded in the history of every tracked plan that it changes
// (checkpoint_linked), with the phase that it completed, else the only one in which it ticked a box. Skipped
// are commits with the message of a checkpoint, which `plankeep commit` handles, and everything during a
// rebase or the like, which post-rewrite handles.
//
// post-rewrite: the sidecars follow (commits/relink). git says on standard input which commit became which;
// if another hook has consumed that, trees, patch ids and messages are compared.
//
// A hook must not disturb git: the caller ignores errors.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// For the repository around the working directory, where git runs its hooks.
[[nodiscard]] base::Status after_commit(const Context& context);

/// `input`: one "<old> <new>" per line, as described in githooks(5).
[[nodiscard]] base::Status after_rewrite(const Context& context, std::string_view input);

}  // namespace plankeep::app
