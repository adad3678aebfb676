#include "clients/transcripts/message_id.hpp"

#include "base/json_reader.hpp"
#include "clients/transcripts/last_lines.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

// Ids are short; whatever is longer is something else.
constexpr std::size_t kLongest = 128;

struct IdLine {
  std::string type;
  std::string id;
  std::string time;
  std::string item;  // Codex: its type, its id, and of a message whose it is
  std::string item_id;
  std::string item_role;
  bool sidechain = false;
  bool says = false;  // there is text in it
  bool calls = false;
};

Status read_block(JsonReader& in, IdLine& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key != "type" || in.peek() != JsonType::string) return in.skip();
    std::string type;
    TRY(in.string(type));
    line.says = line.says || type == "text" || type == "output_text";
    line.calls = line.calls || type == "tool_use";
    return {};
  });
}

// Qwen Code's: {"text": ...}, a thought's with "thought" besides, {"functionCall": ...}.
Status read_part(JsonReader& in, IdLine& line) {
  bool text = false;
  bool thought = false;
  TRY(in.object([&](std::string_view key) -> Status {
    text = text || key == "text";
    thought = thought || key == "thought";
    line.calls = line.calls || key == "functionCall";
    return in.skip();
  }));
  line.says = line.says || (text && !thought);
  return {};
}

Status read_content(JsonReader& in, IdLine& line) {
  if (in.peek() == JsonType::array) {
    return in.array(
        [&]() -> Status { return in.peek() == JsonType::object ? read_block(in, line) : in.skip(); });
  }
  line.says = in.peek() == JsonType::string;
  return in.skip();
}

Status read_message(JsonReader& in, IdLine& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "content") return read_content(in, line);
    if (key != "parts" || in.peek() != JsonType::array) return in.skip();
    return in.array(
        [&]() -> Status { return in.peek() == JsonType::object ? read_part(in, line) : in.skip(); });
  });
}

// Codex: an item of the conversation, which is a message or a call to a tool or what came of it.
Status read_item(JsonReader& in, IdLine& line) {
  std::string role;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(line.item);
    if (key == "role" && in.peek() == JsonType::string) return in.string(role);
    if (key == "id" && in.peek() == JsonType::string) return in.string(line.item_id);
    if (key == "content") return read_content(in, line);
    return in.skip();
  }));
  if (line.item == "message") line.item_role = role;
  return {};
}

Status read_line(std::string_view text, IdLine& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(line.type);
    if (key == "uuid" && in.peek() == JsonType::string) return in.string(line.id);
    if (key == "id" && line.id.empty() && in.peek() == JsonType::string) return in.string(line.id);
    if (key == "content") return read_content(in, line);
    if (key == "toolCalls" && in.peek() == JsonType::array) {
      return in.array([&]() -> Status {
        line.calls = true;
        return in.skip();
      });
    }
    if (key == "payload" && in.peek() == JsonType::object) return read_item(in, line);
    if (key == "timestamp" && in.peek() == JsonType::string) return in.string(line.time);
    if (key == "message" && in.peek() == JsonType::object) return read_message(in, line);
    if (key == "isSidechain" && in.peek() == JsonType::boolean) return in.boolean(line.sidechain);
    return in.skip();
  });
}

}  // namespace

LastMessage last_message(std::string_view tail, base::Instant until) {
  bool called = false;  // Codex: a tool, behind where we look
  while (!tail.empty()) {
    const std::string_view text = take_last_line(tail);
    if (text.find("id\"") == std::string_view::npos) continue;
    IdLine line;
    if (!read_line(text, line) || line.sidechain || is_after(line.time, until)) continue;
    if (line.type == "response_item") {
      called = called || line.item.ends_with("_call") || line.item.ends_with("_call_output");
      line.type = line.item_role;
      line.id = line.item_id;
      line.calls = called;
    }
    const bool answer = line.type == "assistant" || line.type == "gemini";
    if (!answer && line.type != "user") continue;
    if (line.id.empty() || line.id.size() > kLongest) continue;
    return {line.id, answer && line.says && !line.calls};
  }
  return {};
}

}  // namespace plankeep::clients
