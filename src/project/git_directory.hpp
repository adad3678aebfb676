#pragma once
// The .git of a folder: a directory, or in linked work trees and submodules a file that names one. Found
// without running git, since hooks never do.

#include <optional>
#include <string>
#include <string_view>

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

/// Whether HEAD is on no branch. False also where it cannot be read.
bool head_is_detached(const Context& context, const std::string& folder);

/// Whether HEAD was moved by anything but a commit, according to the end of its reflog: by a switch, merge,
/// reset, pull or rebase. The times of a reflog are whole seconds, so the whole second of `since` counts.
bool head_was_moved(std::string_view reflog, base::Instant since);

/// Whether git wrote this file of the work tree at `top` since then: HEAD was moved, and git's index knows
/// the file as it is now; or the stash was changed just after the file was written, as `git stash pop` does,
/// which leaves no trace in HEAD's reflog or the index. Reads little unless the reflog was written since,
/// then the index (up to 64 MiB). False also where that cannot be told: no reflog, an index with conflicts, a
/// split or a sparse one, `git stash apply`, a linked work tree's stash.
bool git_wrote(const Context& context, const std::string& top, const std::string& file, base::Instant since);

}  // namespace plankeep::app
