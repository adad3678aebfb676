#pragma once
// Whether a plan is complete: the one definition. Counts of tasks do not tell it, because criteria count too.
//
// Complete: every task and criterion that is not optional is done or met, and there is one; a plan with
// nothing but optional ones is complete when one of its phases is (model/progress, status_of). So no phase is
// current, and something was there to be done.

#include "model/plan.hpp"
#include "model/progress.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// From what a reader of state.json knows. `current`: there is a current phase. `completed`: one is
/// completed.
bool is_complete(const Progress& progress, bool current, bool completed);

bool is_complete(const Plan& plan);
/// Also of a state without its phases (store/brief_state).
bool is_complete(const State& state);

}  // namespace plankeep::core
