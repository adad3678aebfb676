#pragma once
// Setting boxes in the plan and recording it: `done`, `reopen`, `start` (spec 9).
//
// Under one lock: edits from outside are recorded first (as `external`), every id is looked up before
// anything is written, the plan is changed byte-exactly, then the change is recorded under the author's name.
// An editor that saves the plan meanwhile is never overwritten: the work starts over on its text. Boxes that
// say so already change nothing.
//
// A criterion is met or not; whether somebody is at it is not kept, so it cannot be started. Nor can a task
// that is done: that would take back its tick, with who made it and when, and nobody asked for that.
//
// Errors: invalid_input for both; not_found, ambiguous for ids (editing/find_boxes); conflict when the plan
// cannot be read, or changes faster than it can be edited; those of PlanWork. Killed between the two steps:
// the box is set, and the next sync records it as `external`.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "tracking/edit_author.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// What is recorded of the boxes that a call has set, and nothing else.
struct BoxRecords {
  core::State before;
  core::State after;
};

struct Completed {
  Outcome outcome;
  std::vector<std::string> changed;  // ids whose boxes were set
  std::vector<std::string> already;  // ids whose boxes said so before
  BoxRecords recorded;
  /// done: the claims of the tasks that were set, which end with it.
  std::vector<core::LeaseState> claims{};
};

/// `state`: done, open (reopen) or active (start). `then`: an earlier call is taken back: what is done again
/// gets its time and actor back (tracking/restored_times), and what was in progress is so again. What nobody
/// had seen being done is the author's. `conflict` where somebody has ticked it anew since: that tick is
/// theirs.
[[nodiscard]] base::Result<Completed> set_tasks(const Context& context, const PlanLocation& plan,
                                                const std::vector<std::string>& ids, core::BoxState state,
                                                const core::Author& author, const BoxRecords* then = nullptr);

}  // namespace plankeep::app
