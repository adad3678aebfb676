#include "render/line_diff.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep;

namespace {

std::string text_of(const std::vector<unsigned>& lines) {
  std::string text;
  for (const unsigned line : lines) text += std::string(1, static_cast<char>('a' + line % 3)) + "\n";
  return text;
}

// One side of a difference in which every line is shown.
std::string side(const std::string& diff, char mark) {
  std::string text;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = diff.find('\n', at);
    if (diff[at] == ' ' || diff[at] == mark) text += diff.substr(at + 1, end - at);
    at = end + 1;
  }
  return text;
}

}  // namespace

TEST_CASE("line diff: pieces with three lines around them, a missing line end told") {
  CHECK(render::line_diff("1\n2\n3\n4\n5\n6\nold\n", "1\n2\n3\n4\n5\n6\nnew", {}) ==
        "@@ -4,4 +4,4 @@\n 4\n 5\n 6\n-old\n+new\n\\ No newline at end of file\n");
  CHECK(render::line_diff("", "a\r\n", {}) == "@@ -0,0 +1 @@\n+a\\r\n");
  CHECK(render::line_diff("a\n", "a\n", {}).empty());
}

TEST_CASE("line diff: what is taken out and what stays is the one text, what is put in and stays the other") {
  CHECK(rc::check([] {
    // Of three lines none is too far from a change to be shown.
    const auto lines = rc::gen::container<std::vector<unsigned>>(3, rc::gen::inRange(0U, 3U));
    const std::string before = text_of(*lines);
    const std::string after = text_of(*lines);
    const std::string diff = render::line_diff(before, after, {});
    RC_ASSERT(diff.empty() == (before == after));
    if (diff.empty()) return;
    RC_ASSERT(side(diff, '-') == before);
    RC_ASSERT(side(diff, '+') == after);
  }));
}
