#include <algorithm>
#include <array>

#include "clients/all_clients.hpp"
#include "clients/client.hpp"

namespace plankeep::clients {

// An explicit table: clients that registered themselves would vanish from a static archive.
std::span<const Client> clients() {
  static const std::array kAll = {claude_code(), codex(), gemini(), copilot(), qwen(), opencode(), cursor()};
  return kAll;
}

const Client* find_client(std::string_view name) {
  const std::span<const Client> all = clients();
  const auto found =
      std::find_if(all.begin(), all.end(), [name](const Client& client) { return client.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace plankeep::clients
