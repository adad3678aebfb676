#pragma once
// By which name a client knows the last message of a conversation. Pure: the caller reads the transcript's
// end (clients/transcripts/transcript). Formats, all of them JSON lines and seen by running the client:
// Claude Code 2.1 and Qwen Code 0.15 (`uuid`), Gemini CLI 0.61 (`id`), Codex 0.169 (`payload.id` of a
// message). Lines that are cut, broken or a subagent's are passed over.
//
// Claude Code writes its transcript about a tenth of a second late: when it calls a hook, the newest messages
// are often not in there yet, and when one looks later, there may be some of the next turn. So a message's
// own time counts, and whether it can be the last of its turn.

#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace plankeep::clients {

struct LastMessage {
  std::string id;          // empty: the piece holds none
  bool ends_turn = false;  // an answer that calls no tool; false: the rest may still have to be written
};

/// The last message of the person or the assistant that was not made after `until`. One without a time
/// counts.
LastMessage last_message(std::string_view tail, base::Instant until);

}  // namespace plankeep::clients
