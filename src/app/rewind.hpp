#pragma once
// Going back to a checkpoint: `plankeep rewind` (spec 14).
//
// What comes back: the plan's text (with when and by whom its tasks were done, app/restored_times), the files
// of the work tree (git/restore_tree), or both; or HEAD, git's own way (app/rewind_head). Leases, sessions
// and the history stay; the history gets `rewound {from, to, what, by}`, where `from` is the pre_rewind
// checkpoint that is taken first: --undo goes back to it, and takes one itself, so that an undo can be
// undone.
//
// Order of effects, and what a crash leaves:
//
//   1. an earlier rewind that was broken off is finished or undone (app/rewind_recovery);
//   2. checkpoint pre_rewind, on disk, with plan text and snapshot        a checkpoint more, nothing else
//   3. the plan's lock; recovery copy; contents and journal are staged    nothing: the staging is cleared up
//                                                                         by the next one
//   4. the files are renamed into place                                   files of two times: the journal
//                                                                         tells, and they are put back
//   5. the plan is replaced (one rename): from here on it counts          all is there; the event is missing
//   6. reconciled, `rewound` written                                      and written by
//   7. the journal goes                                                   the next one
//
// So a plan with its new text says that the files are back too, and one with its old text that they will be
// put back: files and plan never disagree for longer than until the next `rewind` or `doctor --repair`.
// Where only files are restored, step 6 is what counts. Should the plan be written by somebody else in
// between, the files are put back and all is begun anew.
//
// The plan file itself is restored by 5 only, never with the files; other plans in the same work tree are
// files like any other, and their own records notice an outside edit.
//
// Errors: not_found (no such checkpoint; it holds no snapshot, or git has it no more), conflict (a merge,
// rebase, cherry-pick, revert or bisect is in progress; somebody kept writing), those of PlanWork,
// git/snapshot and git/restore_tree. After an error nothing has changed, unless its message says so.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/outcome.hpp"
#include "app/plan_location.hpp"
#include "base/result.hpp"
#include "core/checkpoint.hpp"
#include "git/restore_tree.hpp"

namespace plankeep::app {

enum class RewindWhat { plan, files, all, head };
/// "plan", "files", "all", "head": as it stands in the history.
std::string_view name_of(RewindWhat what);
std::optional<RewindWhat> rewind_what(std::string_view name);

struct RewindRequest {
  enum class By { checkpoint, turn, message, undo };
  By by = By::checkpoint;
  std::string which;               // the checkpoint (the beginning of an id, or "last": the newest that no
                                   // rewind took) or the message
  std::int64_t turn = 0;           // the turn's number
  std::optional<RewindWhat> what;  // nullopt: all; of an undo what the rewind was
  bool dry = false;                // only say what would change
  std::string actor = "main";
};

struct Rewound {
  PlanLocation plan;
  core::CheckpointHead to;
  std::string from;                   // the pre_rewind checkpoint; empty when nothing was done
  RewindWhat what = RewindWhat::all;  // what it came to: of a plan outside every repository, plan
  bool dry = false;
  std::string plan_before;
  std::string plan_after;
  git::RestorePlan files;
  std::string commit;    // --head: the commit that HEAD is at now
  std::string branch;    // likewise; empty: detached
  bool stashed = false;  // likewise: what was not committed is in git's stash
  std::vector<std::string> warnings;
  std::optional<Outcome> outcome;  // of what was recorded

  bool changes() const { return plan_before != plan_after || !files.changes.empty() || !commit.empty(); }
};

[[nodiscard]] base::Result<Rewound> rewind(const Context& context, const PlanLocation& plan,
                                           const RewindRequest& request);

}  // namespace plankeep::app
