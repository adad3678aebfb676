#include "render/style.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"

namespace plankeep::render {

TEST_CASE("paint is silent without colour and for empty text") {
  CHECK(paint({false, 80}, Paint::good, "x") == "x");
  CHECK(paint({true, 80}, Paint::good, "") == "");
  CHECK(paint({true, 80}, Paint::plain, "x") == "x");
  CHECK(paint({true, 80}, Paint::good, "x") == "\x1b[32mx\x1b[0m");
}

TEST_CASE("a bar is never empty when something is done and never full when something is open") {
  CHECK(bar(0, 4) == "░░░░");
  CHECK(bar(1, 4) == "▏░░░");
  CHECK(bar(500, 4) == "██░░");
  CHECK(bar(999, 4) == "███▉");
  CHECK(bar(1000, 4) == "████");
  CHECK(bar(2000, 4) == "████");
  CHECK(bar(-5, 4) == "░░░░");
  CHECK(bar(500, 0) == "");
  for (std::int64_t tenths = 0; tenths <= 1000; ++tenths) CHECK(base::display_width(bar(tenths, 10)) == 10);
}

TEST_CASE("safe_line folds white space and drops what a terminal would obey") {
  CHECK(safe_line("  a\t\nb  c ") == "a b c");
  CHECK(safe_line("\x1b[31mred") == "red");
  CHECK(safe_line("a\u2028b") == "a b");
  CHECK(safe_line("") == "");
  CHECK(safe_line("abcdef", 4) == "abc…");
  CHECK(safe_line("数据库结构", 5) == "数据…");
}

TEST_CASE("a word of a command means what it says or is none") {
  CHECK(shell_word("plans/a.md") == "plans/a.md");
  CHECK(shell_word("it's a plan.md") == "'it'\\''s a plan.md'");
  for (const char* const text : {"a\nb", "a  b", "\x1b[31m", "\xff"}) CHECK(shell_word(text) == "");
}

TEST_CASE("safe_line cuts a megabyte as it cuts a line") {
  CHECK(safe_line(std::string(1 << 20, 'a'), 5) == "aaaa…");
  CHECK(base::display_width(safe_line(std::string(1 << 20, '\x01'), 5)) <= 5);
}

TEST_CASE("wrap breaks at spaces, cuts long words and ends in an ellipsis when lines run out") {
  CHECK(wrap("one two three", 7, 5) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("abcdefghij", 4, 5) == std::vector<std::string>{"abcd", "efgh", "ij"});
  CHECK(wrap("abcde", 4, 5) == std::vector<std::string>{"abcd", "e"});
  CHECK(wrap("数据库结构", 4, 5) == std::vector<std::string>{"数据", "库结", "构"});
  CHECK(wrap("one two three four", 5, 2) == std::vector<std::string>{"one", "two …"});
  CHECK(wrap("", 10, 3) == std::vector<std::string>{""});
}

TEST_CASE("wrapped lines are never too wide and lose no word") {
  CHECK(rc::check("wrap", [] {
    const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "a", "word", "数据库", "🚀", "e\u0301", "👩‍💻", "longer-than-the-line-is"));
    const auto columns = *rc::gen::inRange<std::size_t>(2, 30);
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    std::string joined;
    for (const std::string& line : wrap(text, columns, 10000)) {
      RC_ASSERT(base::display_width(line) <= columns);
      joined += line;
    }
    std::string expected;
    for (const char c : text) {
      if (c != ' ') expected += c;
    }
    std::string actual;
    for (const char c : joined) {
      if (c != ' ') actual += c;
    }
    RC_ASSERT(actual == expected);
  }));
}

TEST_CASE("padding counts columns, not bytes") {
  CHECK(pad_right("数", 4) == "数  ");
  CHECK(pad_left("数", 4) == "  数");
  CHECK(pad_right("too long", 3) == "too long");
  CHECK(percent(333) == "33.3");
  CHECK(percent(1000) == "100");
  CHECK(counted(1, "task", "tasks") == "1 task");
  CHECK(counted(0, "task", "tasks") == "0 tasks");
}

TEST_CASE("a place is a file and a line, or only the file where the line is not known") {
  CHECK(place("plan.md", 0) == "plan.md");
  CHECK(place("plan.md", 7) == "plan.md:7");
}

}  // namespace plankeep::render
