#pragma once
// git's index as it stands on the disk: the files of the next commit, and the trees that git has computed of
// them. Format: gitformat-index(5), versions 2 to 4.
//
//   const auto index = read_index_file(format, bytes);   // nullopt: git has to be asked
//   index->entries                                       // sorted by path, bytewise
//   index->trees                                         // the root first; empty: git noted none

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git_objects/object.hpp"

namespace plankeep::git {

struct IndexEntry {
  std::string path;
  std::uint32_t mode = 0;   // 0100644, 0100755, 0120000, 0160000
  std::string_view raw_id;  // 20 or 32 bytes
  bool intent_to_add = false;
  /// Of the file in the work tree as git last wrote or read it. Seconds and size are cut to 32 bits.
  std::uint32_t mtime_seconds = 0;
  std::uint32_t mtime_nanoseconds = 0;
  std::uint32_t size = 0;
};

/// A folder whose tree git has computed, or whose tree it had computed before something in it changed.
struct IndexTree {
  std::string_view name;    // of the folder alone; empty: the root
  std::string_view raw_id;  // empty: something in it has changed since
  std::size_t past = 0;     // the number of the next one that is not inside this one
};

/// The texts point into the bytes that were read. A folder stands in front of those inside it.
struct IndexFile {
  std::vector<IndexEntry> entries;
  std::vector<IndexTree> trees;
};

/// nullopt: this is no index, or it is cut or out of order; or it holds what is not understood here: entries
/// that are not merged, a sparse or split index, a later version. Its checksum is not looked at: git itself
/// leaves it out where it is told to (index.skipHash).
std::optional<IndexFile> read_index_file(ObjectFormat format, std::string_view bytes);

}  // namespace plankeep::git
