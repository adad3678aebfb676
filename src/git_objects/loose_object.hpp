#pragma once
// An object as git keeps it in a file of its own (objects/ab/cdef…): "<kind> <size>\0<bytes>", compressed by
// zlib. What stands in packs is git's to read.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "git_objects/object.hpp"

namespace plankeep::git {

struct StoredObject {
  ObjectKind kind = ObjectKind::blob;
  std::string bytes;
};

/// corrupt: not compressed by zlib, cut, longer or shorter than it says, or a tag. invalid_input: larger than
/// `limit` bytes; nothing is decompressed then.
[[nodiscard]] base::Result<StoredObject> read_loose_object(std::string_view file, std::uint64_t limit);

}  // namespace plankeep::git
