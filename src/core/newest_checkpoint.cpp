#include "core/newest_checkpoint.hpp"

namespace plankeep::core {

void apply_checkpoint_event(State& state, const Event& event) {
  // One without an id is about nothing.
  if (event.kind != EventKind::checkpoint_saved || event.checkpoint.empty()) return;
  state.newest_checkpoint = SavedCheckpoint{event.checkpoint, event.detail, event.phase, event.time, {}};
}

}  // namespace plankeep::core
