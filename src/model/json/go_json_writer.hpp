#pragma once
// JSON as Go's encoding/json writes it with SetIndent("", "  "). Private to model/json/session_json.
//
// base/json_writer differs in what it escapes, and a file has to come out as Entire would write it: its id in
// git is the digest of its bytes.

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace plankeep::core {

class GoJsonWriter {
 public:
  void begin(char bracket) {
    text_ += bracket;
    ++depth_;
    empty_ = true;
  }
  void end(char bracket) {
    --depth_;
    if (!empty_) new_line();
    text_ += bracket;
    empty_ = false;
  }
  /// In front of each element of an array.
  void element() {
    if (!empty_) text_ += ',';
    new_line();
    empty_ = false;
  }
  void key(std::string_view name) {
    element();
    string(name);
    text_ += ": ";
  }

  void string(std::string_view value) {
    text_ += '"';
    for (std::size_t at = 0; at < value.size();) {
      const base::CodePoint point = base::decode_at(value, at);
      if (!point.valid) {
        text_ += "\\ufffd";
      } else {
        append(point.value, value.substr(at, point.length));
      }
      at += point.length;
    }
    text_ += '"';
  }
  void number(std::int64_t value) { text_ += std::to_string(value); }
  void number(double value) {
    // As ECMAScript writes numbers: exponents only for the very large and the very small.
    constexpr double kLarge = 1e21;
    constexpr double kSmall = 1e-6;
    const double size = std::abs(value);
    const bool exponent = size != 0 && (size < kSmall || size >= kLarge);
    std::array<char, 64> room{};
    const auto written = std::to_chars(room.data(), room.data() + room.size(), value,
                                       exponent ? std::chars_format::scientific : std::chars_format::fixed);
    std::string digits(room.data(), written.ptr);
    // "1e-09" is "1e-9" in Go.
    if (const std::size_t zero = digits.find("e-0"); zero != std::string::npos) digits.erase(zero + 2, 1);
    text_ += digits;
  }
  void boolean(bool value) { text_ += value ? "true" : "false"; }
  /// A value that is JSON already and stood at this depth.
  void raw(std::string_view json) { text_ += json; }

  std::string finish() { return std::move(text_) + "\n"; }

 private:
  void new_line() {
    text_ += '\n';
    text_.append(depth_ * 2, ' ');
  }
  void append(char32_t value, std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto escape = [&] {
      text_ += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) text_ += kDigits[(value >> shift) & 15U];
    };
    switch (value) {
      case '"':
        text_ += "\\\"";
        return;
      case '\\':
        text_ += "\\\\";
        return;
      case '\b':
        text_ += "\\b";
        return;
      case '\f':
        text_ += "\\f";
        return;
      case '\n':
        text_ += "\\n";
        return;
      case '\r':
        text_ += "\\r";
        return;
      case '\t':
        text_ += "\\t";
        return;
      case '<':
      case '>':
      case '&':
      case 0x2028:
      case 0x2029:
        escape();
        return;
      default:
        if (value < ' ') {
          escape();
        } else {
          text_ += bytes;
        }
    }
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool empty_ = true;
};

}  // namespace plankeep::core
