#pragma once
// The whole terminal, drawn on with ncursesw: frames in, keys and the mouse out. No ncurses type is seen
// outside of screen.cpp.
//
//   TRY_ASSIGN(const auto screen, Screen::open(options));   // the alternate screen
//   session.set_farewell(screen->farewell());               // for a crash
//   screen->show(frame);
//   while (const auto input = screen->read()) ...           // never waits
//
// The terminal session (system/terminal_session) is opened first: ncurses leaves signals alone that have a
// handler already. One at a time. Taking it apart puts the screen back as it was.

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/result.hpp"
#include "board/frame.hpp"
#include "board/input.hpp"

namespace plankeep::board_screen {

using Input = std::variant<board::Key, board::Mouse>;

class Screen {
 public:
  struct Options {
    std::string terminal;  // $TERM
    bool colour = true;
    bool ascii = false;  // the reader has no Unicode
  };

  /// not_found when the terminal cannot be drawn on: none is named, it is dumb, or nothing is known of it.
  /// Where the C library has no UTF-8 locale at all, everything is drawn in ASCII.
  [[nodiscard]] static base::Result<std::unique_ptr<Screen>> open(const Options& options);
  virtual ~Screen() = default;

  /// What puts the screen back without ncurses.
  virtual std::string farewell() const = 0;
  virtual board::Size size() const = 0;
  /// The terminal has this size now.
  virtual void resize(board::Size size) = 0;
  virtual void show(const board::Frame& frame) = 0;
  /// Everything anew, whatever is there: another program wrote on the screen.
  virtual void redraw() = 0;
  virtual std::optional<Input> read() = 0;
  /// The screen as it was before, until the next show().
  virtual void put_away() = 0;
};

}  // namespace plankeep::board_screen
