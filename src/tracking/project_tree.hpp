#pragma once
// What git says of a plan's project: what evidence is made with and held against (spec 11).
//
// Starts git processes, so nothing here belongs on the way of a hook.
// Left out of digest and dirty flag: the plan, other plans that plankeep tracks, what is below a .checkpoint
// folder and our temporary files, so that ticking a box does not make evidence stale. A file that is only
// named plan.md counts as any other.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "git/git.hpp"
#include "model/diagnostics.hpp"
#include "model/evidence.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"
#include "tracking/show.hpp"
#include "worktree/work_content.hpp"

namespace plankeep::app {

/// Where the commands of a plan's criteria run: the root of its project where that is in git; else the folder
/// that holds the plans/ (or docs/plans/) the plan is in; else the plan's own.
std::string command_root(const Context& context, const PlanLocation& plan);
/// The same with the plan's project at hand.
std::string command_root(const Project& project, const PlanLocation& plan);

class ProjectTree {
 public:
  ProjectTree(const Context& context, const PlanLocation& plan);

  const std::string& root() const { return root_; }

  /// Evidence that looks are held against: now() then says what changed since it was taken.
  void learn(const std::optional<core::Evidence>& evidence);

  /// Looks. The digest of the files now; `unknown` when git is missing or refuses, a file cannot be read, or
  /// there are too many to read in time. Where no .git is found, git lists the files by a git directory of
  /// ours without objects or commits, files-<digits> among the project's own files (project/state_home).
  core::TreeNow now();
  /// Keeps the names of what the last look saw, for later looks to say what changed.
  void remember();
  /// HEAD, and whether tracked files differ from it; empty and false where git cannot say.
  git::HeadStatus head_status();
  /// What the work tree holds and HEAD does not (git::Git::not_in_head), the files above left out.
  [[nodiscard]] base::Result<std::vector<std::string>> not_in_head();

 private:
  bool left_out(std::string_view path);
  bool is_tracked_plan(std::string_view path);
  git::LeaveOut leave_out();
  [[nodiscard]] base::Result<std::string> digest();
  [[nodiscard]] base::Result<git::WorkTree> work_tree();

  const Context& context_;
  Project project_;
  std::string root_;
  std::string plan_;       // its path
  std::string real_plan_;  // the same without links
  std::string top_;        // of the work tree, once it is known
  std::optional<git::WorkContent> content_;
  std::set<std::string, std::less<>> learned_;  // digests
  // By folder, relative to the top.
  std::map<std::string, std::vector<std::string>, std::less<>> tracked_names_;
};

/// Fills shown.tree where evidence depends on it, so that stale evidence is shown as such: only when some
/// criterion's evidence is for the command that it still has. What git cannot say is a warning of `shown`.
/// A last commit that git took away is left out (tracking/restored_times).
void inspect_tree(const Context& context, Shown& shown);

/// A diagnostic (unproven_criterion) for every criterion of a tracked plan that is ticked, has a command, and
/// is not proven. Reads only; empty where nothing is recorded or the plan cannot be read.
std::vector<core::Diagnostic> unproven_criteria(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
