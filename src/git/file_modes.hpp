#pragma once
// The modes of a path as git's trees and diffs write them (gitformat-index, gitdiff-core). Private to git/.

#include <string_view>

namespace plankeep::git {

inline constexpr std::string_view kNoFileMode = "000000";  // of a diff's side where the path is not
inline constexpr std::string_view kExecutableMode = "100755";
inline constexpr std::string_view kLinkMode = "120000";
inline constexpr std::string_view kGitlinkMode = "160000";  // a submodule's commit

}  // namespace plankeep::git
