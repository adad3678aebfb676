#pragma once
// Where each client keeps the MCP servers that it starts, and how one stands there: a table.
//
// Seen by running the clients: Claude Code, Codex, Gemini CLI, GitHub Copilot CLI, Qwen Code, opencode (the
// versions of settings_files/settings_format). From the clients' documents: Cursor's, and the user's files of
// Qwen Code and opencode.

#include <span>
#include <string_view>

#include "settings_files/settings_format.hpp"

namespace plankeep::clients {

enum class ServerLayout {
  servers,  // "mcpServers": { NAME: { "type"?, "command", "args", "tools"? } }
  mcp,      // "mcp": { NAME: { "type", "command": [ command, arguments... ], "enabled" } }
  toml,     // [mcp_servers.NAME] with command and args
};

struct ServerFormat {
  SettingsFormat file;  // client, title, the paths and the notes; of the rest nothing counts
  ServerLayout layout = ServerLayout::servers;
  std::string_view type = {};         // empty: the client wants none
  bool tools = false;                 // "tools": ["*"]
  std::string_view shared_note = {};  // who else reads the project's file
};

/// nullptr when there is none of this name.
const ServerFormat* find_server_format(std::string_view client);
std::span<const ServerFormat> server_formats();

/// The name of our server there.
inline constexpr std::string_view kServerName = "plankeep";
/// What the program is started with.
inline constexpr std::string_view kServerArgument = "mcp";

}  // namespace plankeep::clients
