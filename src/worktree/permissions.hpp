#pragma once
// Permission bits as a snapshot records them. Private to git/.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "worktree/snapshot.hpp"

namespace plankeep::git {

/// Of regular files with their bits.
Permissions permissions_of(const std::vector<std::pair<std::string_view, std::uint32_t>>& files);

}  // namespace plankeep::git
