#include "base/json_writer.hpp"

#include <cassert>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "base/json_plain.hpp"
#include "base/utf8.hpp"

namespace plankeep::base {

namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;  // what a sink gets at once

}  // namespace

void JsonWriter::spill() {
  out_.append(room_, filled_);
  filled_ = 0;
  if (!sink_ || out_.size() < kPiece) return;
  sink_(out_);
  out_.clear();
}

void JsonWriter::put_long(std::string_view text) {
  spill();
  if (text.size() > sizeof room_) {
    out_.append(text);
    return;
  }
  put(text);
}

void JsonWriter::newline() {
  if (layout_ == Layout::compact) return;
  static constexpr std::string_view kIndent = "\n                                ";
  const std::size_t length = 1 + levels_.size() * 2;
  put(kIndent.substr(0, length));
  for (std::size_t more = kIndent.size(); more < length; ++more) put(' ');
}

// Between the members of one object or array.
void JsonWriter::separate() {
  if (!levels_.back().empty) put(',');
  levels_.back().empty = false;
  newline();
}

void JsonWriter::append_signed(std::int64_t number) {
  if (number < 0) put('-');
  const auto bits = static_cast<std::uint64_t>(number);
  append_number(number < 0 ? 0 - bits : bits);  // the smallest number has no positive twin
}

void JsonWriter::append_number(std::uint64_t number) {
  char digits[20];
  const auto [end, ec] = std::to_chars(digits, digits + sizeof digits, number);
  assert(ec == std::errc{});
  static_cast<void>(ec);
  put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) {
    assert(!any_);
    any_ = true;
    return;
  }
  assert(!levels_.back().object);
  separate();
}

JsonWriter& JsonWriter::begin_object() {
  before_value();
  put('{');
  levels_.push_back({true, true});
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  assert(!levels_.empty() && levels_.back().object && !after_key_);
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) newline();
  put('}');
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  before_value();
  put('[');
  levels_.push_back({false, true});
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  assert(!levels_.empty() && !levels_.back().object && !after_key_);
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) newline();
  put(']');
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!levels_.empty() && levels_.back().object && !after_key_);
  separate();
  append_string(name);
  put(layout_ == Layout::indented ? std::string_view(": ") : std::string_view(":"));
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  append_string(text);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  before_value();
  put(truth ? "true" : "false");
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  before_value();
  append_signed(number);
  return *this;
}

JsonWriter& JsonWriter::value(std::size_t number) {
  before_value();
  append_number(number);
  return *this;
}

JsonWriter& JsonWriter::tenths(std::int64_t number) {
  before_value();
  if (number < 0 && number > -10) put('-');  // -5 is -0.5, and the whole part alone has no sign
  append_signed(number / 10);
  if (number % 10 != 0) {
    put('.');
    put(static_cast<char>('0' + std::abs(number % 10)));
  }
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  put("null");
  return *this;
}

JsonWriter& JsonWriter::strings(const std::vector<std::string>& values) {
  begin_array();
  for (const std::string& value : values) this->value(value);
  return end_array();
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  before_value();
  put(json);
  return *this;
}

std::string JsonWriter::finish() {
  assert(levels_.empty() && any_);
  put('\n');
  spill();
  if (sink_ && !out_.empty()) {
    sink_(out_);
    out_.clear();
  }
  return std::move(out_);
}

void JsonWriter::append_string(std::string_view text) {
  put('"');
  std::size_t plain = 0;  // start of the run that needs no change
  for (std::size_t at = end_of_plain(text, 0); at < text.size(); at = end_of_plain(text, at)) {
    const CodePoint next = decode_at(text, at);
    // C1 control characters are legal in JSON, but some terminals obey them.
    if (next.valid && next.value > 0x9f) {
      at += next.length;
      continue;
    }
    put(text.substr(plain, at - plain));
    at += next.length;
    plain = at;
    if (next.valid) {
      append_escape(static_cast<unsigned char>(next.value));
    } else {
      put("\xEF\xBF\xBD");
    }
  }
  put(text.substr(plain));
  put('"');
}

void JsonWriter::append_escape(unsigned char character) {
  static constexpr char kDigits[] = "0123456789abcdef";
  switch (character) {
    case '"':
      put("\\\"");
      break;
    case '\\':
      put("\\\\");
      break;
    case '\n':
      put("\\n");
      break;
    case '\r':
      put("\\r");
      break;
    case '\t':
      put("\\t");
      break;
    default:
      put("\\u00");
      put(kDigits[character >> 4U]);
      put(kDigits[character & 15U]);
  }
}

}  // namespace plankeep::base
