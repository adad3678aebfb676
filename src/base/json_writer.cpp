#include "base/json_writer.hpp"

#include <cassert>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "base/json_plain.hpp"
#include "base/utf8.hpp"

namespace plankeep::base {

void JsonWriter::newline() {
  if (layout_ == Layout::compact) return;
  out_.push_back('\n');
  out_.append(levels_.size() * 2, ' ');
}

void JsonWriter::append_signed(std::int64_t number) {
  if (number < 0) out_.push_back('-');
  const auto bits = static_cast<std::uint64_t>(number);
  append_number(number < 0 ? 0 - bits : bits);  // the smallest number has no positive twin
}

void JsonWriter::append_number(std::uint64_t number) {
  char digits[20];
  const auto [end, trouble] = std::to_chars(digits, digits + sizeof digits, number);
  assert(trouble == std::errc{});
  static_cast<void>(trouble);
  out_.append(digits, static_cast<std::size_t>(end - digits));
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) {
    assert(out_.empty());
    return;
  }
  assert(!levels_.back().object);
  if (!levels_.back().empty) out_.push_back(',');
  levels_.back().empty = false;
  newline();
}

JsonWriter& JsonWriter::begin_object() {
  before_value();
  out_.push_back('{');
  levels_.push_back({true, true});
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  assert(!levels_.empty() && levels_.back().object && !after_key_);
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) newline();
  out_.push_back('}');
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  before_value();
  out_.push_back('[');
  levels_.push_back({false, true});
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  assert(!levels_.empty() && !levels_.back().object && !after_key_);
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) newline();
  out_.push_back(']');
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!levels_.empty() && levels_.back().object && !after_key_);
  if (!levels_.back().empty) out_.push_back(',');
  levels_.back().empty = false;
  newline();
  append_string(name);
  out_.push_back(':');
  if (layout_ == Layout::indented) out_.push_back(' ');
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
  out_.append(truth ? "true" : "false");
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
  if (number < 0 && number > -10) out_.push_back('-');  // -5 is -0.5, and the whole part alone has no sign
  append_signed(number / 10);
  if (number % 10 != 0) {
    out_.push_back('.');
    out_.push_back(static_cast<char>('0' + std::abs(number % 10)));
  }
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  out_.append("null");
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  before_value();
  out_.append(json);
  return *this;
}

std::string JsonWriter::finish() {
  assert(levels_.empty() && !out_.empty());
  out_.push_back('\n');
  return std::move(out_);
}

void JsonWriter::append_string(std::string_view text) {
  out_.push_back('"');
  std::size_t plain = 0;  // start of the run that needs no change
  for (std::size_t at = end_of_plain(text, 0); at < text.size(); at = end_of_plain(text, at)) {
    const CodePoint next = decode_at(text, at);
    // C1 control characters are legal in JSON, but some terminals obey them.
    if (next.valid && next.value > 0x9f) {
      at += next.length;
      continue;
    }
    out_.append(text, plain, at - plain);
    at += next.length;
    plain = at;
    if (next.valid) {
      append_escape(static_cast<unsigned char>(next.value));
    } else {
      out_.append("\xEF\xBF\xBD");
    }
  }
  out_.append(text, plain);
  out_.push_back('"');
}

void JsonWriter::append_escape(unsigned char character) {
  static constexpr char kDigits[] = "0123456789abcdef";
  switch (character) {
    case '"':
      out_.append("\\\"");
      break;
    case '\\':
      out_.append("\\\\");
      break;
    case '\n':
      out_.append("\\n");
      break;
    case '\r':
      out_.append("\\r");
      break;
    case '\t':
      out_.append("\\t");
      break;
    default:
      out_.append("\\u00");
      out_.push_back(kDigits[character >> 4U]);
      out_.push_back(kDigits[character & 15U]);
  }
}

}  // namespace plankeep::base
