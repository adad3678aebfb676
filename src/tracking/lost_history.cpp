#include "tracking/lost_history.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "rules/match.hpp"
#include "rules/rebuild_history.hpp"
#include "rules/reconcile.hpp"
#include "rules/replay.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

// What a plan and a recorded state lead to.
core::Reconciled outcome(const core::State& effective_state, core::Plan plan, base::Instant now) {
  core::keep_ids(effective_state, plan);
  return core::reconcile(effective_state, plan, "external", now);
}

bool same_state(const core::State& a, const core::State& b) {
  return a.phases == b.phases && a.decisions == b.decisions && a.blockers == b.blockers &&
         a.session_notes == b.session_notes && a.note_is_automatic == b.note_is_automatic &&
         core::same_by_history(a, b) && a.latest_checkpoint == b.latest_checkpoint &&
         a.last_commit == b.last_commit && a.leases == b.leases && a.last_fence == b.last_fence &&
         a.removed == b.removed && a.archived_at == b.archived_at;
}

}  // namespace

base::Result<std::string> other_plan_of_history(system::Folder& tracking, const core::State& state,
                                                const PlanLocation& plan) {
  std::string other;
  bool own = false;
  // Mostly the first line answers.
  TRY(store::read_events(tracking, 0, [&](const core::Event& event, const store::HistoryLine&) {
    const bool names =
        event.kind == core::EventKind::checkpoint_created || event.kind == core::EventKind::plan_moved;
    if (!names || event.plan_id.empty()) return true;
    own = event.plan_id == state.plan_id || event.plan_id == plan.plan_id() ||
          event.plan_id == last_part(plan.folder);
    if (other.empty()) other = event.plan_id;
    return !own;
  }));
  return own ? std::string() : other;
}

base::Result<std::vector<core::Event>> rebuild_lost_history(system::Folder& tracking,
                                                            const core::State& state,
                                                            const core::Plan& as_written, base::Instant now) {
  core::Ledger ledger;
  TRY(store::read_events(tracking, 0, [&ledger](const core::Event& event, const store::HistoryLine&) {
    ledger.apply(event);
    return true;
  }));
  if (ledger.events() == 0) return core::rebuild_history(state, now);

  core::Plan plan = as_written;
  const core::State left = ledger.rebuild(plan, state.plan_id, state.plan_path);
  std::vector<core::Event> missing = core::missing_history(left, state, now);
  for (const core::Event& event : missing) ledger.apply(event);

  // What only undid something is told by no state. The plan shows it.
  plan = as_written;
  const core::State given_back = ledger.rebuild(plan, state.plan_id, state.plan_path);
  const core::Reconciled reached = core::reconcile(given_back, plan, "external", now);
  const core::Reconciled wanted = outcome(state, as_written, now);
  if (!same_state(reached.state, wanted.state)) return core::rebuild_history(state, now);
  std::copy_if(reached.events.begin(), reached.events.end(), std::back_inserter(missing),
               [&wanted](const core::Event& event) {
                 return std::find(wanted.events.begin(), wanted.events.end(), event) == wanted.events.end();
               });
  // That it happened is said last.
  const auto said = std::find_if(missing.begin(), missing.end(), [](const core::Event& event) {
    return event.kind == core::EventKind::full_recovery;
  });
  std::rotate(said, said + 1, missing.end());
  return missing;
}

}  // namespace plankeep::app
