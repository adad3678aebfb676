#pragma once
// Which paths the ignore rules of a tree cover, whatever the work tree's own say now. Private to git/.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

/// The rules are the tree's .gitignore files with the user's info/exclude and core.excludesFile as they are
/// now. By path: what is ignored as a whole, the path itself or the outermost folder on the way, with a "/"
/// at its end. Paths that are not covered are not in it.
[[nodiscard]] base::Result<std::map<std::string_view, std::string>> ignored_by_tree(
    Snapshots& snapshots, system::FileSystem& files, const std::string& tree,
    const std::vector<std::string_view>& paths);

}  // namespace plankeep::git
