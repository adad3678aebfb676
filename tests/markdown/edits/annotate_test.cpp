#include "markdown/edits/annotate.hpp"

#include <catch2/catch.hpp>

#include "markdown/plan_text.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

std::string annotated(const std::string& text) {
  const auto result = annotate(text, parsed(text));
  return result ? result->text : "refused: " + result.error().message;
}

}  // namespace

TEST_CASE("every phase and box gets its marker") {
  CHECK(annotated("# Plan\n\n## Phase 1: Setup\n\n- [x] T001 Create\n- [ ] Choose a *name*\n\n## Build\n- [ "
                  "] Go\n") ==
        "# Plan\n\n## Phase 1: Setup\n<!-- CHECKPOINT: phase-1-setup -->\n\n- [x] T001 Create <!-- TASK: "
        "T001 -->\n"
        "- [ ] Choose a *name* <!-- TASK: choose-a-name -->\n\n## Build\n<!-- CHECKPOINT: build -->\n"
        "- [ ] Go <!-- TASK: go -->\n");
}

TEST_CASE("nested boxes get markers of their own") {
  CHECK(annotated("- [ ] Go\n  - [x] Left\n  - [ ] Right\n") ==
        "- [ ] Go <!-- TASK: go -->\n  - [x] Left <!-- TASK: left -->\n  - [ ] Right <!-- TASK: right -->\n");
}

TEST_CASE("a plan with markers gets what is missing and keeps what is there") {
  CHECK(annotated("## A <!-- CHECKPOINT: a -->\n- [ ] One <!-- TASK: one -->\n- [ ] One\n- [ ] Ok <!-- "
                  "ACCEPT: ok -->\n- [P] legend\n") ==
        "## A <!-- CHECKPOINT: a -->\n- [ ] One <!-- TASK: one -->\n- [ ] One <!-- TASK: one-2 -->\n"
        "- [ ] Ok <!-- ACCEPT: ok -->\n- [P] legend\n");
}

TEST_CASE("line ends, byte order mark, trailing blanks and a missing final newline stay") {
  CHECK(
      annotated("\xEF\xBB\xBF## A\r\n- [ ] B  \r\n- [ ] C") ==
      "\xEF\xBB\xBF## A\r\n<!-- CHECKPOINT: a -->\r\n- [ ] B <!-- TASK: b -->  \r\n- [ ] C <!-- TASK: c -->");
  CHECK(annotated("> ## A\n> - [ ] B\n>   wrapped\n") ==
        "> ## A\n> - [ ] B\n>   wrapped <!-- TASK: b-wrapped -->\n");
}

TEST_CASE("a text that would swallow its marker gets it in front") {
  CHECK(annotated("- [ ] Open <!-- never closed\n- [ ] Fine\n") ==
        "- [ ] <!-- TASK: open-never-closed --> Open <!-- never closed\n- [ ] Fine <!-- TASK: fine -->\n");
}

TEST_CASE("a marker is not lost in a text that swallows it in the only box") {
  CHECK(annotated("- [ ] a <!z b\n") == "- [ ] <!-- TASK: a-z-b --> a <!z b\n");
}

TEST_CASE("annotating twice changes nothing, and nothing is said where nothing is missing") {
  for (const std::string text : {"# P\n- [ ] a\n  - [ ] b\n", "no plan at all\n", "## H\n\nText\n", ""}) {
    const auto once = annotate(text, parsed(text));
    REQUIRE(once.has_value());
    const auto twice = annotate(once->text, parsed(once->text));
    REQUIRE(twice.has_value());
    CHECK(twice->text == once->text);
    CHECK(twice->added.empty());
  }
}

TEST_CASE("kept ids are the ids that are written") {
  const std::string text = "- [ ] Renamed thing\n";
  core::Plan plan = parsed(text);
  plan.phases[0].tasks[0].id = core::TaskId("old-name");
  CHECK(annotate(text, plan)->text == "- [ ] Renamed thing <!-- TASK: old-name -->\n");
}

TEST_CASE("headings that make no phase get no marker") {
  CHECK(annotated("## A\n- [ ] One\n\n> ### B\n> - [ ] Two\n\n- [ ] Three\n\n## Empty\n") ==
        "## A\n<!-- CHECKPOINT: a -->\n- [ ] One <!-- TASK: one -->\n\n> ### B\n> - [ ] Two <!-- TASK: two "
        "-->\n\n"
        "- [ ] Three <!-- TASK: three -->\n\n## Empty\n");
}

TEST_CASE("a phase keeps its name, its sub-headings and what is nested") {
  const std::string text =
      "# Phase 1: In\n\n## Monday\n\n- [ ] A\n  - [x]* B\n\n# Phase 2 ##\n### C\n- [ ] A\n\nPhase 3\n===\n- "
      "[ ] D\n";
  CHECK(annotated(text) ==
        "# Phase 1: In <!-- CHECKPOINT: phase-1-in -->\n\n## Monday\n\n- [ ] A <!-- TASK: a -->\n  - [x]* B "
        "<!-- TASK: b -->\n\n"
        "# Phase 2 <!-- CHECKPOINT: phase-2 --> ##\n### C\n- [ ] A <!-- TASK: a-2 -->\n\n"
        "Phase 3 <!-- CHECKPOINT: phase-3 -->\n===\n- [ ] D <!-- TASK: d -->\n");
}

TEST_CASE("what is left out is left alone") {
  const std::string text =
      "## Legend <!-- SKIP -->\n- [ ] open\n\n## Work\n- [ ] A <!-- SKIP -->\n- [P] legend\n";
  CHECK(annotated(text) == text);
}
