#pragma once
// Whether the newest prompt of a conversation took the place of an earlier one: the person went back to a
// message, edited it and sent it again. Pure: the caller reads the transcript's end.
//
// Seen with Claude Code 2.1: what is left behind stays in the transcript, and the edited prompt's parentUuid
// names a line that others follow already. Other clients keep no such trace: nullopt. Claude Code writes the
// prompt only after it has called UserPromptSubmit, so a hook finds it at the turn's first tool call.

#include <optional>
#include <string>
#include <string_view>

namespace plankeep::clients {

struct EditedPrompt {
  std::string id;      // of the prompt
  std::string parent;  // the message that it now follows; empty: it is the first of the conversation
};

/// `tail` is the end of a transcript in whole lines or with a cut first one. Lines of subagents, those that
/// the client made by itself and results of tools are no prompts. nullopt: the newest prompt follows what is
/// before it, or what is before it is not in the piece.
std::optional<EditedPrompt> edited_prompt(std::string_view tail);

}  // namespace plankeep::clients
