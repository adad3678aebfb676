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

/// Compares `state` with the whole history: is each task and criterion of `plan`, the one that the state was
/// recorded from, done at the same time and by the same actor? Gives the first difference: "T001 is done by
/// eve; the history says done by kim". nullopt: there is none, or the history cannot tell, because it is
/// damaged or does not begin with the plan's contents.
[[nodiscard]] base::Result<std::optional<std::string>> state_disagreement(system::Folder& tracking,
                                                                          const PlanLocation& location,
                                                                          const core::State& state,
                                                                          core::Plan plan);

/// If there is one: renames state.json and the recovery copies, which may have it from there, so that the
/// next look rebuilds the state from plan and history. Says whether it did. Under the plan's lock.
[[nodiscard]] base::Result<bool> set_aside_wrong_state(const Context& context, const PlanLocation& location,
                                                       system::Folder& tracking);

}  // namespace plankeep::app
