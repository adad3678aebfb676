#include "clients/message_id.hpp"

#include "base/json_reader.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

// Ids are short; whatever is longer is something else.
constexpr std::size_t kLongest = 128;

struct Line {
  std::string type;
  std::string id;
  std::string time;
  bool sidechain = false;
  bool says = false;  // there is text in it
  bool calls = false;
};

Status read_block(JsonReader& in, Line& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key != "type" || in.peek() != JsonType::string) return in.skip();
    std::string type;
    TRY(in.string(type));
    line.says = line.says || type == "text";
    line.calls = line.calls || type == "tool_use";
    return {};
  });
}

Status read_message(JsonReader& in, Line& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key != "content") return in.skip();
    if (in.peek() == JsonType::array) {
      return in.array(
          [&]() -> Status { return in.peek() == JsonType::object ? read_block(in, line) : in.skip(); });
    }
    line.says = in.peek() == JsonType::string;
    return in.skip();
  });
}

Status read_line(std::string_view text, Line& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(line.type);
    if (key == "uuid" && in.peek() == JsonType::string) return in.string(line.id);
    if (key == "timestamp" && in.peek() == JsonType::string) return in.string(line.time);
    if (key == "message" && in.peek() == JsonType::object) return read_message(in, line);
    if (key == "isSidechain" && in.peek() == JsonType::boolean) return in.boolean(line.sidechain);
    return in.skip();
  });
}

bool made_after(const Line& line, base::Instant until) {
  const auto time = base::parse_iso8601(line.time);
  return time && *time > until;
}

}  // namespace

LastMessage last_message(std::string_view tail, base::Instant until) {
  while (!tail.empty()) {
    if (tail.back() == '\n') tail.remove_suffix(1);
    const std::size_t feed = tail.rfind('\n');
    const std::string_view text = feed == std::string_view::npos ? tail : tail.substr(feed + 1);
    tail = feed == std::string_view::npos ? std::string_view() : tail.substr(0, feed + 1);
    if (text.find("\"uuid\"") == std::string_view::npos) continue;
    Line line;
    if (!read_line(text, line) || line.sidechain || line.id.size() > kLongest) continue;
    if (line.type != "assistant" && line.type != "user") continue;
    if (line.id.empty() || made_after(line, until)) continue;
    return {line.id, line.type == "assistant" && line.says && !line.calls};
  }
  return {};
}

}  // namespace plankeep::clients
