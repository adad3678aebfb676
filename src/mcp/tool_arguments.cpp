#include "mcp/tool_arguments.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/utf8.hpp"

namespace plankeep::mcp {
namespace {

using base::ErrorKind;
using base::JsonReader;
using base::JsonType;
using base::Result;
using base::Status;

constexpr std::size_t kLongestName = 100;  // bytes of a name that we do not know, in an error
// The command line cannot hold more, nor a NUL; what the use cases get is what it could have given them.
constexpr std::size_t kLongestText = std::size_t{128} << 10;  // bytes
constexpr std::size_t kMostTexts = 1000;

Status wrong(std::string_view name, std::string_view expected) {
  return base::fail(ErrorKind::invalid_input, std::string(name) + " must be " + std::string(expected));
}

Status check_text(std::string_view name, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return wrong(name, "without NUL characters");
  if (text.size() > kLongestText)
    return wrong(name, "at most " + std::to_string(kLongestText) + " bytes long");
  return {};
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

Result<ToolArguments> ToolArguments::read(std::string_view object) {
  ToolArguments arguments;
  JsonReader in(object);
  const Status read = in.object([&](std::string_view key) -> Status {
    std::string name(key);
    const bool absent = in.peek() == JsonType::null;
    std::string_view value;
    TRY(in.raw(value));
    if (!absent) arguments.left_.emplace_back(std::move(name), value);
    return {};
  });
  if (!read) return base::fail(ErrorKind::invalid_input, read.error().message);
  return arguments;
}

std::string_view ToolArguments::raw(std::string_view name) {
  known_.emplace_back(name);
  std::string_view value;
  for (auto at = left_.begin(); at != left_.end();) {
    if (at->first != name) {
      ++at;
      continue;
    }
    value = at->second;  // the last one wins, as everywhere
    at = left_.erase(at);
  }
  return value;
}

Status ToolArguments::take(std::string_view name, std::string& value) {
  const std::string_view json = raw(name);
  if (json.empty()) return {};
  JsonReader in(json);
  if (in.peek() != JsonType::string || !in.string(value)) return wrong(name, "a string");
  return check_text(name, value);
}

Status ToolArguments::take(std::string_view name, std::optional<std::string>& value) {
  std::string text;
  const bool passed =
      std::any_of(left_.begin(), left_.end(), [name](const auto& one) { return one.first == name; });
  TRY(take(name, text));
  if (passed) value = std::move(text);
  return {};
}

Status ToolArguments::take(std::string_view name, std::vector<std::string>& value) {
  const std::string_view json = raw(name);
  if (json.empty()) return {};
  JsonReader in(json);
  value.clear();
  const Status read = in.array([&]() -> Status { return in.string(value.emplace_back()); });
  if (!read) return wrong(name, "an array of strings");
  if (value.size() > kMostTexts) return wrong(name, "at most " + std::to_string(kMostTexts) + " strings");
  for (const std::string& text : value) TRY(check_text(name, text));
  return {};
}

Status ToolArguments::take(std::string_view name, bool& value) {
  const std::string_view json = raw(name);
  if (json.empty()) return {};
  JsonReader in(json);
  if (!in.boolean(value)) return wrong(name, "true or false");
  return {};
}

Status ToolArguments::take(std::string_view name, std::int64_t& value, std::int64_t least,
                           std::int64_t most) {
  const std::string_view json = raw(name);
  if (json.empty()) return {};
  JsonReader in(json);
  std::int64_t number = 0;
  if (!in.integer(number) || number < least || number > most)
    return wrong(name, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  value = number;
  return {};
}

Status ToolArguments::take(std::string_view name, std::string& value,
                           const std::vector<std::string_view>& choices) {
  std::string word = value;
  TRY(take(name, word));
  if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
    std::string names;
    for (const std::string_view choice : choices) names += (names.empty() ? "" : ", ") + std::string(choice);
    return wrong(name, "one of " + names);
  }
  value = std::move(word);
  return {};
}

Status ToolArguments::finish() const {
  if (left_.empty()) return {};
  const std::string name = base::fit_to_bytes(base::printable(left_.front().first), kLongestName);
  return base::fail(ErrorKind::invalid_input, "unknown argument " + name, "known: " + listed(known_));
}

}  // namespace plankeep::mcp
