#pragma once
// What to append to a history that was deleted or cut while the state survived.

#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/plan_location.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// If what is left of the history gives `state` back with the lost events that the state still knows and what
/// the plan shows, only those; otherwise everything told anew (rules/rebuild_history), which makes a new
/// beginning. The last event says that it happened. `as_written` is the plan with the ids of a first reading.
[[nodiscard]] base::Result<std::vector<core::Event>> rebuild_lost_history(system::Folder& tracking,
                                                                          const core::State& state,
                                                                          const core::Plan& as_written,
                                                                          base::Instant now);

/// The plan whose history this is, when that is not `plan` nor the one whose `state` it is: history.jsonl was
/// taken from elsewhere. Empty: it is this plan's, or it names none.
[[nodiscard]] base::Result<std::string> other_plan_of_history(system::Folder& tracking,
                                                              const core::State& state,
                                                              const PlanLocation& plan);

}  // namespace plankeep::app
