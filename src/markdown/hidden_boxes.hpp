#pragma once
// Boxes that a reader does not see as boxes: in code, in a fence or comment that never ends. Private to this
// room.

#include <cstdint>
#include <string_view>

namespace plankeep::markdown {

/// Whether the line begins as an item with a checkbox would: list marker, white space, box, white space or
/// end.
bool looks_like_box_line(std::string_view line);

/// How many lines of the text do.
std::int64_t count_box_lines(std::string_view text);

}  // namespace plankeep::markdown
