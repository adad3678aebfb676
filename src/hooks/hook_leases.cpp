// Renewal of what a session holds (rules/lease), by its own hooks.
#include "hooks/hook_call.hpp"
#include "rules/lease.hpp"

namespace plankeep::app {

std::vector<core::Event> HookCall::lease_renewals(const core::State& state, base::Instant now) const {
  if (state.leases.empty()) return {};  // the host is asked for only where it matters
  return core::lease_renewals(event_, state, context_.processes ? context_.processes->host() : "", now);
}

void HookCall::renew_leases(PlanWork& work) {
  std::vector<core::Event> events = lease_renewals(work.state(), work.now());
  if (events.empty()) return;
  core::State state = work.state();
  for (const core::Event& event : events) core::apply_lease_event(state, event);
  take(work.save(std::move(state), std::move(events)), work.outcome().plan);
}

}  // namespace plankeep::app
