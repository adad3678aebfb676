#pragma once
// Telling git to merge plans with us: `plankeep git-setup`.
//
// Two things, both needed: the driver in the repository's own configuration (merge.plankeep.name and
// .driver), which git never takes from a clone, and the attribute lines that select it for plans
// (commits/merge_attributes): in .gitattributes at the top of the work tree, which is committed, or in
// info/attributes, which is not. A clone without the driver merges by lines as before, so the committed lines
// do no harm. If a plan with an unusual name is tracked later, git-setup has to run again; --check says so.
//
// The driver is a shell line, as git wants it: when the program is gone by then, it falls back to
// `git merge-file`, since git would take the shell's status 127 for a merge with conflicts that holds ours
// alone.
//
// Only the plan is ever merged: state and history (.checkpoint/, with a .gitignore of its own) belong to one
// machine and are not in git. Done twice it changes nothing; undone, the attributes are to the byte what they
// were, and a file that held nothing else is removed.
//
// Errors: not_found when there is no git or no work tree; io with git's own words; corrupt when the
// attributes are no regular file (git itself reads no link there).

#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"

namespace plankeep::app {

struct GitSetupRequest {
  enum class Action { install, undo, check };  // check: says what install would do, writes nothing
  Action action = Action::install;
  bool write = true;   // false: only say what would be done
  bool local = false;  // info/attributes instead of .gitattributes
  /// The hooks too that write sidecars (commits/git_hook_files). Undone they are in any case.
  bool hooks = false;
  /// The hooks too that link commits to sessions (commits/session_message), and the mark that lets clients'
  /// hooks note what sessions touch (sessions/activity_files). Undone both are in any case.
  bool sessions = false;
};

struct GitSetupReport {
  struct Step {
    std::string
        what;  // "merge.plankeep.driver", "plan.md merge=plankeep", "hook post-commit", "session notes"
    std::string where;  // the file, absolute
    std::string shown;  // the same path for people, relative where that is shorter
    std::string state;  // "present", "missing" (nothing to undo), "added", "updated", "removed"
  };
  GitSetupRequest::Action action = GitSetupRequest::Action::install;  // of the request
  std::string top;                                                    // of the work tree
  std::vector<Step>
      steps;  // in this order: name, driver, attributes, a line each; then hooks and mark, if any
  bool written = false;
  /// The first plan that git does not merge with plankeep, after writing: of the tracked ones, of those in
  /// known layouts, of examples of what may come (commits/merge_attributes); else plan.md.
  std::string plan = "plan.md";
  /// The merge attribute that git finds for it: "plankeep", "unspecified", or that of a stronger line.
  std::string effective;
};

[[nodiscard]] base::Result<GitSetupReport> git_setup(const Context& context, const GitSetupRequest& request);

}  // namespace plankeep::app
