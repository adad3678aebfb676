#pragma once
// Decodes the escapes in JSON strings (RFC 8259, 7), for the pull reader, for the tree that keeps positions
// (settings_files) and for the repair of lone surrogates.

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
  /// Bytes of the escape; of a faulty one, the bytes before the fault.
  std::size_t length = 0;
  EscapeFault fault = EscapeFault::none;
};

/// Decodes the escape at the front of `text`, which begins with its backslash. A surrogate pair is one
/// escape.
DecodedEscape decode_escape(std::string_view text);

/// The code unit of "\uXXXX" at the front of the text; nullopt if the text does not begin with one.
std::optional<char32_t> escaped_unit(std::string_view text);

inline constexpr std::size_t kUnitEscape = 6;  // bytes of "\uXXXX"

inline bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace plankeep::base
