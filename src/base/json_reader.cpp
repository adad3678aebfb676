#include "base/json_reader.hpp"

#include <algorithm>
#include <bitset>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/json_escape.hpp"
#include "base/json_plain.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::base {
namespace {

constexpr std::size_t kLongestKeyInPath = 80;  // bytes
constexpr std::string_view kTooDeep = "at most 256 levels";
static_assert(JsonReader::kDeepest == 256);

}  // namespace

void JsonReader::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++at_;
  }
}

bool JsonReader::next_is(char c) {
  skip_space();
  return at_ < text_.size() && text_[at_] == c;
}

bool JsonReader::take(char c) {
  if (!next_is(c)) return false;
  ++at_;
  return true;
}

JsonType JsonReader::peek() {
  skip_space();
  if (at_ >= text_.size()) return JsonType::none;
  switch (text_[at_]) {
    case '{':
      return JsonType::object;
    case '[':
      return JsonType::array;
    case '"':
      return JsonType::string;
    case 't':
    case 'f':
      return JsonType::boolean;
    case 'n':
      return JsonType::null;
    default:
      return text_[at_] == '-' || is_digit(text_[at_]) ? JsonType::number : JsonType::none;
  }
}

tl::unexpected<Error> JsonReader::error(std::string_view expected) const {
  std::string message;
  for (const Step& step : path_) {
    if (step.index >= 0) {
      message.append("[").append(std::to_string(step.index)).append("]");
    } else if (step.key.data() != nullptr) {
      if (!message.empty()) message.push_back('.');
      message.append(fit_to_bytes(step.key, kLongestKeyInPath));
    }
  }
  if (!message.empty()) message.append(": ");
  message.append("expected ").append(expected).append(" (byte ").append(std::to_string(at_)).append(")");
  return fail(ErrorKind::corrupt, std::move(message));
}

Status JsonReader::enter(char opening, std::string_view expected) {
  if (!take(opening)) return error(expected);
  if (depth_ >= kDeepest) return error(kTooDeep);
  ++depth_;
  path_.emplace_back();
  return {};
}

void JsonReader::leave() {
  --depth_;
  path_.pop_back();
}

Status JsonReader::object(const std::function<Status(std::string_view key)>& field) {
  TRY(enter('{', "an object"));
  if (!take('}')) {
    std::string storage;  // of keys that are written with escapes
    do {
      std::string_view key;
      path_.back().key = {};  // the last key may stand in `storage`, which is about to be written again
      TRY(read_key(key, storage));
      path_.back().key = key;
      TRY(field(key));
    } while (take(','));
    path_.back().key = {};
    if (!take('}')) return error("\",\" or \"}\"");
  }
  leave();
  return {};
}

Status JsonReader::array(const std::function<Status()>& element) {
  TRY(enter('[', "an array"));
  if (!take(']')) {
    do {
      ++path_.back().index;
      TRY(element());
    } while (take(','));
    path_.back().index = -1;
    if (!take(']')) return error("\",\" or \"]\"");
  }
  leave();
  return {};
}

Status JsonReader::strings(std::vector<std::string>& values) {
  values.clear();
  return array([&]() -> Status { return string(values.emplace_back()); });
}

// A key and its colon. The text is a view of the input where it stands there as it is.
Status JsonReader::read_key(std::string_view& key, std::string& storage) {
  if (!next_is('"')) return error("a key");
  const std::size_t begin = at_ + 1;
  const std::size_t end = end_of_plain(text_, begin);
  if (end < text_.size() && text_[end] == '"') {
    key = text_.substr(begin, end - begin);
    at_ = end + 1;
  } else {
    TRY(read_string(&storage));
    key = storage;
  }
  if (!take(':')) return error("\":\"");
  return {};
}

// A string from its opening quote on. Without `value` it is only checked.
Status JsonReader::read_string(std::string* value) {
  ++at_;
  if (value != nullptr) value->clear();
  for (;;) {
    const std::size_t begin = at_;
    at_ = end_of_plain(text_, at_);
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x7f) {
      const CodePoint next = decode_at(text_, at_);
      if (!next.valid) return error("UTF-8");
      at_ += next.length;
    }
    if (value != nullptr) value->append(text_.substr(begin, at_ - begin));
    if (at_ >= text_.size()) return error("the end of the string");
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return {};
    }
    if (c == '\\') {
      TRY(read_escape(value));
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return error("no control character in a string");
    }
  }
}

Status JsonReader::read_escape(std::string* value) {
  const DecodedEscape escape = decode_escape(text_.substr(at_));
  at_ += escape.length;
  switch (escape.fault) {
    case EscapeFault::none:
      if (value != nullptr) append_utf8(*value, escape.character);
      return {};
    case EscapeFault::letter:
      return error("an escape");
    case EscapeFault::digits:
      return error("four hexadecimal digits");
    case EscapeFault::low:
      return error("the second half of a surrogate pair");
    case EscapeFault::lone:
      return error("no unpaired surrogate");
  }
  return {};
}

Status JsonReader::string(std::string& value) {
  if (!next_is('"')) return error("a string");
  const std::size_t begin = at_ + 1;
  const std::size_t end = end_of_plain(text_, begin);
  if (end < text_.size() && text_[end] == '"') {
    value.assign(text_.data() + begin, end - begin);
    at_ = end + 1;
    return {};
  }
  return read_string(&value);
}

Status JsonReader::literal(std::string_view word, std::string_view expected) {
  if (text_.substr(at_, word.size()) != word) return error(expected);
  at_ += word.size();
  return {};
}

Status JsonReader::boolean(bool& value) {
  if (peek() != JsonType::boolean) return error("true or false");
  value = text_[at_] == 't';
  return literal(value ? "true" : "false", "true or false");
}

Status JsonReader::scan_number(std::string_view& digits) {
  if (peek() != JsonType::number) return error("a number");
  const auto at = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  std::size_t end = at_;
  if (at(end) == '-') ++end;
  if (!is_digit(at(end))) return error("a number");
  if (at(end) == '0') {
    ++end;
  } else {
    while (is_digit(at(end))) ++end;
  }
  if (at(end) == '.') {
    ++end;
    if (!is_digit(at(end))) return error("a number");
    while (is_digit(at(end))) ++end;
  }
  if (at(end) == 'e' || at(end) == 'E') {
    ++end;
    if (at(end) == '+' || at(end) == '-') ++end;
    if (!is_digit(at(end))) return error("a number");
    while (is_digit(at(end))) ++end;
  }
  digits = text_.substr(at_, end - at_);
  return {};
}

template <class Integer>
Status JsonReader::read_integer(Integer& value) {
  if (peek() != JsonType::number) return error("a whole number");
  std::string_view digits;
  TRY(scan_number(digits));
  Integer number = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, ec] = std::from_chars(digits.data(), last, number);
  if (ec == std::errc::result_out_of_range) return error("a smaller number");
  if (ec != std::errc{} || end != last) return error("a whole number");
  value = number;
  at_ += digits.size();
  return {};
}

Status JsonReader::integer(std::int64_t& value) {
  return read_integer(value);
}
Status JsonReader::integer(std::uint64_t& value) {
  return read_integer(value);
}

Status JsonReader::number(double& value) {
  std::string_view digits;
  TRY(scan_number(digits));
  double number = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{}) {
    // Too large or too near to zero, which from_chars does not tell apart. No locale is ever set, so strtod
    // reads a point.
    number = std::strtod(std::string(digits).c_str(), nullptr);
    if (!std::isfinite(number)) return error("a smaller number");
  }
  value = number;
  at_ += digits.size();
  return {};
}

Status JsonReader::string_or_null(std::string& value, bool& present) {
  const JsonType type = peek();
  present = type == JsonType::string;
  if (present) return string(value);
  value.clear();
  if (type != JsonType::null) return error("a string or null");
  return literal("null", "a string or null");
}

Status JsonReader::skip_scalar(JsonType type) {
  switch (type) {
    case JsonType::string:
      return read_string(nullptr);
    case JsonType::boolean: {
      bool ignored = false;
      return boolean(ignored);
    }
    case JsonType::null:
      return literal("null", "a value");
    case JsonType::number: {
      std::string_view digits;
      TRY(scan_number(digits));
      at_ += digits.size();
      return {};
    }
    default:
      return error("a value");
  }
}

Status JsonReader::skip() {
  std::bitset<kDeepest> is_object;  // of the containers that are open, outermost first
  std::size_t open = 0;
  std::string storage;
  std::string_view key;
  const std::size_t room = static_cast<std::size_t>(kDeepest - depth_);
  for (;;) {
    const JsonType type = peek();
    if (type == JsonType::object || type == JsonType::array) {
      const bool object = type == JsonType::object;
      if (open == room) return error(kTooDeep);
      ++at_;
      is_object[open++] = object;
      if (!next_is(object ? '}' : ']')) {
        if (object) TRY(read_key(key, storage));
        continue;
      }
    } else {
      TRY(skip_scalar(type));
    }
    // A value is over, or a container has nothing in it: go out as far as it closes.
    for (;;) {
      if (open == 0) return {};
      const bool object = is_object[open - 1];
      if (take(object ? '}' : ']')) {
        --open;
        continue;
      }
      if (!take(',')) return error(object ? "\",\" or \"}\"" : "\",\" or \"]\"");
      if (object) TRY(read_key(key, storage));
      break;
    }
  }
}

Status JsonReader::raw(std::string_view& value) {
  skip_space();
  const std::size_t begin = at_;
  TRY(skip());
  value = text_.substr(begin, at_ - begin);
  return {};
}

Status JsonReader::end() {
  skip_space();
  if (at_ != text_.size()) return error("the end of the text");
  return {};
}

}  // namespace plankeep::base
