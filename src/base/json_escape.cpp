#include "base/json_escape.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace plankeep::base {
namespace {

constexpr std::string_view kLetters = "\"\\/bfnrt";
constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";

}  // namespace

std::optional<char32_t> escaped_unit(std::string_view text) {
  const std::string_view escape = text.substr(0, kUnitEscape);
  if (escape.size() != kUnitEscape || !escape.starts_with("\\u")) return std::nullopt;
  if (!std::all_of(escape.begin() + 2, escape.end(), is_hex_digit)) return std::nullopt;
  std::uint32_t unit = 0;
  std::from_chars(escape.data() + 2, escape.data() + kUnitEscape, unit, 16);
  return unit;
}

DecodedEscape decode_escape(std::string_view text) {
  const char letter = text.size() > 1 ? text[1] : '\0';
  if (letter != 'u') {
    const std::size_t which = kLetters.find(letter);
    if (which == std::string_view::npos) return {.fault = EscapeFault::letter};
    return {.character = static_cast<unsigned char>(kMeant[which]), .length = 2};
  }
  const std::optional<char32_t> unit = escaped_unit(text);
  if (!unit) return {.fault = EscapeFault::digits};
  if (*unit < 0xD800 || *unit > 0xDFFF) return {.character = *unit, .length = kUnitEscape};
  if (*unit >= 0xDC00) return {.fault = EscapeFault::lone};
  const std::string_view behind = text.substr(kUnitEscape);
  const std::optional<char32_t> low = escaped_unit(behind);
  if (!low) {
    const bool begun = behind.starts_with("\\u");
    return {.length = kUnitEscape, .fault = begun ? EscapeFault::digits : EscapeFault::low};
  }
  if (*low < 0xDC00 || *low > 0xDFFF) return {.length = kUnitEscape, .fault = EscapeFault::low};
  return {.character = 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00), .length = 2 * kUnitEscape};
}

}  // namespace plankeep::base
