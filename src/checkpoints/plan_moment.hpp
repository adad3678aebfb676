#pragma once
// The plan as a checkpoint tells it: of now, or of the moment that the checkpoint is about where it is made
// later. Private to this room.

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "checkpoints/checkpoint.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

struct PlanMoment {
  core::State state;
  std::optional<core::Plan> plan;   // absent: it cannot be read
  std::optional<std::string> text;  // absent: it is not to be kept
  core::PlanReading reading = core::PlanReading::plan;
  std::uint64_t history_end = 0;
  bool of_then = false;
};

/// As it was when the checkpoint was asked for, before the lock is taken: replaying a long history takes
/// seconds, and hooks wait for the lock. nullopt where the history does not go back to then, and if nothing
/// has happened since, so that the present state can be used.
[[nodiscard]] base::Result<std::optional<PlanMoment>> moment_without_lock(
    const Context& context, PlanWork& work, const PlanLocation& location,
    const std::optional<PlanThen>& then);

/// The one that the request is about, under the lock. `read`: `work` has the present text of the plan;
/// `read_before`: what moment_without_lock gave.
[[nodiscard]] base::Result<PlanMoment> moment_of(PlanWork& work, const PlanLocation& location, bool read,
                                                 const CheckpointRequest& request,
                                                 std::optional<PlanMoment> read_before);

}  // namespace plankeep::app
