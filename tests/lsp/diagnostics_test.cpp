#include "lsp/diagnostics.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "talk.hpp"

namespace plankeep::lsp {
namespace {

std::vector<std::string> messages_of(const std::string& plan) {
  Talk talk;
  talk.begin();
  talk.open(plan);
  const Json told = talk.published();
  std::vector<std::string> messages;
  if (told.is_null()) return messages;
  for (const Json& one : told["diagnostics"])
    messages.push_back(one["code"].get<std::string>() + ": " + one["message"].get<std::string>());
  return messages;
}

}  // namespace

TEST_CASE(
    "an id in two phases is done when both of its tasks are, and one that is not there is lint's to tell") {
  const std::string first =
      "## A\n<!-- CHECKPOINT: a -->\n\n- [x] One <!-- TASK: one -->\n- [x] Last <!-- TASK: last | after: one "
      "-->\n";
  const std::string second = "\n## B\n<!-- CHECKPOINT: b -->\n\n- [ ] One again <!-- TASK: one -->\n";
  CHECK(messages_of(first).empty());
  const std::vector<std::string> both = messages_of(first + second);
  REQUIRE(both.size() == 2);
  CHECK(both[0] ==
        "done-before-dependency: task \"last\" is ticked, but comes after \"one\", which is not done");
  CHECK(both[1].starts_with("duplicate-id: "));
  const std::vector<std::string> unknown = messages_of("- [x] Last <!-- TASK: last | after: nosuch -->\n");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].starts_with("unknown-dependency: "));
}

TEST_CASE("what only looks like a box is told as lint tells it, among the others by place") {
  const std::vector<std::string> found = messages_of(
      "# P\n<!-- CHECKPOINT: p -->\n- [ ]One\n- [] Two\n- [x] Three\n  - [ ] Four\n- \\[ \\] Five\n");
  REQUIRE(found.size() == 4);
  CHECK(found[0].starts_with("checkbox-missing-space: "));
  CHECK(found[1] ==
        "checkbox-lookalike: \"[]\" is no checkbox: shown as text, not counted\n"
        "write \"[ ]\", or run plankeep lint --fix");
  CHECK(found[2].starts_with("done-parent-open-child: "));
  CHECK(found[3].starts_with("checkbox-lookalike: "));
}

}  // namespace plankeep::lsp
