#pragma once
// What git's hooks ask for: `plankeep git-hook post-commit` and `post-rewrite` (installed by git-setup
// --hooks).
//
// post-commit: an ordinary commit that completes a phase of a tracked plan, compared with its first parent,
// gets a sidecar for the last such phase. If the commit names session checkpoints (Entire-Checkpoint in its
// final trailer block), they are recorded in the history of every tracked plan that it changes
// (checkpoint_linked), with the phase that it completed, else the only one in which it ticked a box. Skipped
// are commits with the message of a checkpoint, which `plankeep commit` handles for every plan in them, and
// everything during a rebase or the like, which post-rewrite handles.
//
// post-rewrite: the sidecars follow (commits/relink). git says on standard input which commit became which;
// if another hook has consumed that, trees, patch ids and messages are compared.
//
// A hook must not disturb git: the caller ignores errors.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "git/commits.hpp"
#include "model/ids.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// For the repository around the working directory, where git runs its hooks.
[[nodiscard]] base::Status after_commit(const Context& context);

/// Does for the plans that the commit changes what after_commit() does, but for the plan at `except` (from
/// the top of the work tree), which whoever made the commit has bound. Returns the first error; the others
/// are bound all the same.
[[nodiscard]] base::Status bind_changed_plans(const Context& context, git::Commits& commits,
                                              const git::CommitFacts& commit, const std::string& top,
                                              const std::string& except = {});

/// `input`: as rewritten_commits() takes it.
[[nodiscard]] base::Status after_rewrite(const Context& context, std::string_view input);

/// Whether plans' records tell of the session checkpoints that commits name: unless "sessions" is "off".
bool tells_of_sessions(const Context& context, const std::string& folder);

/// The only phase of which the commit ticked a box in the plan at `path`; empty: several, or none.
[[nodiscard]] base::Result<core::PhaseId> phase_ticked_by(git::Commits& commits,
                                                          const git::CommitFacts& commit,
                                                          const std::string& path);

/// A commit and the one that was made from it, as githooks(5) has the input of post-rewrite: "<old> <new>" a
/// line.
std::vector<std::pair<std::string, std::string>> rewritten_commits(std::string_view input);
}  // namespace plankeep::app
