#include "base/text.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace plankeep::base {
namespace {

const auto same = [](const std::string& text) { return text; };

TEST_CASE("text: counts agree with their noun") {
  CHECK(counted(0, "task", "tasks") == "0 tasks");
  CHECK(counted(std::size_t{1}, "task", "tasks") == "1 task");
  CHECK(counted(std::int64_t{-1}, "task", "tasks") == "-1 tasks");
}

TEST_CASE("text: lists have a separator between items, an empty one too") {
  CHECK(joined(std::vector<std::string>{}).empty());
  CHECK(joined(std::vector<std::string>{"a"}) == "a");
  CHECK(joined(std::vector<std::string>{"", "b", "c"}) == ", b, c");
  CHECK(joined(std::vector<std::string_view>{"a", "b"}, "|") == "a|b");
  CHECK(joined(std::vector<int>{1, 2}, " ", [](int n) { return std::to_string(n); }) == "1 2");
}

TEST_CASE("text: the first of a list, and how many are left") {
  const std::vector<std::string> three{"a", "b", "c"};
  CHECK(first_joined(three, 3, same) == "a, b, c");
  CHECK(first_joined(three, 2, same) == "a, b and 1 more");
  CHECK(first_joined(std::vector<std::string>{}, 2, same).empty());
}

TEST_CASE("text: a part is appended with a comma only where something stands before it") {
  std::string text;
  append_listed(text, "a");
  append_listed(text, "b");
  CHECK(text == "a, b");
}

TEST_CASE("text: lines are appended with a line end between them, empty ones not") {
  std::string text;
  append_line(text, "a");
  append_line(text, "");
  append_line(text, "b");
  CHECK(text == "a\nb");
}

TEST_CASE("text: trimming takes blanks and line ends at both ends, and nothing inside") {
  CHECK(trimmed(" \t a b\r\n") == "a b");
  CHECK(trimmed(" \n").empty());
  CHECK(trimmed("").empty());
}

}  // namespace
}  // namespace plankeep::base
