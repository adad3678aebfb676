#pragma once
// The user's index file, kept in a snapshot; worktree/head_position puts it back. Private to git/.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "worktree/snapshot.hpp"
#include "worktree/view.hpp"

namespace plankeep::git {

struct KeptIndex {
  IndexCopy copy;
  std::string tree;  // holds the copies and every object that the index names
};

/// Under the capture's lock. Nothing of the user's is written: git gets to see a copy. `absent`: sorted, as
/// IndexCopy::absent has them.
[[nodiscard]] base::Result<KeptIndex> copy_index(Snapshots& snapshots, View& view, system::FileSystem& files,
                                                 system::Folder& own, const std::vector<std::string>& absent);

}  // namespace plankeep::git
