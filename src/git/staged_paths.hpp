#pragma once
// What the next commit changes, and whether a setting exists, read from git's files instead of asking git.
// For git's hooks, where each git process adds about two milliseconds to a commit.
//
//   if (auto paths = staged_paths(files, tree, index)) ... // nullopt: ask git, which knows more
//
// Nothing is guessed: nullopt in all other cases (HEAD's commit, branch or trees in packs, no commit yet, a
// sparse or split index, a reftable, replaced objects).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/git.hpp"
#include "system/environment.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

/// The paths, sorted, whose entries in the index at `index` (absolute) differ from HEAD; both paths of a
/// renamed file. Uses git_dir and common_dir of `tree`.
std::optional<std::vector<std::string>> staged_paths(system::FileSystem& files, const WorkTree& tree,
                                                     const std::string& index);

/// Whether no git configuration sets the variable `name` (the part after the last dot, in lower case) in any
/// section. False: one sets it, or might, because it includes other files or is at an unknown place. Valid
/// only in git's hooks, where PATH begins with the folder of git's own programs.
bool is_surely_unset(system::FileSystem& files, const system::Environment& environment, const WorkTree& tree,
                     std::string_view name);

}  // namespace plankeep::git
