#pragma once
// What Entire's tools call a client in their session checkpoints: their `resume` goes by it.

#include <string>
#include <string_view>

namespace plankeep::clients {

/// Of a client by our name for it ("codex": "Codex"). One that Entire does not know keeps its title, and one
/// that we do not know its name. Source: Entire 0.8.1.
std::string agent_name(std::string_view client);

}  // namespace plankeep::clients
