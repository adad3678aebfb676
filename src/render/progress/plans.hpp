#pragma once
// All plans of a workspace at a glance: `plankeep plans`, `status --all`.
//
// JSON: { folder, plans [ {plan {id, path}, progress, currentPhase, currentTask, currentTaskTitle,
// lastActivity, lastBy, blockers, agents, sessions, inFlight, stale, unrecorded, vanished[], trouble?} ],
// untracked [ {path, progress} ], warnings[] }; what is not known is null.

#include <string>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::render {

std::string plans_text(const app::Workspace& view, base::Instant now, const Style& style);
std::string plans_json(const app::Workspace& view);

}  // namespace plankeep::render
