#include "tracking/lost_history.hpp"

#include <string>
#include <unordered_set>

#include "model/json/event_json.hpp"
#include "rules/match.hpp"
#include "rules/rebuild_history.hpp"
#include "rules/reconcile.hpp"
#include "rules/replay.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

// The event without its place in a batch, which another telling does not share.
std::string content_of(core::Event event) {
  event.batch = {};
  return core::encode_event(event);
}

// What a plan and a recorded state lead to.
core::Reconciled outcome(const core::State& effective_state, core::Plan plan, base::Instant now) {
  core::keep_ids(effective_state, plan);
  return core::reconcile(effective_state, plan, "external", now);
}

bool same_outcome(const core::Reconciled& a, const core::Reconciled& b) {
  return a.events.size() == b.events.size() && a.state.phases == b.state.phases &&
         a.state.decisions == b.state.decisions && a.state.blockers == b.state.blockers &&
         a.state.session_notes == b.state.session_notes &&
         a.state.note_is_automatic == b.state.note_is_automatic && core::same_by_history(a.state, b.state) &&
         a.state.latest_checkpoint == b.state.latest_checkpoint &&
         a.state.last_commit == b.state.last_commit && a.state.leases == b.state.leases &&
         a.state.last_fence == b.state.last_fence && a.state.removed == b.state.removed;
}

}  // namespace

base::Result<std::vector<core::Event>> rebuild_lost_history(system::Folder& tracking,
                                                            const core::State& state,
                                                            const core::Plan& as_written, base::Instant now) {
  std::vector<core::Event> told = core::rebuild_history(state, now);
  core::Ledger ledger;
  std::unordered_set<std::string> left;
  const auto each = [&](const core::Event& event, const store::HistoryLine&) {
    ledger.apply(event);
    left.insert(content_of(event));
    return true;
  };
  TRY(store::read_events(tracking, 0, each));

  std::vector<core::Event> missing;
  for (std::size_t i = 1; i < told.size(); ++i) {  // the first is the new beginning
    if (!left.contains(content_of(told[i]))) missing.push_back(told[i]);
  }
  for (const core::Event& event : missing) ledger.apply(event);
  core::Plan plan = as_written;
  const core::State effective_state = ledger.rebuild(plan, state.plan_id, state.plan_path);
  const bool enough =
      ledger.events() > static_cast<std::int64_t>(missing.size()) &&
      same_outcome(core::reconcile(effective_state, plan, "external", now), outcome(state, as_written, now));
  return enough ? missing : told;
}

}  // namespace plankeep::app
