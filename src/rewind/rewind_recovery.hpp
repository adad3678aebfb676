#pragma once
// Rewinds that were broken off, by a kill or a power loss: what rewind/rewind left in the journal of
// worktree/restore_tree is finished or undone, never left half done.
//
// Which of the two, decided from the journal and from what is found alone: once the history has the event, or
// the plan its new text with files, index and HEAD all moved, only the rest is missing and is written; before
// that everything goes back to what it was (rewind/rewind has the order of effects). The plan's text is not
// touched here: it is the last thing that a rewind replaces, so what stands there is somebody's. Killed here:
// the journal is still there, and the next call does the same again.
//
// What cannot be settled is tried once more and then given up, so that it never blocks the next rewind: the
// journal and the files that it had ready or had moved away are set aside, the user is told where, and the
// safety checkpoint that the rewind took goes on to hold everything as it was.
//
// Errors: busy (another rewind of this work tree is at work, or a git holds the index; the journal stays
// then), and io where not even the giving up is possible.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rewind/rewind.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

/// A rewind of the work tree that a plan is in.
struct BrokenRewind {
  std::string plan;  // path; another plan of the same work tree may have begun it
  std::string from;  // checkpoints
  std::string to;
  RewindWhat what = RewindWhat::all;
};
/// Reads only; nullopt: there is none, or no work tree.
[[nodiscard]] base::Result<std::optional<BrokenRewind>> broken_rewind(const Context& context,
                                                                      const PlanLocation& plan);

struct Recovered {
  enum class How { finished, undone, given_up };
  How how = How::undone;
  BrokenRewind rewind;               // given_up: empty when the journal could not be read
  std::vector<std::string> changed;  // undone: what somebody changed since; it is left unchanged
  std::string why;                   // given_up: why
  std::string quarantined;           // given_up: the folder with what was ready and what was moved away
};
/// Of the work tree that a plan is in. Takes the plan's lock where it has to write; nullopt when there is
/// none.
[[nodiscard]] base::Result<std::optional<Recovered>> recover_rewind(const Context& context,
                                                                    const PlanLocation& plan);
[[nodiscard]] base::Result<std::optional<Recovered>> recover_rewind(const Context& context,
                                                                    git::Snapshots& snapshots);

/// That, for a person: a line each.
std::vector<std::string> told(const Recovered& recovered);

}  // namespace plankeep::app
