#pragma once
// What goes into the text for a new session beside the plan and its state (spec 10.3).

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "model/event.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "render/progress/resume.hpp"
#include "rules/view.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

/// So many of the newest events are looked through for what happened since the last session.
inline constexpr std::size_t kEventsSince = 60;

/// `recent` are the newest events, oldest first. `session` is the one that is being told; empty: none (a
/// person asks). `phase` is the current phase's index. Reads the names in the plan's folder and the states of
/// the project's other plans; what cannot be read is left out.
render::ResumeInput resume_input(const Context& context, const PlanLocation& plan, const core::State& state,
                                 std::vector<core::Event> recent, std::string_view session,
                                 std::optional<std::size_t> phase);

}  // namespace plankeep::app
