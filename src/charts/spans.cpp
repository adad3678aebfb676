#include "charts/spans.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "charts/svg.hpp"
#include "charts/time_axis.hpp"

namespace plankeep::charts {
namespace {

constexpr double kWidth = 960;
constexpr double kLeft = 220;  // of the axis; labels stand to the left
constexpr double kRight = 944;
constexpr double kTop = 8;
constexpr double kRow = 26;
constexpr double kBar = 14;
constexpr double kAxis = 30;             // below the rows
constexpr std::size_t kLabelWidth = 28;  // columns of text that fit to the left of the axis
constexpr double kCharacter = 7;         // about the width of one

std::string short_label(const std::string& label) {
  return base::fit_to_width(label, kLabelWidth);
}

void draw_span(Svg& svg, const TimeAxis& axis, const Span& span, base::Instant now, double top) {
  if (!span.from) {
    svg.text({kLeft, top + 17}, "not started", "label");
    return;
  }
  const double left = axis.x(*span.from);
  const double right = std::max(axis.x(span.to.value_or(now)), left + 3);
  std::string hint = span.label + ": " + base::to_iso8601(*span.from).substr(0, 16) + "Z to " +
                     (span.to ? base::to_iso8601(*span.to).substr(0, 16) + "Z" : std::string("now"));
  if (!span.note.empty()) hint += ", " + span.note;
  svg.rectangle({left, top + (kRow - kBar) / 2}, {right - left, kBar}, span.style, hint);
  if (span.note.empty()) return;
  // Behind the bar where there is room, else in front of it.
  const double room = static_cast<double>(base::display_width(span.note)) * kCharacter + 8;
  if (right + room < kRight) {
    svg.text({right + 6, top + 17}, span.note, "label");
  } else if (left - room > kLeft) {
    svg.text({left - 6, top + 17}, span.note, "label", Anchor::end);
  }
}

}  // namespace

std::string spans_svg(const SpanChart& chart) {
  const double rows = static_cast<double>(chart.spans.size() + chart.rows.size());
  const double bottom = kTop + kRow * rows;
  const TimeAxis axis(chart.from, chart.now, kLeft, kRight);
  Svg svg({kWidth, bottom + kAxis}, chart.title, chart.description);
  for (const Tick& tick : axis.ticks(8)) {
    svg.line({axis.x(tick.time), kTop}, {axis.x(tick.time), bottom + 4}, "grid");
    svg.text({axis.x(tick.time), bottom + 20}, tick.label, "label", Anchor::middle);
  }
  double top = kTop;
  for (const Span& span : chart.spans) {
    svg.text({kLeft - 10, top + 17}, short_label(span.label), "label", Anchor::end);
    draw_span(svg, axis, span, chart.now, top);
    top += kRow;
  }
  for (const MomentRow& row : chart.rows) {
    svg.text({kLeft - 10, top + 17}, short_label(row.label), "label", Anchor::end);
    for (const Moment& moment : row.moments)
      svg.circle({axis.x(moment.time), top + kRow / 2}, 5, row.style, moment.hint);
    top += kRow;
  }
  return svg.finish();
}

}  // namespace plankeep::charts
