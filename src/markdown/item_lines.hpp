#pragma once
// Lines as they belong to list items. For this room and merge/.

#include <algorithm>
#include <string>
#include <string_view>

#include "markdown/source_text.hpp"

namespace plankeep::markdown {

/// Bytes in front of a line's text: quotes and white space. The whole line where there is no text.
inline std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t>"), line.size());
}

inline bool has_no_text(std::string_view line) {
  return indent_of(line) == line.size();
}

/// The line end of `line`, or of the nearest line above that has one; else "\n".
inline std::string line_end_at(const SourceText& source, std::int64_t line) {
  const std::int64_t ended = std::min(line, source.line_count() - 1);
  if (ended < 1) return "\n";
  const std::size_t end = source.line_end(ended);
  return std::string(source.bytes().substr(end, source.line_start(ended + 1) - end));
}

}  // namespace plankeep::markdown
