#include "markdown/conflicts.hpp"

#include <catch2/catch.hpp>

#include "markdown/plan_text.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

std::optional<std::int64_t> unresolved(const std::string& text) {
  return unresolved_conflict(parsed(text), text);
}

}  // namespace

TEST_CASE("an unresolved conflict is one with all of its markers, outside of code") {
  const std::string conflict = "<<<<<<< ours\n- [x] a\n=======\n- [ ] b\n>>>>>>> theirs\n";
  CHECK(unresolved(conflict) == 1);
  CHECK(unresolved("# Plan\n\n" + conflict) == 3);
  CHECK(unresolved("- [ ] a\n<<<<<<<<<\n=========\n>>>>>>>>>\n") == 2);
  CHECK(unresolved("<<<<<<< HEAD\r\n- [x] a\r\n=======\r\n>>>>>>> x\r\n") == 1);
  CHECK(unresolved("```\n" + conflict + "```\n\n- [ ] a\n") == std::nullopt);
  CHECK(unresolved("```\n" + conflict + "```\n\n" + conflict) == 9);
  CHECK(unresolved("<<<<<<< ours\n\n- [ ] a\n") == std::nullopt);
  CHECK(unresolved("<<<<<<< ours\n- [ ] a\n\n" + conflict) == 4);
  CHECK(unresolved("<<<<<<< ours\n========\n>>>>>>> theirs\n") == std::nullopt);
  CHECK(unresolved("Title\n=======\n\n>>>>>>> quoted\n") == std::nullopt);
  CHECK(unresolved("") == std::nullopt);
}
