#pragma once
// Going back to a checkpoint: `plankeep rewind` (spec 14).
//
// What comes back: the plan's text (with when and by whom its tasks were done, tracking/restored_times), the
// files of the work tree (worktree/restore_tree), or both; with `head` also HEAD and the index
// (rewind/rewind_head). Leases, sessions and the history stay; the history gets `rewound {from, to, what,
// by}`, where `from` is the pre_rewind checkpoint that is taken first. --undo goes back to it and takes one
// itself, which --redo goes back to; several of either are several steps (rules/rewind_steps). Where nothing
// differs nothing is recorded: the step stays, and the one behind it is named.
//
// The safety checkpoint holds what stands under the plan's name whether or not it reads as a plan, or that
// nothing does: --undo brings back the one or the other. What cannot be read at all (a folder, a file over
// the limit) stops the rewind.
//
// The safety checkpoint holds everything that may be overwritten or removed, with exact bytes and modes; with
// `head` also the index file, and ignored files in the place of those that come back, which stay otherwise.
// What no snapshot holds is never touched.
//
// Order of effects, and what a crash leaves:
//
//   1. an earlier rewind that was broken off is finished or undone (rewind/rewind_recovery);
//   2. the work tree is captured; where nothing differs that is all       objects, which git's gc removes
//      checkpoint pre_rewind, on disk, with plan text and that snapshot   a checkpoint more, nothing else
//   3. the plan's lock; recovery copy; contents and journal are staged    nothing: the staging is cleared up
//                                                                         by the next one
//   4. what will go is held against the snapshot; the files are           files of two times: the journal
//      renamed into place, names synced                                   tells, and they are put back
//   5. with `head`: the index, then HEAD                                  likewise
//   6. the plan is replaced (one rename): from here on it counts          all is there; the event is missing
//   7. reconciled, `rewound` written                                      and written by
//   8. other plans among the files are recorded, the journal goes         the next one
//
// So a plan with its new text says that all the rest is back too, and one with its old text that the rest
// will be put back: files and plan never disagree for longer than until the next `rewind` or `doctor
// --repair`. Where the plan's text is the same before and after, step 7 is what counts. Should the plan, the
// index or HEAD be changed by somebody else in between, all is put back and begun anew.
//
// Paths: only what is at or below them comes back, and never the plan itself. The undo of such a rewind is
// one of all files, since the safety checkpoint holds them all.
//
// The plan file itself is restored by 6 only, never with the files; its permission bits come with its text,
// or, where that is the same, after 7: what counts does not hang on them. Other tracked plans below are files
// like any other; they are named (Rewound::other_plans) and their tasks keep when and by whom. Where the
// plan's folder was renamed since the checkpoint, no second plan comes to stand at the old place.
//
// Errors: not_found (no such checkpoint; it holds no snapshot, or git has it no more; nothing to undo or
// redo), conflict (a merge, rebase, cherry-pick, revert or bisect is in progress; somebody kept writing),
// those of PlanWork, worktree/snapshot and worktree/restore_tree. After an error nothing has changed, unless
// its message says so.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/outcome.hpp"
#include "worktree/restore_tree.hpp"

namespace plankeep::app {

/// `files_and_head`: what is left of an undo of `head` without its plan (rules/rewind_steps); nobody asks for
/// it.
enum class RewindWhat { plan, files, all, head, files_and_head };
/// "plan", "files", "all", "head", "files_and_head": as it stands in the history.
std::string_view name_of(RewindWhat what);
bool moves_head(RewindWhat what);
/// Of "paths", which the history has of some files only: files.
std::optional<RewindWhat> rewind_what(std::string_view name);

struct RewindRequest {
  enum class By { checkpoint, turn, message, undo, redo };
  By by = By::checkpoint;
  std::string which;               // the checkpoint, as checkpoints/find_checkpoint takes it, or the message
  std::int64_t turn = 0;           // the turn's number
  std::optional<RewindWhat> what;  // nullopt: all; of an undo or redo what the rewind was
  std::vector<std::string> paths;  // only these files and folders come back, as named from the working
                                   // directory; empty: all. `what` is files then
  bool dry = false;                // only say what would change
  std::string actor = "main";
};

struct Rewound {
  PlanLocation plan;
  core::CheckpointHead to;
  std::string from;                   // the pre_rewind checkpoint; empty when nothing was done
  RewindWhat what = RewindWhat::all;  // what it came to: of a plan outside every repository, plan
  bool dry = false;
  std::string plan_before;  // empty: it was missing, if that is said
  std::string plan_after;
  bool plan_missing_before = false;
  bool plan_missing_after = false;  // as at the checkpoint that an undo goes back to
  // The plan's permission bits; after: where the checkpoint's snapshot says them, else as before.
  std::optional<std::uint32_t> plan_permissions_before;  // nullopt: it was missing
  std::optional<std::uint32_t>
      plan_permissions_after;  // nullopt: it will be, or comes back as a file of ours
  git::RestorePlan files;
  std::vector<std::string> other_plans;          // tracked plans among the files, by their paths
  std::vector<std::string> other_plans_shown{};  // the same for people
  std::string commit;                            // --head: the commit that HEAD is at now, or would be
  std::string branch;                            // likewise: "main"; empty: detached
  bool head_moved = false;                       // likewise: HEAD was at another commit or branch
  bool nothing_staged = false;                   // likewise: the index becomes the commit's
  std::string left_commit;                       // likewise: where HEAD was, and
  std::size_t left_behind = 0;                   // so many commits from there that are on no branch now
  std::vector<std::string> warnings;             // those of the outcome too
  std::optional<Outcome> outcome;                // of what was recorded
  bool undid = false;                            // it was an undo
  std::string behind;  // of an undo or redo of a whole step: the checkpoint of the step behind it

  bool plan_changes() const { return plan_before != plan_after || plan_missing_before != plan_missing_after; }
  /// Of a plan that was there and stays.
  bool plan_permissions_change() const {
    return plan_permissions_before && plan_permissions_after &&
           plan_permissions_before != plan_permissions_after;
  }
  bool changes() const {
    return plan_changes() || plan_permissions_change() || !files.changes.empty() || head_moved;
  }
};

[[nodiscard]] base::Result<Rewound> rewind(const Context& context, const PlanLocation& plan,
                                           const RewindRequest& request);

}  // namespace plankeep::app
