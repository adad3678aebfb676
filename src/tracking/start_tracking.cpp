#include "tracking/start_tracking.hpp"

#include <utility>

#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

// Whoever puts a plan that was over into another place and starts tracking it works on it again.
base::Status take_up_again(PlanWork& work) {
  core::State state = work.state();
  state.archived_at.reset();
  core::Event event;
  event.time = work.now();
  event.kind = core::EventKind::plan_archived;
  event.undo = true;
  event.by = Edit{}.actor;
  return work.save(std::move(state), {event});
}

}  // namespace

base::Result<Started> start_tracking(const Context& context, const PlanLocation& plan) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::always));
  if (work.continued().empty()) {
    TRY_ASSIGN(const bool same, work.unchanged());
    if (same) return Started{work.take_outcome()};
  }
  TRY(work.lock(kTimeout));
  TRY(work.sync({}, false));
  const bool created = work.first_seen();
  if (!work.continued().empty() && work.state().archived_at) TRY(take_up_again(work));
  std::string continued = work.continued();
  if (continued.starts_with('/')) continued = shown_path(context, continued);
  return Started{work.take_outcome(), created, std::move(continued)};
}

}  // namespace plankeep::app
