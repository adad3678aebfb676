#pragma once
// The git repository that a plan's work is committed to: the work tree that its folder is in.
//
// Starts git processes, so nothing here belongs on the way of a hook of an edit.

#include <memory>
#include <string>

#include "app/context.hpp"
#include "app/plan_location.hpp"
#include "base/result.hpp"
#include "git/commits.hpp"
#include "git/git.hpp"

namespace plankeep::app {

class PlanRepository {
 public:
  /// Null when there is no .git above the plan, none that git has a work tree for, or no git can be started
  /// at all (Context::processes). Errors: not_found (no git program) and what git refuses.
  [[nodiscard]] static base::Result<std::unique_ptr<PlanRepository>> open(const Context& context,
                                                                          const PlanLocation& plan);

  git::Commits& commits() { return commits_; }
  git::Git& git() { return git_; }
  const git::WorkTree& tree() const { return tree_; }
  /// The plan's path relative to the work tree's top; empty when it is not below it (a link).
  std::string plan_path(const PlanLocation& plan) const;

 private:
  PlanRepository(const Context& context, git::Git git, git::WorkTree tree);

  git::Git git_;
  git::WorkTree tree_;
  git::Commits commits_;
};

}  // namespace plankeep::app
