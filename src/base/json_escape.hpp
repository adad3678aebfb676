#pragma once
// What an escape in a JSON string stands for (RFC 8259, 7). The only decoder of escapes: the pull reader, the
// tree that keeps positions (settings_files) and the repair of lone surrogates ask it.

#include <cstddef>
#include <optional>
#include <string_view>

namespace plankeep::base {

enum class EscapeFault {
  none,
  letter,  // no such escape, or the text ends
  digits,  // \u without four hexadecimal digits
  low,     // the first half of a surrogate pair without the second
  lone,    // the second half without the first
};

struct DecodedEscape {
  char32_t character = 0;
  /// Bytes of the escape; where it is faulty, those before the part that is.
  std::size_t length = 0;
  EscapeFault fault = EscapeFault::none;
};

/// Of the escape that starts at the front of the text, at its backslash. A surrogate pair is one escape.
DecodedEscape decode_escape(std::string_view text);

/// The code unit of "\uXXXX" at the front of the text; nullopt when none stands there.
std::optional<char32_t> escaped_unit(std::string_view text);

inline constexpr std::size_t kUnitEscape = 6;  // bytes of "\uXXXX"

inline bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace plankeep::base
