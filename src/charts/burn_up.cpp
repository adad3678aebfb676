#include "charts/burn_up.hpp"

#include <algorithm>

#include "charts/svg.hpp"
#include "charts/time_axis.hpp"

namespace plankeep::charts {
namespace {

constexpr Size kSize{960, 340};
constexpr double kLeft = 56;
constexpr double kRight = 944;
constexpr double kTop = 18;
constexpr double kBottom = 304;
constexpr std::size_t kColours = 6;  // classes band0 to band5
// A far date would squeeze what happened into a corner: the future gets at most this much of the past's
// length.
constexpr std::int64_t kFuture = 2;

class Drawing {
 public:
  explicit Drawing(const BurnUp& chart)
      : chart_(chart), axis_(chart.times.front(), end_of(chart), kLeft, kRight) {
    const std::int64_t largest = *std::max_element(chart.total.begin(), chart.total.end());
    numbers_ = round_numbers(std::max(largest, *std::max_element(chart.done.begin(), chart.done.end())), 6);
  }

  std::string draw() {
    Svg svg(kSize, chart_.title, chart_.description,
            "data-from=\"" + std::to_string(axis_.from().milliseconds) + "\" data-to=\"" +
                std::to_string(axis_.to().milliseconds) + "\" data-left=\"" + number(kLeft) +
                "\" data-right=\"" + number(kRight) + "\"");
    grid(svg);
    bands(svg);
    forecast(svg);
    svg.polyline(steps(chart_.total), "scope");
    svg.polyline(steps(chart_.done), "done");
    svg.line({axis_.x(chart_.now), kTop}, {axis_.x(chart_.now), kBottom}, "now");
    return svg.finish();
  }

 private:
  static base::Instant end_of(const BurnUp& chart) {
    base::Instant end = std::max(chart.now, chart.times.back());
    const std::int64_t past = std::max<std::int64_t>(end.milliseconds - chart.times.front().milliseconds, 1);
    const base::Instant latest{end.milliseconds + kFuture * past};
    for (const auto& time : {chart.p50, chart.p85, chart.p95}) {
      if (time) end = std::max(end, std::min(*time, latest));
    }
    return end;
  }

  double y(std::int64_t value) const {
    return kBottom - (kBottom - kTop) * static_cast<double>(value) /
                         static_cast<double>(std::max<std::int64_t>(numbers_.back(), 1));
  }

  void grid(Svg& svg) const {
    for (const std::int64_t value : numbers_) {
      svg.line({kLeft, y(value)}, {kRight, y(value)}, "grid");
      svg.text({kLeft - 8, y(value) + 4}, std::to_string(value), "label", Anchor::end);
    }
    for (const Tick& tick : axis_.ticks(13)) {
      svg.line({axis_.x(tick.time), kBottom}, {axis_.x(tick.time), kBottom + 5}, "axis");
      svg.text({axis_.x(tick.time), kBottom + 20}, tick.label, "label", Anchor::middle);
    }
  }

  // Each value holds until the next time, the last until now.
  std::vector<Point> steps(const std::vector<std::int64_t>& values) const {
    std::vector<Point> points;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = axis_.x(chart_.times[i]);
      if (i > 0) points.push_back({x, y(values[i - 1])});
      points.push_back({x, y(values[i])});
    }
    points.push_back({axis_.x(std::max(chart_.now, chart_.times.back())), y(values.back())});
    return points;
  }

  void bands(Svg& svg) const {
    std::vector<std::int64_t> below(chart_.times.size(), 0);
    for (std::size_t i = 0; i < chart_.bands.size(); ++i) {
      std::vector<std::int64_t> above = below;
      for (std::size_t at = 0; at < above.size(); ++at) above[at] += chart_.bands[i].done[at];
      std::vector<Point> outline = steps(above);
      const std::vector<Point> bottom = steps(below);
      outline.insert(outline.end(), bottom.rbegin(), bottom.rend());
      svg.polygon(outline, "band" + std::to_string(i % kColours));
      below = std::move(above);
    }
  }

  void forecast(Svg& svg) const {
    if (!chart_.p50 && !chart_.p85) return;
    const Point start{axis_.x(chart_.now), y(chart_.done.back())};
    const double top = y(chart_.total.back());
    const double early = axis_.x(chart_.p50.value_or(axis_.to()));
    const double late = axis_.x(chart_.p95.value_or(axis_.to()));
    svg.polygon({start, {early, top}, {std::max(early, late), top}}, "cone");
    svg.line({start.x, top}, {std::max(early, late), top}, "scope ahead");
    date(svg, chart_.p50, "50%", 0);
    date(svg, chart_.p85, "85%", 1);
  }

  void date(Svg& svg, const std::optional<base::Instant>& time, std::string_view chance, int row) const {
    if (!time || *time > axis_.to()) return;
    const double x = axis_.x(*time);
    svg.line({x, y(chart_.total.back())}, {x, kBottom}, "chance");
    svg.text({x - 4, kBottom - 8 - 16 * row},
             std::string(chance) + " " + base::to_iso8601(*time).substr(0, 10), "label", Anchor::end);
  }

  const BurnUp& chart_;
  TimeAxis axis_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace

std::string burn_up_svg(const BurnUp& chart) {
  return Drawing(chart).draw();
}

}  // namespace plankeep::charts
