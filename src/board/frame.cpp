#include "board/frame.hpp"

#include <utility>

#include "base/utf8.hpp"

namespace plankeep::board {

std::string Row::text() const {
  std::string text;
  for (const Span& span : spans) text += span.text;
  return text;
}

Line& Line::add(std::string_view simple, render::Paint paint) {
  if (room_ == 0 || simple.empty()) return *this;
  std::string text = base::fit_to_width(simple, room_);
  room_ -= base::display_width(text);
  spans_.push_back({std::move(text), paint});
  return *this;
}

Line& Line::leave(std::size_t columns) {
  if (room_ > columns) add(std::string(room_ - columns, ' '));
  return *this;
}

Row Line::row(Ground ground) {
  leave(0);
  return {std::move(spans_), ground};
}

}  // namespace plankeep::board
