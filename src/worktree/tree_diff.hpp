#pragma once
// In what two trees of snapshots differ, and what of it was changed since a moment. Reads only; no filter,
// text conversion or external program of the repository's configuration is started.
//
// Errors: those of Snapshots::run; not_found when git has one of the trees no more.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "worktree/restore_tree.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

struct FileDifference {
  std::string path;  // relative to the work tree's top, as its bytes are
  TreeChange::What what = TreeChange::What::changed;
  // Lines put in and taken out; nullopt: binary.
  std::optional<std::int64_t> added;
  std::optional<std::int64_t> removed;
  bool only_permissions = false;  // git's mode is the same, so a patch does not have it
  bool operator==(const FileDifference&) const = default;
};

struct TreeDiff {
  std::string from;                  // a tree
  std::string to;                    // likewise
  std::vector<std::string> paths{};  // only what is at or below these, no patterns; empty: all
  GitRun how{};                      // Captured::seeing, where one of them is of a look
  // Where both are known, files of the same content with other permission bits differ too.
  Permissions from_permissions{};
  Permissions to_permissions{};
};

/// By path.
[[nodiscard]] base::Result<std::vector<FileDifference>> differences(Snapshots& snapshots,
                                                                    const TreeDiff& diff);
/// Their names alone.
[[nodiscard]] base::Result<std::vector<std::string>> differing_paths(Snapshots& snapshots,
                                                                     const TreeDiff& diff);
/// Those of `paths` that the work tree below `top` has had as they are now only since after `since`: by the
/// time when content, permissions or name changed last; of one that is gone, by its folder's, which also
/// changes when another file comes or goes there. What cannot be told counts as changed.
std::vector<std::string> changed_after(system::FileSystem& files, const std::string& top,
                                       std::vector<std::string> paths, base::Instant since);
/// As `git diff` shows them: names quoted, contents as their bytes are.
[[nodiscard]] base::Result<std::string> patch(Snapshots& snapshots, const TreeDiff& diff);

/// Which of these objects git has, with one git process.
[[nodiscard]] base::Result<std::vector<bool>> which_exist(Snapshots& snapshots,
                                                          const std::vector<std::string>& ids);

/// In how many files each pair of trees differs, with one git process. nullopt for all of them where git
/// lacks one of the trees.
[[nodiscard]] base::Result<std::vector<std::optional<std::size_t>>> changed_files(
    Snapshots& snapshots, const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace plankeep::git
