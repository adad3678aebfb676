#pragma once
// The modes of a path as git's trees and diffs write them (gitformat-index, gitdiff-core). Private to git/.

#include <cstdint>
#include <string_view>

#include "system/file_system.hpp"

namespace plankeep::git {

inline constexpr std::string_view kNoFileMode = "000000";  // of a diff's side where the path is not
inline constexpr std::string_view kFileMode = "100644";
inline constexpr std::string_view kExecutableMode = "100755";
inline constexpr std::string_view kLinkMode = "120000";
inline constexpr std::string_view kGitlinkMode = "160000";  // a submodule's commit

/// What git calls the mode of this file or link; empty for anything else, and for what is missing.
inline std::string_view mode_of(const system::FileInfo& info) {
  constexpr std::uint32_t kOwnerRuns = 0100;
  if (info.kind == system::FileKind::symlink) return kLinkMode;
  if (info.kind != system::FileKind::regular) return {};
  return (info.mode & kOwnerRuns) != 0 ? kExecutableMode : kFileMode;
}

}  // namespace plankeep::git
