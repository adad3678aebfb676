// Any keys on any plan and any screen: the cursor lies on a row that is shown, and every row fits exactly.

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"
#include "board/cells.hpp"
#include "board/sample_board.hpp"

namespace plankeep::board {
namespace {

rc::Gen<std::string> any_text() {
  const auto pieces = rc::gen::element<std::string>(
      "a", "Login", " ", "数据库", "中", "🚀", "👩‍💻", "🇩🇪", "👍🏽", "é", "e\u0301", "\u200d",
      "\ufe0f", "\t", "\x1b[31m", "\x07", "\xff", "\xe2\x82", "\u202e", "\u009b", "ｆｕｌｌ", "한국어",
      "\u1100\u1161", "1\ufe0f\u20e3", "\u0301", "❤️");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(pieces),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

std::string any_plan() {
  std::string text = "# " + *any_text() + "\n";
  const int phases = *rc::gen::inRange(0, 4);
  for (int p = 0; p < phases; ++p) {
    text += "\n## " + *any_text() + "\n<!-- CHECKPOINT: p" + std::to_string(p) + " -->\n";
    const int tasks = *rc::gen::inRange(0, 8);
    int depth = 0;
    for (int t = 0; t < tasks; ++t) {
      depth = *rc::gen::inRange(0, std::min(depth + 2, 5));
      const std::string box = *rc::gen::element<std::string>("[ ]", "[x]", "[~]", "[ ]*");
      text += std::string(static_cast<std::size_t>(2 * depth), ' ') + "- " + box + " t" + *any_text() + "\n";
    }
    if (*rc::gen::arbitrary<bool>())
      text += "- [ ] c <!-- ACCEPT: c" + std::to_string(p) + " | verify: x -->\n";
  }
  return text;
}

Key any_key() {
  if (*rc::gen::arbitrary<bool>())
    return {*rc::gen::element(Key::Kind::up, Key::Kind::down, Key::Kind::left, Key::Kind::right,
                              Key::Kind::page_up, Key::Kind::page_down, Key::Kind::home, Key::Kind::end,
                              Key::Kind::enter, Key::Kind::escape, Key::Kind::backspace, Key::Kind::remove,
                              Key::Kind::tab, Key::Kind::back_tab)};
  const char32_t any = *rc::gen::element<char32_t>(
      'h', 'j', 'k', 'l', 'g', 'G', ' ', 's', 'a', 'c', 'v', 'd', 'b', 'n', 'u', 'R', '/', '?', 'q', 'y', '1',
      '2', '3', '4', '5', 4, 6, 21, 23, U'中', 0x1F680, 0x301, 0x200D, 0xFFFFFFFF, 0xD800, 0);
  return {Key::Kind::character, any};
}

void check_frame(const Board& board) {
  const Frame frame = draw(board);
  const Size size = board.size();
  if (size.rows == 0 || size.columns == 0) {
    RC_ASSERT(frame.rows.empty());
    return;
  }
  RC_ASSERT(frame.rows.size() == size.rows);
  std::size_t selected = 0;
  for (const Row& row : frame.rows) {
    RC_ASSERT(base::display_width(row.text()) == size.columns);
    // What a stranger wrote never reaches the terminal as a control character.
    for (const char c : row.text()) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    if (row.ground == Ground::selected) ++selected;
  }
  if (!board.sheet()) RC_ASSERT(selected == (board.shown().empty() ? 0U : 1U));
  if (!board.shown().empty()) RC_ASSERT(board.cursor() < board.shown().size());
  if (frame.cursor) RC_ASSERT(frame.cursor->row < size.rows && frame.cursor->column < size.columns);
}

// What a caller answers, with texts of strangers.
void answer(Board& board, const Action& action) {
  using Kind = Action::Kind;
  switch (action.kind) {
    case Kind::load_page:
      board.show_page(action.tab, {{*any_text(), "x"}, {*any_text()}, {*any_text(), "y"}});
      break;
    case Kind::load_details:
      board.open_sheet(*any_text(), *any_text() + "\n" + *any_text());
      break;
    case Kind::verify:
      board.ask(Question::verify, *any_text(), *any_text());
      break;
    case Kind::preview_rewind:
      board.ask(Question::rewind, *any_text(), *any_text());
      break;
    case Kind::none:
      break;
    default:
      board.tell(*any_text() + "\n" + *any_text(), true);
  }
}

Size any_size() {
  return {static_cast<std::size_t>(*rc::gen::inRange(0, 40)),
          static_cast<std::size_t>(*rc::gen::inRange(0, 120))};
}

TEST_CASE("any keys on any plan leave a cursor on a shown row and rows that fit exactly") {
  CHECK(rc::check([] {
    Board board;
    board.resize(any_size());
    show(board, any_plan());
    const int steps = *rc::gen::inRange(0, 40);
    for (int i = 0; i < steps; ++i) {
      const int what = *rc::gen::inRange(0, 20);
      if (what == 0) {
        board.resize(any_size());
      } else if (what == 1) {
        show(board, any_plan());
      } else if (what == 2) {
        board.forget_marks();
      } else if (what == 3) {
        const auto row = static_cast<std::size_t>(*rc::gen::inRange(0, 40));
        const auto kind =
            *rc::gen::element(Mouse::Kind::press, Mouse::Kind::wheel_up, Mouse::Kind::wheel_down);
        answer(board, board.point({kind, row, static_cast<std::size_t>(*rc::gen::inRange(0, 120))}));
      } else {
        answer(board, board.press(any_key()));
      }
      check_frame(board);
    }
  }));
}

TEST_CASE("the width of a simple line is the sum of the widths of its characters") {
  CHECK(rc::check([] {
    const std::string line = simple_line(*any_text());
    std::size_t sum = 0;
    for (std::size_t at = 0; at < line.size();) {
      const base::CodePoint one = base::decode_at(line, at);
      RC_ASSERT(one.valid);
      sum += base::display_width(line.substr(at, one.length));
      at += one.length;
    }
    RC_ASSERT(sum == base::display_width(line));
    RC_ASSERT(simple_line(line) == line);
  }));
}

TEST_CASE("a folded line loses nothing and no piece is too wide") {
  CHECK(rc::check([] {
    const std::string line = simple_line(*any_text());
    const auto columns = static_cast<std::size_t>(*rc::gen::inRange(2, 20));
    std::string together;
    for (const std::string& piece : folded_line(line, columns)) {
      RC_ASSERT(base::display_width(piece) <= columns);
      together += piece;
    }
    RC_ASSERT(together == line);
  }));
}

}  // namespace
}  // namespace plankeep::board
