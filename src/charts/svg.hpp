#pragma once
// Writes an SVG picture, element by element. Colours and fonts come from the style sheet of the page, by
// class names; there are no style attributes, which a strict Content-Security-Policy forbids.
//
//   Svg svg({960, 320}, "Burn-up", "28 of 40 tasks are done.");
//   svg.line({0, 10}, {100, 10}, "axis");
//   return svg.finish();
//
// Coordinates are in the units of the view box, y downwards, written with one decimal. Title and description
// are what a screen reader says; all texts may come from strangers.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::charts {

struct Point {
  double x = 0;
  double y = 0;
};

struct Size {
  double width = 0;
  double height = 0;
};

enum class Anchor { start, middle, end };

class Svg {
 public:
  Svg(Size size, std::string_view title, std::string_view description, std::string_view attributes = {});

  void line(Point from, Point to, std::string_view classes);
  /// No points: nothing.
  void polyline(const std::vector<Point>& points, std::string_view classes);
  void polygon(const std::vector<Point>& points, std::string_view classes);
  /// `hint` is shown while the pointer is over it; empty: none.
  void rectangle(Point corner, Size size, std::string_view classes, std::string_view hint = {});
  void circle(Point centre, double radius, std::string_view classes, std::string_view hint = {});
  /// `y` is the base line.
  void text(Point at, std::string_view text, std::string_view classes, Anchor anchor = Anchor::start);

  /// The whole element. Nothing may be added after it.
  std::string finish();

 private:
  void shape(std::string_view name, const std::string& attributes, std::string_view classes,
             std::string_view hint);

  std::string out_;
};

/// "12.3", "4": at most one decimal, never "-0".
std::string number(double value);

}  // namespace plankeep::charts
