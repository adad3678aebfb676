#pragma once
// Which paths the next commit changes: the index held against a tree, as `git diff --cached --no-renames
// --name-only --ignore-submodules=none` tells it. Pure; folders whose tree git has noted in the index are not
// looked into where they are equal, so it costs what changed.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "git_objects/index_file.hpp"
#include "git_objects/tree.hpp"

namespace plankeep::git {

/// The tree of this id; nullopt: it cannot be read.
using ReadTree = std::function<std::optional<Tree>(const std::string& id)>;

/// Sorted. `tree`: its id; empty: there is no commit yet. nullopt: a tree that is needed cannot be read, or
/// more than 50,000 are needed.
std::optional<std::vector<std::string>> index_changes(const IndexFile& index, const std::string& tree,
                                                      const ReadTree& read);

}  // namespace plankeep::git
