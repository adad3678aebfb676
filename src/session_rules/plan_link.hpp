#pragma once
// What a commit did for the plan, as plankeep/plan.json says it (spec 18.7). Pure.
//
//   const PlanLink link = plan_link_of(plan, sidecar, events, span);
//   record.plan_link = redactor.json(encode_plan_link(link));
//
// Tasks and criteria count that were done when the commit was made and not when its parent was, by the
// plan's history. What was ticked and taken back in between does not count, nor does a criterion that was
// only proven once more.

#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/session.hpp"
#include "model/sidecar.hpp"
#include "session_rules/session_part.hpp"

namespace plankeep::core {

struct LinkedPlan {
  std::string plan_id;
  std::string written_by;  // "plankeep 1.2.0"
};

/// `sidecar`: the commit's, which names its phase and tier; null: it has none, and the phase is the only one
/// of which something was done. `events`: the whole history up to the commit at least, in its order;
/// `history_events` is how many of them had happened by then,
/// without those that tell of a commit of the same second: a second export says the same.
PlanLink plan_link_of(const LinkedPlan& plan, const Sidecar* sidecar, const std::vector<Event>& events,
                      const CommitSpan& span);

}  // namespace plankeep::core
