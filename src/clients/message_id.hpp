#pragma once
// By which name a client knows the last message of a conversation. Pure: the caller reads the transcript's
// end (clients/transcript). Formats: Claude Code 2.1 (JSON lines, `uuid`; seen by running it). Lines that are
// cut, broken or a subagent's are passed over.

#include <string>
#include <string_view>

namespace plankeep::clients {

/// The last message's of the person or the assistant; empty when the piece holds none.
std::string last_message_id(std::string_view tail);

}  // namespace plankeep::clients
