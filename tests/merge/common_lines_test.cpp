#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "merge/line_merge.hpp"

using namespace plankeep::core;

namespace {

using Symbols = std::vector<LineSymbol>;

// The textbook's table: slow and plain.
std::size_t by_table(const Symbols& a, const Symbols& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const LineSymbol symbol : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = symbol == b[j - 1] ? diagonal + 1 : std::max(row[j], row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

Symbols some_lines(std::size_t most, LineSymbol kinds) {
  Symbols symbols(*rc::gen::inRange<std::size_t>(0, most + 1));
  for (LineSymbol& symbol : symbols) symbol = *rc::gen::inRange<LineSymbol>(0, kinds);
  return symbols;
}

}  // namespace

TEST_CASE("the number of common lines is that of the longest common subsequence") {
  CHECK(rc::check([] {
    const auto kinds = *rc::gen::element<LineSymbol>(1, 2, 3, 10, 1000);
    // Longer than several words of 64 lines, so that carries run.
    const Symbols a = some_lines(300, kinds);
    const Symbols b = some_lines(300, kinds);
    RC_ASSERT(common_lines(a, b) == by_table(a, b));
    RC_ASSERT(common_lines(b, a) == by_table(a, b));
  }));
}

TEST_CASE("matching finds no more common lines than there are") {
  CHECK(rc::check([] {
    const Symbols a = some_lines(60, 6);
    const Symbols b = some_lines(60, 6);
    std::size_t matched = 0;
    for (const std::size_t partner : match_lines(a, b)) matched += partner == kNoLine ? 0U : 1U;
    RC_ASSERT(matched <= common_lines(a, b));
  }));
}

TEST_CASE("texts that are equal, empty or have nothing in common") {
  const Symbols a{1, 2, 3};
  CHECK(common_lines(a, a) == 3);
  CHECK(common_lines(a, Symbols{}) == 0);
  CHECK(common_lines(Symbols{}, Symbols{}) == 0);
  CHECK(common_lines(a, Symbols{4, 5}) == 0);
  CHECK(common_lines(Symbols(64, 1), Symbols(65, 1)) == 64);
  CHECK(common_lines(Symbols(128, 1), Symbols(1000, 1)) == 128);
}
