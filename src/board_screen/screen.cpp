#include "board_screen/screen.hpp"

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define NCURSES_ENABLE_STDBOOL_H 0
#include <langinfo.h>
#include <ncurses.h>
#include <wchar.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdlib>
#include <string_view>

#include "base/utf8.hpp"
#include "board_screen/descriptions.hpp"
#include "render/style.hpp"

// Of term.h, which would make macros of some 400 words ("columns", "tab").
extern "C" {
int setupterm(const char* terminal, int descriptor, int* error);
char* tigetstr(const char* name);
}

namespace plankeep::board_screen {
namespace {

using board::Ground;
using board::Key;
using board::Mouse;
using render::Paint;

// An Escape that stands alone is told from the beginning of a key's sequence by the time behind it.
constexpr int kEscapeDelay = 25;  // milliseconds
constexpr const char* kMouseOff = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

// --- the locale ----------------------------------------------------------------------------------------

// ncurses asks the C library what characters are, which knows nothing before this.
bool use_utf8_locale() {
  for (const char* name : {"", "C.UTF-8", "C.utf8", "en_US.UTF-8"}) {
    if (std::setlocale(LC_CTYPE, name) == nullptr) continue;
    if (std::string_view(::nl_langinfo(CODESET)) == "UTF-8") return true;
  }
  return false;
}

// --- the terminal's description ------------------------------------------------------------------------

base::Error cannot_draw(const std::string& why) {
  return {base::ErrorKind::not_found, why, {}, "use plankeep status, or status --watch"};
}

bool is_known(const std::string& terminal) {
  int error = 0;
  return ::setupterm(terminal.c_str(), 1, &error) == OK;
}

const char* text_of(const char* name) {
  const char* text = ::tigetstr(name);
  return text == nullptr || text == reinterpret_cast<const char*>(-1) ? "" : text;
}

// The name that newterm() is to be asked for. While it lives TERMINFO may hold one of our descriptions:
// ncurses reads it there, and no program that we start later is to see it.
class DescribedTerminal {
 public:
  explicit DescribedTerminal(const std::string& terminal) {
    if (terminal.empty() || terminal == "dumb" || terminal == "unknown") return;
    if (is_known(terminal)) {
      name_ = terminal;
    } else if (const auto description = description_for(terminal)) {
      const char* before = std::getenv("TERMINFO");
      had_ = before != nullptr;
      if (had_) before_ = before;
      changed_ = true;
      (void)::setenv("TERMINFO", std::string(description->text).c_str(), 1);
      const std::string ours(description->name);
      if (is_known(ours)) name_ = ours;
    }
    // What cannot move its cursor is no screen.
    if (!name_.empty() && *text_of("cup") == '\0') name_.clear();
  }
  ~DescribedTerminal() {
    if (!changed_) return;
    if (had_) {
      (void)::setenv("TERMINFO", before_.c_str(), 1);
    } else {
      (void)::unsetenv("TERMINFO");
    }
  }
  DescribedTerminal(const DescribedTerminal&) = delete;
  DescribedTerminal& operator=(const DescribedTerminal&) = delete;

  const std::string& name() const { return name_; }  // empty: it cannot be drawn on

 private:
  std::string name_;
  bool changed_ = false;
  bool had_ = false;
  std::string before_;
};

// Without the pauses ("$<50>") that tputs() would make of them.
std::string without_padding(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    if (text.starts_with("$<")) {
      const std::size_t end = text.find('>');
      if (end != std::string_view::npos) {
        text.remove_prefix(end + 1);
        continue;
      }
    }
    plain += text.front();
    text.remove_prefix(1);
  }
  return plain;
}

// --- looks ---------------------------------------------------------------------------------------------

constexpr short kGood = 1;
constexpr short kActive = 2;
constexpr short kBad = 3;

struct Attributes {
  attr_t attributes = WA_NORMAL;
  short pair = 0;
};

Attributes attributes_of(Paint paint, Ground ground, bool colour) {
  Attributes look;
  switch (paint) {
    case Paint::plain:
      break;
    case Paint::strong:
      look.attributes = WA_BOLD;
      break;
    case Paint::dim:
      look.attributes = WA_DIM;
      break;
    case Paint::good:
      look.pair = kGood;
      break;
    case Paint::active:
    case Paint::warning:
      look.pair = kActive;
      break;
    case Paint::bad:
      look.pair = kBad;
      look.attributes = WA_BOLD;
      break;
  }
  if (!colour) look.pair = 0;
  if (ground != Ground::plain) {
    // One look for the whole row: colours on a reversed ground are hard to read.
    look = {look.attributes & ~WA_DIM, 0};
    look.attributes |= WA_REVERSE;
  }
  return look;
}

// --- keys ----------------------------------------------------------------------------------------------

std::optional<Key> key_of(wint_t code) {
  using Kind = Key::Kind;
  switch (code) {
    case KEY_UP:
      return Key{Kind::up};
    case KEY_DOWN:
      return Key{Kind::down};
    case KEY_LEFT:
      return Key{Kind::left};
    case KEY_RIGHT:
      return Key{Kind::right};
    case KEY_PPAGE:
      return Key{Kind::page_up};
    case KEY_NPAGE:
      return Key{Kind::page_down};
    case KEY_HOME:
    case KEY_A1:
      return Key{Kind::home};
    case KEY_END:
    case KEY_C1:
      return Key{Kind::end};
    case KEY_ENTER:
      return Key{Kind::enter};
    case KEY_BACKSPACE:
      return Key{Kind::backspace};
    case KEY_DC:
      return Key{Kind::remove};
    case KEY_BTAB:
      return Key{Kind::back_tab};
    default:
      return std::nullopt;
  }
}

Key character_key(wint_t character) {
  using Kind = Key::Kind;
  switch (character) {
    case '\r':
    case '\n':
      return {Kind::enter};
    case '\t':
      return {Kind::tab};
    case 0x1B:
      return {Kind::escape};
    case 0x7F:
    case '\b':
      return {Kind::backspace};
    default:
      return {Kind::character, static_cast<char32_t>(character)};
  }
}

std::optional<Mouse> mouse_event() {
  MEVENT event{};
  if (::getmouse(&event) != OK || event.x < 0 || event.y < 0) return std::nullopt;
  Mouse mouse;
  mouse.row = static_cast<std::size_t>(event.y);
  mouse.column = static_cast<std::size_t>(event.x);
  if ((event.bstate & BUTTON4_PRESSED) != 0) {
    mouse.kind = Mouse::Kind::wheel_up;
  } else if ((event.bstate & BUTTON5_PRESSED) != 0) {
    mouse.kind = Mouse::Kind::wheel_down;
  } else if ((event.bstate & BUTTON1_PRESSED) == 0) {
    return std::nullopt;
  }
  return mouse;
}

// --- the screen ----------------------------------------------------------------------------------------

class CursesScreen : public Screen {
 public:
  CursesScreen(SCREEN* screen, bool colour, bool ascii) : screen_(screen), ascii_(ascii) {
    (void)::cbreak();
    (void)::noecho();
    (void)::nonl();
    (void)::intrflush(stdscr, FALSE);
    (void)::keypad(stdscr, TRUE);
    (void)::nodelay(stdscr, TRUE);
    (void)::scrollok(stdscr, FALSE);
    (void)::set_escdelay(kEscapeDelay);
    (void)::mouseinterval(0);
    has_mouse_ = ::mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr) != 0;
    if (colour && ::has_colors()) {
      (void)::start_color();
      (void)::use_default_colors();
      (void)::init_pair(kGood, COLOR_GREEN, -1);
      (void)::init_pair(kActive, COLOR_YELLOW, -1);
      (void)::init_pair(kBad, COLOR_RED, -1);
      colour_ = true;
    }
  }
  ~CursesScreen() override {
    (void)::endwin();
    ::delscreen(screen_);
  }

  std::string farewell() const override {
    std::string bytes = has_mouse_ ? kMouseOff : "";
    for (const char* name : {"sgr0", "op", "rmkx", "cnorm", "rmcup"}) bytes += without_padding(text_of(name));
    return bytes;
  }

  board::Size size() const override {
    return {static_cast<std::size_t>(getmaxy(stdscr)), static_cast<std::size_t>(getmaxx(stdscr))};
  }

  void resize(board::Size size) override {
    (void)::resizeterm(static_cast<int>(size.rows), static_cast<int>(size.columns));
  }

  void show(const board::Frame& frame) override {
    for (std::size_t row = 0; row < frame.rows.size(); ++row)
      draw_row(static_cast<int>(row), frame.rows[row]);
    // A terminal that cannot hide its cursor has it in a corner.
    (void)::curs_set(frame.cursor ? 1 : 0);
    if (frame.cursor) {
      (void)::move(static_cast<int>(frame.cursor->row), static_cast<int>(frame.cursor->column));
    } else {
      (void)::move(0, 0);
    }
    (void)::refresh();
  }

  void redraw() override { (void)::clearok(curscr, TRUE); }

  std::optional<Input> read() override {
    for (;;) {
      wint_t code = 0;
      const int kind = ::get_wch(&code);
      if (kind == ERR) return std::nullopt;
      if (kind != KEY_CODE_YES) return character_key(code);
      if (code == KEY_MOUSE) {
        if (const auto mouse = mouse_event()) return *mouse;
      } else if (const auto key = key_of(code)) {
        return *key;
      }
    }
  }

  void put_away() override { (void)::endwin(); }

 private:
  void draw_row(int row, const board::Row& content) {
    (void)::move(row, 0);
    for (const board::Span& span : content.spans) {
      const Attributes look = attributes_of(span.paint, content.ground, colour_);
      if (ascii_) {
        draw_text(render::in_ascii(span.text), look);
      } else {
        draw_text(span.text, look);
      }
    }
  }

  // Text is simple (board/cells): a character and the marks that follow it are one cell.
  void draw_text(std::string_view text, const Attributes& look) {
    std::size_t at = 0;
    while (at < text.size()) {
      std::array<wchar_t, CCHARW_MAX + 1> cell{};
      std::size_t used = 0;
      std::size_t width = 0;
      while (at < text.size() && used < CCHARW_MAX) {
        const base::CodePoint character = base::decode_at(text, at);
        const std::size_t wide = base::display_width(text.substr(at, character.length));
        if (used > 0 && wide > 0) break;
        at += character.length;
        // Marks that the C library gives a column, or none that it knows, would move what follows.
        const auto value = static_cast<wchar_t>(character.value);
        const bool agreed = ::wcwidth(value) == static_cast<int>(wide) && (!ascii_ || character.value < 0x80);
        if (used == 0) {
          width = wide;
          cell[used++] = agreed ? value : L'?';
          if (!agreed) width = std::max<std::size_t>(wide, 1);
        } else if (agreed) {
          cell[used++] = value;
        }
      }
      put(cell.data(), look);
      // A "?" in the place of a wide character fills both of its columns.
      if (width == 2 && cell[0] == L'?') put(L"?", look);
    }
  }

  static void put(const wchar_t* characters, const Attributes& look) {
    cchar_t cell{};
    if (::setcchar(&cell, characters, look.attributes, look.pair, nullptr) == OK) (void)::add_wch(&cell);
  }

  SCREEN* screen_;
  bool ascii_;
  bool colour_ = false;
  bool has_mouse_ = false;
};

}  // namespace

base::Result<std::unique_ptr<Screen>> Screen::open(const Options& options) {
  const bool utf8 = !options.ascii && use_utf8_locale();
  const DescribedTerminal terminal(options.terminal);
  if (terminal.name().empty()) {
    return base::fail(cannot_draw(options.terminal.empty()
                                      ? "the variable TERM names no terminal"
                                      : "the terminal \"" + options.terminal + "\" cannot show the board"));
  }
  SCREEN* screen = ::newterm(terminal.name().c_str(), stdout, stdin);
  if (screen == nullptr) return base::fail(cannot_draw("the terminal cannot be set up"));
  return std::make_unique<CursesScreen>(screen, options.colour, !utf8);
}

}  // namespace plankeep::board_screen
