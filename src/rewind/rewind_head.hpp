#pragma once
// What `plankeep rewind --head` does beside the files: the index and HEAD. Private to rewind/rewind*.
//
//   TRY_ASSIGN(const HeadMove move, prepare_head(context, snapshots, target, snapshot));
//   note_head(move, safety, note);                 // into the journal, before anything is changed
//   ... the files, as move.coming needs them ...
//   TRY(move_head(context, snapshots, move));      // an error: move_head_back
//   TRY_ASSIGN(const auto stayed, move_head_back(context, snapshots, note));
//
// The index first, then HEAD; back in the other order. Both compare before they write
// (worktree/head_position), so a step can be done twice, and move_head_back() decides from the journal and
// from what it finds alone: what is as after the move goes back, what is as before stays, and what is neither
// was changed by somebody since and stays too.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "rewind/rewind_note.hpp"
#include "worktree/head_position.hpp"
#include "worktree/restore_tree.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

struct HeadMove {
  git::HeadPosition before;
  git::HeadPosition after;
  std::optional<std::string> index;  // the new index file; nullopt: there was none
  git::ComingIndex coming;           // what it leaves out of the work tree
  bool of_commit = false;            // the index is the commit's: nothing is staged then
};

/// not_found when git has the checkpoint's commit no more, or there was none.
[[nodiscard]] base::Status require_commit(git::Snapshots& snapshots, const std::string& commit);

/// HEAD goes to the branch that the checkpoint was on, where that still points to its commit and no other
/// work tree has it; else to the commit. The index becomes the one that the checkpoint's snapshot holds or,
/// where it holds none, what the commit holds. conflict while there is no commit. Moves nothing.
[[nodiscard]] base::Result<HeadMove> prepare_head(const Context& context, git::Snapshots& snapshots,
                                                  const core::Checkpoint& target,
                                                  const git::Snapshot& snapshot);
/// `safety`: the commit of the snapshot that holds the current index.
void note_head(const HeadMove& move, const std::string& safety, RewindNote& note);

/// conflict: somebody changed index or HEAD since prepare_head. After an error one of the two may be moved.
[[nodiscard]] base::Status move_head(const Context& context, git::Snapshots& snapshots, const HeadMove& move);

/// Gives what somebody changed since and stays: "HEAD", "the index". Whatever of it was done, from any point.
[[nodiscard]] base::Result<std::vector<std::string>> move_head_back(const Context& context,
                                                                    git::Snapshots& snapshots,
                                                                    const RewindNote& note);

/// How many commits no branch or tag leads to any more, now that HEAD left `commit`. 0 where git cannot tell.
std::size_t left_behind(git::Snapshots& snapshots, const std::string& commit);

}  // namespace plankeep::app
