#pragma once
// Going back git's own way: `plankeep rewind --head`. Private to app/rewind.
//
// What is not committed goes into git's stash (untracked files too, ignored ones not, nor an untracked plan),
// then HEAD is switched to the commit: to the branch that the work was on, where that still points there,
// else detached. Hooks do not run; filters do, these are git's own checkouts. Where the switch is refused the
// stash is taken back, index and all, and everything is as it was.
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
  std::string branch;  // preferred: "main"
  std::string label;   // for the stash: the pre_rewind checkpoint
  std::string popped;  // the label of a stash that is taken back there (undo); empty: none
  PlanLocation plan;
};
struct HeadSwitched {
  std::string branch;  // "main"; empty: detached
  bool stashed = false;
};
[[nodiscard]] base::Result<HeadSwitched> switch_head(const Context& context, git::Snapshots& snapshots,
                                                     const HeadSwitch& to, std::string_view plan_text);

/// Where HEAD was before, the stash with this label taken back, the plan with this text. What is so already
/// stays.
[[nodiscard]] base::Status switch_back(const Context& context, git::Snapshots& snapshots,
                                       const HeadStanding& before, const std::string& label,
                                       const PlanLocation& plan, std::string_view plan_text);

}  // namespace plankeep::app
