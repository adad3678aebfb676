#pragma once
// Which heading names a phase (spec 7.5) and which one a SKIP marker on its own leaves out (7.12). Private to
// this room.
//
// The heading the marker stands in; else the one above or below it with nothing but comments and blank lines
// between. Of both, the one above, unless it is of level 1 and the one below is deeper, or the marker clings
// to the one below (no blank line between) and not to the one above.

#include <vector>

#include "markdown/outline/outline.hpp"

namespace plankeep::markdown {

/// Something between which markers look for their heading.
struct Landmark {
  enum class Kind { text, heading, marker };
  Kind kind = Kind::text;
  int index = -1;  // heading: of the outline's; marker: of the outline's, or its maker's own
  std::size_t offset = 0;
  std::int64_t first_line = 1;
  std::int64_t last_line = 1;
};

/// What a marker among the landmarks has for a heading; -1 for none.
struct MarkerHeading {
  int heading = -1;  // the one that it belongs to
  int above = -1;    // the one above it or around it, with no text between
};

/// For each landmark that is a marker its heading; nothing for the other landmarks. Landmarks in document
/// order; neighbouring texts may be one.
std::vector<MarkerHeading> headings_of_markers(const std::vector<Landmark>& landmarks,
                                               const std::vector<OutlineHeading>& headings);

}  // namespace plankeep::markdown
