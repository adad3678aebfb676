#pragma once
// What a batch of tool calls did through our own MCP server: it cannot know which agent of its client calls,
// the client's hook does (spec 9.6).
//
// Read after Client::read, and only where a tick or a claim waits for its author: the results of all calls
// stand in such a payload.

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "clients/client.hpp"
#include "model/hook_event.hpp"

namespace plankeep::clients {

/// The calls in `tool_calls`, each with `tool_name`, `tool_input` and `tool_response` (Claude Code's
/// PostToolBatch, seen: 2.1.329), that named no actor themselves: ids of complete_task as they were given,
/// claims of claim_task; one entry for each plan that calls named, and one for calls without a plan. `text`:
/// the part of the payload that was read. `truncated`: call again with a longer part; `calls` is unchanged.
/// Errors: corrupt (not JSON).
[[nodiscard]] base::Result<Reading> read_own_calls(std::string_view text, std::vector<core::OwnCalls>& calls);

}  // namespace plankeep::clients
