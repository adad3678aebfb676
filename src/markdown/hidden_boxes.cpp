#include "markdown/hidden_boxes.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::markdown {
namespace {

using base::is_blank;
using base::is_digit;
}  // namespace

bool looks_like_box_line(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && (is_blank(line[at]) || line[at] == '>')) ++at;
  if (at >= line.size()) return false;
  if (line[at] == '-' || line[at] == '*' || line[at] == '+') {
    ++at;
  } else {
    const std::size_t digits = at;
    while (at < line.size() && is_digit(line[at])) ++at;
    if (at == digits || at - digits > 9 || at >= line.size() || (line[at] != '.' && line[at] != ')'))
      return false;
    ++at;
  }
  if (at >= line.size() || !is_blank(line[at])) return false;
  while (at < line.size() && is_blank(line[at])) ++at;
  if (at >= line.size() || line[at] != '[') return false;
  ++at;
  if (at >= line.size() || line[at] == ']' || line[at] == '[') return false;
  const char c = line[at];
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
  if (letter && c != 'x' && c != 'X') return false;
  at += base::decode_at(line, at).length;
  if (at >= line.size() || line[at] != ']') return false;
  ++at;
  if (at < line.size() && line[at] == '*') ++at;
  return at >= line.size() || is_blank(line[at]) || line[at] == '\r';
}

std::int64_t count_box_lines(std::string_view text) {
  std::int64_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    if (looks_like_box_line(text.substr(at, end - at))) ++count;
    at = end + 1;
  }
  return count;
}

}  // namespace plankeep::markdown
