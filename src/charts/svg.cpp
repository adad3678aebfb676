#include "charts/svg.hpp"

#include <cmath>
#include <cstdint>

#include "charts/markup.hpp"

namespace plankeep::charts {
namespace {

constexpr std::size_t kLongestText = 300;  // characters; a title of a plan may have thousands

std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + number(value) + "\"";
}

std::string list_of(const std::vector<Point>& points) {
  std::string list;
  for (const Point& point : points) {
    if (!list.empty()) list += ' ';
    list += number(point.x) + "," + number(point.y);
  }
  return list;
}

std::string_view name_of(Anchor anchor) {
  switch (anchor) {
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
    case Anchor::start:
      break;
  }
  return "start";
}

}  // namespace

std::string number(double value) {
  const auto tenths = static_cast<std::int64_t>(std::llround(value * 10));
  const std::int64_t whole = tenths / 10;
  const std::int64_t rest = std::abs(tenths % 10);
  std::string text = tenths < 0 && whole == 0 ? "-0" : std::to_string(whole);
  if (rest == 0) return whole == 0 ? "0" : text;
  text += '.';
  text += static_cast<char>('0' + rest);
  return text;
}

Svg::Svg(Size size, std::string_view title, std::string_view description, std::string_view attributes) {
  out_ = "<svg role=\"img\" viewBox=\"0 0 " + number(size.width) + " " + number(size.height) + "\"";
  if (!attributes.empty()) (out_ += ' ') += attributes;
  out_ += ">\n<title>" + markup_text(title, kLongestText) + "</title>\n<desc>" +
          markup_text(description, kLongestText) + "</desc>\n";
}

void Svg::shape(std::string_view name, const std::string& attributes, std::string_view classes,
                std::string_view hint) {
  out_ += "<" + std::string(name) + attributes + " class=\"" + std::string(classes) + "\"";
  if (hint.empty()) {
    out_ += "/>\n";
  } else {
    out_ += "><title>" + markup_text(hint, kLongestText) + "</title></" + std::string(name) + ">\n";
  }
}

void Svg::line(Point from, Point to, std::string_view classes) {
  shape("line",
        attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) + attribute("y2", to.y),
        classes, {});
}

void Svg::polyline(const std::vector<Point>& points, std::string_view classes) {
  if (!points.empty()) shape("polyline", " points=\"" + list_of(points) + "\"", classes, {});
}

void Svg::polygon(const std::vector<Point>& points, std::string_view classes) {
  if (!points.empty()) shape("polygon", " points=\"" + list_of(points) + "\"", classes, {});
}

void Svg::rectangle(Point corner, Size size, std::string_view classes, std::string_view hint) {
  shape("rect",
        attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", size.width) +
            attribute("height", size.height),
        classes, hint);
}

void Svg::circle(Point centre, double radius, std::string_view classes, std::string_view hint) {
  shape("circle", attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius), classes,
        hint);
}

void Svg::text(Point at, std::string_view text, std::string_view classes, Anchor anchor) {
  out_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + " class=\"" + std::string(classes) + "\"";
  if (anchor != Anchor::start) out_ += " text-anchor=\"" + std::string(name_of(anchor)) + "\"";
  out_ += ">" + markup_text(text, kLongestText) + "</text>\n";
}

std::string Svg::finish() {
  return std::move(out_) + "</svg>\n";
}

}  // namespace plankeep::charts
