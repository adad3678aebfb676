#pragma once
// Text as every terminal draws it in the same number of columns.
//
// Terminals disagree about joined emoji, skin tones, flags and variation selectors, and a screen that is
// drawn over in place shows every disagreement as rubbish. So these become simple characters before they are
// drawn: a joined emoji its first one, a flag its two letters. Of marks above and below a letter at most
// kMarksOfACell stay.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::board {

/// What a cell of ncurses holds beside its character (CCHARW_MAX is 5).
inline constexpr std::size_t kMarksOfACell = 4;

/// One line of text from strangers, safe to print (base/utf8) and simple. Its width is the sum of the widths
/// of its characters.
std::string simple_line(std::string_view text);
/// The same, with runs of white space folded, for titles.
std::string simple_title(std::string_view text);
/// The lines of a text, simple; at most `most`, the last then says how many are left out.
std::vector<std::string> simple_lines(std::string_view text, std::size_t most);

/// A line cut into pieces of at most `columns` (from 1), behind spaces where it can be; at least one.
/// Together they are the line. A character that is wider than that becomes "?".
std::vector<std::string> folded_line(std::string_view simple, std::size_t columns);

}  // namespace plankeep::board
