// Codex CLI, seen: 0.169.0.
//
// Its apply_patch tool names several files in one text. A patch given to the shell as a here-document fires
// no PostToolUse, and a failed one nothing at all; what was changed that way is seen when the turn ends. Its
// PreToolUse holds the patch, so the lines that turn up within a minute are the agent's.
// Nothing in payload or environment names the client. Subagents: agent_id and agent_type, the session stays
// the parent's, and transcript_path is then the subagent's (but the parent's at SubagentStop).
//
// An answer with any key that it does not know is dropped whole, so is one without hookEventName. The known
// ones are decision, reason, systemMessage, hookSpecificOutput with hookEventName and additionalContext (and
// some we do not use); systemMessage is from its published schemas.

#include <array>
#include <utility>

#include "clients/all_clients.hpp"
#include "clients/dialect.hpp"
#include "clients/patch_paths.hpp"
#include "clients/reply_json.hpp"

namespace plankeep::clients {
namespace {

using base::Result;
using base::Status;
using core::HookAnswer;
using core::HookEvent;
using core::HookKind;

constexpr std::array kEvents = {
    EventRule{"SessionStart", HookKind::session_start},
    EventRule{"SessionEnd", HookKind::session_ended},
    EventRule{"UserPromptSubmit", HookKind::prompt_submitted},
    EventRule{"PreToolUse", HookKind::nothing, true},
    EventRule{"PostToolUse", HookKind::nothing, true},
    EventRule{"SubagentStart", HookKind::subagent_started},
    EventRule{"SubagentStop", HookKind::subagent_stopped},
    EventRule{"Stop", HookKind::turn_ended},
    EventRule{"PreCompact", HookKind::before_compact},
};

constexpr std::array kTexts = {
    TextField{"session_id", &HookEvent::session_id},
    TextField{"transcript_path", &HookEvent::transcript},
    TextField{"cwd", &HookEvent::cwd},
    TextField{"agent_id", &HookEvent::agent_id},
    TextField{"agent_type", &HookEvent::agent_type},
    TextField{"source", &HookEvent::source},
    TextField{"reason", &HookEvent::source},
    TextField{"trigger", &HookEvent::source},
    TextField{"prompt", &HookEvent::prompt},
    TextField{"tool_use_id", &HookEvent::tool_use_id},
    TextField{"agent_transcript_path", &HookEvent::agent_transcript},
    TextField{"last_assistant_message", &HookEvent::message},
};

// Of tool events in the recordings: session_id, turn_id, agent_id, agent_type, transcript_path, cwd,
// hook_event_name, model, permission_mode, tool_name, tool_input, tool_response, tool_use_id.
constexpr std::array<std::string_view, 3> kHead = {"session_id", "cwd", "hook_event_name"};

HookKind kind_of_tool(std::string_view event_name, std::string_view tool) {
  if (event_name == "PreToolUse") {
    if (tool == "Bash") return HookKind::shell_started;
    // A namespace is put before it without a separator ("collaborationspawn_agent").
    return tool.ends_with("spawn_agent") ? HookKind::subagent_assigned : HookKind::nothing;
  }
  if (tool == "apply_patch") return HookKind::file_written;
  return tool == "Bash" ? HookKind::shell_ran : HookKind::nothing;
}

Status read_input(Call& call) {
  HookEvent& event = call.draft.event;
  return object_or_skip(call.in, [&](std::string_view key) -> Status {
    if (event.kind == HookKind::subagent_assigned) {
      if (key == "message") return text_or_skip(call.in, event.prompt);
      if (key == "agent_type") return text_or_skip(call.in, event.started_type);
      return call.in.skip();
    }
    if (key != "command") return call.in.skip();
    std::string command;
    TRY(text_or_skip(call.in, command));
    if (event.kind == HookKind::file_written) event.paths = paths_in_patch(command);
    // Of a patch in a here-document no end is reported, but it says beforehand what it is going to write.
    if (event.kind == HookKind::shell_started && command.find("apply_patch") != std::string::npos) {
      event.paths = paths_in_patch(command);
      if (event.paths.empty()) event.kind = HookKind::nothing;
    }
    return call.enough();
  });
}

void finish(Draft& draft, const Variables&) {
  HookEvent& event = draft.event;
  if (!event.agent_id.empty() && event.kind != HookKind::subagent_stopped)
    event.agent_transcript = std::exchange(event.transcript, {});
  if (event.kind == HookKind::file_written && event.paths.empty()) event.kind = HookKind::nothing;
}

constexpr Dialect kDialect = {.events = kEvents,
                              .texts = kTexts,
                              .head = kHead,
                              .tool_name = "tool_name",
                              .tool_input = "tool_input",
                              .reads_commands = true,
                              .kind_of_tool = kind_of_tool,
                              .read_input = read_input,
                              .read_other = read_stop_flag,
                              .finish = finish};

Result<Reading> read(std::string_view event_name, std::string_view text, const Variables& variables,
                     Extent extent, HookEvent& event) {
  return read_payload(kDialect, "codex", event_name, text, variables, extent, event);
}

bool tells_model(const HookEvent& event) {
  return one_of(event.client_event, {"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart"});
}

// Without a cap of its own: a hook that always blocks keeps it going for ever.
bool can_block(const HookEvent& event) {
  return one_of(event.client_event, {"Stop", "SubagentStop"});
}

std::string reply(const HookEvent& event, const HookAnswer& answer) {
  const bool shows_notice = tells_model(event) || can_block(event);
  return nested_reply({.decision = "block",
                       .reason = can_block(event) ? std::string_view(answer.block) : std::string_view(),
                       .event = event.client_event,
                       .context = tells_model(event) ? std::string_view(answer.context) : std::string_view(),
                       .notice = shows_notice ? std::string_view(answer.notice) : std::string_view()});
}

}  // namespace

Client codex() {
  return {.name = "codex",
          .title = "Codex CLI",
          .read = read,
          .reply = reply,
          .tells_model = tells_model,
          .can_block = can_block};
}

}  // namespace plankeep::clients
