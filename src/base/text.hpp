#pragma once
// Small steps with text that every room takes.

#include <string>
#include <string_view>

namespace plankeep::base {

/// `line` behind `text`, on a line of its own. An empty line adds nothing.
inline void append_line(std::string& text, std::string_view line) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace plankeep::base
