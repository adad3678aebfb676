#include "clients/transcripts/message_order.hpp"

#include <algorithm>

#include "base/json_reader.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct OrderLine {
  std::string id;                   // what a checkpoint knows it by
  std::vector<std::string> others;  // further names
  std::string time;
  bool sidechain = false;
};

Status read_name(JsonReader& in, OrderLine& line) {
  return in.string(line.others.emplace_back());
}

Status read_list(JsonReader& in, OrderLine& line);

// A message, a part of one, or a call: every id in it is a name of the line.
Status read_part(JsonReader& in, OrderLine& line) {
  return in.object([&](std::string_view key) -> Status {
    const bool name = key == "id" || key == "tool_use_id" || key == "call_id";
    if (name && in.peek() == JsonType::string) return read_name(in, line);
    if ((key == "content" || key == "parts") && in.peek() == JsonType::array) return read_list(in, line);
    if ((key == "functionCall" || key == "functionResponse") && in.peek() == JsonType::object)
      return read_part(in, line);
    return in.skip();
  });
}

Status read_list(JsonReader& in, OrderLine& line) {
  return in.array(
      [&]() -> Status { return in.peek() == JsonType::object ? read_part(in, line) : in.skip(); });
}

Status read_line(std::string_view text, OrderLine& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "uuid" && in.peek() == JsonType::string) return in.string(line.id);
    if (key == "id" && line.id.empty() && in.peek() == JsonType::string) return in.string(line.id);
    if (key == "timestamp" && in.peek() == JsonType::string) return in.string(line.time);
    if (key == "isSidechain" && in.peek() == JsonType::boolean) return in.boolean(line.sidechain);
    if ((key == "message" || key == "payload") && in.peek() == JsonType::object) return read_part(in, line);
    if ((key == "content" || key == "toolCalls") && in.peek() == JsonType::array) return read_list(in, line);
    return in.skip();
  });
}

}  // namespace

MessagesUntil messages_until(std::string_view transcript, std::string_view id) {
  MessagesUntil known;
  if (id.empty()) return known;
  while (!transcript.empty()) {
    const std::size_t end = std::min(transcript.find('\n'), transcript.size());
    const std::string_view text = transcript.substr(0, end);
    transcript.remove_prefix(std::min(end + 1, transcript.size()));
    if (text.find("id\"") == std::string_view::npos) continue;
    OrderLine line;
    if (!read_line(text, line) || line.sidechain) continue;
    // Codex has its messages' ids inside.
    if (line.id.empty() && !line.others.empty()) line.id = line.others.front();
    if (line.id.empty()) continue;
    known.ids.push_back(line.id);
    const auto& others = line.others;
    if (line.id == id || std::find(others.begin(), others.end(), id) != others.end()) {
      known.time = base::parse_iso8601(line.time);
      return known;
    }
  }
  return {};
}

}  // namespace plankeep::clients
