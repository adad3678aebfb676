// opencode, seen: 1.18.33. It has no command hooks; our plugin (hooks/opencode/plankeep.js) runs
//
//   plankeep hook opencode EVENT
//
// with one JSON object on standard input and waits up to 5 s for the answer. EVENT is the neutral event,
// since the plugin has to tell the client's calls apart anyway. Keys, each only where it is known:
//
//   event       EVENT once more
//   sessionID   the session; a subagent's parent's
//   cwd         the client's folder, absolute
//   project     the work tree's root, absolute
//   source      session_start: "startup" or "resume"; before_compact: "auto"; session_ended: "exit"
//   prompt      prompt_submitted, subagent_started
//   paths       file_written: a list, absolute
//   edits       file_written, of a Markdown file: a list of old_string and new_string (clients/edited_text)
//   input       likewise, the text of a patch
//   agentID     the subagent that acts: the id of its session
//   agentType   its type
//   message     turn_ended, subagent_stopped: the last text of the assistant
//
// An answer is {"additionalContext": TEXT}; the plugin adds it as a text part to the message in chat.message,
// so only session_start (the first message of a session) and prompt_submitted can be answered.

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
    EventRule{"session_start", HookKind::session_start},
    EventRule{"prompt_submitted", HookKind::prompt_submitted},
    EventRule{"file_written", HookKind::file_written},
    EventRule{"shell_started", HookKind::shell_started},
    EventRule{"shell_ran", HookKind::shell_ran},
    EventRule{"subagent_started", HookKind::subagent_started},
    EventRule{"subagent_stopped", HookKind::subagent_stopped},
    EventRule{"turn_ended", HookKind::turn_ended},
    EventRule{"before_compact", HookKind::before_compact},
    EventRule{"session_ended", HookKind::session_ended},
};

constexpr std::array kTexts = {
    TextField{"sessionID", &HookEvent::session_id}, TextField{"cwd", &HookEvent::cwd},
    TextField{"project", &HookEvent::project},      TextField{"source", &HookEvent::source},
    TextField{"prompt", &HookEvent::prompt},        TextField{"agentID", &HookEvent::agent_id},
    TextField{"agentType", &HookEvent::agent_type}, TextField{"message", &HookEvent::message},
};

Result<bool> read_other(std::string_view key, Call& call) {
  if (key != "paths") return false;
  TRY(call.in.array([&]() -> Status {
    std::string path;
    TRY(call.in.string(path));
    if (!path.empty()) call.draft.event.paths.push_back(std::move(path));
    return {};
  }));
  return true;
}

void finish(Draft& draft, const Variables&) {
  HookEvent& event = draft.event;
  if (event.kind == HookKind::file_written && event.paths.empty()) event.kind = HookKind::nothing;
}

constexpr Dialect kDialect = {.events = kEvents, .texts = kTexts, .read_other = read_other, .finish = finish};

Result<Reading> read(std::string_view event_name, std::string_view text, const Variables& variables,
                     Extent extent, HookEvent& event) {
  return read_payload(kDialect, "opencode", event_name, text, variables, extent, event);
}

bool tells_model(const HookEvent& event) {
  return one_of(event.client_event, {"session_start", "prompt_submitted"});
}

bool can_block(const HookEvent&) {
  return false;
}

std::string reply(const HookEvent& event, const HookAnswer& answer) {
  return tells_model(event) ? single_reply("additionalContext", answer.context) : std::string();
}

}  // namespace

Client opencode() {
  return {.name = "opencode",
          .title = "opencode",
          .read = read,
          .reply = reply,
          .tells_model = tells_model,
          .can_block = can_block};
}

}  // namespace plankeep::clients
