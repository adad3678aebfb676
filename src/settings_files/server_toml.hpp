#pragma once
// Our MCP server in a TOML file (Codex): [mcp_servers.plankeep]. Private to this room;
// settings_files/server_entry says what holds.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "settings_files/server_entry.hpp"

namespace plankeep::clients {

[[nodiscard]] base::Result<ServerChange> add_toml_server(const std::optional<std::string>& text,
                                                         const std::string& program);
[[nodiscard]] base::Result<ServerChange> remove_toml_server(const std::string& text,
                                                            const std::optional<std::string>& original);
bool has_our_toml_server(std::string_view text);

}  // namespace plankeep::clients
