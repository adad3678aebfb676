#pragma once
// What a snapshot's commit says of itself (schemas/README.md). Private to git/.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

/// The whole message; `extra` and `work_tree` as in Snapshot.
std::string snapshot_message(const std::string& subject, const Captured& captured, const std::string& extra,
                             const std::string& work_tree);

/// A commit's text as `git cat-file` gives it; without ref and commit. corrupt when it is not one of ours;
/// `what` names it in the message.
[[nodiscard]] base::Result<Snapshot> read_snapshot(std::string_view text, const std::string& what);

/// What the first lines of a message say: extra, work_tree.
void read_first_lines(std::string_view message, Snapshot& snapshot);
/// As many lines of it are enough.
inline constexpr int kFirstLines = 5;

}  // namespace plankeep::git
