#pragma once
// What the whole terminal is to show: rows of styled text, each exactly as wide as the terminal. A screen
// (board_screen/screen) puts it there; a test compares it as text.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/style.hpp"

namespace plankeep::board {

struct Size {
  std::size_t rows = 24;
  std::size_t columns = 80;
  bool operator==(const Size&) const = default;
};

/// What lies behind a whole row.
enum class Ground { plain, selected, bar };

struct Span {
  std::string text;  // simple (board/cells)
  render::Paint paint = render::Paint::plain;
  bool operator==(const Span&) const = default;
};

struct Row {
  std::vector<Span> spans;
  Ground ground = Ground::plain;
  std::string text() const;
  bool operator==(const Row&) const = default;
};

struct Spot {
  std::size_t row = 0;
  std::size_t column = 0;
};

struct Frame {
  std::vector<Row> rows;
  std::optional<Spot> cursor;  // where typed text goes; absent: no cursor is shown
};

/// A row that is being written, from the left. What has no room is cut with "…".
class Line {
 public:
  explicit Line(std::size_t columns) : room_(columns) {}
  Line& add(std::string_view simple, render::Paint paint = render::Paint::plain);
  /// Spaces, so that `columns` are left.
  Line& leave(std::size_t columns);
  std::size_t room() const { return room_; }
  /// The finished row, filled up with spaces. Once.
  Row row(Ground ground = Ground::plain);

 private:
  std::size_t room_;
  std::vector<Span> spans_;
};

}  // namespace plankeep::board
