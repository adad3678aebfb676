#pragma once
// The git repository that a plan's work is committed to: the work tree that its folder is in.
//
// Starts git processes, so nothing here belongs on the way of a hook of an edit.

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "git/commits.hpp"
#include "git/git.hpp"
#include "model/sidecar.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

class PlanRepository {
 public:
  /// Null when the plan's project (project/project) has no .git, none that git has a work tree for, or no git
  /// can be started at all (Context::processes). Errors: not_found (no git program) and what git refuses.
  [[nodiscard]] static base::Result<std::unique_ptr<PlanRepository>> open(const Context& context,
                                                                          const PlanLocation& plan);

  git::Commits& commits() { return commits_; }
  git::Git& git() { return git_; }
  const git::WorkTree& tree() const { return tree_; }
  /// The plan's path relative to the work tree's top; empty when it is not below it (a link).
  std::string plan_path(const PlanLocation& plan) const;

  /// What the plan is called in commits: its id (project/plan_id), for which git is asked here.
  [[nodiscard]] base::Result<std::string> plan_id(const PlanLocation& plan);
  /// Asks for the plan's commits: those of a named run, or its own where `named` is empty, by what it is
  /// called and by what earlier versions called it.
  [[nodiscard]] base::Result<core::RunQuery> run_query(const PlanLocation& plan, const std::string& named);

 private:
  PlanRepository(const Context& context, git::Git git, git::WorkTree tree);

  system::FileSystem* files_;
  git::Git git_;
  git::WorkTree tree_;
  git::Commits commits_;
  std::optional<std::string> name_;    // of the repository
  std::optional<std::string> origin_;  // its URL, asked for beside the first question; empty: there is none
};

}  // namespace plankeep::app
