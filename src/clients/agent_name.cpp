#include "clients/agent_name.hpp"

#include <utility>

#include "clients/client.hpp"

namespace plankeep::clients {

std::string agent_name(std::string_view client) {
  // Only the names that differ from the title.
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"codex", "Codex"}, {"copilot", "Copilot CLI"}, {"opencode", "OpenCode"}};
  for (const auto& [ours, theirs] : kNames)
    if (client == ours) return std::string(theirs);
  const Client* known = find_client(client);
  return std::string(known == nullptr ? client : known->title);
}

}  // namespace plankeep::clients
