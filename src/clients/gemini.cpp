// Gemini CLI, seen: 0.61.0.
//
// AfterTool fires for failed tools too; then tool_response.error is there and returnDisplay is a text. Of a
// file that was written, returnDisplay.filePath is absolute, tool_input.file_path as the model wrote it.
// Subagents have no id and no events of their own: they are the tool invoke_agent, before and after, with the
// same prompt in both, which tells those apart that run at the same time. What happens inside them looks like
// the main thread's doing. PreCompress with the trigger "auto" fires before every model request, compressed
// or not, so it is taken as a moment to look at the plan's stamp. Answers on SessionStart (not after /clear),
// BeforeAgent and AfterTool (not of failed tools) were seen to reach the model. What is said on
// invoke_agent's AfterTool is behind the subagent's result, so the one that started it reads it.

#include <array>
#include <utility>

#include "base/sha256.hpp"
#include "clients/all_clients.hpp"
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
    EventRule{"SessionStart", HookKind::session_start},   EventRule{"SessionEnd", HookKind::session_ended},
    EventRule{"BeforeAgent", HookKind::prompt_submitted}, EventRule{"AfterAgent", HookKind::turn_ended},
    EventRule{"BeforeTool", HookKind::nothing, true},     EventRule{"AfterTool", HookKind::nothing, true},
    EventRule{"PreCompress", HookKind::before_compact},
};

constexpr std::array kTexts = {
    TextField{"session_id", &HookEvent::session_id},
    TextField{"transcript_path", &HookEvent::transcript},
    TextField{"cwd", &HookEvent::cwd},
    TextField{"source", &HookEvent::source},
    TextField{"reason", &HookEvent::source},
    TextField{"trigger", &HookEvent::source},
    TextField{"prompt", &HookEvent::prompt},
    TextField{"prompt_response", &HookEvent::message},
};

// First in every recording; nothing ever says that a subagent acts.
constexpr std::array<std::string_view, 3> kHead = {"session_id", "cwd", "hook_event_name"};

HookKind kind_of_tool(std::string_view event_name, std::string_view tool) {
  const bool before = event_name == "BeforeTool";
  if (tool == "invoke_agent") return before ? HookKind::subagent_started : HookKind::subagent_stopped;
  if (tool == "run_shell_command") return before ? HookKind::shell_started : HookKind::shell_ran;
  if (before) return HookKind::nothing;
  return one_of(tool, {"write_file", "replace"}) ? HookKind::file_written : HookKind::nothing;
}

Status read_input(Call& call) {
  HookEvent& event = call.draft.event;
  return object_or_skip(call.in, [&](std::string_view key) -> Status {
    if (event.kind == HookKind::file_written) {
      if (key != "file_path" || !event.paths.empty()) return call.in.skip();
      std::string path;
      TRY(read_text(call.in, path));
      if (!path.empty()) event.paths.push_back(std::move(path));
      return {};
    }
    if (key == "agent_name") return text_or_skip(call.in, event.agent_type);
    if (key == "prompt") return text_or_skip(call.in, event.prompt);
    return call.in.skip();
  });
}

Status read_display(Call& call) {
  HookEvent& event = call.draft.event;
  return object_or_skip(call.in, [&](std::string_view key) -> Status {
    if (event.kind == HookKind::file_written && key == "filePath") {
      std::string path;
      TRY(text_or_skip(call.in, path));
      if (path.empty()) return {};
      event.paths.assign(1, path);
      return call.enough();  // a failed tool has no such object; the file's text, before and after, is behind
    }
    if (event.kind == HookKind::subagent_stopped && key == "result")
      return text_or_skip(call.in, event.message);
    if (event.kind == HookKind::subagent_stopped && key == "state") {
      std::string state;
      TRY(text_or_skip(call.in, state));
      event.failed = event.failed || (!state.empty() && state != "completed");
      return {};
    }
    return call.in.skip();
  });
}

Status read_response(Call& call) {
  return object_or_skip(call.in, [&](std::string_view key) -> Status {
    if (key == "returnDisplay") return read_display(call);
    if (key == "error" && call.in.peek() != JsonType::null) call.draft.event.failed = true;
    return call.in.skip();
  });
}

/// Headless, what a hook said at the session's start is glued in front of the first prompt.
void take_off_hook_context(std::string& prompt) {
  constexpr std::string_view kOpening = "<hook_context>";
  constexpr std::string_view kClosing = "</hook_context>";
  while (prompt.starts_with(kOpening)) {
    const std::size_t close = prompt.find(kClosing);
    if (close == std::string::npos) return;
    const std::size_t next = prompt.find_first_not_of(" \t\r\n", close + kClosing.size());
    prompt.erase(0, next);  // all of it when there is nothing more
  }
}

/// A subagent's result is a JSON object whose "response" is what it said; anything else is taken as it is.
void unwrap_result(std::string& message) {
  std::string response;
  bool found = false;
  JsonReader in(message);
  const Status status = in.object([&](std::string_view key) -> Status {
    if (key != "response" || in.peek() != JsonType::string) return in.skip();
    found = true;
    return in.string(response);
  });
  if (status && found && in.end()) message = std::move(response);
}

// What both events of a call say of it. Only two calls of one agent with the same prompt are not told apart.
std::string agent_id(const HookEvent& event) {
  constexpr std::size_t kDigits = 8;
  std::string id = "gemini:" + event.session_id + ":" + event.agent_type;
  if (!event.prompt.empty()) id += ":" + base::sha256_hex(event.prompt).substr(0, kDigits);
  return id;
}

void finish(Draft& draft, const Variables& variables) {
  HookEvent& event = draft.event;
  event.project = first_set(variables, {"GEMINI_PROJECT_DIR"});
  switch (event.kind) {
    case HookKind::file_written:
      if (event.failed || event.paths.empty()) event.kind = HookKind::nothing;
      break;
    case HookKind::prompt_submitted:
      take_off_hook_context(event.prompt);
      break;
    case HookKind::subagent_stopped:
      unwrap_result(event.message);
      [[fallthrough]];
    case HookKind::subagent_started:
      event.agent_id = agent_id(event);
      break;
    case HookKind::before_compact:
      if (event.source == "auto") event.kind = HookKind::tools_settled;
      break;
    default:
      break;
  }
}

constexpr Dialect kDialect = {.events = kEvents,
                              .texts = kTexts,
                              .head = kHead,
                              .tool_name = "tool_name",
                              .tool_input = "tool_input",
                              .tool_response = "tool_response",
                              .kind_of_tool = kind_of_tool,
                              .read_input = read_input,
                              .read_response = read_response,
                              .read_other = read_stop_flag,
                              .finish = finish};

Result<Reading> read(std::string_view event_name, std::string_view text, const Variables& variables,
                     Extent extent, HookEvent& event) {
  return read_payload(kDialect, "gemini", event_name, text, variables, extent, event);
}

bool tells_model(const HookEvent& event) {
  if (event.client_event == "AfterTool") return !event.failed;
  // After /clear it is dropped.
  if (event.client_event == "SessionStart") return event.source != "clear";
  return event.client_event == "BeforeAgent";
}

// It has no cap of its own: a hook that always denies keeps it going for ever. The end of a subagent is only
// heard of when the tool is over.
bool can_block(const HookEvent& event) {
  return event.client_event == "AfterAgent";
}

std::string reply(const HookEvent& event, const HookAnswer& answer) {
  const bool shows_notice =
      one_of(event.client_event, {"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"});
  return nested_reply({.decision = "deny",
                       .reason = can_block(event) ? std::string_view(answer.block) : std::string_view(),
                       .event = event.client_event,
                       .context = tells_model(event) ? std::string_view(answer.context) : std::string_view(),
                       .notice = shows_notice ? std::string_view(answer.notice) : std::string_view()});
}

}  // namespace

Client gemini() {
  return {.name = "gemini",
          .title = "Gemini CLI",
          .read = read,
          .reply = reply,
          .tells_model = tells_model,
          .can_block = can_block,
          .names_subagents = false};
}

}  // namespace plankeep::clients
