#include "clients/all_clients.hpp"
#include "clients/claude_shape.hpp"
#include "clients/dialect.hpp"
#include "clients/reply_json.hpp"

// Claude Code, seen: 2.1.329. Also what others send who run its hooks: GitHub Copilot CLI 1.0.102 (seen) and
// Cursor (from its documents, untested); HookEvent::client says which one it was, and each is answered in its
// own way.

namespace plankeep::clients {
namespace {

using core::HookAnswer;
using core::HookEvent;
using core::HookKind;

base::Result<Reading> read(std::string_view event_name, std::string_view text, const Variables& variables,
                           Extent extent, HookEvent& event) {
  return read_claude_shape("claude-code", event_name, text, variables, extent, event);
}

// PreToolUse and PostToolUseFailure honour context as well, but a PostToolBatch follows both and is sure.
bool tells_model(const HookEvent& event) {
  if (event.client != "claude-code")
    return one_of(event.client_event, {"SessionStart", "UserPromptSubmit", "PostToolUse"});
  return one_of(event.client_event,
                {"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolBatch", "SubagentStart"});
}

// Nothing that a hook prints at StopFailure is honoured. At the other two additional context would make the
// agent go on as well, so they are never given any.
bool can_block(const HookEvent& event) {
  return one_of(event.client_event, {"Stop", "SubagentStop"});
}

// At SessionEnd, StopFailure and FileChanged nothing is honoured; at PreCompact what is printed may end up in
// the instructions for the summary.
bool shows_notice(const HookEvent& event) {
  return event.client == "claude-code" &&
         !one_of(event.client_event, {"SessionEnd", "StopFailure", "FileChanged", "PreCompact"});
}

std::string reply(const HookEvent& event, const HookAnswer& answer) {
  const std::string_view reason = can_block(event) ? std::string_view(answer.block) : std::string_view();
  const std::string_view context = tells_model(event) ? std::string_view(answer.context) : std::string_view();
  if (event.client == "copilot")
    return reason.empty() ? single_reply("additionalContext", context) : block_reply(reason);
  if (event.client == "cursor") {
    // In its own words; untested, like all of Cursor here.
    return reason.empty() ? single_reply("additional_context", context)
                          : single_reply("followup_message", reason);
  }
  return nested_reply({.decision = "block",
                       .reason = reason,
                       .event = event.client_event,
                       .context = context,
                       .notice = shows_notice(event) ? std::string_view(answer.notice) : std::string_view()});
}

}  // namespace

Client claude_code() {
  return {.name = "claude-code",
          .title = "Claude Code",
          .read = read,
          .reply = reply,
          .tells_model = tells_model,
          .can_block = can_block,
          .transcripts_hold_messages = true};
}

}  // namespace plankeep::clients
