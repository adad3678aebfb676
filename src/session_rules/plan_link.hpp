#pragma once
// What a commit did for the plan, as plankeep/plan.json says it (spec 18.7). Pure.
//
//   const PlanLink link = plan_link_of(plan, sidecar, events, span);
//   record.plan_link = redactor.json(encode_plan_link(link));
//
// Counted are the tasks and criteria that the plan's history has as done when the commit was made, but not
// when its parent was made. What was ticked and unticked in between does not count, nor does a criterion that
// was only proven again.

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

/// `sidecar`: the commit's, which names its phase and tier; null: it has none, and if something was done in
/// one phase only, that is the phase. `events`: the whole history, at least up to the commit, in its order.
///
/// PlanLink::history_events counts the events up to the commit. Events about commits in the commit's own
/// second are left out, so that a second export gives the same number.
PlanLink plan_link_of(const LinkedPlan& plan, const Sidecar* sidecar, const std::vector<Event>& events,
                      const CommitSpan& span);

}  // namespace plankeep::core
