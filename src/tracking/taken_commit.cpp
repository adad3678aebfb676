#include "tracking/taken_commit.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "model/event.hpp"
#include "model/progress.hpp"
#include "rules/latest_checkpoint.hpp"
#include "rules/replay.hpp"
#include "store/journal.hpp"

namespace plankeep::app {

using base::Status;
using core::Event;
using core::EventKind;

Status leave_out_taken_commit(system::Folder& tracking, const core::Plan& plan, core::State& state,
                              bool now) {
  if (!state.last_commit || !state.last_commit->phase_complete) return {};
  const core::PhaseId committed = state.last_commit->phase;
  const auto phase = std::find_if(plan.phases.begin(), plan.phases.end(),
                                  [&](const core::Phase& one) { return one.id == committed; });
  if (phase == plan.phases.end() || core::status_of(*phase) == core::PhaseStatus::completed) return {};
  std::unordered_map<std::string, bool> here;  // the newest that is said of each phase
  if (now) here.emplace(committed.text, false);
  core::State known;
  const store::EventQuery words{
      .kinds = {EventKind::checkpoint_complete, EventKind::phase_reopened, EventKind::phase_completed},
      .matches = [&](const Event& event) {
        if (event.kind == EventKind::phase_reopened) {
          if (event.via == core::kByGit) here.emplace(event.phase.text, false);
        } else if (event.kind == EventKind::phase_completed) {
          if (event.via == core::kGivenBack) here.emplace(event.phase.text, true);
        } else if (here.emplace(event.phase.text, true).first->second) {
          core::apply_checkpoint_event(known, event);
        }
        return known.last_commit.has_value();
      }};
  TRY(store::last_events(tracking, 1, words));
  if (!known.last_commit || known.last_commit->sha != state.last_commit->sha)
    state.last_commit = std::move(known.last_commit);
  return {};
}

}  // namespace plankeep::app
