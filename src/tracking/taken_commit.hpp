#pragma once
// The last commit of a plan's own run, where git took its phase back.

#include "base/result.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Where git took back the phase of the last commit, by a reset or a switch of branches, that commit is not
/// here: the one before it that is takes its place, if there is any. `now`: that git did so is not recorded
/// yet. For what is shown; the state that is kept has the last commit wherever it is. Reads the history only
/// if the phase is open, back to the commit's event, or further where that is not here.
[[nodiscard]] base::Status leave_out_taken_commit(system::Folder& tracking, const core::Plan& plan,
                                                  core::State& state, bool now);

}  // namespace plankeep::app
