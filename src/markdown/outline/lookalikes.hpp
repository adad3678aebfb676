#pragma once
// What a person takes for a checkbox and the rendered page does not show as one. It does not count (spec 7),
// so the plan looks further along than it is. Private to this room.
//
// Judged by the first bytes alone; what the text is part of (an item, a paragraph, HTML) is for the caller to
// know. Rather too little than too much: a warning on a link or a legend teaches people to ignore it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/inline_scan.hpp"

namespace plankeep::markdown {

struct Lookalike {
  std::size_t length = 0;  // bytes from the beginning of the text
  std::string instead;     // the box that is meant, with what stands before it
  bool certain = false;    // it has no other reading
};

/// At the beginning of an item's text: "[]", "[  ]", "[ x]", "\[ \]", a box of Unicode.
std::optional<Lookalike> lookalike_in_item(std::string_view text);

/// At the beginning of a paragraph's line, blanks and quotes taken off: a list marker and a box without a
/// space between them.
std::optional<Lookalike> lookalike_at_line(std::string_view line);

struct HtmlBoxes {
  std::int64_t count = 0;
  std::size_t first = 0;  // offset of the first one's line
};
/// Lines of an HTML block that would be items with a box if a blank line ended the block; none in comments,
/// scripts and code.
HtmlBoxes boxes_in_html(std::string_view html, const std::vector<Span>& comments);

}  // namespace plankeep::markdown
