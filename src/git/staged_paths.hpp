#pragma once
// What the next commit changes, and whether a setting is made, read from git's files instead of asking git:
// for git's hooks, in which each process of git's costs the user about two milliseconds a commit.
//
//   if (auto paths = staged_paths(files, tree, index)) ... // nullopt: ask git, which knows more
//
// Nothing is guessed: whatever is not plain (HEAD's commit, branch or trees in packs, no commit yet, a sparse
// or split index, a reftable, replaced objects) is nullopt.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/git.hpp"
#include "system/environment.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

/// The paths, sorted, that the index at `index` (absolute) has otherwise than HEAD, of renamed files both.
/// Of `tree`, git_dir and common_dir count.
std::optional<std::vector<std::string>> staged_paths(system::FileSystem& files, const WorkTree& tree,
                                                     const std::string& index);

/// Whether no configuration of git's sets the variable `name` (the part behind the last dot, in lower case),
/// in any section. False: one sets it, or may: it includes other files, or is not where we know it. Holds in
/// git's hooks only, in which PATH begins with the folder of git's own programs.
bool is_surely_unset(system::FileSystem& files, const system::Environment& environment, const WorkTree& tree,
                     std::string_view name);

}  // namespace plankeep::git
