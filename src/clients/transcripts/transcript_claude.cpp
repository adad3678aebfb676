// Claude Code 2.1 (seen by running it): {"type": "user" | "assistant", "message": {"id", "model", "content":
// text or blocks, "usage"}}. An answer is one line a block, each with the same id and usage. Cursor's lines
// are like it: {"role", "message": {"content"}}, a prompt between <user_query> and its end.
#include "base/text.hpp"
#include "clients/transcripts/transcript_line.hpp"
#include "clients/transcripts/typed_prompt.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct ClaudeMessage {
  std::string id;
  std::string model;
  std::string text;
  std::vector<TranscriptCall> calls;
  std::vector<TranscriptResult> results;
  std::optional<TokenUse> use;
};

Status read_claude_block(JsonReader& in, ClaudeMessage& message) {
  std::string type;
  std::string text;
  std::string id;
  std::string name;
  std::string_view input;
  TranscriptResult result;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "type") return string_or_skip(in, type);
    if (key == "text") return string_or_skip(in, text);
    if (key == "id") return string_or_skip(in, id);
    if (key == "name") return string_or_skip(in, name);
    if (key == "tool_use_id") return string_or_skip(in, result.id);
    if (key == "is_error" && in.peek() == JsonType::boolean) return in.boolean(result.failed);
    if (key == "input") return in.raw(input);
    return in.skip();
  }));
  if (type == "text") add_paragraph(message.text, text);
  if (type == "tool_use") message.calls.push_back(transcript_call(std::move(id), std::move(name), input));
  if (type == "tool_result") message.results.push_back(std::move(result));
  return {};
}

Status read_claude_usage(JsonReader& in, TokenUse& use) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "input_tokens") return read_count(in, use.input);
    if (key == "cache_creation_input_tokens") return read_count(in, use.cache_creation);
    if (key == "cache_read_input_tokens") return read_count(in, use.cache_read);
    if (key == "output_tokens") return read_count(in, use.output);
    return in.skip();
  });
}

bool read_claude_message(std::string_view json, ClaudeMessage& message) {
  JsonReader in(json);
  if (in.peek() != JsonType::object) return false;
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "id") return string_or_skip(in, message.id);
    if (key == "model") return string_or_skip(in, message.model);
    if (key == "usage" && in.peek() == JsonType::object) return read_claude_usage(in, message.use.emplace());
    if (key != "content") return in.skip();
    if (in.peek() != JsonType::array) return string_or_skip(in, message.text);
    return in.array([&]() -> Status {
      return in.peek() == JsonType::object ? read_claude_block(in, message) : in.skip();
    });
  });
  return read.has_value();
}

std::optional<std::string> original_in(std::string_view tool_result) {
  std::optional<std::string> original;
  JsonReader in(tool_result);
  if (in.peek() != JsonType::object) return original;
  const Status read = in.object([&](std::string_view key) -> Status {
    return key == "originalFile" && in.peek() == JsonType::string ? in.string(original.emplace()) : in.skip();
  });
  return read ? original : std::nullopt;
}

std::string cursor_prompt(std::string_view text) {
  const std::string_view query = tagged_part(text, "user_query");
  return std::string(base::trimmed(query.empty() ? text : query));
}

}  // namespace

TranscriptLine interpret_claude(const RawTranscriptLine& raw) {
  TranscriptLine line;
  const bool cursor = raw.type.empty();
  const std::string& who = cursor ? raw.role : raw.type;
  ClaudeMessage message;
  if ((who != "user" && who != "assistant") || !read_claude_message(raw.message, message)) return line;
  if (who == "user") {
    if (!raw.by_client && !raw.sidechain && message.results.empty())
      line.prompt = cursor ? cursor_prompt(message.text) : typed_prompt(message.text);
    line.turn = raw.turn.empty() && !line.prompt.empty() ? raw.id : raw.turn;
    line.results = std::move(message.results);
    if (line.results.size() == 1) line.results.front().original = original_in(raw.tool_result);
    return line;
  }
  line.answer = std::move(message.text);
  line.calls = std::move(message.calls);
  // What the client makes up for an answer that failed, no model said.
  if (message.model == "<synthetic>") return line;
  line.model = std::move(message.model);
  if (message.use) line.use = TranscriptUse{TranscriptUse::Kind::answer, std::move(message.id), *message.use};
  return line;
}

}  // namespace plankeep::clients
