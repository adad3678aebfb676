// The uses of tools at the end of a transcript (clients/transcripts/transcript.hpp).
#include <algorithm>
#include <array>

#include "base/json_reader.hpp"
#include "base/utf8.hpp"
#include "clients/transcripts/last_lines.hpp"
#include "clients/transcripts/transcript.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;
using core::CommandUsed;

// What tools call what they work on, and what they are told; the first that is there counts.
constexpr std::array<std::string_view, 4> kTargets{"file_path", "notebook_path", "path", "url"};
constexpr std::array<std::string_view, 9> kMessages{"command", "query",  "pattern", "description", "prompt",
                                                    "subject", "taskId", "message", "skill"};
constexpr std::size_t kMessageBytes = 500;  // core::fit cuts further

struct Input {
  std::array<std::string, kTargets.size()> targets;
  std::array<std::string, kMessages.size()> messages;
};

template <class Names, class Texts>
std::string* place_of(const Names& names, Texts& texts, std::string_view key) {
  const auto name = std::find(names.begin(), names.end(), key);
  return name == names.end() ? nullptr : &texts[static_cast<std::size_t>(name - names.begin())];
}

template <class Texts>
std::string first_of(Texts& texts) {
  const auto text = std::find_if(texts.begin(), texts.end(), [](const std::string& t) { return !t.empty(); });
  return text == texts.end() ? std::string() : std::move(*text);
}

std::string one_line(std::string_view text) {
  // Before it is cut: a part of a key would not be recognised.
  return base::fit_to_bytes(secrets::redact(base::printable(text.substr(0, text.find('\n')))), kMessageBytes);
}

Status read_input(JsonReader& in, CommandUsed& used) {
  Input input;
  TRY(in.object([&](std::string_view key) -> Status {
    if (in.peek() != JsonType::string) return in.skip();
    std::string* text = place_of(kTargets, input.targets, key);
    if (text == nullptr) text = place_of(kMessages, input.messages, key);
    return text == nullptr ? in.skip() : in.string(*text);
  }));
  used.target = one_line(first_of(input.targets));
  if (used.target.empty()) used.message = one_line(first_of(input.messages));
  return {};
}

Status read_block(JsonReader& in, std::vector<CommandUsed>& uses) {
  CommandUsed used;
  std::string type;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) return in.string(type);
    if (key == "id" && in.peek() == JsonType::string) return in.string(used.command_id);
    if (key == "name" && in.peek() == JsonType::string) return in.string(used.type);
    if (key == "input" && in.peek() == JsonType::object) return read_input(in, used);
    return in.skip();
  }));
  if (type == "tool_use") uses.push_back(std::move(used));
  return {};
}

// The uses of one line; empty when it is no assistant's own.
std::vector<CommandUsed> read_line(std::string_view text) {
  std::vector<CommandUsed> uses;
  std::optional<base::Instant> time;
  bool assistant = false;
  bool sidechain = false;
  JsonReader in(text);
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "type" && in.peek() == JsonType::string) {
      std::string type;
      TRY(in.string(type));
      assistant = type == "assistant";
      return {};
    }
    if (key == "isSidechain" && in.peek() == JsonType::boolean) return in.boolean(sidechain);
    if (key == "timestamp" && in.peek() == JsonType::string) {
      std::string moment;
      TRY(in.string(moment));
      time = base::parse_iso8601(moment);
      return {};
    }
    if (key != "message" || in.peek() != JsonType::object) return in.skip();
    return in.object([&](std::string_view part) -> Status {
      if (part != "content" || in.peek() != JsonType::array) return in.skip();
      return in.array(
          [&]() -> Status { return in.peek() == JsonType::object ? read_block(in, uses) : in.skip(); });
    });
  });
  if (!read || !assistant || sidechain) return {};
  for (CommandUsed& used : uses) used.timestamp = time;
  return uses;
}

}  // namespace

std::vector<CommandUsed> last_tool_uses(std::string_view tail, std::size_t count) {
  std::vector<CommandUsed> newest_first;
  while (!tail.empty() && newest_first.size() < count) {
    const std::string_view text = take_last_line(tail);
    if (text.find("\"tool_use\"") == std::string_view::npos) continue;
    std::vector<CommandUsed> uses = read_line(text);
    for (auto used = uses.rbegin(); used != uses.rend() && newest_first.size() < count; ++used) {
      newest_first.push_back(std::move(*used));
    }
  }
  std::reverse(newest_first.begin(), newest_first.end());
  return newest_first;
}

}  // namespace plankeep::clients
