#pragma once
// Telling a client of our MCP server, and taking that back: `install --mcp`, `uninstall --mcp`.
//
// As install/install: decides with settings_files/server_entry, writes with project/client_file, the same
// copies, the same report with one entry, kServerEntry. A settings file may hold our hooks beside our server;
// whichever came first, the copy is from before both.

#include <string_view>

#include "install/install.hpp"

namespace plankeep::app {

inline constexpr std::string_view kServerEntry = "mcp-server";

/// Errors as install/install; invalid_input where another server has our name. request.wrap_status_line does
/// not count.
[[nodiscard]] base::Result<InstallReport> install_server(const Context& context,
                                                         const InstallRequest& request);
[[nodiscard]] base::Result<InstallReport> uninstall_server(const Context& context,
                                                           const InstallRequest& request);

}  // namespace plankeep::app
