#pragma once
// Tracking that begins by itself (spec 2.5), as Settings::track says.
//
// A file that a hook sees written is judged by hook_plans' written_plan. What was there before the hooks were
// installed is looked for when a session starts, in the folders of the known layouts only: the only candidate
// is tracked, or all of them where at most 20 have open boxes. If there is none and no other plan, the only
// one that a search of the project found (`plans --rescan`) is tracked. Besides, the plan.md of the session's
// folder or of its nearest parent that has a plan. A plan that was tracked and whose records are gone (git
// clean) is tracked again. One in those folders that is tracked and missing in the project's list, because
// its folder was renamed, is put into the list.

#include <chrono>
#include <cstddef>

#include "model/hook_event.hpp"
#include "project/context.hpp"

namespace plankeep::app {

inline constexpr std::size_t kMostTrackedAtOnce = 20;

/// Tracks what is to be tracked in the session's project, and leaves the rest alone. Never fails: what cannot
/// be read is no plan for a hook. `marked_only`: whatever the setting, only files with a marker.
void track_at_session_start(const Context& context, const core::HookEvent& event,
                            std::chrono::milliseconds timeout, bool marked_only = false);

}  // namespace plankeep::app
