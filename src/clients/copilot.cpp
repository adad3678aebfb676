// GitHub Copilot CLI, seen: 1.0.102.
//
// Payloads have no event name, and say last that a subagent acts (agentId, agentType, parentAgentId), so they
// are read to their end. In a subagent sessionId is the subagent's own id, parentAgentId the session.
// agentStop and userPromptSubmitted fire for subagents too. A path is as the model gave it. Events in
// PascalCase come with payloads in the shape of Claude Code's.
//
// Answers are taken at top level only. Seen to reach the model: sessionStart, userPromptSubmitted (although
// its documents say no), postToolUse. agentStop can be blocked eight times in a row; subagentStop by its
// documents. By these a preToolUse hook that fails denies the tool, so install registers none.

#include <array>
#include <utility>

#include "clients/all_clients.hpp"
#include "clients/claude_shape.hpp"
#include "clients/dialect.hpp"
#include "clients/reply_json.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Result;
using base::Status;
using core::HookAnswer;
using core::HookEvent;
using core::HookKind;

constexpr std::array kEvents = {
    EventRule{"sessionStart", HookKind::session_start},
    EventRule{"sessionEnd", HookKind::session_ended},
    EventRule{"userPromptSubmitted", HookKind::prompt_submitted},
    EventRule{"preToolUse", HookKind::nothing, true},
    EventRule{"postToolUse", HookKind::nothing, true},
    EventRule{"postToolUseFailure", HookKind::nothing, true},
    EventRule{"subagentStart", HookKind::subagent_started},
    EventRule{"subagentStop", HookKind::subagent_stopped},
    EventRule{"agentStop", HookKind::turn_ended},
    EventRule{"preCompact", HookKind::before_compact},
};

constexpr std::array kTexts = {
    TextField{"sessionId", &HookEvent::session_id},
    TextField{"transcriptPath", &HookEvent::transcript},
    TextField{"cwd", &HookEvent::cwd},
    TextField{"agentId", &HookEvent::agent_id},
    TextField{"agentType", &HookEvent::agent_type},
    TextField{"source", &HookEvent::source},
    TextField{"reason", &HookEvent::source},
    TextField{"trigger", &HookEvent::source},
    TextField{"prompt", &HookEvent::prompt},
    TextField{"response", &HookEvent::message},
};

HookKind kind_of_tool(std::string_view event_name, std::string_view tool) {
  const bool shell = one_of(tool, {"bash", "powershell"});
  if (event_name == "preToolUse") return shell ? HookKind::shell_started : HookKind::nothing;
  if (shell) return HookKind::shell_ran;
  if (event_name == "postToolUse" && one_of(tool, {"create", "edit"})) return HookKind::file_written;
  return HookKind::nothing;
}

Status read_arguments(JsonReader& in, HookEvent& event) {
  return object_or_skip(in, [&](std::string_view key) -> Status {
    if (key != "path") return in.skip();
    std::string path;
    TRY(read_text(in, path));
    if (!path.empty()) event.paths.assign(1, path);
    return {};
  });
}

Status read_input(Call& call) {
  HookEvent& event = call.draft.event;
  if (call.in.peek() != JsonType::string) return read_arguments(call.in, event);
  // An object was seen; the documents show the same object as a text.
  std::string text;
  TRY(call.in.string(text));
  JsonReader inner(text);
  if (!read_arguments(inner, event)) event.paths.clear();
  return {};
}

Result<bool> read_other(std::string_view key, Call& call) {
  if (key == "stop_hook_active") {
    TRY(read_flag(call.in, call.draft.event.stop_active));
    return true;
  }
  if (key == "parentAgentId") {
    TRY(read_text(call.in, call.draft.parent));
    return true;
  }
  return false;
}

void finish(Draft& draft, const Variables& variables) {
  HookEvent& event = draft.event;
  event.project = first_set(variables, {"COPILOT_PROJECT_DIR"});
  if (!draft.parent.empty()) event.session_id = std::move(draft.parent);
  if (event.source == "new") event.source = "startup";
  if (event.kind == HookKind::file_written && event.paths.empty()) event.kind = HookKind::nothing;
}

constexpr Dialect kDialect = {.events = kEvents,
                              .texts = kTexts,
                              .tool_name = "toolName",
                              .tool_input = "toolArgs",
                              .kind_of_tool = kind_of_tool,
                              .read_input = read_input,
                              .read_other = read_other,
                              .finish = finish};

Result<Reading> read(std::string_view event_name, std::string_view text, const Variables& variables,
                     Extent extent, HookEvent& event) {
  if (!event_name.empty() && event_name.front() >= 'A' && event_name.front() <= 'Z')
    return read_claude_shape("copilot", event_name, text, variables, extent, event);
  return read_payload(kDialect, "copilot", event_name, text, variables, extent, event);
}

bool tells_model(const HookEvent& event) {
  return one_of(event.client_event, {"sessionStart", "userPromptSubmitted", "postToolUse", "SessionStart",
                                     "UserPromptSubmit", "PostToolUse"});
}

bool can_block(const HookEvent& event) {
  return one_of(event.client_event, {"agentStop", "subagentStop", "Stop", "SubagentStop"});
}

std::string reply(const HookEvent& event, const HookAnswer& answer) {
  if (can_block(event)) return block_reply(answer.block);
  return tells_model(event) ? single_reply("additionalContext", answer.context) : std::string();
}

}  // namespace

Client copilot() {
  return {.name = "copilot",
          .title = "GitHub Copilot CLI",
          .read = read,
          .reply = reply,
          .tells_model = tells_model,
          .can_block = can_block};
}

}  // namespace plankeep::clients
