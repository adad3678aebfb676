#include "clients/transcripts/transcript.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "clients/transcripts/last_lines.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct UsageLine {
  bool assistant = false;
  bool sidechain = false;
  bool has_usage = false;
  std::string text;
  std::int64_t tokens = 0;
};

Status read_block(JsonReader& in, std::string& text) {
  std::string type;
  std::string words;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(type);
    if (key == "text" && in.peek() == JsonType::string) return in.string(words);
    return in.skip();
  }));
  if (type != "text" || words.empty()) return {};
  if (!text.empty()) text += "\n";
  text += words;
  return {};
}

// Input and cache tokens together are what the model had before it; output does not count.
Status read_usage(JsonReader& in, UsageLine& line) {
  line.has_usage = true;
  return in.object([&](std::string_view key) -> Status {
    const bool counts =
        key == "input_tokens" || key == "cache_creation_input_tokens" || key == "cache_read_input_tokens";
    if (!counts || in.peek() != JsonType::number) return in.skip();
    std::int64_t tokens = 0;
    TRY(in.integer(tokens));
    line.tokens += std::clamp<std::int64_t>(tokens, 0, kMostTokens);
    return {};
  });
}

Status read_message(JsonReader& in, UsageLine& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "content" && in.peek() == JsonType::array) {
      return in.array(
          [&]() -> Status { return in.peek() == JsonType::object ? read_block(in, line.text) : in.skip(); });
    }
    if (key == "content" && in.peek() == JsonType::string) return in.string(line.text);
    if (key == "usage" && in.peek() == JsonType::object) return read_usage(in, line);
    return in.skip();
  });
}

Status read_line(std::string_view text, UsageLine& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) {
      std::string type;
      TRY(in.string(type));
      line.assistant = type == "assistant";
      return {};
    }
    if (key == "isSidechain" && in.peek() == JsonType::boolean) return in.boolean(line.sidechain);
    if (key == "message" && in.peek() == JsonType::object) return read_message(in, line);
    return in.skip();
  });
}

}  // namespace

TranscriptEnd read_transcript_end(std::string_view tail, bool subagent) {
  TranscriptEnd end;
  bool compacted = false;  // behind where we look
  while (!tail.empty() && (end.last_message.empty() || (!end.context_tokens && !compacted))) {
    const std::string_view text = take_last_line(tail);
    // What was used before a compaction says nothing of what is used now.
    if (text.find("\"compact_boundary\"") != std::string_view::npos) compacted = true;
    // Most lines are none of the assistant's: a look for the word spares reading them.
    if (text.find("\"assistant\"") == std::string_view::npos) continue;
    UsageLine line;
    if (!read_line(text, line) || !line.assistant || (line.sidechain && !subagent)) continue;
    if (end.last_message.empty()) end.last_message = std::move(line.text);
    if (!end.context_tokens && !compacted && line.has_usage) end.context_tokens = line.tokens;
  }
  return end;
}

std::string tool_use_of_agent(std::string_view meta_json) {
  std::string tool_use;
  JsonReader in(meta_json);
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "toolUseId" && in.peek() == JsonType::string) return in.string(tool_use);
    return in.skip();
  });
  return read ? tool_use : std::string();
}

std::string agent_meta_path(std::string_view session_transcript, std::string_view agent_id) {
  constexpr std::string_view kSuffix = ".jsonl";
  const bool plain = !agent_id.empty() && std::all_of(agent_id.begin(), agent_id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  });
  if (!plain || !session_transcript.ends_with(kSuffix) || !session_transcript.starts_with('/')) return {};
  session_transcript.remove_suffix(kSuffix.size());
  return std::string(session_transcript) + "/subagents/agent-" + std::string(agent_id) + ".meta.json";
}

}  // namespace plankeep::clients
