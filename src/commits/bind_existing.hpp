#pragma once
// Binding a commit that is there to a phase: `plankeep commit --existing [REV]` (spec 13). For commits made
// by hand, by another tool, or rewritten so that nothing of the first one is left.
//
// Which phase: the one that was named; else that of the checkpoint's message, if it has one of this plan;
// else the last one that came to be completed in the commit, as the plan reads in it and in its first parent;
// else the one that was current in it. Number and title are those of the plan as it is now, where it has the
// phase. What is verified counts only where the commit is HEAD.
//
// A commit that has a sidecar keeps it, unless a phase is named.
//
// Errors: not_found (no repository, no git), invalid_input (no such commit, no such phase), conflict (HEAD
// does not come from it; the plan is not in it and no phase is named; the plan cannot be read), those of the
// plan's records.

#include <string>

#include "commits/commit.hpp"

namespace plankeep::app {

struct ExistingRequest {
  std::string revision = "HEAD";
  std::string run;    // empty: the plan's
  std::string phase;  // its id; empty: chosen
  bool look_only = false;
};

/// `committed` stays false; `existing` is true.
[[nodiscard]] base::Result<CommitReport> bind_existing(const Context& context, const PlanLocation& plan,
                                                       const ExistingRequest& request);

}  // namespace plankeep::app
