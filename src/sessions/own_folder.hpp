#pragma once
// plankeep's own folder in a repository: <git-dir>/plankeep, and <git-common-dir>/plankeep for what all work
// trees share.

#include <memory>
#include <string>

#include "base/result.hpp"
#include "git/git.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// `git_dir`: absolute. not_found: nothing of plankeep is in there; corrupt: no folder stands there.
[[nodiscard]] inline base::Result<std::unique_ptr<system::Folder>> open_own_folder(
    system::FileSystem& files, const std::string& git_dir) {
  TRY_ASSIGN(const auto git, files.open_folder(git_dir));
  return git->open_folder(git::kOwnGitFolder);
}

/// The same, made when missing.
[[nodiscard]] inline base::Result<std::unique_ptr<system::Folder>> make_own_folder(
    system::FileSystem& files, const std::string& git_dir) {
  TRY_ASSIGN(const auto git, files.open_folder(git_dir));
  return git->make_folder(git::kOwnGitFolder);
}

}  // namespace plankeep::app
