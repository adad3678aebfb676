#include "clients/dialect.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/json_escape.hpp"
#include "base/json_surrogates.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;
using core::HookEvent;
using core::HookKind;

/// How many bytes a character takes by its first one; 0 when none begins so.
std::size_t length_by_lead(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

/// Whether `rest`, from where the reader gave up to the end of the text, may be the beginning of something
/// right. The reader gives up at the first byte of a token, an escape or a character that it cannot finish.
bool may_go_on(std::string_view rest) {
  if (rest.empty()) return true;
  for (const std::string_view word : {"true", "false", "null"}) {
    if (rest.size() < word.size() && word.starts_with(rest)) return true;
  }
  if (rest.front() == '\\') {
    return rest.size() == 1 || (rest.size() < 6 && rest[1] == 'u' &&
                                std::all_of(rest.begin() + 2, rest.end(), base::is_hex_digit));
  }
  if (rest.find_first_not_of("0123456789+-.eE") == std::string_view::npos) return true;
  if (rest.size() >= length_by_lead(static_cast<unsigned char>(rest.front()))) return false;
  return std::all_of(rest.begin() + 1, rest.end(),
                     [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; });
}

/// Only what the kind of event is about: clients send more (the prompt again when a turn ends, say), and a
/// field that is set although it means nothing would mislead.
void keep_what_matters(Draft& draft) {
  HookEvent& event = draft.event;
  // A subagent's own prompt says what it was started for. The end of its turn is not the session's; where it
  // counts, the client tells of it as a subagent's stop.
  if (!event.agent_id.empty() && event.kind == HookKind::prompt_submitted) {
    event.kind = HookKind::subagent_started;
    event.notified.clear();
  }
  if (!event.agent_id.empty() && event.kind == HookKind::turn_ended) event.kind = HookKind::nothing;
  const HookKind kind = event.kind;
  const auto is = [kind](std::initializer_list<HookKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  const bool end = is({HookKind::turn_ended, HookKind::subagent_stopped});
  if (!is({HookKind::session_start, HookKind::session_ended, HookKind::before_compact})) event.source.clear();
  if (!is({HookKind::prompt_submitted, HookKind::subagent_assigned, HookKind::subagent_started}))
    event.prompt.clear();
  if (!is({HookKind::file_written, HookKind::shell_started})) event.paths.clear();
  if (kind != HookKind::subagent_assigned) {
    event.tool_use_id.clear();
    event.started_type.clear();
  }
  if (!end) event.message.clear();
  if (!end) event.stop_active = false;
  if (!end && kind != HookKind::shell_ran) event.failed = false;
  // A type without an id is the role of a whole session: its main thread acts.
  if (event.agent_id.empty()) {
    event.agent_type.clear();
    event.agent_transcript.clear();
  }
  for (std::string& path : event.paths) path = resolved(path, event.cwd);
}

class PayloadReader {
 public:
  PayloadReader(const Dialect& dialect, const EventRule& rule, std::string_view text, Extent extent,
                Draft& draft)
      : dialect_(dialect), rule_(rule), text_(text), in_(text), draft_(draft) {
    if (extent == Extent::needed) head_.resize(dialect.head.size());
  }

  base::Result<Reading> read() {
    Status status = in_.object([this](std::string_view key) { return on_key(key); });
    if (stopped_) return Reading::enough;
    TRY_ASSIGN(const Reading reading, whole_or_truncated(in_, text_, std::move(status)));
    if (reading == Reading::complete) TRY(read_put_aside());
    return reading;
  }

 private:
  bool head_seen() const {
    return !head_.empty() && std::all_of(head_.begin(), head_.end(), [](bool seen) { return seen; });
  }

  /// Ends the reading. The error is only the way out of nested callbacks and is never seen by anyone.
  Status stop() {
    stopped_ = true;
    return base::fail(base::ErrorKind::internal, "the payload has been read as far as it is needed");
  }

  Status enough() {
    if (head_seen()) return stop();
    return {};
  }

  Call call_at(JsonReader& in) {
    return Call{in, draft_, rule_.name, tool_, [this]() -> Status { return enough(); }};
  }

  Status on_key(std::string_view key) {
    for (std::size_t i = 0; i < head_.size(); ++i) {
      if (dialect_.head[i] != key) continue;
      head_[i] = true;
    }
    for (const TextField& field : dialect_.texts) {
      if (field.key == key) return read_text(in_, draft_.event.*field.where);
    }
    if (rule_.by_tool) {
      if (key == dialect_.tool_name) return on_tool_name();
      if (key == dialect_.tool_input && dialect_.read_input != nullptr)
        return on_part(input_, dialect_.read_input);
      if (key == dialect_.tool_response && dialect_.read_response != nullptr)
        return on_part(response_, dialect_.read_response);
    }
    if (dialect_.read_other != nullptr) {
      Call call = call_at(in_);
      TRY_ASSIGN(const bool taken, dialect_.read_other(key, call));
      if (taken) return {};
    }
    return in_.skip();
  }

  Status on_tool_name() {
    TRY(read_text(in_, tool_));
    draft_.event.kind = dialect_.kind_of_tool(rule_.name, tool_);
    if (draft_.event.kind == HookKind::nothing) return stop();
    // What the command was does not matter, it may have changed anything.
    const bool ran = draft_.event.kind == HookKind::shell_ran && dialect_.read_response == nullptr;
    const bool starts = draft_.event.kind == HookKind::shell_started && !dialect_.reads_commands;
    if (ran || starts) return enough();
    return {};
  }

  Status on_part(std::optional<std::string_view>& aside, Status (*read_part)(Call&)) {
    if (tool_.empty()) {
      std::string_view raw;
      TRY(in_.raw(raw));
      aside = raw;
      return {};
    }
    Call call = call_at(in_);
    return read_part(call);
  }

  Status read_put_aside() {
    if (draft_.event.kind == HookKind::nothing) return {};
    head_.clear();  // nothing is left to be spared, so enough() says to go on
    for (const auto& [part, read_part] : {std::pair{input_, dialect_.read_input},  //
                                          std::pair{response_, dialect_.read_response}}) {
      if (!part) continue;
      JsonReader in(*part);
      Call call = call_at(in);
      TRY(read_part(call));
    }
    return {};
  }

  const Dialect& dialect_;
  const EventRule& rule_;
  std::string_view text_;
  JsonReader in_;
  Draft& draft_;
  std::vector<bool> head_;
  std::string tool_;
  std::optional<std::string_view> input_;  // parts that came before the tool's name
  std::optional<std::string_view> response_;
  bool stopped_ = false;
};

}  // namespace

base::Result<Reading> read_payload(const Dialect& dialect, std::string_view client,
                                   std::string_view event_name, std::string_view text,
                                   const Variables& variables, Extent extent, core::HookEvent& event) {
  Draft draft;
  draft.event.client = client;
  draft.event.client_event = event_name;
  const auto rule = std::find_if(dialect.events.begin(), dialect.events.end(),
                                 [&](const EventRule& candidate) { return candidate.name == event_name; });
  if (rule == dialect.events.end()) {
    event = std::move(draft.event);
    return Reading::enough;
  }
  draft.event.kind = rule->kind;
  const Draft begun = draft;
  base::Result<Reading> reading = read_tolerant(text, [&](std::string_view json) {
    draft = begun;
    return PayloadReader(dialect, *rule, json, extent, draft).read();
  });
  if (!reading || *reading == Reading::truncated) return reading;

  // A tool that is none of ours was left before anything could be known about it.
  if (draft.event.kind != HookKind::nothing) {
    if (dialect.finish != nullptr) dialect.finish(draft, variables);
    keep_what_matters(draft);
  }
  if (draft.event.kind == HookKind::nothing) {
    HookEvent bare;
    bare.client = std::move(draft.event.client);
    bare.client_event = std::move(draft.event.client_event);
    draft.event = std::move(bare);
  }
  event = std::move(draft.event);
  return reading;
}

base::Result<Reading> whole_or_truncated(JsonReader& in, std::string_view text, Status status) {
  if (status) status = in.end();
  if (status) return Reading::complete;
  if (may_go_on(text.substr(in.offset()))) return Reading::truncated;
  return base::fail(std::move(status.error()));
}

base::Result<Reading> read_tolerant(std::string_view text,
                                    const std::function<base::Result<Reading>(std::string_view)>& read) {
  base::Result<Reading> reading = read(text);
  if (reading) return reading;
  const std::optional<std::string> repaired = base::without_lone_surrogates(text);
  return repaired ? read(*repaired) : reading;
}

base::Status object_or_skip(JsonReader& in, const std::function<Status(std::string_view key)>& field) {
  if (in.peek() != JsonType::object) return in.skip();
  return in.object(field);
}

base::Status read_text(JsonReader& in, std::string& value) {
  bool present = false;
  return in.string_or_null(value, present);
}

base::Status read_flag(JsonReader& in, bool& value) {
  if (in.peek() != JsonType::null) return in.boolean(value);
  value = false;
  return in.skip();
}

base::Result<bool> read_stop_flag(std::string_view key, Call& call) {
  if (key != "stop_hook_active") return false;
  TRY(read_flag(call.in, call.draft.event.stop_active));
  return true;
}

base::Status text_or_skip(JsonReader& in, std::string& value) {
  if (in.peek() != JsonType::string) return in.skip();
  return in.string(value);
}

base::Status count_or_skip(JsonReader& in, std::optional<std::int64_t>& value) {
  constexpr double kLargest = 9007199254740992.0;
  if (in.peek() != JsonType::number) return in.skip();
  double number = 0;
  TRY(in.number(number));
  if (number >= 0 && number <= kLargest) value = std::llround(number);
  return {};
}

std::string resolved(std::string_view path, std::string_view folder) {
  if (path.empty() || path.front() == '/' || folder.empty()) return std::string(path);
  std::string whole(folder);
  if (whole.back() != '/') whole += '/';
  return whole.append(path);
}

std::string first_set(const Variables& variables, std::initializer_list<const char*> names) {
  if (!variables) return {};
  for (const char* name : names) {
    std::optional<std::string> value = variables(name);
    if (value && !value->empty()) return *std::move(value);
  }
  return {};
}

}  // namespace plankeep::clients
