#include "clients/transcripts/transcript_line.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "clients/transcripts/last_lines.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct RawText {
  std::string_view key;
  std::string RawTranscriptLine::*where;
};
constexpr RawText kRawTexts[] = {
    {"type", &RawTranscriptLine::type},     {"role", &RawTranscriptLine::role},
    {"uuid", &RawTranscriptLine::id},       {"timestamp", &RawTranscriptLine::time},
    {"promptId", &RawTranscriptLine::turn}, {"model", &RawTranscriptLine::model},
};

struct RawValue {
  std::string_view key;
  std::string_view RawTranscriptLine::*where;
};
constexpr RawValue kRawValues[] = {
    {"message", &RawTranscriptLine::message},
    {"content", &RawTranscriptLine::content},
    {"payload", &RawTranscriptLine::payload},
    {"data", &RawTranscriptLine::data},
    {"tokens", &RawTranscriptLine::tokens},
    {"toolCalls", &RawTranscriptLine::tool_calls},
    {"toolUseResult", &RawTranscriptLine::tool_result},
    {"usageMetadata", &RawTranscriptLine::usage},
    {"messages", &RawTranscriptLine::messages},
};

Status read_raw_field(JsonReader& in, std::string_view key, RawTranscriptLine& raw) {
  const JsonType type = in.peek();
  if (type == JsonType::string) {
    if (key == "id" && raw.id.empty()) return in.string(raw.id);
    for (const RawText& text : kRawTexts)
      if (key == text.key) return in.string(raw.*text.where);
  }
  if (type == JsonType::boolean) {
    bool set = false;
    TRY(in.boolean(set));
    if (key == "isSidechain") raw.sidechain = set;
    if (key == "isMeta" || key == "isCompactSummary" || key == "repeatsCompactSummary")
      raw.by_client = raw.by_client || set;
    return {};
  }
  for (const RawValue& value : kRawValues)
    if (key == value.key) return in.raw(raw.*value.where);
  return in.skip();
}

bool has_parts(std::string_view message) {
  if (message.find("\"parts\"") == std::string_view::npos) return false;
  bool found = false;
  JsonReader in(message);
  if (in.peek() != JsonType::object) return false;
  const Status read = in.object([&](std::string_view key) {
    found = found || key == "parts";
    return in.skip();
  });
  return read && found;
}

}  // namespace

bool read_raw_line(std::string_view text, RawTranscriptLine& raw) {
  JsonReader in(text);
  if (in.peek() != JsonType::object) return false;
  return in.object([&](std::string_view key) { return read_raw_field(in, key, raw); }) && in.end();
}

TranscriptLine interpret_line(const RawTranscriptLine& raw) {
  if (!raw.payload.empty()) return interpret_codex(raw);
  if (!raw.data.empty() && raw.type.find('.') != std::string::npos) return interpret_copilot(raw);
  if (has_parts(raw.message)) return interpret_qwen(raw);
  if (raw.type == "gemini" || (raw.message.empty() && raw.type == "user")) return interpret_gemini(raw);
  return interpret_claude(raw);
}

Status read_count(JsonReader& in, std::int64_t& count) {
  if (in.peek() != JsonType::number) return in.skip();
  double number = 0;
  TRY(in.number(number));
  count = static_cast<std::int64_t>(std::clamp(number, 0.0, static_cast<double>(kMostTokens)));
  return {};
}

Status string_or_skip(JsonReader& in, std::string& text) {
  return in.peek() == JsonType::string ? in.string(text) : in.skip();
}

void add_paragraph(std::string& text, std::string_view more) {
  base::append_line(text, more);
}

TranscriptCall transcript_call(std::string id, std::string tool, std::string_view arguments) {
  TranscriptCall call;
  call.id = std::move(id);
  call.tool = std::move(tool);
  if (arguments.empty()) return call;
  call.edits = file_edits(arguments);
  call.subject = call.edits.empty() ? call_subject(arguments) : call.edits.front().path;
  return call;
}

}  // namespace plankeep::clients
