#include "tracking/start_tracking.hpp"

#include <utility>

#include "tracking/plan_work.hpp"

namespace plankeep::app {

base::Result<Started> start_tracking(const Context& context, const PlanLocation& plan) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::always));
  if (work.continued().empty()) {
    TRY_ASSIGN(const bool same, work.unchanged());
    if (same) return Started{work.take_outcome()};
  }
  TRY(work.lock(kTimeout));
  TRY(work.sync({}, false));
  // Without anything else to say the new place is written down all the same.
  const bool unsaved = work.outcome().events.empty() && work.records_whole();
  if (unsaved && !work.continued().empty()) TRY(work.save(work.state(), {}));
  const bool created = work.first_seen();
  std::string continued = work.continued();
  if (continued.starts_with('/')) continued = shown_path(context, continued);
  return Started{work.take_outcome(), created, std::move(continued)};
}

}  // namespace plankeep::app
