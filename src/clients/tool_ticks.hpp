#pragma once
// The tasks that a batch of tool calls ticked through our own MCP server: it cannot know which agent of its
// client calls, the client's hook does (spec 9.6).
//
// Read after Client::read, and only where a tick waits for its author: the results of all calls stand in such
// a payload.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "clients/client.hpp"

namespace plankeep::clients {

/// The ids of each complete_task call that ticked, and named no actor itself, as they were given: the calls
/// in `tool_calls`, each with `tool_name` and `tool_input` (Claude Code's PostToolBatch, seen: 2.1.329).
/// `text`: the payload as far as it was read. `truncated`: give more; `ids` is then as it was. Errors
/// (corrupt): no JSON.
[[nodiscard]] base::Result<Reading> read_tool_ticks(std::string_view text, std::vector<std::string>& ids);

}  // namespace plankeep::clients
