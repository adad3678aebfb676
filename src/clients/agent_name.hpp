#pragma once
// What Entire's tools call a client in their session checkpoints. Their `resume` finds the client by this
// name.

#include <string>
#include <string_view>

namespace plankeep::clients {

/// `client`: our name for it ("codex" gives "Codex"). For a client that Entire does not know this is its
/// title; for one that we do not know, `client` itself. Source: Entire 0.8.1.
std::string agent_name(std::string_view client);

}  // namespace plankeep::clients
