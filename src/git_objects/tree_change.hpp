#pragma once
// Files and folders put into a tree of trees and taken out, with all else left as it is.
//
//   TreeChanges changes;
//   changes.put("a1/b2c3d4e5f6/metadata.json", {kTreeFile, blob});
//   changes.remove("a1/b2c3d4e5f6/0");              // whatever is there, with all that is under it
//   TRY_ASSIGN(TreeResult root, change_tree(tip_tree, changes, known, pack));
//
// Only the trees on the ways to the changed paths are read and made again; every other entry keeps its mode
// and id, so what we do not know survives. One change a path: the last one said counts, and a change of a
// folder comes before those inside it, so remove("0") and put("0/prompt.txt") replace the folder's content.
// A file where a folder is wanted becomes one. A folder that lost its last entry goes, as in git; the root
// stays. Trees that were empty before (other programs write them) are left alone.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "git_objects/pack.hpp"
#include "git_objects/tree.hpp"

namespace plankeep::git {

class TreeChanges {
 public:
  struct Entry {
    std::string mode;
    std::string id;
  };
  /// `path`: names with "/" between them.
  void put(std::string path, Entry entry) { changes_[std::move(path)].put = std::move(entry); }
  void put_file(std::string path, std::string blob) {
    put(std::move(path), {std::string(kTreeFile), std::move(blob)});
  }
  void remove(std::string path) { changes_[std::move(path)] = {true, std::nullopt}; }

  struct Change {
    bool clear = false;  // what was there before goes
    std::optional<Entry> put;
  };
  const std::map<std::string, Change>& all() const { return changes_; }

 private:
  std::map<std::string, Change> changes_;
};

/// The bytes of trees that are there already, by id: those on the ways to the changed paths as far as they
/// exist, the root among them.
using KnownTrees = std::map<std::string, std::string, std::less<>>;

/// The tree's id with the changes made; trees that are new are added to `pack`. Equal to `root` when they
/// change nothing. `root` empty: there is no tree yet. Errors: invalid_input, a path or name that must not be
/// written (tree.hpp, is_entry_name); not_found, a tree on the way is not in `known` (the message has its
/// id); corrupt, one is damaged. Nothing was added then.
[[nodiscard]] base::Result<std::string> change_tree(const std::string& root, const TreeChanges& changes,
                                                    const KnownTrees& known, Pack& pack);

}  // namespace plankeep::git
