#pragma once
// A stat of many files, in two threads: of a large work tree it takes longer than anything else that is done
// with it. Private to git/.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/file_system.hpp"

namespace plankeep::git {

/// What stands under each path (relative to `top`, "/" between); missing also when a folder on the way is
/// missing or none. nullopt: it cannot be told; FolderChain::info says why. No link on the way is followed.
std::vector<std::optional<system::FileInfo>> stat_files(system::FileSystem& files, const std::string& top,
                                                        const std::vector<std::string_view>& paths);

}  // namespace plankeep::git
