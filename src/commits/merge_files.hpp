#pragma once
// Three versions of a plan, as files, merged into the second one (`plankeep merge-driver`).
//
// What git hands to a merge driver: copies of the versions under names of their own. Nothing but `ours` is
// written, by temporary file and rename, synced; nothing is recorded: the next sync of the plan itself does
// that. State and history are this machine's and never in git, so there is nothing of them to merge.
//
// Errors: not_found, io, corrupt (no regular file), invalid_input (larger than 512 MiB, git's own limit for
// text). Then `ours` is as it was.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "merge/merge_plan.hpp"
#include "project/context.hpp"

namespace plankeep::app {

struct MergeFiles {
  std::string base;
  std::string ours;
  std::string theirs;
  std::size_t marker_size = 7;
};

/// The conflicts that are left, empty when it is clean.
[[nodiscard]] base::Result<std::vector<markdown::MergeConflict>> merge_files(const Context& context,
                                                                             const MergeFiles& files);

}  // namespace plankeep::app
