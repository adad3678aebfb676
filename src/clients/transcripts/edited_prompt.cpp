#include "clients/transcripts/edited_prompt.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/json_reader.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct Line {
  std::string id;
  std::string parent;
  bool chained = false;  // it says what it follows, be it nothing
  bool user = false;
  bool of_client = false;  // a subagent's, or made by the client
  bool result = false;     // of a tool
};

Status read_flag(JsonReader& in, bool& flag) {
  if (in.peek() != JsonType::boolean) return in.skip();
  bool set = false;
  TRY(in.boolean(set));
  flag = flag || set;
  return {};
}

Status read_message(JsonReader& in, Line& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key != "content" || in.peek() != JsonType::array) return in.skip();
    return in.array([&]() -> Status {
      if (in.peek() != JsonType::object) return in.skip();
      return in.object([&](std::string_view part) -> Status {
        if (part != "type" || in.peek() != JsonType::string) return in.skip();
        std::string type;
        TRY(in.string(type));
        line.result = line.result || type == "tool_result";
        return {};
      });
    });
  });
}

Status read_line(std::string_view text, Line& line) {
  JsonReader in(text);
  return in.object([&](std::string_view key) -> Status {
    if (key == "uuid" && in.peek() == JsonType::string) return in.string(line.id);
    if (key == "parentUuid") {
      line.chained = true;
      return in.peek() == JsonType::string ? in.string(line.parent) : in.skip();
    }
    if (key == "type" && in.peek() == JsonType::string) {
      std::string type;
      TRY(in.string(type));
      line.user = type == "user";
      return {};
    }
    if (key == "isSidechain" || key == "isMeta" || key == "isCompactSummary")
      return read_flag(in, line.of_client);
    if (key == "message" && in.peek() == JsonType::object) return read_message(in, line);
    return in.skip();
  });
}

}  // namespace

std::optional<EditedPrompt> edited_prompt(std::string_view tail) {
  std::unordered_set<std::string> followed;  // lines that others come after
  bool begun = false;                        // some line was the first of the conversation
  std::optional<EditedPrompt> newest;
  while (!tail.empty()) {
    const std::size_t end = std::min(tail.find('\n'), tail.size());
    const std::string_view text = tail.substr(0, end);
    tail.remove_prefix(std::min(end + 1, tail.size()));
    if (text.find("\"parentUuid\"") == std::string_view::npos) continue;
    Line line;
    if (!read_line(text, line) || !line.chained || line.id.empty()) continue;
    const bool prompt = line.user && !line.of_client && !line.result;
    if (prompt) {
      const bool again = line.parent.empty() ? begun : followed.count(line.parent) != 0;
      newest = again ? std::optional(EditedPrompt{line.id, line.parent}) : std::nullopt;
    }
    if (line.parent.empty()) {
      begun = begun || !line.of_client;
    } else {
      followed.insert(line.parent);
    }
  }
  return newest;
}

}  // namespace plankeep::clients
