#include "markdown/edits/edit_plan.hpp"

#include <catch2/catch.hpp>

#include "markdown/plan_text.hpp"

using namespace plankeep;
using namespace plankeep::markdown;
using base::ErrorKind;
using core::BoxState;

namespace {

const core::Task& task(const core::Plan& plan, std::string_view id) {
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& candidate : phase.tasks) {
      if (candidate.id.text == id) return candidate;
    }
  }
  throw std::runtime_error("no such task");
}

std::string ticked(const std::string& text, std::string_view id, BoxState state = BoxState::done) {
  const core::Plan plan = parsed(text);
  auto result = set_boxes(text, plan, task(plan, id).boxes, state);
  if (!result) return "refused: " + result.error().message;
  return *result;
}

}  // namespace

TEST_CASE("setting a box changes the character between its brackets and nothing else") {
  CHECK(ticked("\xEF\xBB\xBF- [ ] A <!-- TASK: a -->  \r\n\t\r\n- [ ] B <!-- TASK: b -->", "b") ==
        "\xEF\xBB\xBF- [ ] A <!-- TASK: a -->  \r\n\t\r\n- [x] B <!-- TASK: b -->");
  CHECK(ticked("- [X] A <!-- TASK: a -->\n", "a", BoxState::open) == "- [ ] A <!-- TASK: a -->\n");
  CHECK(ticked("- [\xE2\x9C\x93] A <!-- TASK: a -->\n", "a") == "- [x] A <!-- TASK: a -->\n");
  CHECK(ticked("- [ ] A <!-- TASK: a -->\n", "a", BoxState::active) == "- [~] A <!-- TASK: a -->\n");
  CHECK(ticked("> * [ ]* A <!-- TASK: a -->\n", "a") == "> * [x]* A <!-- TASK: a -->\n");
}

TEST_CASE("a box that says so already is left alone") {
  CHECK(ticked("- [X] A <!-- TASK: a -->\n", "a") == "- [X] A <!-- TASK: a -->\n");
  CHECK(ticked("- [/] A <!-- TASK: a -->\n", "a", BoxState::active) == "- [/] A <!-- TASK: a -->\n");
}

TEST_CASE("every box of a task that stands twice is set") {
  CHECK(ticked("- [ ] A <!-- TASK: a -->\n- [x] B <!-- TASK: b -->\n- [\xE2\x9C\x93] A <!-- TASK: a -->\n",
               "a") == "- [x] A <!-- TASK: a -->\n- [x] B <!-- TASK: b -->\n- [x] A <!-- TASK: a -->\n");
}

TEST_CASE("a box shared by two tasks ticks both") {
  const std::string text = ticked("- [ ] A <!-- TASK: a --> <!-- TASK: b -->\n", "a");
  CHECK(text == "- [x] A <!-- TASK: a --> <!-- TASK: b -->\n");
}

TEST_CASE("an edit that would change what else the plan says is refused") {
  // "[x]" without a space is a link here, so ticking would lose the box.
  const std::string result =
      ticked("- [ ]A <!-- TASK: a -->\n- [ ] B <!-- TASK: b -->\n\n[x]: https://example.org\n", "a");
  CHECK(result.starts_with("refused"));
}

TEST_CASE("a decision goes under the current phase, behind those already there") {
  const std::string text =
      "# P\n\n## One\n<!-- CHECKPOINT: one -->\n- [x] A <!-- TASK: a -->\n\n## Two\n<!-- CHECKPOINT: two "
      "-->\n"
      "<!-- DECISION: first -->\n\n- [ ] B <!-- TASK: b -->\n";
  const auto result = add_decision(text, parsed(text), "use  SQLite", "one file");
  REQUIRE(result.has_value());
  CHECK(*result ==
        "# P\n\n## One\n<!-- CHECKPOINT: one -->\n- [x] A <!-- TASK: a -->\n\n## Two\n<!-- CHECKPOINT: two "
        "-->\n"
        "<!-- DECISION: first -->\n<!-- DECISION: use SQLite | reason: one file -->\n\n- [ ] B <!-- TASK: b "
        "-->\n");
}

TEST_CASE("records keep line ends, quotes and a missing final newline") {
  const auto crlf =
      add_blocker("## A\r\n<!-- CHECKPOINT: a -->\r\n- [ ] B <!-- TASK: b -->\r\n",
                  parsed("## A\r\n<!-- CHECKPOINT: a -->\r\n- [ ] B <!-- TASK: b -->\r\n"), "no key");
  REQUIRE(crlf.has_value());
  CHECK(*crlf ==
        "## A\r\n<!-- CHECKPOINT: a -->\r\n<!-- BLOCKER: no key -->\r\n- [ ] B <!-- TASK: b -->\r\n");
  const std::string quote = "> ## A\n> <!-- CHECKPOINT: a -->\n> - [ ] B <!-- TASK: b -->\n";
  const auto quoted = add_blocker(quote, parsed(quote), "no key");
  REQUIRE(quoted.has_value());
  CHECK(*quoted ==
        "> ## A\n> <!-- CHECKPOINT: a -->\n> <!-- BLOCKER: no key -->\n> - [ ] B <!-- TASK: b -->\n");
  const std::string open = "- [ ] B";
  const auto end = add_blocker(open, parsed(open), "no key");
  REQUIRE(end.has_value());
  CHECK(*end == "- [ ] B\n\n<!-- BLOCKER: no key -->");
}

TEST_CASE("where headings make the phases a record goes below the heading of the phase") {
  const std::string text = "# Plan\n\n## Setup\n\n- [ ] A\n";
  const auto result = add_decision(text, parsed(text), "x", "");
  REQUIRE(result.has_value());
  CHECK(*result == "# Plan\n\n## Setup\n<!-- DECISION: x -->\n\n- [ ] A\n");
}

TEST_CASE("a text that cannot stand in a comment is refused") {
  const std::string text = "- [ ] A\n";
  const core::Plan plan = parsed(text);
  for (const char* bad : {"a --> b", "<!-- x", "", "  \n ", "a | reason: b"}) {
    INFO(bad);
    const auto result = add_blocker(text, plan, bad);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().kind == ErrorKind::invalid_input);
  }
  CHECK(add_blocker(text, plan, "a -- b | c").has_value());
}

TEST_CASE("a record into an open fence is refused rather than lost") {
  const std::string text = "- [ ] A\n\n```\ncode\n";
  CHECK_FALSE(add_blocker(text, parsed(text), "x").has_value());
}

TEST_CASE("a blocker is taken out with its line, or alone when more stands there") {
  const std::string own =
      "- [ ] A\n\n<!-- BLOCKER: one -->\n<!-- BLOCKER: two -->\n\nText <!-- BLOCKER: three --> on.\n";
  const core::Plan plan = parsed(own);
  CHECK(remove_blocker(own, plan, 0).value() ==
        "- [ ] A\n\n<!-- BLOCKER: two -->\n\nText <!-- BLOCKER: three --> on.\n");
  CHECK(remove_blocker(own, plan, 2).value() ==
        "- [ ] A\n\n<!-- BLOCKER: one -->\n<!-- BLOCKER: two -->\n\nText on.\n");
  CHECK(remove_blocker(own, plan, 3).error().kind == ErrorKind::not_found);
}

TEST_CASE("what was added can be taken out again to the byte") {
  for (const std::string text : {"## A\n<!-- CHECKPOINT: a -->\n- [ ] B <!-- TASK: b -->\n",
                                 "# P\n\n- [ ] A\n", "## Q\n> - [ ] A\n", "## A\r\n- [ ] B\r\n"}) {
    INFO(text);
    const auto added = add_blocker(text, parsed(text), "wait");
    REQUIRE(added.has_value());
    const auto removed = remove_blocker(*added, parsed(*added), 0);
    REQUIRE(removed.has_value());
    CHECK(*removed == text);
  }
}
