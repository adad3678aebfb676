#include "settings_files/server_format.hpp"

#include <array>

namespace plankeep::clients {
namespace {

constexpr std::array kFormats{
    ServerFormat{
        .file = {.client = "claude-code",
                 .title = "Claude Code",
                 .project_path = ".mcp.json",
                 .user_variable = "CLAUDE_CONFIG_DIR",
                 .variable_path = ".claude.json",
                 .home_path = ".claude.json",
                 .project_note = "Claude Code asks before it starts a server from a project's .mcp.json"},
        .type = "stdio",
        .shared_note = "GitHub Copilot CLI reads this file too"},
    ServerFormat{
        .file = {.client = "codex",
                 .title = "Codex",
                 .project_path = ".codex/config.toml",
                 .user_variable = "CODEX_HOME",
                 .variable_path = "config.toml",
                 .home_path = ".codex/config.toml",
                 .project_note = "Codex reads a project's config.toml only if the project is trusted"},
        .layout = ServerLayout::toml},
    ServerFormat{.file = {.client = "gemini",
                          .title = "Gemini CLI",
                          .project_path = ".gemini/settings.json",
                          .user_variable = "GEMINI_CLI_HOME",
                          .variable_path = ".gemini/settings.json",
                          .home_path = ".gemini/settings.json",
                          .project_note = "Gemini CLI loads a project's servers only in a trusted folder: "
                                          "answer its question, or /permissions"}},
    // The project's file is Claude Code's too.
    ServerFormat{.file = {.client = "copilot",
                          .title = "GitHub Copilot CLI",
                          .project_path = ".mcp.json",
                          .user_variable = "COPILOT_HOME",
                          .variable_path = "mcp-config.json",
                          .home_path = ".copilot/mcp-config.json",
                          .project_note = "Copilot CLI loads a project's servers only in a trusted folder: "
                                          "choose to remember it when it asks"},
                 .type = "stdio",
                 .tools = true,
                 .shared_note = "Claude Code reads this file too"},
    ServerFormat{.file = {.client = "qwen",
                          .title = "Qwen Code",
                          .project_path = ".qwen/settings.json",
                          .home_path = ".qwen/settings.json"}},
    ServerFormat{.file = {.client = "opencode",
                          .title = "opencode",
                          .project_path = "opencode.json",
                          .user_variable = "XDG_CONFIG_HOME",
                          .variable_path = "opencode/opencode.json",
                          .home_path = ".config/opencode/opencode.json"},
                 .layout = ServerLayout::mcp,
                 .type = "local"},
    ServerFormat{.file = {.client = "cursor",
                          .title = "Cursor",
                          .project_path = ".cursor/mcp.json",
                          .home_path = ".cursor/mcp.json",
                          .note = "Cursor's MCP settings follow its documentation; they have not been tested "
                                  "with Cursor itself"}},
};

}  // namespace

const ServerFormat* find_server_format(std::string_view client) {
  for (const ServerFormat& format : kFormats) {
    if (format.file.client == client) return &format;
  }
  return nullptr;
}

std::span<const ServerFormat> server_formats() {
  return kFormats;
}

}  // namespace plankeep::clients
