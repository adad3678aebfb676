#include "board/text_field.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"

namespace plankeep::board {
namespace {

void type(TextField& field, std::u32string_view letters) {
  for (const char32_t letter : letters) (void)field.press({Key::Kind::character, letter});
}

TEST_CASE("text is edited at the cursor") {
  TextField field;
  type(field, U"add 中 words");
  CHECK(field.text() == "add 中 words");
  (void)field.press({Key::Kind::character, 23});  // Ctrl-W
  CHECK(field.text() == "add 中 ");
  (void)field.press({Key::Kind::left});
  (void)field.press({Key::Kind::backspace});
  CHECK(field.text() == "add  ");
  (void)field.press({Key::Kind::home});
  (void)field.press({Key::Kind::remove});
  CHECK(field.text() == "dd  ");
  (void)field.press({Key::Kind::end});
  (void)field.press({Key::Kind::character, 21});  // Ctrl-U
  CHECK(field.empty());
}

TEST_CASE("control characters are no text, and Enter is left to the caller") {
  TextField field;
  type(field, U"a\x1b\x07\x7f");
  CHECK(field.text() == "a");
  CHECK_FALSE(field.press({Key::Kind::enter}));
  CHECK_FALSE(field.press({Key::Kind::escape}));
}

TEST_CASE("text is bounded") {
  TextField field;
  type(field, std::u32string(TextField::kMost + 10, U'a'));
  CHECK(field.text().size() == TextField::kMost);
}

TEST_CASE("the view fits, and so does the cursor") {
  CHECK(rc::check([] {
    TextField field;
    const auto letters = *rc::gen::container<std::u32string>(
        rc::gen::element<char32_t>(U'a', U' ', U'中', 0x1F680, 0x301, 0x200D, 0x1F1E9));
    type(field, letters);
    const int back = *rc::gen::inRange(0, 10);
    for (int i = 0; i < back; ++i) (void)field.press({Key::Kind::left});
    const auto columns = static_cast<std::size_t>(*rc::gen::inRange(1, 20));
    const TextField::View view = field.view(columns);
    RC_ASSERT(base::display_width(view.text) <= columns);
    RC_ASSERT(view.cursor < columns);
  }));
}

}  // namespace
}  // namespace plankeep::board
