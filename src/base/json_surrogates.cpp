#include "base/json_surrogates.hpp"

#include <algorithm>
#include <charconv>

namespace plankeep::base {
namespace {

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The code unit of an escape "\\uXXXX" at `at`; nothing when none stands there.
std::optional<unsigned> escaped_unit(std::string_view text, std::size_t at) {
  const std::string_view escape = text.substr(std::min(at, text.size()), 6);
  if (escape.size() != 6 || !escape.starts_with("\\u") ||
      !std::all_of(escape.begin() + 2, escape.end(), is_hex))
    return std::nullopt;
  unsigned unit = 0;
  std::from_chars(escape.data() + 2, escape.data() + 6, unit, 16);
  return unit;
}

}  // namespace

std::optional<std::string> without_lone_surrogates(std::string_view text) {
  std::optional<std::string> repaired;
  for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    const std::optional<unsigned> unit = escaped_unit(text, at);
    if (!unit) {
      at += 2;
      continue;
    }
    const std::optional<unsigned> next = escaped_unit(text, at + 6);
    const bool high = (*unit & 0xFC00U) == 0xD800;
    if (high && next && (*next & 0xFC00U) == 0xDC00) {
      at += 12;
      continue;
    }
    if ((*unit & 0xF800U) == 0xD800) {
      if (!repaired) repaired = text;
      repaired->replace(at + 2, 4, "fffd");
    }
    at += 6;
  }
  return repaired;
}

}  // namespace plankeep::base
