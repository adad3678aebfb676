#pragma once
// Our MCP server in a client's settings file: text in, text out, as settings_files/settings does for hooks.
//
//   TRY_ASSIGN(auto change, add_server(format, text, "plankeep"));       // text: nullopt, there is no file
//   ...
//   TRY_ASSIGN(auto back, remove_server(format, text, original));
//
// Every byte that is not ours stays. Adding twice changes nothing; removing what adding put in gives the
// bytes from before. An entry of ours, that is one named kServerName which starts a program named plankeep
// with "mcp", is corrected in place (its command, and what the format wants and it lacks) and keeps what else
// somebody wrote into it.
//
// Errors: invalid_input with line and column for text that cannot be read or where something else stands than
// the client expects; invalid_input when an entry of our name is somebody else's; internal when a change
// would touch more than our entry (nothing is changed then).

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "settings_files/server_format.hpp"
#include "settings_files/settings.hpp"

namespace plankeep::clients {

struct ServerChange {
  std::string text;
  /// nullopt: removing found none of ours.
  std::optional<EntryState> state;
};

[[nodiscard]] base::Result<ServerChange> add_server(const ServerFormat& format,
                                                    const std::optional<std::string>& text,
                                                    const std::string& program);

/// `original`: the file from before we came, where a copy is there.
[[nodiscard]] base::Result<ServerChange> remove_server(const ServerFormat& format, const std::string& text,
                                                       const std::optional<std::string>& original);

/// Whether an entry of ours stands there; false for text that cannot be read.
bool has_our_server(const ServerFormat& format, std::string_view text);

/// The words of an entry: whether it starts us.
bool starts_us(std::string_view command, std::string_view first_argument);

}  // namespace plankeep::clients
