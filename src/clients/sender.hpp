#pragma once
// Who a payload says acts, wherever in it that stands.
//
// Client::read stops before the large texts of a tool call: in every recording what names a subagent stands
// in front of them. JSON promises no order, though, so before a tick is recorded as the main thread's the
// rest is read as well. That is for the few calls that wrote a plan, or that a subagent must not answer.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "clients/client.hpp"

namespace plankeep::clients {

struct Sender {
  std::string agent_id;  // empty: the main thread
  std::string agent_type;
  std::string team;
  bool operator==(const Sender&) const = default;
};

/// `text`: the payload as far as it was read. `truncated`: give more, or, if there is no more, know nothing;
/// `sender` is then as it was. Errors (corrupt): no JSON.
[[nodiscard]] base::Result<Reading> read_sender(std::string_view text, Sender& sender);

/// Whether an event that was read up to what it is about names an agent with id and type already.
bool names_agent(const core::HookEvent& event);
/// Puts into the event what it does not say yet; the type only beside the agent's own id.
void add_sender(core::HookEvent& event, Sender sender);

}  // namespace plankeep::clients
