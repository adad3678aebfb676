#include "rules/latest_checkpoint.hpp"

namespace plankeep::core {

void apply_checkpoint_event(State& state, const Event& event) {
  // One without an id is about nothing.
  if (event.kind == EventKind::checkpoint_saved && !event.checkpoint.empty()) {
    state.latest_checkpoint = SavedCheckpoint{event.checkpoint, event.detail, event.phase, event.time, {}};
  } else if (event.kind == EventKind::checkpoint_complete && !event.commit.empty() && !event.passed_by) {
    state.last_commit = SavedCommit{
        event.commit, event.count, event.phase, event.detail, event.status == PhaseStatus::completed,
        event.time,   {}};
  }
}

}  // namespace plankeep::core
