#pragma once
// What a look at a work tree knows of its files, and the form in which that is kept. Private to git/.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::git {

/// A file as a stat told it, and what it held then. The texts belong to somebody else: a list of many
/// thousand files is read without copying one of them.
struct KnownFile {
  std::string_view path;
  std::string_view mode;  // "100644", "100755", "120000"; "160000": a submodule that is not checked out
  std::string_view id;    // SHA-256; git's id where there is no file
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;  // 0: not to be relied on at the next look
};
using KnownFiles = std::vector<KnownFile>;  // by path, each once

/// A header, then for each file "<mode> <size> <mtime> <ctime> <inode> <id> <path>" NUL.
std::string to_text(const KnownFiles& files);
/// The files point into `text`. Reading ends at the first line that is something else; a text with another
/// header, or one that was cut short, holds none.
KnownFiles known_files(std::string_view text);

/// SHA-256 over mode, id and path of each.
std::string digest_of(const KnownFiles& files);

}  // namespace plankeep::git
