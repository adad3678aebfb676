// Renewal of what a session holds (rules/lease), by its own hooks.
#include "hooks/hook_call.hpp"
#include "rules/lease.hpp"
#include "rules/sessions.hpp"

namespace plankeep::app {

std::vector<core::Event> HookCall::lease_renewals(const core::State& state, base::Instant now) const {
  if (state.leases.empty() || event_.session_id.empty() || event_.kind == core::HookKind::session_ended)
    return {};
  core::Holder holder{core::actor_of(event_), event_.session_id, {}, {}};
  const core::SessionState* session = core::find_session(state, event_.session_id);
  if (session != nullptr && !session->process.empty() && context_.processes != nullptr) {
    holder.process = session->process;
    holder.host = context_.processes->host();
  }
  return core::renewals(state, holder, now);
}

void HookCall::renew_leases(PlanWork& work) {
  std::vector<core::Event> events = lease_renewals(work.state(), work.now());
  if (events.empty()) return;
  core::State state = work.state();
  for (const core::Event& event : events) core::apply_lease_event(state, event);
  take(work.save(std::move(state), std::move(events)), work.outcome().plan);
}

}  // namespace plankeep::app
