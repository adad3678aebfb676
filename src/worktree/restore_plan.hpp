#pragma once
// What going back to a snapshot does to each path of the work tree: the decision of worktree/restore_tree,
// which acts on it. Reads only. Private to git/.

#include <string_view>

#include "base/result.hpp"
#include "git/folder_chain.hpp"
#include "worktree/restore_tree.hpp"

namespace plankeep::git {

/// Whether a path can stand in a work tree at all: relative, without "." and "..", nothing in a ".git". git
/// itself lets no other into a tree; a tree, and a journal, can be made without it.
bool can_stand_in_work_tree(std::string_view path);

/// Whether the work tree's .plankeep-rewind is a staging of ours.
[[nodiscard]] base::Result<bool> staging_beside(FolderChain& chain);

/// As TreeRestore::preview.
[[nodiscard]] base::Result<RestorePlan> plan_restore(Snapshots& snapshots, system::FileSystem& files,
                                                     const Captured& now, const Snapshot& target,
                                                     const LeaveOut& skip, const ComingIndex* coming);

}  // namespace plankeep::git
