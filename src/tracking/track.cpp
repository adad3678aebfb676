#include "tracking/track.hpp"

#include <utility>

namespace plankeep::app {

base::Result<Outcome> track(const Context& context, const PlanLocation& plan, const Edit& edit,
                            std::chrono::milliseconds timeout, PlanWork::Create create) {
  return track(context, FoundPlan{plan}, edit, timeout, create);
}

base::Result<Outcome> track(const Context& context, FoundPlan found, const Edit& edit,
                            std::chrono::milliseconds timeout, PlanWork::Create create) {
  PlanWork work(context, std::move(found));
  TRY(work.open(create));
  // Who says that the plan was edited is mostly right: a look without the lock would be in vain.
  if (!edit.announced) {
    TRY_ASSIGN(const bool same, work.unchanged());
    if (same) return work.take_outcome();
  }
  TRY(work.lock(timeout));
  TRY(work.sync(edit, false));
  return work.take_outcome();
}

}  // namespace plankeep::app
