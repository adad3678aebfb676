#include "merge/line_kinds.hpp"

#include <algorithm>
#include <string>

namespace plankeep::markdown {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n>") == std::string::npos;
}

bool is_item(std::string_view line) {
  std::size_t at = line.find_first_not_of(" \t>");
  if (at == std::string_view::npos) return false;
  if (line[at] == '-' || line[at] == '*' || line[at] == '+') return line.substr(at + 1).starts_with(' ');
  const std::size_t digits = line.find_first_not_of("0123456789", at);
  return digits != at && digits != std::string_view::npos && digits - at <= 9 &&
         (line[digits] == '.' || line[digits] == ')') && line.substr(digits + 1).starts_with(' ');
}

bool says_something(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
  });
}

}  // namespace plankeep::markdown
