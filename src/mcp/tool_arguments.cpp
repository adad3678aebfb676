#include "mcp/tool_arguments.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::mcp {
namespace {

using base::ErrorKind;
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

// JSON has one kind of number: 500 and 500.0 are the same one (JSON Schema says so of "integer"), and some
// clients write the second.
std::optional<std::int64_t> whole_number(const Json& json) {
  constexpr double kLargestExact = 9007199254740992;  // 2^53: a larger one may have been rounded
  if (json.is_number_float()) {
    const auto number = json.get<double>();
    if (std::trunc(number) != number || std::abs(number) > kLargestExact) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  // What only an unsigned number holds becomes negative when it is taken for a signed one.
  const bool fits = json.is_number_unsigned()
                        ? json.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX)
                        : json.is_number_integer();
  return fits ? std::optional(json.get<std::int64_t>()) : std::nullopt;
}

}  // namespace

ToolArguments::ToolArguments(const Json& object) {
  for (const auto& [name, value] : object.items()) {
    if (!value.is_null()) left_[name] = value;
  }
}

Json ToolArguments::passed(std::string_view name) {
  known_.emplace_back(name);
  const auto at = left_.find(name);
  if (at == left_.end()) return nullptr;
  Json value = std::move(*at);
  left_.erase(at);
  return value;
}

Status ToolArguments::take(std::string_view name, std::string& value) {
  Json json = passed(name);
  if (json.is_null()) return {};
  if (!json.is_string()) return wrong(name, "a string");
  value = std::move(json.get_ref<std::string&>());
  return check_text(name, value);
}

Status ToolArguments::take(std::string_view name, std::optional<std::string>& value) {
  Json json = passed(name);
  if (json.is_null()) return {};
  if (!json.is_string()) return wrong(name, "a string");
  value = std::move(json.get_ref<std::string&>());
  return check_text(name, *value);
}

Status ToolArguments::take(std::string_view name, std::vector<std::string>& value) {
  Json json = passed(name);
  if (json.is_null()) return {};
  const bool fits = json.is_array() &&
                    std::all_of(json.begin(), json.end(), [](const Json& text) { return text.is_string(); });
  if (!fits) return wrong(name, "an array of strings");
  if (json.size() > kMostTexts) return wrong(name, "at most " + std::to_string(kMostTexts) + " strings");
  value.clear();
  for (Json& text : json) value.push_back(std::move(text.get_ref<std::string&>()));
  for (const std::string& text : value) TRY(check_text(name, text));
  return {};
}

Status ToolArguments::take(std::string_view name, bool& value) {
  const Json json = passed(name);
  if (json.is_null()) return {};
  if (!json.is_boolean()) return wrong(name, "true or false");
  value = json.get<bool>();
  return {};
}

Status ToolArguments::take(std::string_view name, std::int64_t& value, std::int64_t least,
                           std::int64_t most) {
  const Json json = passed(name);
  if (json.is_null()) return {};
  const auto number = whole_number(json);
  if (!number || *number < least || *number > most)
    return wrong(name, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  value = *number;
  return {};
}

Status ToolArguments::take(std::string_view name, std::string& value,
                           const std::vector<std::string_view>& choices) {
  std::string word = value;
  TRY(take(name, word));
  if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
    return wrong(name, "one of " + base::joined(choices));
  }
  value = std::move(word);
  return {};
}

Status ToolArguments::finish() const {
  if (left_.empty()) return {};
  const std::string name = base::fit_to_bytes(base::printable(left_.begin().key()), kLongestName);
  return base::fail(ErrorKind::invalid_input, "unknown argument " + name, "known: " + base::joined(known_));
}

}  // namespace plankeep::mcp
