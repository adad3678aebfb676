#pragma once
// The paths of `plankeep rewind CHECKPOINT -- PATH...`. Private to rewind/rewind.

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

/// Whether `path` is one of these or lies in one. Of no paths everything does.
bool is_within(std::string_view path, const std::vector<std::string>& paths);

}  // namespace plankeep::app
