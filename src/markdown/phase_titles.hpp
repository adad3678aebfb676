#pragma once
// Which heading names a phase (spec 7.5). Private to this room.
//
// The heading the marker stands in; else the one above or below it with nothing but comments and blank lines
// between. Of both, the one above, unless it is of level 1 and the one below is deeper, or the marker clings
// to the one below (no blank line between) and not to the one above.

#include <vector>

#include "markdown/outline/outline.hpp"

namespace plankeep::markdown {

/// For each landmark that is a marker the index of its heading, -1 for none; -1 for the other landmarks too.
std::vector<int> headings_of_markers(const Outline& outline);

}  // namespace plankeep::markdown
