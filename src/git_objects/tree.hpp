#pragma once
// Trees: a folder as git stores it.
//
//   TRY_ASSIGN(Tree tree, read_tree(format, bytes));
//   put_entry(tree, {"100644", "metadata.json", id});
//   std::string bytes = tree_bytes(tree);
//
// An entry is "<mode> <name>\0<raw id>"; entries are sorted by name, a folder as if its name ended with "/".
// The modes that others wrote stay as they are, odd ones too (old tools wrote 100664), and so do entries for
// links and submodules. Two trees with the same entries have the same bytes.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "git_objects/object.hpp"

namespace plankeep::git {

inline constexpr std::string_view kTreeFolder = "40000";
inline constexpr std::string_view kTreeFile = "100644";

struct TreeEntry {
  std::string mode;  // octal, as git writes it: no leading zero
  std::string name;
  std::string id;
  bool operator==(const TreeEntry&) const = default;
};

/// Sorted as git sorts.
using Tree = std::vector<TreeEntry>;

inline bool is_folder(const TreeEntry& entry) {
  return entry.mode == kTreeFolder;
}

/// Most entries that are read (threat model: a tree is a stranger's).
inline constexpr std::size_t kMostTreeEntries = 100000;

/// corrupt: cut, an entry without a mode or name, a name with "/" in it, not sorted, a name twice, more
/// entries than kMostTreeEntries. Such a tree is never written again, so nothing of it is lost by us.
[[nodiscard]] base::Result<Tree> read_tree(ObjectFormat format, std::string_view bytes);

std::string tree_bytes(const Tree& tree);

/// nullptr when no entry has the name.
const TreeEntry* find_entry(const Tree& tree, std::string_view name);

/// At its place; one of the same name goes, whatever it is.
void put_entry(Tree& tree, TreeEntry entry);

/// Whether there was one.
bool remove_entry(Tree& tree, std::string_view name);

/// A name that we may write: not empty, ".", ".." or ".git" in any case, no "/" or NUL in it.
bool is_entry_name(std::string_view name);

}  // namespace plankeep::git
