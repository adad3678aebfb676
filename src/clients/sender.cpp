#include "clients/sender.hpp"

#include <utility>

#include "clients/payload.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::Status;

Status read_key(JsonReader& in, std::string_view key, Sender& sender, std::string& team) {
  if (one_of(key, {"agent_id", "agentId", "agentID"})) return text_or_skip(in, sender.agent_id);
  if (one_of(key, {"agent_type", "agentType"})) return text_or_skip(in, sender.agent_type);
  if (key == "teammate_name") return text_or_skip(in, sender.team);
  if (key == "team_name") return text_or_skip(in, team);
  return in.skip();
}

}  // namespace

base::Result<Reading> read_sender(std::string_view text, Sender& sender) {
  return read_tolerant(text, [&sender](std::string_view json) -> base::Result<Reading> {
    JsonReader in(json);
    Sender found;
    std::string team;
    Status status = in.object([&](std::string_view key) { return read_key(in, key, found, team); });
    TRY_ASSIGN(const Reading reading, whole_or_truncated(in, json, std::move(status)));
    if (reading == Reading::truncated) return reading;
    if (found.team.empty()) found.team = std::move(team);
    // A type without an id is the role of a whole session.
    if (found.agent_id.empty()) found.agent_type.clear();
    sender = std::move(found);
    return reading;
  });
}

bool names_agent(const core::HookEvent& event) {
  return !event.agent_id.empty() && !event.agent_type.empty();
}

void add_sender(core::HookEvent& event, Sender sender) {
  if (event.agent_id.empty()) {
    event.agent_id = std::move(sender.agent_id);
    event.agent_type = std::move(sender.agent_type);
  } else if (event.agent_type.empty() && event.agent_id == sender.agent_id) {
    // The id stood in front of what the call is about, the type behind it.
    event.agent_type = std::move(sender.agent_type);
  }
  if (event.team.empty()) event.team = std::move(sender.team);
}

}  // namespace plankeep::clients
