#pragma once
// Previous state + plan + actor + time -> new state, events, notices (spec 8). Pure: nothing is read or
// written.
//
//   Plan plan = parse(...);
//   keep_ids(previous, plan);                        // rules/match
//   Reconciled r = reconcile(previous, plan, by, now);
//   if (r.events.empty() && r.state == previous) nothing happened: write nothing
//
// The state that comes back has everything the plan and the history decide; `checksum`, `plan_stamp`,
// `revision` and `history_offset` are those of the previous state, for the caller to set when it saves.

#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/notice.hpp"

namespace plankeep::core {

struct Reconciled {
  State state;
  std::vector<Event> events;
  std::vector<Notice> notices;
};

/// The state of a plan that is not tracked yet. What is done already has no time. The events are
/// `checkpoint_created` and one for each decision, for each blocker and for the skipped boxes; they have no
/// actor.
Reconciled first_sight(const Plan& plan, std::string plan_id, std::string plan_path, base::Instant now);

Reconciled reconcile(const State& previous, const Plan& plan, std::string_view by, base::Instant now);

/// A box as the plan has it, without a past.
TaskState state_of(const Task& task);
CriterionState state_of(const Criterion& criterion);

/// Sets what the plan alone decides: its counts, the current phase and the current task.
void take_counts(const Plan& plan, State& state);

/// Whether the plan lost all its tasks while the state had some (spec 6.5): not to be reconciled unless it
/// was meant.
bool emptied(const State& previous, const Plan& plan);

}  // namespace plankeep::core
