#pragma once
// Choosing one side at every conflict of a merged text.

#include <algorithm>
#include <string>

namespace plankeep::markdown {

/// The text with this side chosen at every conflict: '<' is ours, '>' theirs.
inline std::string half_of(const std::string& text, char side) {
  std::string half;
  char inside = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (line.starts_with("<<<<<<<")) {
      inside = '<';
    } else if (line.starts_with("=======")) {
      inside = '>';
    } else if (line.starts_with(">>>>>>>")) {
      inside = ' ';
    } else if (inside == ' ' || inside == side) {
      half += line;
    }
  }
  return half;
}

}  // namespace plankeep::markdown
