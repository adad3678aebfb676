#pragma once
// Things that take a while, one below the other on a time axis, and moments as dots in rows of their own.

#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::charts {

struct Span {
  std::string label;
  std::optional<base::Instant> from;  // none: it has not begun, and only its label is drawn
  std::optional<base::Instant> to;    // none: it goes on
  std::string note;                   // behind the bar: "3 of 4 criteria proven"
  std::string style = "span";         // a class name of the page's
};

struct Moment {
  base::Instant time;
  std::string hint;
};

struct MomentRow {
  std::string label;
  std::vector<Moment> moments;
  std::string style = "moment";
};

struct SpanChart {
  std::string title;
  std::string description;
  base::Instant from;
  base::Instant now;
  std::vector<Span> spans;
  std::vector<MomentRow> rows;  // below the spans
};

/// An SVG element, 960 wide and as high as its rows.
std::string spans_svg(const SpanChart& chart);

}  // namespace plankeep::charts
