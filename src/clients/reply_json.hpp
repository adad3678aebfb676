#pragma once
// The few shapes in which clients take an answer. Private to clients/*.cpp.
//
// One line of JSON without a newline, and the empty text when there is nothing in it: some clients drop an
// answer whole for one key that they do not know, so nothing is written that is not asked for.

#include <string>
#include <string_view>

namespace plankeep::clients {

/// What an answer may hold; empty parts are left out.
struct Reply {
  std::string_view decision;  // "block", "deny"; only together with a reason
  std::string_view reason;    // for the model: why it may not stop
  std::string_view event;     // hookEventName, for `context`
  std::string_view context;   // for the model
  std::string_view notice;    // for the person
};

/// {"decision":D,"reason":R,"hookSpecificOutput":{"hookEventName":E,"additionalContext":C},
/// "systemMessage":N}: Claude Code, Codex, Gemini CLI, Qwen Code.
std::string nested_reply(const Reply& reply);

/// {KEY:TEXT}; empty without a text.
std::string single_reply(std::string_view key, std::string_view text);

/// {"decision":"block","reason":R}; empty without a reason.
std::string block_reply(std::string_view reason);

}  // namespace plankeep::clients
