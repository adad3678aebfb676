// GitHub Copilot CLI (events.jsonl): {"type": "user.message", "data", "id"}. A tool's call is
// tool.execution_start, its end tool.execution_complete. Tokens of the whole session stand in
// session.shutdown, by model; what assistant.message says of its output alone is no usage.
#include "base/text.hpp"
#include "clients/transcripts/transcript_line.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct CopilotData {
  std::string content;
  std::string transformed;
  std::string model;
  std::string call;
  std::string tool;
  std::string parent_call;  // of a subagent's
  std::string_view arguments;
  bool success = true;
  std::optional<TokenUse> metrics;
};

Status read_copilot_metric(JsonReader& in, TokenUse& use) {
  TokenUse one;
  TRY(in.object([&](std::string_view key) -> Status {
    if (in.peek() != JsonType::object) return in.skip();
    if (key == "requests") {
      return in.object([&](std::string_view part) -> Status {
        return part == "count" ? read_count(in, one.calls) : in.skip();
      });
    }
    if (key != "usage") return in.skip();
    return in.object([&](std::string_view part) -> Status {
      if (part == "inputTokens") return read_count(in, one.input);
      if (part == "outputTokens") return read_count(in, one.output);
      if (part == "cacheReadTokens") return read_count(in, one.cache_read);
      if (part == "cacheWriteTokens") return read_count(in, one.cache_creation);
      return in.skip();
    });
  }));
  use.input += one.input;
  use.output += one.output;
  use.cache_read += one.cache_read;
  use.cache_creation += one.cache_creation;
  use.calls += one.calls;
  return {};
}

bool read_copilot_data(std::string_view json, CopilotData& data) {
  JsonReader in(json);
  if (in.peek() != JsonType::object) return false;
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "content") return string_or_skip(in, data.content);
    if (key == "transformedContent") return string_or_skip(in, data.transformed);
    if (key == "newModel" || key == "model") return string_or_skip(in, data.model);
    if (key == "toolCallId") return string_or_skip(in, data.call);
    if (key == "toolName") return string_or_skip(in, data.tool);
    if (key == "parentToolCallId") return string_or_skip(in, data.parent_call);
    if (key == "arguments") return in.raw(data.arguments);
    if (key == "success" && in.peek() == JsonType::boolean) return in.boolean(data.success);
    if (key != "modelMetrics" || in.peek() != JsonType::object) return in.skip();
    return in.object([&](std::string_view) -> Status {
      if (in.peek() != JsonType::object) return in.skip();
      if (!data.metrics) data.metrics.emplace();
      return read_copilot_metric(in, *data.metrics);
    });
  });
  return read.has_value();
}

// Blocks that the client puts around what was typed.
std::string without_blocks(std::string text, const std::string& name) {
  for (;;) {
    const std::size_t begin = text.find("<" + name + ">");
    if (begin == std::string::npos) return text;
    const std::size_t end = text.find("</" + name + ">", begin);
    if (end == std::string::npos) return text;
    text.erase(begin, end + name.size() + 3 - begin);
  }
}

std::string copilot_prompt(CopilotData& data) {
  if (!data.content.empty()) return std::move(data.content);
  const std::string text =
      without_blocks(without_blocks(std::move(data.transformed), "current_datetime"), "reminder");
  return std::string(base::trimmed(text));
}

}  // namespace

TranscriptLine interpret_copilot(const RawTranscriptLine& raw) {
  TranscriptLine line;
  CopilotData data;
  if (!read_copilot_data(raw.data, data)) return line;
  line.subagent = !data.parent_call.empty();
  if (raw.type == "user.message") {
    line.prompt = copilot_prompt(data);
    if (!line.prompt.empty()) line.turn = raw.id;
  } else if (raw.type == "assistant.message") {
    line.answer = std::move(data.content);
  } else if (raw.type == "session.model_change") {
    line.model = std::move(data.model);
  } else if (raw.type == "tool.execution_start") {
    line.calls.push_back(transcript_call(std::move(data.call), std::move(data.tool), data.arguments));
  } else if (raw.type == "tool.execution_complete") {
    line.model = std::move(data.model);
    line.results.push_back({std::move(data.call), !data.success, std::nullopt});
  } else if (raw.type == "session.shutdown" && data.metrics) {
    line.use = TranscriptUse{TranscriptUse::Kind::final, {}, *data.metrics};
  }
  return line;
}

}  // namespace plankeep::clients
