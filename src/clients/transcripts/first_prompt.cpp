#include "clients/transcripts/first_prompt.hpp"

#include "base/json_reader.hpp"
#include "clients/transcripts/transcript.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct FirstLine {
  std::string type;
  std::string text;
  bool made_by_client = false;
};

Status read_block(JsonReader& in, FirstLine& line) {
  std::string type;
  std::string text;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(type);
    if (key == "text" && in.peek() == JsonType::string) return in.string(text);
    return in.skip();
  }));
  if (type != "text" || text.empty()) return {};
  if (!line.text.empty()) line.text += "\n";
  line.text += text;
  return {};
}

Status read_content(JsonReader& in, FirstLine& line) {
  if (in.peek() == JsonType::string) return in.string(line.text);
  if (in.peek() != JsonType::array) return in.skip();
  return in.array(
      [&]() -> Status { return in.peek() == JsonType::object ? read_block(in, line) : in.skip(); });
}

Status read_first_message(JsonReader& in, FirstLine& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "content") return read_content(in, line);
    return in.skip();
  });
}

Status read_line(std::string_view text, FirstLine& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(line.type);
    if (key == "isMeta" && in.peek() == JsonType::boolean) return in.boolean(line.made_by_client);
    if (key == "message" && in.peek() == JsonType::object) return read_first_message(in, line);
    return in.skip();
  });
}

}  // namespace

std::string first_prompt(std::string_view head) {
  while (!head.empty()) {
    const std::size_t feed = head.find('\n');
    if (feed == std::string_view::npos) return {};  // cut
    const std::string_view text = head.substr(0, feed);
    head.remove_prefix(feed + 1);
    if (text.find("\"user\"") == std::string_view::npos) continue;
    FirstLine line;
    if (!read_line(text, line) || line.made_by_client) continue;
    if (line.type == "user" && !line.text.empty()) return std::move(line.text);
  }
  return {};
}

std::string agent_transcript_path(std::string_view session_transcript, std::string_view agent_id) {
  std::string path = agent_meta_path(session_transcript, agent_id);
  constexpr std::string_view kMeta = ".meta.json";
  if (path.empty()) return path;
  path.resize(path.size() - kMeta.size());
  return path + ".jsonl";
}

}  // namespace plankeep::clients
