#include "git/config_section.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace plankeep::core {
namespace {

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return text.substr(at, end == std::string_view::npos ? end : end + 1 - at);
}

bool has_value(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::string_view line = line_at(text, at);
    const std::string_view words = base::trimmed(line);
    if (words.starts_with('[')) return false;
    if (!words.empty() && words.front() != '#' && words.front() != ';') return true;
    at += line.size();
  }
  return false;
}

}  // namespace

std::string without_empty_section(std::string_view text, std::string_view header) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = line_at(text, at);
    at += line.size();
    if (base::trimmed(line) != header || has_value(text, at)) kept += line;
  }
  return kept;
}

}  // namespace plankeep::core
