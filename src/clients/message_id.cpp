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
  bool sidechain = false;
};

Status read_line(std::string_view text, Line& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(line.type);
    if (key == "uuid" && in.peek() == JsonType::string) return in.string(line.id);
    if (key == "isSidechain" && in.peek() == JsonType::boolean) return in.boolean(line.sidechain);
    return in.skip();
  });
}

}  // namespace

std::string last_message_id(std::string_view tail) {
  while (!tail.empty()) {
    if (tail.back() == '\n') tail.remove_suffix(1);
    const std::size_t feed = tail.rfind('\n');
    const std::string_view text = feed == std::string_view::npos ? tail : tail.substr(feed + 1);
    tail = feed == std::string_view::npos ? std::string_view() : tail.substr(0, feed + 1);
    if (text.find("\"uuid\"") == std::string_view::npos) continue;
    Line line;
    if (!read_line(text, line) || line.sidechain || line.id.size() > kLongest) continue;
    if (line.type == "assistant" || line.type == "user") return line.id;
  }
  return {};
}

}  // namespace plankeep::clients
