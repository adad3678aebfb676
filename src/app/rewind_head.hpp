#pragma once
// Going back git's own way: `plankeep rewind --head`. Private to app/rewind.
//
// What is not committed goes into git's stash (untracked files too, ignored ones not, nor an untracked plan),
// then HEAD is switched to the commit: to the branch that the work was on, where that still points there,
// else detached. Hooks do not run; filters do, these are git's own checkouts.
//
//   HeadSwitch to{...};
//   TRY(settle(snapshots, to));                        // what is noted before anything is changed
//   auto switched = switch_head(context, snapshots, to, text);
//   if (!switched) switch_back(context, snapshots, before, to, text, popped_text);
//
// Each step is one git, so whoever comes after a crash sees from HEAD and the stashes how far it came:
// is_switched() says whether all was done, switch_back() goes back from wherever it stopped.
//
// The plan's text is none of git's business here: it is as before the call when the call returns, whichever
// commit HEAD is at, so that app/rewind can replace it and record that.

#include <string>
#include <string_view>

#include "app/context.hpp"
#include "app/plan_location.hpp"
#include "base/result.hpp"
#include "git/snapshot.hpp"

namespace plankeep::app {

struct HeadStanding {
  std::string branch;  // "refs/heads/main"; empty: detached
  std::string commit;  // empty: unborn
};
[[nodiscard]] base::Result<HeadStanding> head_standing(git::Snapshots& snapshots);

/// not_found when git has no such commit.
[[nodiscard]] base::Status require_commit(git::Snapshots& snapshots, const std::string& commit);

struct HeadSwitch {
  std::string commit;
  std::string branch;  // preferred: "main"; empty: detached
  std::string label;   // for the stash: the pre_rewind checkpoint
  std::string popped;  // the label of a stash that is taken back there (undo); empty: none
  PlanLocation plan;
};
/// Keeps `branch` only where it points to the commit, and `popped` only where there is such a stash.
[[nodiscard]] base::Status settle(git::Snapshots& snapshots, HeadSwitch& to);

/// Whether something was stashed. After an error it may have come half the way: switch_back().
[[nodiscard]] base::Result<bool> switch_head(const Context& context, git::Snapshots& snapshots,
                                             const HeadSwitch& to, std::string_view plan_text);

/// HEAD is where it was to go, and what was to be taken back out of a stash is.
[[nodiscard]] base::Result<bool> is_switched(git::Snapshots& snapshots, const HeadSwitch& to);

/// Where HEAD was before, what was stashed taken back, index and all, what was popped in a stash again (with
/// `popped_text` as the plan's), the plan with `plan_text`. What is so already stays. conflict when what
/// somebody wrote since is in git's way.
[[nodiscard]] base::Status switch_back(const Context& context, git::Snapshots& snapshots,
                                       const HeadStanding& before, const HeadSwitch& to,
                                       std::string_view plan_text, std::string_view popped_text);

}  // namespace plankeep::app
