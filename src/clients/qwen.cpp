// Qwen Code, seen: 0.24.4.
//
// UserPromptSubmit fires after every tool result as well, with an empty prompt: no prompt, but a moment to
// look at the plan's stamp. Stop says stop_hook_active even the first time, so the main thread can never be
// told apart from one that a hook has sent back already. Tool events inside a subagent say nothing of it; the
// tool that starts one is called agent (from its source, not seen in a call).
// SubagentStop names the session's own transcript as the subagent's. Headless runs fire no SessionStart,
// SessionEnd and PreCompact.
//
// Context reaches the model with UserPromptSubmit, if the prompt is not empty, and with PostToolUse; on
// SessionStart it never did, although the documents say so. Blocking and systemMessage are from its
// documents.

#include <array>

#include "clients/all_clients.hpp"
#include "clients/dialect.hpp"
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
    EventRule{"PostToolUseFailure", HookKind::nothing, true},
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

// First in every recording; the documents promise agent fields in tool events, which never came.
constexpr std::array<std::string_view, 3> kHead = {"session_id", "cwd", "hook_event_name"};

HookKind kind_of_tool(std::string_view event_name, std::string_view tool) {
  const bool before = event_name == "PreToolUse";
  if (tool == "run_shell_command") return before ? HookKind::shell_started : HookKind::shell_ran;
  if (before) return tool == "agent" ? HookKind::subagent_assigned : HookKind::nothing;
  if (event_name == "PostToolUse" && one_of(tool, {"write_file", "edit"})) return HookKind::file_written;
  return HookKind::nothing;
}

Status read_input(Call& call) {
  HookEvent& event = call.draft.event;
  return object_or_skip(call.in, [&](std::string_view key) -> Status {
    if (event.kind == HookKind::subagent_assigned) {
      if (key == "prompt") return text_or_skip(call.in, event.prompt);
      if (key == "subagent_type") return text_or_skip(call.in, event.started_type);
      return call.in.skip();
    }
    if (key != "file_path") return call.in.skip();
    std::string path;
    TRY(read_text(call.in, path));
    if (path.empty()) return {};
    event.paths.assign(1, path);
    return call.enough();
  });
}

void finish(Draft& draft, const Variables& variables) {
  HookEvent& event = draft.event;
  event.project = first_set(variables, {"QWEN_PROJECT_DIR"});
  if (event.agent_transcript == event.transcript) event.agent_transcript.clear();
  if (event.kind == HookKind::prompt_submitted && event.prompt.empty()) event.kind = HookKind::tools_settled;
  if (event.kind == HookKind::file_written && event.paths.empty()) event.kind = HookKind::nothing;
}

constexpr Dialect kDialect = {.events = kEvents,
                              .texts = kTexts,
                              .head = kHead,
                              .tool_name = "tool_name",
                              .tool_input = "tool_input",
                              .kind_of_tool = kind_of_tool,
                              .read_input = read_input,
                              .read_other = read_stop_flag,
                              .finish = finish};

Result<Reading> read(std::string_view event_name, std::string_view text, const Variables& variables,
                     Extent extent, HookEvent& event) {
  return read_payload(kDialect, "qwen", event_name, text, variables, extent, event);
}

bool tells_model(const HookEvent& event) {
  return event.client_event == "PostToolUse" || event.kind == HookKind::prompt_submitted;
}

bool can_block(const HookEvent& event) {
  return one_of(event.client_event, {"Stop", "SubagentStop"});
}

std::string reply(const HookEvent& event, const HookAnswer& answer) {
  const bool shows_notice = tells_model(event) || can_block(event) || event.client_event == "SessionStart";
  return nested_reply({.decision = "block",
                       .reason = can_block(event) ? std::string_view(answer.block) : std::string_view(),
                       .event = event.client_event,
                       .context = tells_model(event) ? std::string_view(answer.context) : std::string_view(),
                       .notice = shows_notice ? std::string_view(answer.notice) : std::string_view()});
}

}  // namespace

Client qwen() {
  return {.name = "qwen",
          .title = "Qwen Code",
          .read = read,
          .reply = reply,
          .tells_model = tells_model,
          .can_block = can_block,
          .names_subagents = false};
}

}  // namespace plankeep::clients
