#include "board/cells.hpp"

#include <catch2/catch.hpp>

#include "base/utf8.hpp"

namespace plankeep::board {
namespace {

TEST_CASE("text becomes such that every terminal gives it the same width") {
  struct Given {
    const char* text;
    const char* simple;
  };
  const Given table[] = {
      {"plain", "plain"},
      {"数据库", "数据库"},
      {"👩‍💻 works", "👩 works"},
      {"🇩🇪", "DE"},
      {"👍🏽", "👍"},
      {"❤️", "❤"},
      {"1️⃣", "1"},
      {"e\u0301", "e\u0301"},
      {"\x1b[31mred", "red"},
      {"a\u202e"
       "b",
       "ab"},
      {"🏃‍♀️ runs", "🏃 runs"},
      {"soft\u00adhyphen", "softhyphen"},
      {"\u0301"
       "a",
       "a"},
  };
  for (const Given& given : table) {
    INFO(given.text);
    CHECK(simple_line(given.text) == given.simple);
  }
}

TEST_CASE("marks on a letter are bounded") {
  std::string text = "z";
  for (int i = 0; i < 100; ++i) text += "\u0301";
  const std::string simple = simple_line(text);
  CHECK(simple.size() == 1 + 2 * kMarksOfACell);
}

TEST_CASE("lines beyond the limit are counted") {
  CHECK(simple_lines("a\nb\nc\nd\n", 2) == std::vector<std::string>{"a", "b", "(2 more lines)"});
  CHECK(simple_lines("", 2).empty());
}

TEST_CASE("a line is folded at the width, never inside a character") {
  CHECK(folded_line("", 5) == std::vector<std::string>{""});
  CHECK(folded_line("abcdef", 4) == std::vector<std::string>{"abcd", "ef"});
  CHECK(folded_line("a数据", 2) == std::vector<std::string>{"a", "数", "据"});
  CHECK(folded_line("one two three", 8) == std::vector<std::string>{"one two ", "three"});
  CHECK(folded_line("  indented word", 8) == std::vector<std::string>{"  indent", "ed word"});
  CHECK(folded_line("数", 1) == std::vector<std::string>{"?"});
}

}  // namespace
}  // namespace plankeep::board
