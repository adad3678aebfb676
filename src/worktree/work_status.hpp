#pragma once
// What is not committed in a work tree, and on which branch: for checkpoints of the work (spec 12).
//
//   TRY_ASSIGN(auto asked, git::WorkStatusQuestion::ask(git, folder));
//   ...                                      // whatever else takes its time
//   TRY_ASSIGN(auto status, asked.answer()); // nullopt: no work tree
//
// One `git status`, and where tracked files differ their lines: what is staged from `git diff-index
// --cached`, what is not from `git diff-files` with their names, and only where a file is both from `git
// diff-index`, which looks at every file of the work tree. Of files that are not staged the lines of
// kMostCounted are counted. Ignored files do not count; of a folder that git does not know each file
// does, and a repository inside it ("vendor/lib/") is one. Renames are told as one file deleted and one
// added, since looking for them may take long. Lists are as long as the work tree makes them.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::git {

struct WorkStatus {
  std::string head;  // empty while there is no commit
  core::GitStatus status;
  std::vector<core::FileChange> files;  // by path, without last_modified
  // Whether some differ from HEAD in the index only, in the work tree only, or in both (unmerged ones too).
  bool staged = false;
  bool changed = false;
  bool both = false;
  bool clean() const { return files.empty(); }
  bool operator==(const WorkStatus&) const = default;
};

inline constexpr std::size_t kMostCounted = 100;

/// What git was asked and has not answered yet.
class WorkStatusQuestion {
 public:
  /// `folder`: absolute, anywhere in the work tree; `git` has to live until the answer. Errors as Git.
  [[nodiscard]] static base::Result<WorkStatusQuestion> ask(Git& git, const std::string& folder);
  /// Once. Files by their paths from the top. nullopt: there is no work tree. Errors as Git; io when git says
  /// something else than its manual.
  [[nodiscard]] base::Result<std::optional<WorkStatus>> answer();

 private:
  WorkStatusQuestion(Git& git, std::string folder, GitRunning status)
      : git_(&git), folder_(std::move(folder)), status_(std::move(status)) {}
  [[nodiscard]] base::Status count_lines(WorkStatus& work);

  Git* git_;
  std::string folder_;
  GitRunning status_;
};

/// `git status --porcelain=v2 --branch -z` read; pure.
[[nodiscard]] base::Result<WorkStatus> read_work_status(std::string_view output);
/// Puts the lines of `git diff-index --numstat -z` into `files`; what is no such line is passed over.
void read_numstat(std::string_view output, std::vector<core::FileChange>& files);

}  // namespace plankeep::git
