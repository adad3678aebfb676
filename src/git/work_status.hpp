#pragma once
// What is not committed in a work tree, and on which branch: for checkpoints of the work (spec 12).
//
// One `git status`, and one `git diff-index --numstat` where tracked files differ. Ignored files do not
// count; a folder that git does not know is one entry ("build/"). Renames are told as one file deleted and
// one added, since looking for them may take long. Lists are as long as the work tree makes them.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/checkpoint.hpp"
#include "git/git.hpp"

namespace plankeep::git {

struct WorkStatus {
  std::string head;  // empty while there is no commit
  core::GitStatus status;
  std::vector<core::FileChange> files;  // by path, without last_modified
  bool clean() const { return files.empty(); }
  bool operator==(const WorkStatus&) const = default;
};

/// Errors as Git; io when git says something else than its manual.
[[nodiscard]] base::Result<WorkStatus> work_status(Git& git, const WorkTree& tree);

/// `git status --porcelain=v2 --branch -z` read; pure.
[[nodiscard]] base::Result<WorkStatus> read_work_status(std::string_view output);
/// Puts the lines of `git diff-index --numstat -z` into `files`; what is no such line is passed over.
void read_numstat(std::string_view output, std::vector<core::FileChange>& files);

}  // namespace plankeep::git
