#pragma once
// The prompts of a conversation, from its transcript. Pure: the caller reads it.
//
// A prompt is what a person typed in the main conversation: no result of a tool, no summary, no notification,
// nothing that the client says of itself. A command ("/review all") is one. Formats as in
// clients/transcripts/message_id, seen by running the clients; of Codex its `user_message`. Lines that are
// cut, broken or a subagent's are passed over.

#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace plankeep::clients {

/// The last one that was not made after `until`; one without a time counts. Empty when the piece holds none.
std::string last_prompt(std::string_view tail, base::Instant until);

}  // namespace plankeep::clients
