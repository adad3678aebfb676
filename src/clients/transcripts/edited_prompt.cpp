#include "clients/transcripts/edited_prompt.hpp"

#include <utility>

#include "base/json_reader.hpp"
#include "clients/transcripts/last_lines.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

struct PromptLine {
  std::string id;
  std::string parent;
  bool chained = false;    // it says what it follows, be it nothing
  bool of_client = false;  // a subagent's, or made by the client
  enum class Kind { other, prompt, result, answer };
  Kind kind = Kind::other;
};

Status read_flag(JsonReader& in, bool& flag) {
  if (in.peek() != JsonType::boolean) return in.skip();
  bool set = false;
  TRY(in.boolean(set));
  flag = flag || set;
  return {};
}

Status read_message(JsonReader& in, PromptLine& line) {
  return in.object([&](std::string_view key) -> Status {
    if (key != "content" || in.peek() != JsonType::array) return in.skip();
    return in.array([&]() -> Status {
      if (in.peek() != JsonType::object) return in.skip();
      return in.object([&](std::string_view part) -> Status {
        if (part != "type" || in.peek() != JsonType::string) return in.skip();
        std::string type;
        TRY(in.string(type));
        if (type == "tool_result") line.kind = PromptLine::Kind::result;
        return {};
      });
    });
  });
}

Status read_prompt_line(std::string_view text, PromptLine& line) {
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
      // The message may have come first, and said that this is a result.
      if (type == "assistant") line.kind = PromptLine::Kind::answer;
      if (type == "user" && line.kind == PromptLine::Kind::other) line.kind = PromptLine::Kind::prompt;
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
  std::optional<EditedPrompt> newest;
  int answers = 0;
  while (!tail.empty()) {
    const std::string_view text = take_last_line(tail);
    if (text.find("\"parentUuid\"") == std::string_view::npos) continue;
    PromptLine line;
    if (!read_prompt_line(text, line) || !line.chained || line.id.empty() || line.of_client) continue;
    // What the newest prompt follows: an earlier prompt that follows it too would stand between the two.
    if (newest && line.id == newest->parent) return std::nullopt;
    if (line.kind == PromptLine::Kind::prompt) {
      if (newest && newest->parent == line.parent) {
        newest->before = std::move(line.id);
        return newest;
      }
      if (!newest) newest = EditedPrompt{std::move(line.id), std::move(line.parent), {}};
    } else if (!newest && line.kind == PromptLine::Kind::answer && ++answers > kAnswersAfterPrompt) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace plankeep::clients
