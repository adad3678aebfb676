#pragma once
// The header of a section of git's configuration that nothing is left in. Pure.
//
// git takes it away with its last value itself, but not where a comment follows: that may belong to it. Ours
// has none, so the comment is the next one's, or its own.

#include <string>
#include <string_view>

namespace plankeep::core {

/// Without the lines that are `header` ("[merge \"plankeep\"]", blanks around it aside) and have no value
/// before the next section; every other byte stays.
std::string without_empty_section(std::string_view text, std::string_view header);

}  // namespace plankeep::core
