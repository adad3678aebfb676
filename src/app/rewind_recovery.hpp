#pragma once
// Rewinds that were broken off, by a kill or a power loss: what app/rewind left in the journal of
// git/restore_tree is finished or undone, never left half done.
//
// Which of the two: once the plan has its new text, or the history has the event, all is there and only the
// rest is missing; before that everything goes back to what it was (app/rewind has the order of effects).
// Killed here: the journal is still there, and the next call does the same again. Of a --head, git has put
// texts of the plan there on the way: what stands there when it is undone is kept among the earlier texts
// first
// (`plankeep restore`), should somebody have written it.
//
// Errors: busy (another rewind of this work tree is at work), corrupt (a journal or note that cannot be
// read), those of git/restore_tree, PlanWork and the checkpoint store; the journal stays then.

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/plan_location.hpp"
#include "app/rewind.hpp"
#include "base/result.hpp"

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
  BrokenRewind rewind;
  bool finished = false;             // else undone
  std::vector<std::string> changed;  // undone: paths that somebody changed since; they stay as they are
};
/// Finishes or undoes it. Takes the plan's lock where it has to write; nullopt when there is none.
[[nodiscard]] base::Result<std::optional<Recovered>> recover_rewind(const Context& context,
                                                                    const PlanLocation& plan);

}  // namespace plankeep::app
