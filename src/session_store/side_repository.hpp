#pragma once
// The repository beside the user's that fetched session checkpoints are kept in (spec 23.3):
// <git-common-dir>/plankeep/entire.git, bare.
//
// A filtered or shallow fetch would change the user's own repository: its configuration, and so all later
// fetches. There it does not. It borrows the user's objects (objects/info/alternates), and what is read reads
// both. Its refs: refs/entire/checkpoints/..., and refs/remotes/<remote>/entire/checkpoints/v1. It can be
// deleted at any time.

#include <string>
#include <string_view>

#include "system/file_system.hpp"

namespace plankeep::sessions {

inline constexpr std::string_view kSideRepository = "entire.git";

/// Its path, absolute; empty while there is none, or something else stands there (a link, a file).
std::string side_repository(system::FileSystem& files, const std::string& common_dir);

}  // namespace plankeep::sessions
