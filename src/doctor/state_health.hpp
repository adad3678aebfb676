#pragma once
// Whether state.json says the same of what is done as plan and history (spec 1: state = fold(plan, history)).
// Private to doctor/doctor.cpp.

#include <optional>
#include <string>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/plan_location.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// The first task or criterion that `state` has done at another time or by somebody else than the whole
/// history says, in words: "T001 was done by eve; the history says by kim". `plan` is the one that the state
/// was recorded from. nullopt: there is none, or it cannot be told, because the history is damaged or does
/// not begin with what stood in the plan. Reads the whole history.
[[nodiscard]] base::Result<std::optional<std::string>> state_disagreement(system::Folder& tracking,
                                                                          const PlanLocation& location,
                                                                          const core::State& state,
                                                                          core::Plan plan);

/// If there is one: renames state.json and the recovery copies, which may have it from there, so that the
/// next look rebuilds the state from plan and history. Says whether it did. Under the plan's lock.
[[nodiscard]] base::Result<bool> set_aside_wrong_state(const Context& context, const PlanLocation& location,
                                                       system::Folder& tracking);

}  // namespace plankeep::app
