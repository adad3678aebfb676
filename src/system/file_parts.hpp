#pragma once
// The end, or the beginning, of a file that a stranger named: a client's transcript.

#include <cstdint>
#include <string>

#include "system/file_system.hpp"

namespace plankeep::system {

/// The last `limit` bytes of a file that a payload names, which may be no regular file, or gone: then empty.
std::string read_tail(FileSystem& files, const std::string& path, std::uint64_t limit);
/// Its first `limit` bytes, likewise.
std::string read_start(FileSystem& files, const std::string& path, std::uint64_t limit);

}  // namespace plankeep::system
