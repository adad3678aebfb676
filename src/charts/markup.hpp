#pragma once
// Text from strangers put into HTML and SVG.

#include <string>
#include <string_view>

namespace plankeep::charts {

/// Safe as the text of an element and inside an attribute in double quotes: `& < > " '` as references, what
/// is no UTF-8 as U+FFFD. Control characters and those that change the direction of text or are invisible
/// tags are shown by their numbers, "⟨U+202E⟩"; line feed and tab stay.
std::string markup_text(std::string_view text);

/// The same, of at most `characters` characters: a cut ends in "…". Never cuts inside a character.
std::string markup_text(std::string_view text, std::size_t characters);

}  // namespace plankeep::charts
