#pragma once
// What tools say and do with `fleet`: true. plankeep itself knows no network: plankeep-fleet is run for it,
// as `plankeep fleet` would be, for at most half a minute. Private to this room.

#include <string>
#include <vector>

#include "editing/claim.hpp"
#include "mcp/tool_table.hpp"

namespace plankeep::mcp {

/// What `plankeep fleet status` prints of this plan, as JSON. Errors: not_found (plankeep-fleet is missing),
/// busy (the server is not reached), and what it refuses.
[[nodiscard]] base::Result<std::string> fleet_status(const ToolCall& call, const app::PlanLocation& plan);

/// Claims the task, or the next one where `id` is empty; `release`: gives it back.
[[nodiscard]] base::Result<ToolAnswer> fleet_claim(const ToolCall& call, const app::PlanLocation& plan,
                                                   const std::string& id, const app::ClaimRequest& request,
                                                   bool release);

}  // namespace plankeep::mcp
