#pragma once
// The .git of a folder: a directory, or in linked work trees and submodules a file that names one. Found
// without running git, since hooks never do.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// Whether the folder has a .git of any kind, so that it looks like the top of a work tree.
bool holds_git(const Context& context, const std::string& folder);

struct GitDirectory {
  std::string path;     // absolute; free of links if `linked`
  bool linked = false;  // .git is a file that names this directory
};

/// nullopt: there is no .git, or it does not name an existing directory.
std::optional<GitDirectory> git_directory_of(const Context& context, const std::string& folder);

/// What all work trees of a repository share, for the directory of one of them (absolute): free of links.
/// That of a submodule is its own, and one whose link leads nowhere is given back.
std::string common_git_directory(const Context& context, const std::string& git_directory);

/// The tops of the other work trees of the repository that has one at `top`, the main one first if there is
/// one, as git's directory names them; at most kMostWorkTrees. Those that are gone are left out.
inline constexpr std::size_t kMostWorkTrees = 32;
std::vector<std::string> other_work_trees(const Context& context, const std::string& top);

/// Whether HEAD is on no branch. False also where it cannot be read.
bool head_is_detached(const Context& context, const std::string& folder);

/// Whether HEAD was moved by anything but a commit, according to the end of its reflog: by a switch, merge,
/// reset, pull or rebase. The times of a reflog are whole seconds, so the whole second of `since` counts.
bool head_was_moved(std::string_view reflog, base::Instant since);

enum class GitWrote {
  no,          // or it cannot be told
  with_head,   // by a switch, merge, pull, reset or rebase, also one that stopped
  alone,       // HEAD was not moved: `git checkout -- FILE`, `git restore`, `git stash push FILE`
  from_stash,  // `git stash apply` or `pop`
};

/// Whether git wrote this file of the work tree at `top` since then, by what git leaves in its directory:
///
/// - HEAD was moved, and the index knows the file as it is now;
/// - the index was written just after the file and knows it, and its text was not stored after that, as `git
///   add` does with a file that somebody else wrote;
/// - the index was written just after the file and has an entry for it that was made from a commit: a stash
///   writes files so;
/// - a merge stopped just after the file was written.
///
/// Reads little unless HEAD or the index was changed since, then the index (up to 64 MiB). `no` also where
/// that cannot be told: no index, or one with conflicts, a split or a sparse one.
GitWrote git_wrote(const Context& context, const std::string& top, const std::string& file,
                   base::Instant since);

}  // namespace plankeep::app
