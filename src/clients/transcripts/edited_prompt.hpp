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
  std::string before;  // the prompt that was edited
};

/// So many answers of the assistant after the prompt are looked through: the question is asked at a turn's
/// first tool calls, and a long turn is not read back to its beginning.
inline constexpr int kAnswersAfterPrompt = 4;

/// `tail` is the end of a transcript, its first line may be cut. Lines of subagents, those that the client
/// made by itself and results of tools are no prompts. nullopt: no earlier prompt in the piece follows the
/// message that the newest one follows, or the newest one is further back than kAnswersAfterPrompt.
std::optional<EditedPrompt> edited_prompt(std::string_view tail);

}  // namespace plankeep::clients
