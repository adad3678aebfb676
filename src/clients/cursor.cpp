// Cursor. Untested: everything here is from its documents, nothing was seen running. What subagents' events
// hold is from a capture of 3.18.25 that others published: start and end come from the parent's conversation;
// what a subagent does comes from a conversation of its own, whose id neither of them has and which nothing
// says was begun. sessionStart, sessionEnd and beforeSubmitPrompt come from conversations of people alone.
//
// There is no sure cwd: workspace_roots[0] stands in for it. Where in a payload the common fields stand is
// not known, so payloads are read to their end. afterFileEdit and postToolUse tell of the same write when
// both are installed. Answers: additional_context at sessionStart (reported broken in some versions) and
// postToolUse, followup_message at stop and subagentStop, at most five times in a row.

#include <array>
#include <utility>

#include "clients/all_clients.hpp"
#include "clients/dialect.hpp"
#include "clients/reply_json.hpp"

namespace plankeep::clients {
namespace {

using base::JsonType;
using base::Result;
using base::Status;
using core::HookAnswer;
using core::HookEvent;
using core::HookKind;

constexpr std::array kEvents = {
    EventRule{"sessionStart", HookKind::session_start},
    EventRule{"sessionEnd", HookKind::session_ended},
    EventRule{"beforeSubmitPrompt", HookKind::prompt_submitted},
    EventRule{"afterFileEdit", HookKind::file_written},
    EventRule{"beforeShellExecution", HookKind::shell_started},
    EventRule{"afterShellExecution", HookKind::shell_ran},
    EventRule{"postToolUse", HookKind::nothing, true},
    EventRule{"subagentStart", HookKind::subagent_started},
    EventRule{"subagentStop", HookKind::subagent_stopped},
    EventRule{"stop", HookKind::turn_ended},
    EventRule{"preCompact", HookKind::before_compact},
};

constexpr std::array kTexts = {
    TextField{"conversation_id", &HookEvent::session_id},
    TextField{"transcript_path", &HookEvent::transcript},
    TextField{"cwd", &HookEvent::cwd},
    TextField{"reason", &HookEvent::source},
    TextField{"trigger", &HookEvent::source},
    TextField{"prompt", &HookEvent::prompt},
    TextField{"task", &HookEvent::prompt},
    TextField{"subagent_id", &HookEvent::agent_id},
    TextField{"subagent_type", &HookEvent::agent_type},
    TextField{"agent_transcript_path", &HookEvent::agent_transcript},
    TextField{"summary", &HookEvent::message},
};

HookKind kind_of_tool(std::string_view, std::string_view tool) {
  if (tool == "Write") return HookKind::file_written;
  return tool == "Shell" ? HookKind::shell_ran : HookKind::nothing;
}

Status read_path(Call& call) {
  std::string path;
  TRY(text_or_skip(call.in, path));
  if (!path.empty()) call.draft.event.paths.assign(1, path);
  return {};
}

Status read_input(Call& call) {
  return object_or_skip(call.in, [&](std::string_view key) -> Status {
    return key == "file_path" ? read_path(call) : call.in.skip();
  });
}

Result<bool> read_other(std::string_view key, Call& call) {
  HookEvent& event = call.draft.event;
  if (key == "session_id") {
    // Said to be the conversation's id under another name.
    std::string id;
    TRY(read_text(call.in, id));
    if (event.session_id.empty()) event.session_id = std::move(id);
  } else if (key == "parent_conversation_id") {
    TRY(read_text(call.in, call.draft.parent));
  } else if (key == "workspace_roots" && call.in.peek() == JsonType::array) {
    TRY(call.in.array([&]() -> Status {
      return event.project.empty() ? text_or_skip(call.in, event.project) : call.in.skip();
    }));
  } else if (key == "file_path" && call.event_name == "afterFileEdit") {
    TRY(read_path(call));
  } else if (key == "status") {
    std::string status;
    TRY(text_or_skip(call.in, status));
    event.failed = status == "error";
  } else if (key == "loop_count") {
    std::optional<std::int64_t> loops;
    TRY(count_or_skip(call.in, loops));
    event.stop_active = loops.value_or(0) > 0;
  } else if (key == "context_usage_percent") {
    std::optional<std::int64_t> percent;
    TRY(count_or_skip(call.in, percent));
    if (percent && *percent <= 100) event.context_percent = static_cast<int>(*percent);
  } else if (key == "context_tokens") {
    TRY(count_or_skip(call.in, event.context_tokens));
  } else if (key == "context_window_size") {
    TRY(count_or_skip(call.in, event.context_window));
  } else {
    return false;
  }
  return true;
}

void finish(Draft& draft, const Variables& variables) {
  HookEvent& event = draft.event;
  if (event.cwd.empty()) event.cwd = event.project;
  const std::string project = first_set(variables, {"CURSOR_PROJECT_DIR"});
  if (!project.empty()) event.project = project;
  if (!draft.parent.empty()) event.session_id = std::move(draft.parent);
  if (event.kind == HookKind::session_start) event.source = "startup";
  if (event.kind == HookKind::file_written && event.paths.empty()) event.kind = HookKind::nothing;
}

constexpr Dialect kDialect = {.events = kEvents,
                              .texts = kTexts,
                              .tool_name = "tool_name",
                              .tool_input = "tool_input",
                              .kind_of_tool = kind_of_tool,
                              .read_input = read_input,
                              .read_other = read_other,
                              .finish = finish};

Result<Reading> read(std::string_view event_name, std::string_view text, const Variables& variables,
                     Extent extent, HookEvent& event) {
  return read_payload(kDialect, "cursor", event_name, text, variables, extent, event);
}

bool tells_model(const HookEvent& event) {
  return one_of(event.client_event, {"sessionStart", "postToolUse"});
}

bool can_block(const HookEvent& event) {
  return one_of(event.client_event, {"stop", "subagentStop"});
}

std::string reply(const HookEvent& event, const HookAnswer& answer) {
  if (can_block(event)) return single_reply("followup_message", answer.block);
  return tells_model(event) ? single_reply("additional_context", answer.context) : std::string();
}

}  // namespace

Client cursor() {
  return {.name = "cursor",
          .title = "Cursor",
          .read = read,
          .reply = reply,
          .tells_model = tells_model,
          .can_block = can_block,
          .own_conversations = true};
}

}  // namespace plankeep::clients
