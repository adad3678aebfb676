#pragma once
// What reaches the board from outside: keys, the mouse, the terminal's size. What comes from disk has calls
// of its own (board/board).

#include <cstddef>

namespace plankeep::board {

struct Key {
  enum class Kind {
    character,  // control characters too, except those below
    up,
    down,
    left,
    right,
    page_up,
    page_down,
    home,
    end,
    enter,
    escape,
    backspace,
    remove,  // the key that erases behind the cursor
    tab,
    back_tab,
  };
  Kind kind = Kind::character;
  char32_t character = 0;
  bool operator==(const Key&) const = default;
};

/// What Ctrl and this lower-case letter give.
constexpr char32_t control(char letter) {
  return static_cast<char32_t>(letter - '`');
}

struct Mouse {
  enum class Kind { press, wheel_up, wheel_down };
  Kind kind = Kind::press;
  std::size_t row = 0;  // from 0
  std::size_t column = 0;
  bool operator==(const Mouse&) const = default;
};

}  // namespace plankeep::board
