#include "clients/claude_shape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "clients/dialect.hpp"
#include "clients/transcripts/task_notification.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Result;
using base::Status;
using core::HookEvent;
using core::HookKind;

constexpr std::array kEvents = {
    EventRule{"SessionStart", HookKind::session_start},
    EventRule{"SessionEnd", HookKind::session_ended},
    EventRule{"UserPromptSubmit", HookKind::prompt_submitted},
    EventRule{"PreToolUse", HookKind::nothing, true},
    EventRule{"PostToolUse", HookKind::nothing, true},
    EventRule{"PostToolUseFailure", HookKind::nothing, true},
    EventRule{"PostToolBatch", HookKind::tools_settled},
    EventRule{"SubagentStart", HookKind::subagent_started},
    EventRule{"SubagentStop", HookKind::subagent_stopped},
    EventRule{"Stop", HookKind::turn_ended},
    EventRule{"StopFailure", HookKind::turn_ended},
    EventRule{"PreCompact", HookKind::before_compact},
    EventRule{"FileChanged", HookKind::file_written},
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
    TextField{"teammate_name", &HookEvent::team},
    // Copilot's SubagentStart mixes its two styles; Cursor has its own word for a session.
    TextField{"sessionId", &HookEvent::session_id},
    TextField{"transcriptPath", &HookEvent::transcript},
    TextField{"conversation_id", &HookEvent::session_id},
};

// Claude Code's order in every recording: session_id, transcript_path, cwd, prompt_id, permission_mode,
// agent_id, agent_type, effort, hook_event_name, then what is the event's own. Copilot: hook_event_name,
// session_id, timestamp, cwd, agent_id, agent_type, parent_agent_id, tool_name, tool_input. So once these
// three were seen, who acts is known, and agent_id is not among them only because the main thread has none.
constexpr std::array<std::string_view, 3> kHead = {"session_id", "cwd", "hook_event_name"};

HookKind kind_of_tool(std::string_view event_name, std::string_view tool) {
  const auto is = [tool](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), tool) != names.end();
  };
  if (event_name == "PreToolUse") {
    if (is({"Bash"})) return HookKind::shell_started;
    return is({"Agent", "Task"}) ? HookKind::subagent_assigned : HookKind::nothing;
  }
  if (is({"Bash"})) return HookKind::shell_ran;  // a command that fails may have changed files before
  if (event_name == "PostToolUse" && is({"Edit", "Write", "MultiEdit", "NotebookEdit"}))
    return HookKind::file_written;
  // Everything else that may write (MCP servers, agents, failed calls) is followed by PostToolBatch.
  return HookKind::nothing;
}

Status read_input(Call& call) {
  HookEvent& event = call.draft.event;
  return object_or_skip(call.in, [&](std::string_view key) -> Status {
    if (event.kind == HookKind::subagent_assigned) {
      if (key == "prompt") return read_text(call.in, event.prompt);
      if (key == "subagent_type") return read_text(call.in, event.started_type);
      return call.in.skip();
    }
    // "path" is Copilot's name for it.
    if (key != "file_path" && key != "notebook_path" && key != "path") return call.in.skip();
    std::string path;
    TRY(read_text(call.in, path));
    if (path.empty()) return {};
    event.paths.assign(1, path);
    return call.enough();
  });
}

Status read_background_tasks(Call& call) {
  if (call.in.peek() != JsonType::array) return call.in.skip();
  return call.in.array([&]() -> Status {
    std::string id;
    std::string status;
    TRY(object_or_skip(call.in, [&](std::string_view key) -> Status {
      if (key == "id") return text_or_skip(call.in, id);
      if (key == "status") return text_or_skip(call.in, status);
      return call.in.skip();
    }));
    if (status == "running" && !id.empty()) call.draft.running.push_back(std::move(id));
    return {};
  });
}

Result<bool> read_other(std::string_view key, Call& call) {
  HookEvent& event = call.draft.event;
  if (key == "tool_calls" && event.kind == HookKind::tools_settled) {
    // What was called does not matter, only that it is over; the texts of all results stand there.
    TRY(call.enough());
    return false;
  }
  if (key == "file_path" && event.kind == HookKind::file_written && call.event_name == "FileChanged") {
    std::string path;
    TRY(read_text(call.in, path));
    if (!path.empty()) event.paths.assign(1, path);
    return true;
  }
  if (key == "stop_hook_active") {
    TRY(read_flag(call.in, event.stop_active));
    return true;
  }
  if (key == "background_tasks") {
    TRY(read_background_tasks(call));
    return true;
  }
  if (key == "parent_agent_id") {
    TRY(read_text(call.in, call.draft.parent));
    return true;
  }
  if (key == "team_name") {
    std::string name;
    TRY(read_text(call.in, name));
    if (event.team.empty()) event.team = std::move(name);
    return true;
  }
  if (key == "context_tokens") {
    TRY(count_or_skip(call.in, event.context_tokens));
    return true;
  }
  if (key == "workspace_roots" && event.cwd.empty() && call.in.peek() == JsonType::array) {
    TRY(call.in.array([&]() -> Status {
      if (!event.cwd.empty()) return call.in.skip();
      return text_or_skip(call.in, event.cwd);
    }));
    return true;
  }
  return false;
}

/// Who sent it. Copilot and Cursor run Claude Code's hooks too, and set the variables here; but variables are
/// inherited, so a Claude Code that was started in a terminal of theirs has them as well. It alone names the
/// session of the payload in a variable.
std::string_view sender(const HookEvent& event, std::string_view client, const Variables& variables) {
  if (!event.session_id.empty() && first_set(variables, {"CLAUDE_CODE_SESSION_ID"}) == event.session_id)
    return "claude-code";
  if (client == "copilot" || first_set(variables, {"COPILOT_CLI"}) == "1") return "copilot";
  if (!first_set(variables, {"CURSOR_VERSION"}).empty()) return "cursor";
  return "claude-code";
}

std::optional<std::int64_t> process_of(const Variables& variables) {
  const std::string text = first_set(variables, {"CLAUDE_PID"});
  std::int64_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || end != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

void finish(Draft& draft, const Variables& variables) {
  HookEvent& event = draft.event;
  event.client = sender(event, event.client, variables);
  if (event.client == "copilot") {
    event.project = first_set(variables, {"COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"});
    // A subagent's tools come under an id of its own; the session is its parent's.
    if (!draft.parent.empty()) event.session_id = std::move(draft.parent);
    if (event.source == "new") event.source = "startup";
  } else if (event.client == "cursor") {
    event.project = first_set(variables, {"CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"});
  } else {
    event.project = first_set(variables, {"CLAUDE_PROJECT_DIR"});
    event.process = process_of(variables);
  }

  if (event.client_event == "StopFailure") {
    event.failed = true;
    // In a subagent it takes the place of SubagentStop, which does not come then.
    if (!event.agent_id.empty()) event.kind = HookKind::subagent_stopped;
  }
  if (event.client_event == "FileChanged") event.outside = true;
  if (event.kind == HookKind::file_written && event.paths.empty()) event.kind = HookKind::nothing;
  if (event.kind == HookKind::subagent_stopped) {
    event.background =
        std::find(draft.running.begin(), draft.running.end(), event.agent_id) != draft.running.end();
  }
  if (event.kind == HookKind::prompt_submitted) {
    event.notified = notifications_in(event.prompt);
    if (!event.notified.empty()) event.prompt.clear();
  }
}

constexpr Dialect kDialect = {.events = kEvents,
                              .texts = kTexts,
                              .head = kHead,
                              .tool_name = "tool_name",
                              .tool_input = "tool_input",
                              .kind_of_tool = kind_of_tool,
                              .read_input = read_input,
                              .read_other = read_other,
                              .finish = finish};

}  // namespace

base::Result<Reading> read_claude_shape(std::string_view client, std::string_view event_name,
                                        std::string_view text, const Variables& variables, Extent extent,
                                        core::HookEvent& event) {
  return read_payload(kDialect, client, event_name, text, variables, extent, event);
}

}  // namespace plankeep::clients
