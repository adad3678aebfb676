#pragma once
// The folders that plans are moved and restored to.

#include <memory>
#include <string>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// Opens the folder; makes it and those above it where they are missing, as any program would (0777 under
/// umask). `path`: absolute.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> made_folder(system::FileSystem& files,
                                                                        const std::string& path);

}  // namespace plankeep::store
