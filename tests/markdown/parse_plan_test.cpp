// What the fixtures leave open, and what the documents promise beyond them.

#include "markdown/parse_plan.hpp"

#include <catch2/catch.hpp>

#include "markdown/plan_text.hpp"
#include "model/progress.hpp"

using namespace plankeep;
using namespace plankeep::markdown;
using Texts = std::vector<std::string>;

TEST_CASE("a comment written without indentation right below a box belongs to it") {
  const auto plan =
      parsed("- [ ] One\n<!-- TASK: one -->\n- [x] Two\n<!-- TASK: two -->\n\n<!-- TASK: three -->\n");
  CHECK(task_ids(plan) == Texts{"one", "two"});
  CHECK(codes(plan) == Texts{"6:1 marker-without-checkbox"});
}

TEST_CASE("a comment below a nested box but indented as its parent is neither's") {
  const auto plan = parsed(
      "- [ ] Parent <!-- TASK: parent -->\n  - [ ] Child <!-- TASK: child -->\n  <!-- TASK: lost -->\n");
  CHECK(task_ids(plan) == Texts{"parent", "child"});
  CHECK(codes(plan) == Texts{"3:3 marker-without-checkbox"});
}

TEST_CASE("a title with a comment of dashes keeps its emphasis rules") {
  const auto plan = parsed(
      "- [ ] Run **all** of `a *b*` [it](x) <!-- ACCEPT: a | verify: x --y -- z --> <!-- TASK: t -->\n");
  CHECK(plan.phases.at(0).tasks.at(0).title == "Run all of a *b* it");
  CHECK(plan.phases.at(0).acceptance.at(0).verify == "x --y -- z");
}

TEST_CASE("a box that a link definition makes a link is still a box") {
  const auto plan =
      parsed("- [x] Done <!-- TASK: a -->\n- [ ] Open <!-- TASK: b -->\n\n[x]: https://example.org\n");
  CHECK(task_ids(plan) == Texts{"a", "b"});
  CHECK(plan.phases.at(0).tasks.at(0).title == "Done");
  CHECK(plan.phases.at(0).tasks.at(0).done());
}

TEST_CASE("a lone carriage return ends a line") {
  const auto plan = parsed(
      "# A\r- [x] One <!-- TASK: one -->\r- [ ] Two <!-- TASK: two -->\r```\rx\r```\r- [ ] Three <!-- TASK: "
      "three -->");
  CHECK(task_ids(plan) == Texts{"one", "two", "three"});
  CHECK(plan.phases.at(0).tasks.at(2).line == 7);
}

TEST_CASE("columns count bytes, the byte order mark takes none") {
  CHECK(codes(parsed("\xEF\xBB\xBF- [!] A <!-- TASK: a -->\n- [x] \xC3\xA4 <!-- TASK: a -->\n")) ==
        Texts{"1:3 checkbox-unknown-state", "2:10 duplicate-id"});
}

TEST_CASE("text right before a table keeps its markers") {
  const auto plan = parsed(
      "- [ ] Box <!-- TASK: a -->\n  | a | b |\n  |---|---|\n  | c | <!-- BLOCKER: d --> |\n\n"
      "Intro <!-- DECISION: e -->\nsecond line <!-- DECISION: f -->\n| a |\n|---|\n| b |\n");
  CHECK(task_ids(plan) == Texts{"a"});
  REQUIRE(plan.blockers.size() == 1);
  CHECK(plan.blockers[0].line == 4);
  REQUIRE(plan.decisions.size() == 2);
  CHECK(plan.decisions[0].line == 6);
  CHECK(plan.decisions[1].line == 7);
}

TEST_CASE("a table row with bars in a comment is read as it was meant") {
  const auto plan = parsed("| a |\n|---|\n| <!-- DECISION: x | reason: y --> |\n");
  REQUIRE(plan.decisions.size() == 1);
  CHECK(plan.decisions[0].reason == "y");
}

TEST_CASE("an unclosed fence or comment says how many boxes it hides") {
  const auto fence = parsed("- [ ] A\n\n```\n- [ ] B\n- [x] C\n");
  REQUIRE(fence.diagnostics.size() == 1);
  CHECK(fence.diagnostics[0].message.find("2 boxes") != std::string::npos);
  const auto comment = parsed("- [ ] A\n\n<!-- later\n\n- [ ] B\n");
  REQUIRE(comment.diagnostics.size() == 1);
  CHECK(comment.diagnostics[0].message.find("1 box") != std::string::npos);
}

TEST_CASE("a fence in an item or a quote is closed by its own kind only") {
  CHECK(codes(parsed("- [ ] A\n  ~~~~ sh\n  ~~~\n  ~~~~\n- [ ] B\n")).empty());
  CHECK(codes(parsed("> ```\n> x\n> ```\n\n- [ ] B\n")).empty());
  CHECK(codes(parsed("> ```\n> x\n\n- [ ] B\n")) == Texts{"1:3 unclosed-fence"});
  CHECK(codes(parsed("- [ ] B\n\n```\n```\n")).empty());
  CHECK(codes(parsed("- [ ] B\n\n```")) == Texts{"3:1 unclosed-fence"});
}

TEST_CASE("front matter is no text, and without its end it is") {
  CHECK(task_ids(parsed("---\nx: |\n  - [ ] no\n...\n- [ ] yes\n")) == Texts{"no", "yes"});
  CHECK(task_ids(parsed("---\n# of tools\ntags: [a, b]\n- c\nd: {\n}\n...\n- [ ] yes\n")) == Texts{"yes"});
  CHECK(task_ids(parsed("---\n- [ ] yes\n")) == Texts{"yes"});
  CHECK(task_ids(parsed("\xEF\xBB\xBF---\r\na: b\r\n---\r\n- [ ] yes\r\n")) == Texts{"yes"});
}

TEST_CASE("what stands between two rules and is no YAML loses no box") {
  const auto plan = parsed("---\n# Plan\n- [ ] A\n\n---\n## B\n- [ ] C\n");
  CHECK(task_ids(plan) == Texts{"a", "c"});
  CHECK(plan.phases.size() == 2);
  CHECK(parsed("---\n<!-- BLOCKER: stuck -->\n---\n- [ ] A\n").blockers.size() == 1);
  CHECK(parsed("---\nPlain words\n\n## B\n\n---\n- [ ] A\n").phases.at(0).title == "B");
}

TEST_CASE("a marker in a block of HTML below a box is not the box's") {
  const auto inside = parsed("- [ ] a\n  <details>\n  <!-- ACCEPT: c -->\n  </details>\n");
  CHECK(task_ids(inside) == Texts{"a"});
  CHECK(codes(inside) == Texts{"3:3 marker-without-checkbox"});
  const auto below = parsed("- [ ] a\n<details>\n<!-- ACCEPT: c -->\n</details>\n\n- [ ] b\n");
  CHECK(task_ids(below) == Texts{"a", "b"});
  CHECK(below.phases.at(0).acceptance.empty());
}

TEST_CASE("character data and processing instructions in HTML hold no comments") {
  for (const char* block : {"<![CDATA[\n<!-- TASK: no -->\n]]>", "<?php\n<!-- BLOCKER: no -->\n?>"}) {
    INFO(block);
    const auto plan = parsed("- [ ] a\n\n" + std::string(block) + "\n\n- [ ] b\n");
    CHECK(task_ids(plan) == Texts{"a", "b"});
    CHECK(plan.blockers.empty());
    CHECK(codes(plan).empty());
  }
  CHECK(parsed("- [ ] a\n\n<div><?\n<!-- BLOCKER: yes -->\n</div>\n").blockers.size() == 1);
}

TEST_CASE("an item is optional also when a formatter has escaped the star") {
  const auto plan = parsed("- [ ]\\* 2. Tests\n- [x]\\*\n- [ ]\\*b\n- [ ] \\* c\n");
  REQUIRE(plan.phases.at(0).tasks.size() == 4);
  CHECK(plan.phases[0].tasks[0].optional);
  CHECK(plan.phases[0].tasks[0].title == "2. Tests");
  CHECK(plan.phases[0].tasks[0].id.text == "2");
  CHECK(plan.phases[0].tasks[1].optional);
  CHECK_FALSE(plan.phases[0].tasks[2].optional);
  CHECK_FALSE(plan.phases[0].tasks[3].optional);
}

TEST_CASE("an item is optional also when its line ends behind the star") {
  const auto plan = parsed("- [ ]*\n- [x]*\n  Later\n- [ ] *b*\n");
  REQUIRE(plan.phases.at(0).tasks.size() == 3);
  CHECK(plan.phases[0].tasks[0].optional);
  CHECK(plan.phases[0].tasks[0].title.empty());
  CHECK(plan.phases[0].tasks[1].optional);
  CHECK(plan.phases[0].tasks[1].title == "Later");
  CHECK_FALSE(plan.phases[0].tasks[2].optional);
}

TEST_CASE("a criterion that is being worked on begins its phase") {
  const auto plan = parsed("- [ ] t <!-- TASK: t -->\n- [~] c <!-- ACCEPT: c -->\n");
  CHECK(core::status_of(plan.phases.at(0)) == core::PhaseStatus::in_progress);
  CHECK_FALSE(plan.phases[0].acceptance.at(0).met);
}

TEST_CASE("a number in brackets that renders as a link is no box") {
  CHECK(task_ids(parsed("- [1] foo <!-- TASK: a -->\n- [ ] b\n\n[1]: https://example.org\n")) == Texts{"b"});
  CHECK(task_ids(parsed("- [1] foo <!-- TASK: a -->\n- [ ] b\n")) == Texts{"a", "b"});
}

TEST_CASE("a marker right under a heading has its title although text follows on its line") {
  const auto plan = parsed("## Alpha\n<!-- CHECKPOINT: a --> and more\n- [ ] x\n");
  CHECK(plan.phases.at(0).title == "Alpha");
  CHECK(parsed("## Alpha\n\nwords <!-- CHECKPOINT: a -->\n- [ ] x\n").phases.at(0).title == "a");
}

TEST_CASE("the commit that conductor notes behind a heading leaves the phase's id as it is") {
  const auto plan =
      parsed("## Phase 1: Colours [checkpoint: 1a2b3c4]\n- [x] a\n## [x] Phase 2: Switch\n- [x] b\n");
  CHECK(plan.phases.at(0).id.text == "phase-1-colours");
  CHECK(plan.phases[0].title == "Phase 1: Colours [checkpoint: 1a2b3c4]");
  CHECK(plan.phases.at(1).id.text == "phase-2-switch");
}

TEST_CASE("an item whose text begins on the next line has its box there") {
  const auto plan = parsed("-\n  [ ] Late <!-- TASK: late -->\n");
  CHECK(task_ids(plan) == Texts{"late"});
  CHECK(plan.phases.at(0).tasks.at(0).line == 2);
}

TEST_CASE("a phase called unphased takes what stands before it") {
  const auto plan =
      parsed("- [ ] A <!-- TASK: a -->\n\n## X\n<!-- CHECKPOINT: unphased -->\n- [ ] B <!-- TASK: b -->\n");
  REQUIRE(plan.phases.size() == 1);
  CHECK(task_ids(plan) == Texts{"a", "b"});
}

TEST_CASE("duplicate criteria are one, met when both are") {
  const auto plan = parsed(
      "- [x] A <!-- ACCEPT: a -->\n- [ ] B <!-- ACCEPT: a | verify: make -->\n- [ ] T <!-- TASK: t -->\n");
  REQUIRE(plan.phases.at(0).acceptance.size() == 1);
  CHECK_FALSE(plan.phases[0].acceptance[0].met);
  CHECK(plan.phases[0].acceptance[0].verify.empty());  // all else is that of the first
  CHECK(codes(plan) == Texts{"2:9 duplicate-id"});
}

TEST_CASE("a circle of 100,000 dependencies is found without deep recursion") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += "- [ ] A <!-- TASK: t" + std::to_string(i) + " | after: t" + std::to_string((i + 1) % 100'000) +
            " -->\n";
  }
  const auto plan = parsed(text);
  REQUIRE(plan.diagnostics.size() == 1);
  CHECK(plan.diagnostics[0].code == core::DiagnosticCode::dependency_cycle);
  CHECK(plan.diagnostics[0].line == 1);
}

TEST_CASE("boxes know where their character stands") {
  const std::string text = "> 1. [\xE2\x9C\x93] Odd <!-- TASK: odd -->\n";
  const auto plan = parsed(text);
  const core::Task& task = plan.phases.at(0).tasks.at(0);
  REQUIRE(task.boxes.size() == 1);
  CHECK(text.substr(task.boxes[0].offset, task.boxes[0].length) == "\xE2\x9C\x93");
}

TEST_CASE("footnotes count where they stand, one that nothing refers to is not on the page") {
  const auto plan = parsed(
      "## Phase 1\n\n- [ ] A[^n] <!-- TASK: a -->\n\n[^n]: - [ ] Note <!-- DECISION: one -->\n      - [x] "
      "Below\n\n"
      "[^lost]: - [ ] Nowhere\n\n## Phase 2 <!-- DECISION: two -->\n\n- [ ] B\n");
  REQUIRE(plan.phases.size() == 2);
  CHECK(task_ids(plan) == Texts{"a", "note", "below", "b"});
  CHECK(plan.phases[0].tasks.size() == 3);
  CHECK(plan.phases[0].tasks[0].title == "A");
  CHECK(plan.phases[0].tasks[2].parent.text == "note");
  REQUIRE(plan.decisions.size() == 2);
  CHECK(plan.decisions[0].text == "one");
  CHECK(plan.decisions[1].text == "two");
}

TEST_CASE("a left-out part keeps its markers to itself, and says only what hides more than it seems to") {
  const auto plan = parsed(
      "## A\n<!-- SKIP -->\n\n- [ ] One <!-- TASK: x -->\n- [ ] Two <!-- TASK: x -->\n- [P] no box\n\n```\n- "
      "[ ] B\n");
  CHECK(plan.skipped == 2);
  CHECK(codes(plan) == Texts{"1:1 no-tasks", "8:1 unclosed-fence"});
  const auto below =
      parsed("- [ ] One <!-- SKIP -->\n<!-- TASK: one -->\n- [ ] Two\n<!-- SKIP: why -->\n- [ ] Three\n");
  CHECK(task_ids(below) == Texts{"three"});
  CHECK(below.skipped == 2);
  CHECK(codes(below).empty());
}

TEST_CASE("ids of markers that look the same are the same") {
  const std::string one = "caf\xC3\xA9";
  const std::string two = "cafe\xCC\x81";
  const auto plan =
      parsed("- [x] A <!-- TASK: " + one + " -->\n- [ ] B <!-- TASK: " + two +
             " -->\n- [ ] C <!-- TASK: c | after: " + two + " -->\n- [ ] D <!-- ACCEPT: " + two +
             " -->\n- [ ] E <!-- ACCEPT: " + one + " -->\n");
  CHECK(task_ids(plan) == Texts{one, "c"});
  CHECK_FALSE(plan.phases.at(0).tasks.at(0).done());
  CHECK(codes(plan) == Texts{"2:9 duplicate-id", "5:9 duplicate-id"});
  CHECK(plan.phases[0].tasks[1].after == std::vector<core::TaskId>{core::TaskId(one)});
  REQUIRE(plan.phases[0].acceptance.size() == 1);
  CHECK(parsed("- [ ] A <!-- TASK: " + two + " -->\n").phases.at(0).tasks.at(0).id.text == two);
}

TEST_CASE("the boxes that are left out are listed with the ids of their markers") {
  const auto plan = parsed(
      "# P\n\n- [ ] T001 one <!-- SKIP: later -->\n  - [x] below\n- [ ] two\n\n## Template <!-- SKIP -->\n"
      "- [ ] **Three** <!-- TASK: three --> <!-- ACCEPT: both -->\n- [ ] fast <!-- ACCEPT: fast -->\n- [P] "
      "none\n");
  CHECK(plan.skipped == 4);
  CHECK(plan.skipped_boxes ==
        std::vector<core::SkippedBox>{{"T001 one", {}, {}},
                                      {"below", {}, {}},
                                      {"Three", core::TaskId("three"), core::CriterionId("both")},
                                      {"fast", {}, core::CriterionId("fast")}});
  CHECK(parsed("- [ ] one\n").skipped_boxes.empty());
  std::string many = "# T <!-- SKIP -->\n";
  for (std::size_t i = 0; i < core::kSkippedBoxesListed + 3; ++i) many += "- [ ] a\n";
  const auto listed = parsed(many);
  CHECK(listed.skipped == static_cast<std::int64_t>(core::kSkippedBoxesListed) + 3);
  CHECK(listed.skipped_boxes.size() == core::kSkippedBoxesListed);
}

TEST_CASE("a SKIP between two headings goes with the one that a CHECKPOINT would") {
  CHECK(task_ids(parsed("# T\n<!-- SKIP -->\n## A\n- [ ] A\n## B\n- [ ] B\n")) == Texts{"b"});
  CHECK(task_ids(parsed("## A\n<!-- SKIP -->\n### C\n- [ ] A\n## B\n- [ ] B\n")) == Texts{"b"});
  CHECK(task_ids(parsed("## A\n\n<!-- SKIP -->\n### C\n- [ ] A\n### B\n- [ ] B\n")) == Texts{"b"});
  CHECK(codes(parsed("> ## A\n\n<!-- SKIP -->\n\n- [ ] B\n")) == Texts{"3:1 skip-without-target"});
  CHECK(codes(parsed("> ## A\n\n<!-- SKIP -->\n## C\n- [ ] B\n")) == Texts{"3:1 skip-without-target"});
}

TEST_CASE("text behind the bullet may follow its SKIP") {
  const auto plan = parsed("- <!-- SKIP --> Legend\n  - [ ] open\n- [x] One\n");
  CHECK(plan.skipped == 1);
  CHECK(task_ids(plan) == Texts{"one"});
}
