#pragma once
// Which checkpoint of the work (model/checkpoint) was written last, and which commit is the last checkpoint
// of the plan's own run (model/sidecar): State::latest_checkpoint and State::last_commit. Pure.
//
// Both come from the history like all the rest of the state, so status and the text for a new session know of
// them without opening the database or starting git. A cleanup may have taken the record away since, and git
// the commit.

#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// What a checkpoint_saved or checkpoint_complete says; other events change nothing. For whoever saves it and
/// for rules/replay.
void apply_checkpoint_event(State& state, const Event& event);

}  // namespace plankeep::core
