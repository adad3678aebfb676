#pragma once
// Which checkpoint of the work (core/checkpoint) was written last: State::newest_checkpoint. Pure.
//
// It comes from the history like all the rest of the state, so status and the text for a new session know of
// checkpoints without opening the database. A cleanup may have taken the record away since.

#include "core/event.hpp"
#include "core/state.hpp"

namespace plankeep::core {

/// What a checkpoint_saved says; other events change nothing. For whoever saves it and for core/replay.
void apply_checkpoint_event(State& state, const Event& event);

}  // namespace plankeep::core
