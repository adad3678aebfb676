#pragma once
// What a stranger's tree objects say of a session checkpoint: which of its files are where, and what is wrong
// with it. Pure. Private to this room.
//
// Only files under the names of the format are ever read; `sessions[]` of the metadata names none. An entry
// that could be a trick (a name with "/", "..", ".git" in any disguise, a name that appears twice), a
// link or a submodule is a problem and not read.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace plankeep::sessions {

inline constexpr std::size_t kMostTreeEntries = 100'000;
/// An entry takes about 50 bytes.
inline constexpr std::uint64_t kLargestTree = std::uint64_t{16} << 20;

struct TreeEntry {
  std::string mode;  // "100644", "40000", "120000", "160000"
  std::string name;
  std::string id;  // hexadecimal
  bool is_folder() const { return mode == "40000"; }
  bool is_file() const { return mode == "100644" || mode == "100755" || mode == "100664"; }
};

/// corrupt: it is no tree; invalid_input: too many entries.
[[nodiscard]] base::Result<std::vector<TreeEntry>> parse_tree(std::string_view bytes, std::size_t id_bytes);

/// Whether a name could lead somewhere else, here or on another system.
bool is_tricky_name(std::string_view name);

/// Entries that may be read, by their names, and what is wrong with the others ("a/x: is a symbolic link").
struct SoundEntries {
  std::vector<TreeEntry> entries;
  std::vector<std::string> problems;
};
SoundEntries sound_entries(std::vector<TreeEntry> entries, std::string_view where);

/// A checkpoint's own folder.
struct RootEntries {
  std::string metadata;                      // the file's id; empty: there is none
  std::map<std::size_t, std::string> slots;  // their trees
  std::string tasks;                         // a tree; empty: there is none
  std::string ours;                          // "plankeep", a tree
  std::vector<std::string> unknown;          // names that are none of the format's
  std::vector<std::string> problems;
};
[[nodiscard]] base::Result<RootEntries> root_entries(std::string_view tree, std::size_t id_bytes);

/// A slot's folder.
struct SlotEntries {
  std::string metadata;
  std::string content_hash;
  std::string prompt;
  std::string context;
  std::string compact;                       // transcript.jsonl
  std::map<std::size_t, std::string> parts;  // of the transcript
  std::vector<std::string> unknown;
  std::vector<std::string> problems;
};
[[nodiscard]] base::Result<SlotEntries> slot_entries(std::string_view tree, std::size_t id_bytes,
                                                     std::string_view where);

}  // namespace plankeep::sessions
