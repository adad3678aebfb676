#include "clients/transcripts/context_use.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/json_reader.hpp"
#include "clients/transcripts/last_lines.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct ContextLine {
  bool sidechain = false;
  bool found = false;
  ContextUse use;
};

Status add_tokens(JsonReader& in, ContextLine& line) {
  if (in.peek() != JsonType::number) return in.skip();
  double tokens = 0;
  TRY(in.number(tokens));
  line.found = true;
  line.use.tokens += static_cast<std::int64_t>(std::clamp(tokens, 0.0, static_cast<double>(kMostTokens)));
  return {};
}

Status read_window(JsonReader& in, ContextLine& line) {
  if (in.peek() != JsonType::number) return in.skip();
  double window = 0;
  TRY(in.number(window));
  if (window >= 1 && window <= static_cast<double>(kMostTokens))
    line.use.window = static_cast<std::int64_t>(window);
  return {};
}

template <std::size_t N>
Status read_counts(JsonReader& in, ContextLine& line, const std::array<std::string_view, N>& names) {
  if (in.peek() != JsonType::object) return in.skip();
  return in.object([&](std::string_view key) -> Status {
    return std::find(names.begin(), names.end(), key) != names.end() ? add_tokens(in, line) : in.skip();
  });
}

// Input and cache tokens together are what the model had before it; output does not count.
constexpr std::array<std::string_view, 3> kClaude{"input_tokens", "cache_creation_input_tokens",
                                                  "cache_read_input_tokens"};
// Cached ones are among them.
constexpr std::array<std::string_view, 1> kCodex{"input_tokens"};
constexpr std::array<std::string_view, 1> kGemini{"input"};
constexpr std::array<std::string_view, 1> kQwen{"totalTokenCount"};

Status read_codex(JsonReader& in, ContextLine& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key != "info" || in.peek() != JsonType::object) return in.skip();
    return in.object([&](std::string_view part) -> Status {
      if (part == "last_token_usage") return read_counts(in, line, kCodex);
      return part == "model_context_window" ? read_window(in, line) : in.skip();
    });
  });
}

Status read_context_line(std::string_view text, ContextLine& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "isSidechain" && in.peek() == JsonType::boolean) return in.boolean(line.sidechain);
    if (key == "message" && in.peek() == JsonType::object) {
      return in.object([&](std::string_view part) -> Status {
        return part == "usage" ? read_counts(in, line, kClaude) : in.skip();
      });
    }
    if (key == "payload" && in.peek() == JsonType::object) return read_codex(in, line);
    if (key == "tokens") return read_counts(in, line, kGemini);
    if (key == "usageMetadata") return read_counts(in, line, kQwen);
    if (key == "contextWindowSize") return read_window(in, line);
    return in.skip();
  });
}

// A look for a word spares reading most lines.
bool may_tell(std::string_view text) {
  for (const char* word : {"\"usage\"", "\"last_token_usage\"", "\"tokens\"", "\"usageMetadata\""}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

bool is_compaction(std::string_view text) {
  return text.find("\"compact_boundary\"") != std::string_view::npos ||
         text.find("\"type\":\"compacted\"") != std::string_view::npos ||
         text.find("\"chat_compression\"") != std::string_view::npos;
}

}  // namespace

std::optional<ContextUse> context_use(std::string_view tail) {
  while (!tail.empty()) {
    const std::string_view text = take_last_line(tail);
    if (is_compaction(text)) return std::nullopt;
    if (!may_tell(text)) continue;
    ContextLine line;
    if (read_context_line(text, line) && line.found && !line.sidechain) return line.use;
  }
  return std::nullopt;
}

}  // namespace plankeep::clients
