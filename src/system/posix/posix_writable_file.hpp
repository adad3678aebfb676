#pragma once
// A file that is open for writing, behind the port (system/file_system).

#include <memory>
#include <string>

#include "system/file_system.hpp"
#include "system/posix/posix_handle.hpp"

namespace plankeep::system {

/// `path`: for errors.
std::unique_ptr<WritableFile> writable_file(Handle handle, std::string path);

}  // namespace plankeep::system
