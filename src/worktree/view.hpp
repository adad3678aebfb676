#pragma once
// git with the user's objects and ignore rules, but without filters: a git directory of our own,
// <git-dir>/plankeep/view, with a private index. Private to git/.
//
//   TRY_ASSIGN(View view, View::open(snapshots, files, own));     // one git process: the user's settings
//   TRY_ASSIGN(auto tree, view.run({"write-tree"}, {}, use));
//
// info/exclude is a copy of the user's, read through a symbolic link if it is one: the git directory is the
// user's own. One that is there and cannot be read is an error, since secrets may be named in it.

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

class View {
 public:
  /// What a command works on. Empty paths: the private index, the work tree, the repository's object store.
  struct Use {
    std::string index;
    std::string work_tree;
    std::string objects;
    std::chrono::milliseconds timeout{20000};
  };

  [[nodiscard]] static base::Result<View> open(Snapshots& snapshots, system::FileSystem& files,
                                               system::Folder& own);

  [[nodiscard]] base::Result<GitRunning> start(const std::vector<std::string>& words, std::string_view input,
                                               const Use& use);
  /// The output. A status other than 0 is an error, but for check-ignore's 1 (nothing is ignored).
  [[nodiscard]] base::Result<std::string> run(const std::vector<std::string>& words, std::string_view input,
                                              const Use& use);

  static constexpr std::string_view kIndex = "index";

 private:
  View(Snapshots& snapshots, std::string git_dir, std::string index)
      : snapshots_(&snapshots), git_dir_(std::move(git_dir)), index_(std::move(index)) {}
  [[nodiscard]] base::Status prepare(system::FileSystem& files, system::Folder& own);
  [[nodiscard]] base::Status read_settings(system::FileSystem& files);

  Snapshots* snapshots_;
  std::string git_dir_;
  std::string index_;
  std::vector<std::string> settings_;  // "-c", "core.compression=1", ...
};

/// Makes the folder what git takes for a git directory with nothing in it, or puts that right: HEAD, refs/
/// and this configuration. For commands that need objects GIT_OBJECT_DIRECTORY says where they are, or
/// objects/.
[[nodiscard]] base::Status make_git_dir(system::Folder& folder, std::string_view config);

/// The exit status and words of a git that ended: its output, or an error.
[[nodiscard]] base::Result<std::string> view_output(system::Finished finished, std::string_view command);

}  // namespace plankeep::git
