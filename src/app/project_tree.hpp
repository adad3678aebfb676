#pragma once
// What git says of a plan's project: what evidence is made with and held against (spec 11).
//
// Starts git processes, so nothing here belongs on the way of a hook; and none at all where no .git is found.
// Left out of digest and dirty flag: the plan, every file named plan.md (any letter case) and what is below a
// .checkpoint folder, so that ticking a box does not make evidence stale.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/plan_location.hpp"
#include "app/show.hpp"
#include "core/diagnostics.hpp"
#include "core/evidence.hpp"
#include "git/git.hpp"

namespace plankeep::app {

/// Where the commands of a plan's criteria run: the nearest folder above the plan that holds a .git; without
/// one the folder that holds the plans/ (or docs/plans/) the plan is in; else the plan's own.
std::string command_root(const Context& context, const PlanLocation& plan);

class ProjectTree {
 public:
  ProjectTree(const Context& context, const PlanLocation& plan);

  const std::string& root() const { return root_; }

  /// What is known already: with the same HEAD and nothing changed the digest is always the same, so evidence
  /// that was made so spares making it again.
  void learn(const std::optional<core::Evidence>& evidence);

  /// Looks. The digest of the tracked files now; `no_repository` where there is none or git has no work tree
  /// for it; `not_looked` when git is missing or refuses: `warning()` says why.
  core::TreeNow now();
  /// What the last look found beside it: HEAD and whether tracked files differed from it; empty and false
  /// without a repository.
  const git::Standing& standing() const { return standing_; }
  /// Empty while all went well.
  const std::string& warning() const { return warning_; }

 private:
  bool open();
  bool know_tree();
  bool left_out(std::string_view path) const;
  core::TreeNow fail(const base::Error& error);

  const Context& context_;
  std::string root_;
  std::string plan_;       // its path
  std::string real_plan_;  // the same without links
  std::optional<git::Git> git_;
  std::optional<git::WorkTree> tree_;
  std::map<std::string, std::string, std::less<>> clean_digests_;  // by HEAD
  git::Standing standing_;
  std::string warning_;
};

/// Fills shown.tree where evidence depends on it, so that stale evidence is shown as such: only when some
/// criterion's evidence is for the command that it still has. What git cannot say is a warning of `shown`.
void look_at_tree(const Context& context, Shown& shown);

/// A diagnostic (unproven_criterion) for every criterion of a tracked plan that is ticked, has a command, and
/// is not proven. Reads only; empty where nothing is recorded or the plan cannot be read.
std::vector<core::Diagnostic> unproven_criteria(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
