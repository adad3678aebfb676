#include "tracking/start_tracking.hpp"

#include <utility>

#include "tracking/plan_work.hpp"

namespace plankeep::app {

base::Result<Started> start_tracking(const Context& context, const PlanLocation& plan) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::always));
  TRY_ASSIGN(const bool same, work.unchanged());
  if (same) return Started{work.take_outcome()};
  TRY(work.lock(kTimeout));
  TRY(work.sync({}, false));
  const bool created = work.first_seen();
  std::string continued = work.continued();
  return Started{work.take_outcome(), created, std::move(continued)};
}

}  // namespace plankeep::app
