#pragma once
// The .git of a folder: a directory, or in linked work trees and submodules a file that names one. The only
// place that looks it up without asking git, which a hook never does.

#include <optional>
#include <string>

#include "project/context.hpp"

namespace plankeep::app {

/// Whether the folder holds a .git of any kind: the top of a work tree, as far as its entries tell.
bool holds_git(const Context& context, const std::string& folder);

struct GitDirectory {
  std::string path;     // absolute; of a linked one with no links in it
  bool linked = false;  // .git is a file that names it
};

/// nullopt: there is none, or a .git that names no directory that exists.
std::optional<GitDirectory> git_directory_of(const Context& context, const std::string& folder);

}  // namespace plankeep::app
