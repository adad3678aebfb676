// Gemini CLI: {"id", "type": "user" | "gemini", "content", "tokens", "model", "toolCalls"}, a line each
// (0.61) or in the `messages` of one document (before); a message that goes on is written again under its id.
// Qwen Code 0.24 grew out of it: {"uuid", "type", "message": {"parts"}, "usageMetadata", "model"}.
// Both count what came from the cache among the input, and what the model thought apart from the output.
#include <algorithm>

#include "clients/transcripts/transcript_line.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct GoogleNames {
  std::string_view input;
  std::string_view cached;
  std::string_view output;
  std::string_view thoughts;
};
constexpr GoogleNames kGeminiNames{"input", "cached", "output", "thoughts"};
constexpr GoogleNames kQwenNames{"promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount",
                                 "thoughtsTokenCount"};

std::optional<TokenUse> read_google_use(std::string_view json, const GoogleNames& names) {
  JsonReader in(json);
  if (in.peek() != JsonType::object) return std::nullopt;
  TokenUse use;
  std::int64_t input = 0;
  std::int64_t thoughts = 0;
  bool counted = false;
  const Status read = in.object([&](std::string_view key) -> Status {
    counted = counted || key == names.input || key == names.output;
    if (key == names.input) return read_count(in, input);
    if (key == names.cached) return read_count(in, use.cache_read);
    if (key == names.output) return read_count(in, use.output);
    if (key == names.thoughts) return read_count(in, thoughts);
    return in.skip();
  });
  if (!read || !counted) return std::nullopt;
  use.input = std::max<std::int64_t>(0, input - use.cache_read);
  use.output += thoughts;
  return use;
}

// A text, a part or a list of parts: {"text", "thought"?}, {"functionCall": {"id", "name", "args"}},
// {"functionResponse": {"id", "response": {"error"?}}}.
struct GoogleParts {
  std::string text;
  bool responds = false;
  std::vector<TranscriptCall> calls;
  std::vector<TranscriptResult> results;
};

Status read_google_call(JsonReader& in, TranscriptCall& call) {
  std::string id;
  std::string name;
  std::string_view arguments;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "id") return string_or_skip(in, id);
    if (key == "name") return string_or_skip(in, name);
    return key == "args" ? in.raw(arguments) : in.skip();
  }));
  call = transcript_call(std::move(id), std::move(name), arguments);
  return {};
}

Status read_google_response(JsonReader& in, TranscriptResult& result) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "id") return string_or_skip(in, result.id);
    if (key != "response" || in.peek() != JsonType::object) return in.skip();
    return in.object([&](std::string_view part) -> Status {
      result.failed = result.failed || part == "error";
      return in.skip();
    });
  });
}

Status read_google_part(JsonReader& in, GoogleParts& parts) {
  std::string text;
  bool thought = false;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "text") return string_or_skip(in, text);
    if (key == "thought" && in.peek() == JsonType::boolean) return in.boolean(thought);
    if (key == "functionCall" && in.peek() == JsonType::object)
      return read_google_call(in, parts.calls.emplace_back());
    if (key == "functionResponse" && in.peek() == JsonType::object) {
      parts.responds = true;
      return read_google_response(in, parts.results.emplace_back());
    }
    return in.skip();
  }));
  if (!thought) add_paragraph(parts.text, text);
  return {};
}

Status read_google_parts(JsonReader& in, GoogleParts& parts) {
  const JsonType type = in.peek();
  if (type == JsonType::string) return in.string(parts.text);
  if (type == JsonType::object) return read_google_part(in, parts);
  if (type != JsonType::array) return in.skip();
  return in.array(
      [&]() -> Status { return in.peek() == JsonType::object ? read_google_part(in, parts) : in.skip(); });
}

Status read_gemini_call(JsonReader& in, TranscriptLine& line) {
  std::string name;
  std::string status;
  std::string_view arguments;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "name") return string_or_skip(in, name);
    if (key == "status") return string_or_skip(in, status);
    return key == "args" ? in.raw(arguments) : in.skip();
  }));
  TranscriptCall call = transcript_call({}, std::move(name), arguments);
  call.failed = status == "error" || status == "cancelled";
  line.calls.push_back(std::move(call));
  return {};
}

void set_google_use(const RawTranscriptLine& raw, std::optional<TokenUse> use, TranscriptLine& line) {
  if (use) line.use = TranscriptUse{TranscriptUse::Kind::answer, raw.id, *use};
}

}  // namespace

TranscriptLine interpret_gemini(const RawTranscriptLine& raw) {
  TranscriptLine line;
  GoogleParts parts;
  JsonReader content(raw.content);
  if (!raw.content.empty() && !read_google_parts(content, parts)) return line;
  if (raw.type == "user") {
    if (!parts.responds) line.prompt = std::move(parts.text);
    if (!line.prompt.empty()) line.turn = raw.id;
    return line;
  }
  line.answer = std::move(parts.text);
  line.model = raw.model;
  set_google_use(raw, read_google_use(raw.tokens, kGeminiNames), line);
  JsonReader calls(raw.tool_calls);
  if (calls.peek() != JsonType::array) return line;
  const Status read = calls.array([&]() -> Status {
    return calls.peek() == JsonType::object ? read_gemini_call(calls, line) : calls.skip();
  });
  if (!read) line.calls.clear();
  return line;
}

TranscriptLine interpret_qwen(const RawTranscriptLine& raw) {
  TranscriptLine line;
  GoogleParts parts;
  JsonReader message(raw.message);
  if (message.peek() != JsonType::object) return line;
  const Status read = message.object([&](std::string_view key) -> Status {
    return key == "parts" ? read_google_parts(message, parts) : message.skip();
  });
  if (!read) return line;
  line.results = std::move(parts.results);
  if (raw.type == "user") {
    if (!parts.responds && !raw.sidechain) line.prompt = std::move(parts.text);
    if (!line.prompt.empty()) line.turn = raw.id;
  }
  if (raw.type != "assistant") return line;
  line.answer = std::move(parts.text);
  line.calls = std::move(parts.calls);
  line.model = raw.model;
  set_google_use(raw, read_google_use(raw.usage, kQwenNames), line);
  return line;
}

}  // namespace plankeep::clients
