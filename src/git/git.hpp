#pragma once
// What git knows of a folder, asked through its plumbing commands.
//
//   git::Git git(processes, files);
//   TRY_ASSIGN(auto tree, git.work_tree(folder));          // nullopt: no repository
//   TRY_ASSIGN(auto standing, git.standing(*tree, leave_out));
//
// Every call starts one git process or two, never a shell: about 2 ms each, so nothing of this belongs on the
// way of a hook. The user's index, HEAD, refs and objects stay as they are, with GIT_OPTIONAL_LOCKS=0; no
// prompt, pager, external diff, hook or file system monitor is started. Clean filters (.gitattributes with
// the user's own configuration: LFS, line ends) are, for changed files: git itself cannot compare without
// them. Of our variables, those that point git to another repository or index (git sets them for its hooks)
// are left out: the folder asked about counts.
//
// Errors: not_found when there is no git program; busy when an answer took longer than `timeout`; io with
// git's own words for whatever else it refuses (a repository of another owner: safe.directory).

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"
#include "system/processes.hpp"

namespace plankeep::git {

/// A repository with a work tree.
struct WorkTree {
  std::string top;            // absolute
  std::string object_format;  // "sha1", "sha256"
  std::string head;           // the commit's id; empty while there is none
  std::string git_dir;        // absolute; a linked work tree has its own
  std::string common_dir;     // absolute; what all work trees of the repository share
};

struct HeadStatus {
  std::string head;  // as in WorkTree
  bool dirty = false;
};

/// The work tree held against HEAD.
struct WorkTreeStatus {
  std::string head;                  // as in WorkTree
  std::vector<std::string> changed;  // tracked files that are not as HEAD has them; relative to the top
};

/// The folder in a git directory that holds our own files.
inline constexpr std::string_view kOwnGitFolder = "plankeep";

/// Whether a file is none of our business; its path is relative to the work tree's top.
using LeaveOut = std::function<bool(std::string_view path)>;

/// How a command is run that is not run as ever.
struct GitRun {
  std::vector<std::string> variables{};  // "GIT_INDEX_FILE=/...": beside ours, or instead of them
  std::optional<std::chrono::milliseconds> timeout{};
  std::optional<std::size_t>
      output_limit{};  // bytes; what is said beyond them is an error. 256 MiB if not said
};

/// A git process that runs while we do something else.
class GitRunning {
 public:
  GitRunning(std::unique_ptr<system::RunningProcess> running, std::chrono::milliseconds timeout)
      : running_(std::move(running)), timeout_(timeout) {}
  /// What Git::run gives. Once.
  [[nodiscard]] base::Result<system::Finished> finish();

 private:
  std::unique_ptr<system::RunningProcess> running_;
  std::chrono::milliseconds timeout_;
};

class Git {
 public:
  static constexpr std::chrono::milliseconds kTimeout{20000};

  Git(system::Processes& processes, system::FileSystem& files, std::chrono::milliseconds timeout = kTimeout)
      : processes_(processes), files_(files), timeout_(timeout) {}

  /// The work tree that `folder` (absolute) is in; nullopt when there is no repository around it, or one
  /// without a work tree, or the folder is inside its .git.
  [[nodiscard]] base::Result<std::optional<WorkTree>> work_tree(const std::string& folder);

  /// HEAD and the tracked files that are not as it has them, staged or not. nullopt: no work tree, as above.
  /// Submodules count by their commit. Files that the user told git to take as unchanged (assume-unchanged,
  /// skip-worktree) are.
  [[nodiscard]] base::Result<std::optional<WorkTreeStatus>> work_tree_status(const std::string& folder);

  /// What the work tree holds and the commit HEAD does not hold so: paths, sorted. New files that git does
  /// not ignore, changed and removed ones, staged or not, changes inside submodules, and what git was told to
  /// overlook (assume-unchanged, skip-worktree). A file that a sparse checkout leaves out is no difference.
  [[nodiscard]] base::Result<std::vector<std::string>> not_in_head(const WorkTree& tree,
                                                                   const LeaveOut& leave_out);

  /// Whether a tracked file differs from HEAD, staged or not.
  [[nodiscard]] base::Result<bool> dirty(const WorkTree& tree, const LeaveOut& leave_out);
  /// The same together with HEAD as it is now, for the price of one.
  [[nodiscard]] base::Result<HeadStatus> head_status(const WorkTree& tree, const LeaveOut& leave_out);

  /// A configuration value as git sees it in `folder` (every file of configuration); the last one when there
  /// are several. nullopt when it is not set.
  [[nodiscard]] base::Result<std::optional<std::string>> config(const std::string& folder,
                                                                const std::string& key);
  /// The same with where it is set: "system", "global", "local", "worktree", "command".
  struct Configured {
    std::string scope;
    std::string value;
  };
  [[nodiscard]] base::Result<std::optional<Configured>> configured(const std::string& folder,
                                                                   const std::string& key);
  /// Every value of a key, in git's order.
  [[nodiscard]] base::Result<std::vector<std::string>> config_values(const std::string& folder,
                                                                     const std::string& key);
  /// Sets it in the repository's own configuration (one value, replacing what stands there); nullopt takes
  /// it out.
  [[nodiscard]] base::Status set_config(const std::string& folder, const std::string& key,
                                        const std::optional<std::string>& value);

  /// Where a file of the repository stands ("hooks", "info/attributes"), absolute; follows core.hooksPath and
  /// linked work trees.
  [[nodiscard]] base::Result<std::string> git_path(const std::string& folder, const std::string& name);

  /// The tops of all work trees of the repository around `folder` that are there, free of links, the main one
  /// first. Empty when git cannot answer.
  std::vector<std::string> work_trees(const std::string& folder);

  /// As a user would type it: with the user's hooks and configuration, in our process group, what it says on
  /// standard error shown as it comes. None of the variables that keep plumbing quiet is set.
  [[nodiscard]] base::Result<system::Finished> run_for_user(const std::string& folder,
                                                            const std::vector<std::string>& words,
                                                            std::string_view input,
                                                            std::chrono::milliseconds timeout);

  /// Any other plumbing command: `words` behind "git -C folder". A status other than 0 is no error here.
  [[nodiscard]] base::Result<system::Finished> run(const std::string& folder,
                                                   const std::vector<std::string>& words,
                                                   std::string_view input = {}, const GitRun& how = {});
  /// The same in two halves, to have several run side by side. `input` has to live until the end.
  [[nodiscard]] base::Result<GitRunning> start(const std::string& folder,
                                               const std::vector<std::string>& words,
                                               std::string_view input = {}, const GitRun& how = {});

 private:
  struct Changed;
  [[nodiscard]] base::Result<GitRunning> begin(const std::string& folder,
                                               const std::vector<std::string>& words, std::string_view input,
                                               const GitRun& how);
  // As git is configured, hooks and monitor included: for questions about its configuration.
  [[nodiscard]] base::Result<system::Finished> ask(const std::string& folder,
                                                   const std::vector<std::string>& words,
                                                   std::string_view input = {}, const GitRun& how = {});
  [[nodiscard]] base::Result<std::string> good(const std::string& folder,
                                               const std::vector<std::string>& words,
                                               std::string_view input = {});
  [[nodiscard]] base::Status read_places(const std::string& folder, std::string_view told, WorkTree& tree);
  [[nodiscard]] base::Status find_flagged(const WorkTree& tree, std::string_view listing,
                                          std::vector<std::string>& differ);
  [[nodiscard]] base::Result<std::string> identify_one(const WorkTree& tree, const Changed& file);

  system::Processes& processes_;
  system::FileSystem& files_;
  std::chrono::milliseconds timeout_;
};

}  // namespace plankeep::git
