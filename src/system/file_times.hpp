#pragma once
// A file's time of modification, set by hand. Only for copies of git's index: git takes a file for unchanged
// by its noted second and size, unless the index itself is no younger than that; so a copy that looks younger
// than what it was copied from hides changes.

#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::system {

/// Of the file itself where it is a symbolic link. not_found when there is none.
[[nodiscard]] base::Status set_modified(const Folder& folder, std::string_view name, std::int64_t mtime_ns);

}  // namespace plankeep::system
