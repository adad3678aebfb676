#pragma once
// The prompts of a conversation, from its transcript. Pure: the caller reads it.
//
// A prompt is what a person typed in the main conversation: no result of a tool, no summary, no notification,
// nothing that the client says of itself. A command ("/review all") is one. Formats as in
// clients/message_id, seen by running the clients; of Codex its `user_message`. Lines that are cut, broken or
// a subagent's are passed over.

#include <optional>
#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace plankeep::clients {

/// The last one that was not made after `until`; one without a time counts. Empty when the piece holds none.
std::string last_prompt(std::string_view tail, base::Instant until);

/// Where a person went back in a conversation and wrote another prompt: the messages behind `parent` are
/// left.
struct Branch {
  std::string parent;  // the message that the new prompt stands behind
  std::string left;    // the first of the prompts that are no part of the conversation any more
};

/// Whether the newest prompt of the transcript is such a one. Claude Code only (`parentUuid`): the others do
/// not say what a prompt stands behind. nullopt also when the piece does not reach back to the parent, and
/// when the very first prompt was written anew: others stand behind nothing, too. `prompt`: as the client's
/// hook tells it; a transcript whose newest prompt is another has not got it yet.
std::optional<Branch> newest_branch(std::string_view tail, std::string_view prompt);

}  // namespace plankeep::clients
