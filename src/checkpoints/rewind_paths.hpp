#pragma once
// The paths of `plankeep rewind CHECKPOINT -- PATH...` and of `checkpoint diff`.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

/// As named from the working directory; relative to the work tree's top, without a "/" at the end. The top
/// itself is "". invalid_input: outside of the work tree. not_found: neither `target` nor the work tree has
/// it.
[[nodiscard]] base::Result<std::vector<std::string>> paths_in_tree(const Context& context,
                                                                   git::Snapshots& snapshots,
                                                                   const git::Snapshot& target,
                                                                   const std::vector<std::string>& named);

/// The other side of a comparison with a snapshot: a later one, or how things are now.
struct HeldNow {
  std::string tree;
  git::GitRun how;  // to run git so that it finds the tree
  const std::vector<git::LeftOut>* left_out = nullptr;
};
/// not_found, with the reason, when one of the `paths` is on neither side: no checkpoint holds it, so nothing
/// can be said of it. `named`: what they were named as.
[[nodiscard]] base::Status require_held(git::Snapshots& snapshots, const git::Snapshot& target,
                                        const HeldNow& now, const std::vector<std::string>& named,
                                        const std::vector<std::string>& paths);

/// How git has the path in the tree ("100644", "100755", "120000", "160000"); empty: not at all.
[[nodiscard]] base::Result<std::string> mode_in_tree(git::Snapshots& snapshots, const std::string& tree,
                                                     const std::string& path, const git::GitRun& how = {});

/// Whether `path` is one of these or lies in one. Of no paths everything does.
bool is_within(std::string_view path, const std::vector<std::string>& paths);

}  // namespace plankeep::app
