// Codex 0.169 (rollouts): {"type", "payload"}. `event_msg` has user_message, agent_message, task_started and
// token_count, whose total_token_usage is that of the session so far, cached tokens among the input's;
// `response_item` has messages and calls of tools; `turn_context` the turn and the model.
#include <algorithm>

#include "clients/transcripts/transcript_line.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct CodexPayload {
  std::string type;
  std::string message;
  std::string turn;
  std::string model;
  std::string name;
  std::string call;
  std::string status;
  std::string_view arguments;
  std::string_view output;
  std::optional<TokenUse> total;
};

Status read_codex_total(JsonReader& in, TokenUse& use) {
  std::int64_t input = 0;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "input_tokens") return read_count(in, input);
    if (key == "cached_input_tokens") return read_count(in, use.cache_read);
    if (key == "cache_write_input_tokens") return read_count(in, use.cache_creation);
    if (key == "output_tokens") return read_count(in, use.output);
    return in.skip();
  }));
  use.input = std::max<std::int64_t>(0, input - use.cache_read - use.cache_creation);
  return {};
}

Status read_codex_info(JsonReader& in, CodexPayload& payload) {
  return in.object([&](std::string_view key) -> Status {
    if (key != "total_token_usage" || in.peek() != JsonType::object) return in.skip();
    return read_codex_total(in, payload.total.emplace());
  });
}

bool read_codex_payload(std::string_view json, CodexPayload& payload) {
  JsonReader in(json);
  if (in.peek() != JsonType::object) return false;
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "type") return string_or_skip(in, payload.type);
    if (key == "message") return string_or_skip(in, payload.message);
    if (key == "turn_id") return string_or_skip(in, payload.turn);
    if (key == "model") return string_or_skip(in, payload.model);
    if (key == "name") return string_or_skip(in, payload.name);
    if (key == "call_id") return string_or_skip(in, payload.call);
    if (key == "status") return string_or_skip(in, payload.status);
    if (key == "arguments" || key == "input" || key == "action") return in.raw(payload.arguments);
    if (key == "output") return in.raw(payload.output);
    if (key == "info" && in.peek() == JsonType::object) return read_codex_info(in, payload);
    return in.skip();
  });
  return read.has_value();
}

// {"output": ..., "metadata": {"exit_code": 1}}, as an object or as a text.
bool codex_call_failed(std::string_view output, bool nested = false) {
  JsonReader in(output);
  if (in.peek() == JsonType::string) {
    std::string text;
    return !nested && in.string(text) && text.starts_with('{') && codex_call_failed(text, true);
  }
  if (in.peek() != JsonType::object) return false;
  double exit_code = 0;
  bool success = true;
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "success" && in.peek() == JsonType::boolean) return in.boolean(success);
    if (key != "metadata" || in.peek() != JsonType::object) return in.skip();
    return in.object([&](std::string_view part) -> Status {
      return part == "exit_code" && in.peek() == JsonType::number ? in.number(exit_code) : in.skip();
    });
  });
  return read && (exit_code != 0 || !success);
}

}  // namespace

TranscriptLine interpret_codex(const RawTranscriptLine& raw) {
  TranscriptLine line;
  CodexPayload payload;
  if (!read_codex_payload(raw.payload, payload)) return line;
  if (raw.type == "turn_context") {
    line.turn = std::move(payload.turn);
    line.model = std::move(payload.model);
  } else if (raw.type == "event_msg") {
    if (payload.type == "user_message") {
      line.prompt = std::move(payload.message);
    }
    if (payload.type == "agent_message") line.answer = std::move(payload.message);
    if (payload.type == "task_started") line.turn = std::move(payload.turn);
    if (payload.total) line.use = TranscriptUse{TranscriptUse::Kind::cumulative, {}, *payload.total};
  } else if (raw.type == "response_item") {
    if (payload.type.ends_with("_call") && !payload.name.empty()) {
      TranscriptCall call =
          transcript_call(std::move(payload.call), std::move(payload.name), payload.arguments);
      call.failed = payload.status == "failed";
      line.calls.push_back(std::move(call));
    }
    if (payload.type.ends_with("_call_output"))
      line.results.push_back({std::move(payload.call), codex_call_failed(payload.output), std::nullopt});
  }
  return line;
}

}  // namespace plankeep::clients
