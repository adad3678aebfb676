#include "rules/latest_checkpoint.hpp"

namespace plankeep::core {

void apply_checkpoint_event(State& state, const Event& event) {
  // One without an id is about nothing.
  if (event.kind == EventKind::checkpoint_saved && !event.checkpoint.empty()) {
    state.latest_checkpoint =
        SavedCheckpoint{event.checkpoint, event.checkpoint_type, event.phase, event.time, {}};
  } else if (event.kind == EventKind::checkpoint_complete && !event.commit.empty() && event.last) {
    state.last_commit = SavedCommit{event.commit,         event.milestone, event.phase, event.tier,
                                    event.phase_complete, event.time,      {}};
  }
}

}  // namespace plankeep::core
