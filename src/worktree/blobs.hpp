#pragma once
// The contents of many blobs, asked of git in portions: memory for 32 MiB of them at once, or for one that is
// larger. Private to git/.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

struct WantedBlob {
  std::string id;
  std::string path;  // for messages
};

/// Calls `each` with the place in `wanted` and the content, in that order; stops at its first error, which
/// comes back. not_found, before anything is given, when git has one of them no more.
[[nodiscard]] base::Status read_blobs(
    Snapshots& snapshots, const std::vector<WantedBlob>& wanted,
    const std::function<base::Status(std::size_t place, std::string_view content)>& each);

}  // namespace plankeep::git
