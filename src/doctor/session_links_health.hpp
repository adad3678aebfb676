#pragma once
// The part of `doctor` about commits that are linked to sessions (spec 20): the setting "sessions", git's
// hooks and Entire's, work of ended sessions that is forgotten soon, and why the last commit has no session
// checkpoint. Says nothing where git-setup --sessions did not run and no setting asks for it.

#include <string>
#include <vector>

#include "doctor/doctor.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// What is known of the last commit. Its files: those that it changes.
struct LastCommitFacts {
  bool named = false;         // its final trailer block names a session checkpoint
  bool waiting = false;       // which is still to be written
  bool recorded = false;      // its message does not, but the plan's records do: it was rewritten
  bool merge = false;         // it has several parents
  bool revert = false;        // git wrote its message for `git revert`
  bool switched_off = false;  // commit.sessionTrailer is false
  std::size_t sessions = 0;   // that touched its files, and no linked commit has them
};
/// Why it has no session checkpoint, or that it has one. Pure.
Finding last_commit_finding(const LastCommitFacts& facts);

/// Reads only. Starts git where git-setup --sessions ran.
std::vector<Finding> examine_sessions(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
