#include "base/json_surrogates.hpp"

#include <algorithm>

#include "base/json_escape.hpp"

namespace plankeep::base {

std::optional<std::string> without_lone_surrogates(std::string_view text) {
  std::optional<std::string> repaired;
  for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    const std::optional<char32_t> unit = escaped_unit(text.substr(at));
    if (!unit) {
      at += 2;
      continue;
    }
    const std::optional<char32_t> next = escaped_unit(text.substr(std::min(at + kUnitEscape, text.size())));
    const bool high = (*unit & 0xFC00U) == 0xD800;
    if (high && next && (*next & 0xFC00U) == 0xDC00) {
      at += 2 * kUnitEscape;
      continue;
    }
    if ((*unit & 0xF800U) == 0xD800) {
      if (!repaired) repaired = text;
      repaired->replace(at + 2, 4, "fffd");
    }
    at += kUnitEscape;
  }
  return repaired;
}

}  // namespace plankeep::base
