#include "clients/transcripts/last_prompt.hpp"

#include "base/json_reader.hpp"
#include "clients/transcripts/last_lines.hpp"
#include "clients/transcripts/typed_prompt.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

// What a person typed may hold whole files; what is not looked at need not be kept.
constexpr std::size_t kLongestPrompt = 64 << 10;

struct LastLine {
  std::string type;
  std::string time;
  std::string text;
  std::string item;  // Codex: the payload's type
  bool by_client = false;
  bool result = false;  // of a tool
};

void add_text(LastLine& line, std::string_view text) {
  if (text.empty() || line.text.size() > kLongestPrompt) return;
  if (!line.text.empty()) line.text += "\n";
  line.text += text;
}

Status read_text(JsonReader& in, LastLine& line) {
  std::string text;
  TRY(in.string(text));
  add_text(line, text);
  return {};
}

// {"type": "text", "text": ...}, a tool's result, or {"text": ...} alone.
Status read_last_block(JsonReader& in, LastLine& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "text" && in.peek() == JsonType::string) return read_text(in, line);
    if (key == "type" && in.peek() == JsonType::string) {
      std::string type;
      TRY(in.string(type));
      line.result = line.result || type == "tool_result";
      return {};
    }
    line.result = line.result || key == "functionResponse";
    return in.skip();
  });
}

Status read_last_content(JsonReader& in, LastLine& line) {
  if (in.peek() == JsonType::string) return read_text(in, line);
  if (in.peek() != JsonType::array) return in.skip();
  return in.array(
      [&]() -> Status { return in.peek() == JsonType::object ? read_last_block(in, line) : in.skip(); });
}

Status read_message(JsonReader& in, LastLine& line) {
  return in.object([&](std::string_view key) -> Status {
    return key == "content" || key == "parts" ? read_last_content(in, line) : in.skip();
  });
}

Status read_payload(JsonReader& in, LastLine& line) {
  std::string message;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(line.item);
    if (key == "message" && in.peek() == JsonType::string) return in.string(message);
    return in.skip();
  }));
  if (line.item == "user_message") add_text(line, message);
  return {};
}

Status read_mark(JsonReader& in, LastLine& line) {
  bool set = false;
  TRY(in.boolean(set));
  line.by_client = line.by_client || set;
  return {};
}

Status read_line(std::string_view text, LastLine& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    const JsonType type = in.peek();
    if (type == JsonType::string) {
      if (key == "type") return in.string(line.type);
      if (key == "timestamp") return in.string(line.time);
    }
    const bool mark = key == "isSidechain" || key == "isMeta" || key == "isCompactSummary" ||
                      key == "repeatsCompactSummary";
    if (mark && type == JsonType::boolean) return read_mark(in, line);
    if (key == "message" && type == JsonType::object) return read_message(in, line);
    if (key == "payload" && type == JsonType::object) return read_payload(in, line);
    if (key == "content") return read_last_content(in, line);
    return in.skip();
  });
}

// As the person typed it; empty when nobody did.
std::string typed(const LastLine& line) {
  const bool user = line.type == "user" || (line.type == "event_msg" && line.item == "user_message");
  if (!user || line.by_client || line.result) return {};
  return typed_prompt(line.text);
}

bool may_be_prompt(std::string_view text) {
  return text.find("\"user\"") != std::string_view::npos ||
         text.find("\"user_message\"") != std::string_view::npos;
}

}  // namespace

std::string last_prompt(std::string_view tail, base::Instant until) {
  while (!tail.empty()) {
    const std::string_view text = take_last_line(tail);
    if (!may_be_prompt(text)) continue;
    LastLine line;
    if (!read_line(text, line) || is_after(line.time, until)) continue;
    if (std::string prompt = typed(line); !prompt.empty()) return prompt;
  }
  return {};
}

}  // namespace plankeep::clients
