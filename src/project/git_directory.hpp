#pragma once
// The .git of a folder: a directory, or in linked work trees and submodules a file that names one. Found
// without running git, since hooks never do.

#include <optional>
#include <string>

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

}  // namespace plankeep::app
