#pragma once
// Payloads in the shape of Claude Code's, which its own program sends and GitHub Copilot CLI imitates when it
// runs the hooks of a project's .claude/settings.json (and, by its documents, PascalCase names in its own
// files). Private to claude_code.cpp and copilot.cpp.

#include <string_view>

#include "base/result.hpp"
#include "clients/client.hpp"

namespace plankeep::clients {

/// Client::read for such a payload. `client` is the name on the command line; the event's client is who
/// really sent it: "claude-code", "copilot" or "cursor".
[[nodiscard]] base::Result<Reading> read_claude_shape(std::string_view client, std::string_view event_name,
                                                      std::string_view text, const Variables& variables,
                                                      Extent extent, core::HookEvent& event);

}  // namespace plankeep::clients
