#include "git/attribute_line.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <vector>

using namespace plankeep::core;

namespace {
constexpr std::string_view kLine = "plan.md merge=plankeep";
}

TEST_CASE("the line goes to the end, with the file's line end") {
  CHECK(with_attribute_line("", kLine) == "plan.md merge=plankeep\n");
  CHECK(with_attribute_line("*.png binary\n", kLine) == "*.png binary\nplan.md merge=plankeep\n");
  CHECK(with_attribute_line("*.png binary\r\n", kLine) == "*.png binary\r\nplan.md merge=plankeep\r\n");
  CHECK(with_attribute_line("*.png binary", kLine) == "*.png binary\nplan.md merge=plankeep");
}

TEST_CASE("a line that is there is not put in again, whatever blanks stand around it") {
  CHECK(with_attribute_line("  plan.md merge=plankeep \r\na b\n", kLine) ==
        "  plan.md merge=plankeep \r\na b\n");
  CHECK_FALSE(has_attribute_line("#plan.md merge=plankeep\nplan.md merge=plankeepx\n", kLine));
}

TEST_CASE("an empty file that was there is told from one that was made by its end") {
  const std::string there = with_attribute_line("", kLine, true);
  CHECK(there == kLine);
  CHECK(without_attribute_line(there, kLine).empty());
  CHECK(with_attribute_line("", kLine).ends_with('\n'));
}

TEST_CASE("what was put in is taken out to the byte") {
  CHECK(rc::check("there and back", [] {
    static const std::vector<std::string> kPieces{"*.c text", "\n", "\r\n", "#", " ", "plan.md", "\n\n"};
    std::string text;
    for (const auto& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
      text += piece;
    const std::string with = with_attribute_line(text, kLine);
    RC_ASSERT(has_attribute_line(with, kLine));
    RC_ASSERT(with_attribute_line(with, kLine) == with);
    RC_ASSERT(without_attribute_line(with, kLine) == text);
  }));
}

TEST_CASE("several lines are taken out to the byte in the opposite order") {
  CHECK(rc::check("there and back", [] {
    static const std::vector<std::string> kPieces{"*.c text", "\n", "\r\n", "#", " ", "plan.md"};
    static const std::vector<std::string> kLines{"plan.md merge=plankeep", "/a.md merge=plankeep",
                                                 "plans/*.md merge=plankeep"};
    std::string text;
    for (const auto& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
      text += piece;
    std::string now = text;
    for (const std::string& line : kLines) now = with_attribute_line(now, line, true);
    for (auto line = kLines.rbegin(); line != kLines.rend(); ++line) now = without_attribute_line(now, *line);
    RC_ASSERT(now == text);
  }));
}
