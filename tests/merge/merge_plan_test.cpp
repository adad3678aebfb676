#include "merge/merge_plan.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "markdown/plan_text.hpp"
#include "merge/changed_text.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

const std::string kPlan =
    "# Shop\n"
    "\n"
    "## Cart\n"
    "<!-- CHECKPOINT: cart -->\n"
    "- [ ] Add items <!-- TASK: add -->\n"
    "- [ ] Remove items <!-- TASK: remove -->\n"
    "- [x] Totals <!-- TASK: totals -->\n"
    "- [ ] Works offline <!-- ACCEPT: offline -->\n"
    "\n"
    "## Pay\n"
    "<!-- CHECKPOINT: pay -->\n"
    "- [ ] Card <!-- TASK: card -->\n"
    "- [ ] Invoice <!-- TASK: invoice -->\n";

std::string clean(const std::string& base, const std::string& ours, const std::string& theirs) {
  const MergedPlan merged = merge_plans(base, ours, theirs);
  for (const MergeConflict& conflict : merged.conflicts)
    UNSCOPED_INFO(conflict.line << ": " << conflict.message);
  INFO(merged.text);
  CHECK(merged.conflicts.empty());
  return merged.text;
}

}  // namespace

TEST_CASE("a tick and a rewording of the same task both stay") {
  const std::string ours = with(kPlan, "- [ ] Add items", "- [x] Add items");
  const std::string theirs = with(kPlan, "Add items", "Add and count items");
  CHECK(clean(kPlan, ours, theirs) == with(kPlan, "- [ ] Add items", "- [x] Add and count items"));
  CHECK(clean(kPlan, theirs, ours) == with(kPlan, "- [ ] Add items", "- [x] Add and count items"));
}

TEST_CASE("ticks of neighbours are no conflict") {
  const std::string ours = with(kPlan, "- [ ] Add", "- [x] Add");
  const std::string theirs = with(kPlan, "- [ ] Remove", "- [~] Remove");
  CHECK(clean(kPlan, ours, theirs) == with(ours, "- [ ] Remove", "- [~] Remove"));
}

TEST_CASE("rewordings of neighbours are no conflict") {
  const std::string ours = with(kPlan, "Add items", "Add things");
  const std::string theirs = with(kPlan, "Remove items", "Take out things");
  CHECK(clean(kPlan, ours, theirs) == with(ours, "Remove items", "Take out things"));
}

TEST_CASE("the side that changed a box has its way, of two changes the higher state") {
  const auto state = [](const std::string& base, const std::string& ours, const std::string& theirs) {
    const auto box = [](const std::string& inside) {
      return with(kPlan, "- [ ] Card", "- [" + inside + "] Card");
    };
    const std::string merged = clean(box(base), box(ours), box(theirs));
    return merged.substr(merged.find("] Card") - 1, 1);
  };
  CHECK(state("x", "x", " ") == " ");  // opened again
  CHECK(state("x", " ", "x") == " ");
  CHECK(state(" ", "~", "x") == "x");
  CHECK(state(" ", "x", "~") == "x");
  CHECK(state("~", "x", " ") == "x");
  CHECK(state("~", " ", "x") == "x");
  CHECK(state("x", " ", "~") == "~");
  CHECK(state(" ", "X", "x") == "X");
  CHECK(state("x", "X", " ") == " ");
  CHECK(state("?", "?", "x") == "x");
}

TEST_CASE("criteria are merged as tasks are") {
  const std::string ours = with(kPlan, "- [ ] Works", "- [x] Works");
  const std::string theirs = with(kPlan, "Works offline", "Works on a train");
  CHECK(clean(kPlan, ours, theirs) == with(kPlan, "- [ ] Works offline", "- [x] Works on a train"));
}

TEST_CASE("what both sides put in at one place is kept, ours first") {
  const std::string last = "- [ ] Invoice <!-- TASK: invoice -->\n";
  CHECK(clean(kPlan, kPlan + "- [ ] Refund <!-- TASK: refund -->\n",
              kPlan + "- [ ] Tips <!-- TASK: tips -->\n") ==
        kPlan + "- [ ] Refund <!-- TASK: refund -->\n- [ ] Tips <!-- TASK: tips -->\n");
  const std::string head = "<!-- CHECKPOINT: cart -->\n";
  CHECK(clean(kPlan, with(kPlan, head, head + "<!-- DECISION: a -->\n"),
              with(kPlan, head, head + "<!-- BLOCKER: b -->\n")) ==
        with(kPlan, head, head + "<!-- DECISION: a -->\n<!-- BLOCKER: b -->\n"));
  CHECK(clean("- [ ] a\n", "- [ ] a\n- [ ] b\n", "- [ ] a\n- [x] c\n") == "- [ ] a\n- [ ] b\n- [x] c\n");
}

TEST_CASE("a task put in beside a phase put in stays in its phase") {
  const std::string phase = "\n## Ship\n<!-- CHECKPOINT: ship -->\n- [ ] Label <!-- TASK: label -->\n";
  const std::string task = "- [ ] Refund <!-- TASK: refund -->\n";
  CHECK(clean(kPlan, kPlan + phase, kPlan + task) == kPlan + task + phase);
  CHECK(clean(kPlan, kPlan + task, kPlan + phase) == kPlan + task + phase);
  const std::string other = "\n## Care\n<!-- CHECKPOINT: care -->\n- [ ] Chat <!-- TASK: chat -->\n";
  CHECK(clean(kPlan, kPlan + task + phase, kPlan + other) == kPlan + task + phase + other);
}

TEST_CASE(
    "a step put in stays below its task when the other side puts tasks in behind it, whichever is ours") {
  const std::string base = "- [ ] T100 words\n  - [ ] T101 words\n";
  const std::string step = "- [ ] T100 words\n  - [ ] T200 more\n  - [ ] T101 words\n";
  const std::string tasks =
      "- [ ] T100 words\n  - [ ] T302 other\n- [ ] T301 other\n- [ ] T300 other\n  - [ ] T101 words\n";
  CHECK(clean(base, step, tasks) == with(tasks, "  - [ ] T302", "  - [ ] T200 more\n  - [ ] T302"));
  CHECK(clean(base, tasks, step) == with(tasks, "- [ ] T301", "  - [ ] T200 more\n- [ ] T301"));
}

TEST_CASE("what merges one way round merges the other way round") {
  const std::string base = "- [ ] T100 words\n  - [ ] T101 words\n- [ ] T102 words\n";
  const std::string steps =
      "- [ ] T100 words\n- [ ] T201 more\n  - [ ] T101 words\n  - [ ] T200 more\n- [ ] T102 words\n";
  const std::string task = "- [ ] T100 words\n- [ ] T300 other\n  - [ ] T101 words\n- [ ] T102 words\n";
  const std::string both = with(steps, "- [ ] T201", "- [ ] T300 other\n- [ ] T201");
  CHECK(clean(base, task, steps) == both);
  // With theirs first, since T200 would stand below T300 otherwise.
  CHECK(clean(base, steps, task) == both);
}

TEST_CASE("different rewordings of one task are a conflict that keeps the tick in both halves") {
  const std::string ours = with(kPlan, "- [ ] Add items", "- [x] Add goods");
  const std::string theirs = with(kPlan, "Add items", "Add wares");
  const MergedPlan merged = merge_plans(kPlan, ours, theirs);
  REQUIRE(merged.conflicts.size() == 1);
  CHECK(merged.conflicts[0].line == 5);
  CHECK(merged.conflicts[0].message == "both sides changed \"add\", or the text next to it");
  CHECK(merged.text == with(kPlan, "- [ ] Add items <!-- TASK: add -->\n",
                            "<<<<<<< ours\n"
                            "- [x] Add goods <!-- TASK: add -->\n"
                            "=======\n"
                            "- [x] Add wares <!-- TASK: add -->\n"
                            ">>>>>>> theirs\n"));
}

TEST_CASE("markers have the size and the labels that were asked for") {
  const MergedPlan merged = merge_plans("a\n", "b\n", "c\n", {9, "HEAD", "topic"});
  CHECK(merged.text == "<<<<<<<<< HEAD\nb\n=========\nc\n>>>>>>>>> topic\n");
}

TEST_CASE("a tick of a task that the other side took out is a conflict") {
  const std::string ours = with(kPlan, "- [ ] Remove items <!-- TASK: remove -->\n", "");
  const std::string theirs = with(kPlan, "- [ ] Remove", "- [x] Remove");
  for (const auto& [a, b] : {std::pair(ours, theirs), std::pair(theirs, ours)}) {
    const MergedPlan merged = merge_plans(kPlan, a, b);
    REQUIRE(merged.conflicts.size() == 1);
    CHECK(merged.conflicts[0].message == "\"remove\" was removed on one side and changed on the other");
    CHECK(merged.text.find("- [x] Remove") != std::string::npos);
  }
}

TEST_CASE("a task that one side took out and the other moved is a conflict, ticked or not") {
  const std::string line = "- [ ] Remove items <!-- TASK: remove -->\n";
  const std::string ours = with(kPlan, line, "");
  for (const std::string& moved : {line, with(line, "[ ]", "[x]"), with(line, "items", "all items")}) {
    const std::string theirs = ours + moved;
    for (const auto& [a, b] : {std::pair(ours, theirs), std::pair(theirs, ours)}) {
      const MergedPlan merged = merge_plans(kPlan, a, b);
      REQUIRE(merged.conflicts.size() == 1);
      CHECK(merged.conflicts[0].message == "\"remove\" was removed on one side and changed on the other");
      CHECK(merged.text.find(moved) != std::string::npos);
    }
  }
}

TEST_CASE("a task that one side took out goes when the other left it alone") {
  const std::string ours = with(kPlan, "- [ ] Remove items <!-- TASK: remove -->\n", "");
  const std::string theirs = with(kPlan, "- [ ] Add", "- [x] Add");
  CHECK(clean(kPlan, ours, theirs) == with(ours, "- [ ] Add", "- [x] Add"));
}

TEST_CASE("a task that was moved takes its tick along") {
  const std::string line = "- [ ] Remove items <!-- TASK: remove -->\n";
  const std::string ours = with(kPlan, line, "") + line;
  const std::string theirs = with(kPlan, "- [ ] Remove", "- [x] Remove");
  CHECK(clean(kPlan, ours, theirs) == with(ours, "- [ ] Remove", "- [x] Remove"));
}

TEST_CASE("a tick does not go to the task that has the id on the other side") {
  const std::string base = "- [ ] Login <!-- TASK: a -->\n\n- [ ] Docs <!-- TASK: b -->\n";
  const std::string ticked = with(base, "[ ] Login", "[x] Login");
  const std::string exchanged = "- [ ] Login <!-- TASK: b -->\n\n- [ ] Docs <!-- TASK: a -->\n";
  for (const MergedPlan& merged :
       {merge_plans(base, ticked, exchanged), merge_plans(base, exchanged, ticked)}) {
    INFO(merged.text);
    CHECK_FALSE(merged.conflicts.empty());
    CHECK(merged.text.find("[x] Docs") == std::string::npos);
    CHECK(merged.text.find("<<<<<<<") != std::string::npos);
  }
  // What both say is no matter of ids.
  const std::string both = with(exchanged, "[ ] Login", "[x] Login");
  CHECK(clean(base, both, both) == both);
}

TEST_CASE("a rewording that only likeness recognises carries no tick") {
  const std::string base =
      "## Build\n- [ ] Write the parser\n- [ ] Write the docs\n  - [ ] outline\n  - [ ] examples\n";
  const auto is_conflict = [&base](const std::string& ours, const std::string& theirs) {
    CHECK_FALSE(merge_plans(base, ours, theirs).conflicts.empty());
    CHECK_FALSE(merge_plans(base, theirs, ours).conflicts.empty());
  };
  is_conflict(with(base, "- [ ] Write the parser", "- [x] Write the parser"),
              with(base, "Write the parser", "Write the fast parser"));
  // Steps too.
  is_conflict(with(base, "[ ] examples", "[x] examples"), with(base, "examples", "more examples"));
  // The side that reworded it ticked it: its own words.
  const std::string ticked = with(base, "- [ ] Write the parser", "- [x] Write the fast parser");
  const std::string other = with(base, "[ ] examples", "[x] examples");
  CHECK(clean(base, ticked, other) == with(ticked, "[ ] examples", "[x] examples"));
}

TEST_CASE("a step that is open everywhere stays open, whatever its title runs into") {
  const std::string base =
      "# P\n\n## A\n<!-- CHECKPOINT: a -->\n- [x] Build <!-- TASK: build -->\n  - [ ] parser\n  - [ ] lexer\n"
      "  Note on it.\n- [ ] Ship <!-- TASK: ship -->\n";
  const std::string theirs = with(base, "  - [ ] lexer\n", "  - [ ] lexer\n  - [x] printer\n");
  const std::string ours = with(base, "[ ] Ship", "[x] Ship");
  for (const MergedPlan& merged : {merge_plans(base, ours, theirs), merge_plans(base, theirs, ours)}) {
    INFO(merged.text);
    CHECK(merged.text.find("[x] lexer") == std::string::npos);
  }
}

TEST_CASE("boxes below tasks are merged as tasks are, each with the tick of its own") {
  const std::string nested =
      "# Shop\n"
      "\n"
      "- [ ] Cart <!-- TASK: cart -->\n"
      "  - [ ] Write tests\n"
      "  - [ ] Commit\n"
      "- [ ] Pay\n"
      "  - [ ] Write tests\n"
      "    - [ ] Commit\n"
      "  - [ ] Commit\n";
  const std::string ours = with(nested, "  - [ ] Commit\n- [ ] Pay", "  - [x] Commit\n- [ ] Pay");
  const std::string theirs = with(with(nested, "    - [ ] Commit\n", "    - [x] Commit\n"), "- [ ] Cart",
                                  "- [ ] Search\n  - [ ] Commit\n- [ ] Cart");
  const std::string both =
      "# Shop\n"
      "\n"
      "- [ ] Search\n"
      "  - [ ] Commit\n"
      "- [ ] Cart <!-- TASK: cart -->\n"
      "  - [ ] Write tests\n"
      "  - [x] Commit\n"
      "- [ ] Pay\n"
      "  - [ ] Write tests\n"
      "    - [x] Commit\n"
      "  - [ ] Commit\n";
  CHECK(clean(nested, ours, theirs) == both);
  CHECK(clean(nested, theirs, ours) == both);
}

TEST_CASE("a box below a task that was replaced by one like it is a conflict, not a tick") {
  const std::string nested = "- [ ] Tests\n  - [ ] Add tests for login\n- [ ] Ship\n";
  const std::string ours = with(nested, "[ ] Add", "[x] Add");
  const std::string theirs = with(nested, "for login", "for billing");
  for (const MergedPlan& merged : {merge_plans(nested, ours, theirs), merge_plans(nested, theirs, ours)}) {
    CHECK_FALSE(merged.conflicts.empty());
    CHECK(merged.text.find("[x] Add tests for billing") == std::string::npos);
  }
}

TEST_CASE("steps with the same title keep their ticks when the tasks around them change places") {
  const std::string parser = "- [ ] Parser\n  - [x] Write test\n  - [ ] Commit\n";
  const std::string lexer = "- [ ] Lexer\n  - [ ] Write test\n  - [ ] Commit\n";
  const std::string committed = with(lexer, "[ ] Commit", "[x] Commit");
  CHECK(clean(parser + lexer, parser + committed, lexer + parser) == committed + parser);
  CHECK(clean(parser + lexer, lexer + parser, parser + committed) == committed + parser);

  const std::string under_parser = "### Parser\n\n- [x] Write test\n- [ ] Commit\n\n";
  const std::string under_lexer = "### Lexer\n\n- [ ] Write test\n- [ ] Commit\n\n";
  const std::string base = "# Plan\n\n" + under_parser + under_lexer;
  const std::string swapped = "# Plan\n\n" + under_lexer + under_parser;
  const std::string ticked = with(base, under_lexer, with(under_lexer, "[ ] Commit", "[x] Commit"));
  CHECK(clean(base, ticked, swapped) == with(swapped, "- [ ] Commit", "- [x] Commit"));
}

TEST_CASE("a tick of a step is no tick of the same step below another task") {
  const std::string base = "- [ ] Parser\n  - [ ] Commit\n- [ ] Lexer\n  - [ ] Commit\n";
  const std::string ours = with(base, "Lexer\n  - [ ]", "Lexer\n  - [x]");
  // The other side replaced the task by one that reads like it.
  const MergedPlan merged = merge_plans(base, ours, with(base, "Lexer", "Lexer docs"));
  CHECK_FALSE(merged.conflicts.empty());
  // The number in front of a heading only counts.
  const std::string lexer = "## Lexer\n- [ ] Scan\n- [ ] Commit\n";
  const std::string parser = ". Parser\n- [ ] Parse\n- [ ] Commit\n\n";
  const std::string ticked = with(parser, "[ ] Commit", "[x] Commit");
  const std::string setup = "## 1. Setup\n- [ ] Install\n\n";
  CHECK(clean("## 1" + parser + lexer, "## 1" + ticked + lexer, setup + "## 2" + parser + lexer) ==
        setup + "## 2" + ticked + lexer);
}

TEST_CASE("a step that was put in below a task that is gone is a conflict") {
  const std::string base = "- [x] Setup\n  - [x] Install\n- [ ] Parser\n  - [ ] Write test\n- [ ] Lexer\n";
  const std::string dropped = "- [x] Setup\n  - [x] Install\n- [ ] Lexer\n";
  const std::string added = with(base, "  - [ ] Write", "  - [ ] Push\n  - [ ] Write");
  CHECK_FALSE(merge_plans(base, added, dropped).conflicts.empty());
  CHECK_FALSE(merge_plans(base, dropped, added).conflicts.empty());
  CHECK_FALSE(merge_plans(base.substr(base.find("- [ ] Parser")), added.substr(added.find("- [ ] Parser")),
                          "- [ ] Lexer\n")
                  .conflicts.empty());
}

TEST_CASE("a base with conflict markers is text") {
  // What git makes of two bases that moved one task to two places.
  const std::string base =
      "## Phase 1\n- [ ] Schema\n<<<<<<<<< ours\n- [x] Tests\n=========\n>>>>>>>>> theirs\n\n## Phase "
      "2\n- [x] Tests\n- [ ] Retry\n";
  const std::string ours = "## Phase 1\n- [ ] Schema\n- [x] Tests\n\n## Phase 2\n- [ ] Retry\n";
  const std::string theirs = "## Phase 1\n- [ ] Schema\n\n## Phase 2\n- [x] Tests\n- [ ] Retry\n";
  for (const MergedPlan& merged : {merge_plans(base, ours, theirs), merge_plans(base, theirs, ours)}) {
    CHECK_FALSE(merged.conflicts.empty());
    CHECK(merged.text.find("[x] Tests") != std::string::npos);
  }
}

TEST_CASE("what both sides put in below a task is there once, and one title below two tasks is twice") {
  const std::string base = "- [ ] A\n- [ ] B\n";
  const std::string same = "- [ ] A\n  - [ ] Commit\n    - [ ] Push\n- [ ] B\n";
  CHECK(clean(base, same, same) == same);
  CHECK(clean(base, same, "- [ ] A\n- [ ] B\n  - [x] Commit\n") ==
        "- [ ] A\n  - [ ] Commit\n    - [ ] Push\n- [ ] B\n  - [x] Commit\n");
}

TEST_CASE("a box that both sides moved is there once, or it is a conflict") {
  const std::string base =
      "## A\n- [ ] One\n- [ ] Two\n\n## B\n- [ ] Three\n\n## C\n- [ ] Four\n\n## D\n- [ ] Five\n";
  const std::string gone = with(base, "- [ ] Two\n", "");
  const std::string to_b = with(gone, "- [ ] Three\n", "- [ ] Three\n- [ ] Two\n");
  const std::string to_c = with(gone, "- [ ] Four\n", "- [ ] Four\n- [ ] Two\n");
  CHECK(clean(base, to_b, to_b) == to_b);
  CHECK_FALSE(merge_plans(base, to_b, to_c).conflicts.empty());
  CHECK_FALSE(merge_plans(base, to_c, to_b).conflicts.empty());
}

TEST_CASE("a plan that one side annotated keeps the ticks of the other") {
  const std::string base = "## Build\n- [ ] Parser\n- [ ] Docs\n";
  const std::string ours =
      "## Build\n<!-- CHECKPOINT: build -->\n- [ ] Parser <!-- TASK: parser -->\n- [ ] Docs <!-- TASK: docs "
      "-->\n";
  const std::string theirs = "## Build\n- [ ] Parser\n- [x] Docs\n";
  CHECK(clean(base, ours, theirs) == with(ours, "[ ] Docs", "[x] Docs"));
}

TEST_CASE("line ends, the final newline, a byte order mark and ill-formed bytes stay") {
  const auto crlf = [](const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return result;
  };
  const std::string ours = with(kPlan, "- [ ] Add", "- [x] Add");
  const std::string theirs = with(kPlan, "Add items", "Add wares");
  const std::string both = with(kPlan, "- [ ] Add items", "- [x] Add wares");
  CHECK(clean(crlf(kPlan), crlf(ours), crlf(theirs)) == crlf(both));
  CHECK(clean(kPlan, crlf(ours), theirs) == crlf(both));
  CHECK(clean(kPlan, ours, crlf(theirs)) == crlf(both));
  CHECK(clean(crlf(kPlan), ours, crlf(theirs)) == both);
  const auto cut = [](std::string text) {
    text.pop_back();
    return text;
  };
  CHECK(clean(cut(kPlan), cut(ours), cut(theirs)) == cut(both));
  CHECK(clean(kPlan, cut(ours), theirs) == cut(both));
  CHECK(clean(cut(kPlan), ours, cut(theirs)) == both);
  CHECK(clean(cut(kPlan), cut(ours), kPlan + "- [ ] Tips <!-- TASK: tips -->") ==
        ours + "- [ ] Tips <!-- TASK: tips -->");
  CHECK(clean("\xEF\xBB\xBF" + kPlan, "\xEF\xBB\xBF" + ours, "\xEF\xBB\xBF" + theirs) ==
        "\xEF\xBB\xBF" + both);
  const std::string bad = "\n\xFF\xFE bad\n";
  CHECK(clean(kPlan + bad, ours + bad, theirs + bad) == both + bad);
  const MergedPlan marked = merge_plans("a\r\n", "b\r\n", "c\r\n");
  CHECK(marked.text == "<<<<<<< ours\r\nb\r\n=======\r\nc\r\n>>>>>>> theirs\r\n");
}

TEST_CASE("prose is merged by lines, and a change of both is a conflict") {
  const std::string base = "a\nb\nc\nd\ne\n";
  CHECK(clean(base, with(base, "a\n", "A\n"), with(base, "e\n", "E\n")) == "A\nb\nc\nd\nE\n");
  CHECK(merge_plans(base, with(base, "c\n", "C\n"), with(base, "c\n", "cc\n")).conflicts.size() == 1);
  // Lines that both halves have are not told twice.
  CHECK(merge_plans("a\n", "x\nsame\ny\n", "X\nsame\nY\n").text ==
        "<<<<<<< ours\nx\n=======\nX\n>>>>>>> theirs\nsame\n<<<<<<< ours\ny\n=======\nY\n>>>>>>> theirs\n");
}

TEST_CASE("a merge that is clean line by line but reads wrongly is a conflict") {
  const std::string base = "# Plan\n\ntext\n\nmore\n\n- [ ] One <!-- TASK: one -->\n";
  const std::string ours = with(base, "text\n", "text\n\n```\n");
  const std::string theirs = base + "\nmiddle\n\n- [ ] Two <!-- TASK: two -->\n";
  const MergedPlan fence = merge_plans(base, ours, theirs);
  REQUIRE(fence.conflicts.size() >= 1);
  CHECK(fence.text.find("- [ ] Two") != std::string::npos);
  const MergedPlan twice = merge_plans(base, with(base, "text\n", "text\n\n- [ ] New <!-- TASK: new -->\n"),
                                       base + "- [ ] Other <!-- TASK: new -->\n");
  REQUIRE(twice.conflicts.size() >= 1);
}

TEST_CASE("what is no plan is merged as text, what is binary is ours") {
  std::string deep;
  for (int i = 0; i < 1200; ++i) deep += "> ";
  CHECK_FALSE(parse_plan(deep + "a\n").has_value());
  CHECK(clean(deep + "a\nb\nc\n", deep + "A\nb\nc\n", deep + "a\nb\nC\n") == deep + "A\nb\nC\n");
  const std::string binary("a\0b", 3);
  const MergedPlan merged = merge_plans(binary, binary + "x", binary + "y");
  CHECK(merged.text == binary + "x");
  CHECK(merged.conflicts.size() == 1);
}

TEST_CASE("100,000 tasks are merged") {
  std::string base = "# Plan\n";
  for (int i = 0; i < 100'000; ++i) {
    base += "- [ ] Task number " + std::to_string(i) + " <!-- TASK: t" + std::to_string(i) + " -->\n";
  }
  std::string ours = base;
  std::string theirs = base;
  for (std::size_t at = 0, i = 0; (at = base.find("[ ]", at)) != std::string::npos; ++at, ++i) {
    if (i % 3 == 0) ours[at + 1] = 'x';
    if (i % 5 == 0) theirs[at + 1] = 'x';
  }
  const core::Plan plan = parsed(clean(base, ours, theirs));
  REQUIRE(plan.phases.size() == 1);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 100'000; ++i)
    wrong += plan.phases[0].tasks[i].done() == (i % 3 == 0 || i % 5 == 0) ? 0 : 1;
  CHECK(wrong == 0);
}

// ---- laws ----

namespace {

struct RandomTask {
  int id = 0;
  int state = 0;
  int words = 0;
};
using RandomPhase = std::vector<RandomTask>;
using RandomPlan = std::vector<RandomPhase>;

std::string text_of(const RandomPlan& plan, bool marked) {
  std::string text = "# Plan\n\n";
  for (std::size_t i = 0; i < plan.size(); ++i) {
    text += "## Phase " + std::to_string(i) + "\n";
    if (marked) text += "<!-- CHECKPOINT: p" + std::to_string(i) + " -->\n";
    for (const RandomTask& task : plan[i]) {
      const std::string id = "T" + std::to_string(100 + task.id);
      // Every third stands below the one before it.
      if (task.id % 3 == 1 && &task != plan[i].data()) text += "  ";
      text += std::string("- [") + " ~x"[task.state] + "] " + (marked ? "" : id + " ") + "words " +
              std::to_string(task.words) + (marked ? " <!-- TASK: " + id + " -->" : "") + "\n";
    }
    text += "\n";
  }
  return text;
}

RandomPlan random_base() {
  RandomPlan plan(*rc::gen::inRange<std::size_t>(1, 4));
  int id = 0;
  for (RandomPhase& phase : plan) {
    phase.resize(*rc::gen::inRange<std::size_t>(0, 5));
    for (RandomTask& task : phase) task = {id++, *rc::gen::inRange(0, 3), 0};
  }
  return plan;
}

// A few edits, as an agent makes them. New ids begin at `first_id`, so that the sides give different ones.
RandomPlan edited(RandomPlan plan, int first_id, int words) {
  const int edits = *rc::gen::inRange(0, 6);
  for (int i = 0; i < edits; ++i) {
    RandomPhase& phase = plan[*rc::gen::inRange<std::size_t>(0, plan.size())];
    const int what = *rc::gen::inRange(0, 10);
    const std::size_t at = phase.empty() ? 0 : *rc::gen::inRange<std::size_t>(0, phase.size());
    if (what < 2) {
      phase.insert(
          phase.begin() + static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, phase.size() + 1)),
          RandomTask{first_id++, *rc::gen::inRange(0, 3), words});
    } else if (phase.empty()) {
      continue;
    } else if (what < 6) {
      phase[at].state = *rc::gen::inRange(0, 3);
    } else if (what < 8) {
      phase[at].words = words;
    } else {
      phase.erase(phase.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return plan;
}

using States = std::map<std::string, core::BoxState>;

States states_of(const std::string& text) {
  States states;
  const core::Plan plan = parsed(text);
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) states[task.id.text] = task.state;
  }
  return states;
}

bool ticked_somewhere(const std::string& text, const std::string& id) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.find("- [x]") < 3 && line.find(id + " ") != std::string::npos) return true;
    at = end + 1;
  }
  return false;
}

// Tasks with steps that are called the same everywhere, as planning tools write them.
struct SteppedTask {
  std::string title;
  std::vector<std::pair<std::string, bool>> steps;
};
using SteppedPlan = std::vector<SteppedTask>;

SteppedTask stepped_task(int number) {
  static const std::vector<std::string> kWords{"Parser", "Lexer", "Billing", "Search", "Login page"};
  static const std::vector<std::string> kSteps{"Write the failing test", "Run it", "Implement", "Commit"};
  SteppedTask task{*rc::gen::elementOf(kWords) + " " + std::to_string(number), {}};
  const std::size_t count = *rc::gen::inRange<std::size_t>(2, kSteps.size() + 1);
  for (std::size_t i = 0; i < count; ++i) task.steps.emplace_back(kSteps[i], *rc::gen::arbitrary<bool>());
  return task;
}

SteppedPlan with_edits(SteppedPlan plan, int& number) {
  const int edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits; ++i) {
    const int what = *rc::gen::inRange(0, 9);
    const auto at = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, plan.size() + 1));
    if (what == 0) plan.insert(plan.begin() + at, stepped_task(number++));
    if (what == 0 || plan.empty()) continue;
    SteppedTask& task = plan[static_cast<std::size_t>(at) % plan.size()];
    const std::size_t step = *rc::gen::inRange<std::size_t>(0, task.steps.size() + 1);
    const auto place = static_cast<std::ptrdiff_t>(step);
    if (what == 1) {
      static const std::vector<std::string> kMore{"Lint", "Review", "Push"};
      task.steps.insert(task.steps.begin() + place,
                        {*rc::gen::elementOf(kMore), *rc::gen::arbitrary<bool>()});
    } else if (what == 2) {
      plan.erase(plan.begin() + (at % static_cast<std::ptrdiff_t>(plan.size())));
    } else if (what == 3) {
      const SteppedTask moved = task;
      plan.erase(plan.begin() + (at % static_cast<std::ptrdiff_t>(plan.size())));
      plan.insert(
          plan.begin() + static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, plan.size() + 1)),
          moved);
    } else if (step == task.steps.size()) {
      continue;
    } else if (what == 4) {
      task.steps.erase(task.steps.begin() + place);
    } else {
      task.steps[step].second = what != 5;
    }
  }
  return plan;
}

std::string text_of(const SteppedPlan& plan, bool headings) {
  std::string text = "# Plan\n\n";
  for (const SteppedTask& task : plan) {
    text += (headings ? "### " : "- [ ] ") + task.title + (headings ? "\n\n" : "\n");
    for (const auto& [title, done] : task.steps)
      text += std::string(headings ? "" : "  ") + (done ? "- [x] " : "- [ ] ") + title + "\n";
    if (headings) text += "\n";
  }
  return text;
}

// How often each step stands ticked, and at all, below each task.
std::map<std::string, std::pair<int, int>> steps_of(const std::string& text) {
  std::map<std::string, std::pair<int, int>> steps;
  std::string task;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    const std::size_t box = line.find("- [");
    const bool is_step = box != std::string::npos && (box > 0 || task.starts_with("#"));
    if (line.starts_with("### ") || (box == 0 && !is_step)) task = line;
    if (!is_step) continue;
    auto& [ticked, all] = steps[task + "/" + line.substr(box + 6)];
    ticked += line[box + 3] == 'x' ? 1 : 0;
    ++all;
  }
  return steps;
}

}  // namespace

TEST_CASE("laws of merging plans whose steps have the same titles") {
  int clean_merges = 0;
  CHECK(rc::check("no tick goes to another task, and what both sides have stays", [&clean_merges] {
    const bool headings = *rc::gen::arbitrary<bool>();
    int number = 1;
    SteppedPlan base(*rc::gen::inRange<std::size_t>(2, 5));
    for (SteppedTask& task : base) task = stepped_task(number++);
    const std::string o = text_of(base, headings);
    const std::string a = text_of(with_edits(base, number), headings);
    const std::string b = text_of(with_edits(base, number), headings);
    const MergedPlan merged = merge_plans(o, a, b);
    RC_LOG() << o << "----\n" << a << "----\n" << b << "----\n" << merged.text;
    if (!merged.conflicts.empty()) return;
    ++clean_merges;
    const auto ours = steps_of(a);
    const auto theirs = steps_of(b);
    const auto now = steps_of(merged.text);
    const auto on = [](const auto& side, const std::string& step) {
      const auto found = side.find(step);
      return found == side.end() ? std::pair(0, 0) : found->second;
    };
    const auto stands_twice = [](const std::string& text, const std::string& step) {
      const std::string line = "] " + step.substr(step.find('/') + 1) + "\n";
      const std::size_t first = text.find(line);
      return first != std::string::npos && text.find(line, first + 1) != std::string::npos;
    };
    for (const auto& [step, count] : now) {
      // One that stands once goes along with a task that was reworded.
      const bool told_apart = stands_twice(o, step) || stands_twice(a, step) || stands_twice(b, step);
      const bool ticked = on(ours, step).first > 0 || on(theirs, step).first > 0;
      RC_ASSERT(count.first == 0 || ticked || !told_apart);
    }
    for (const auto& [step, count] : ours) {
      if (theirs.contains(step)) RC_ASSERT(now.contains(step));
    }
  }));
  CHECK(clean_merges > 0);
}

TEST_CASE("laws of merging plans") {
  CHECK(rc::check("nothing to merge", [] {
    const bool marked = *rc::gen::arbitrary<bool>();
    const RandomPlan base = random_base();
    const std::string o = text_of(base, marked);
    const std::string a = text_of(edited(base, 100, 1), marked);
    RC_ASSERT(merge_plans(o, a, a).text == a);
    RC_ASSERT(merge_plans(o, o, a).text == a);
    RC_ASSERT(merge_plans(o, a, o).text == a);
    RC_ASSERT(merge_plans(o, a, o).conflicts.empty());
  }));
  CHECK(rc::check("no tick is lost, no task is, and the sides are equal", [] {
    const bool marked = *rc::gen::arbitrary<bool>();
    const RandomPlan base = random_base();
    const std::string o = text_of(base, marked);
    const std::string a = text_of(edited(base, 100, 1), marked);
    const std::string b = text_of(edited(base, 200, 2), marked);
    const MergedPlan merged = merge_plans(o, a, b);
    const MergedPlan mirrored = merge_plans(o, b, a);
    RC_LOG() << o << "----\n" << a << "----\n" << b << "----\n" << merged.text;
    const States before = states_of(o);
    const States ours = states_of(a);
    const States theirs = states_of(b);
    for (const auto* side : {&ours, &theirs}) {
      const States& other = side == &ours ? theirs : ours;
      for (const auto& [id, state] : *side) {
        const auto was = before.find(id);
        const bool made = state == core::BoxState::done && (was == before.end() || was->second != state);
        const bool stays = other.contains(id) || was == before.end();
        // A tick that was made here stands in the text: ticked wherever its task stands.
        if (made) RC_ASSERT(ticked_somewhere(merged.text, id));
        if (stays) RC_ASSERT(merged.text.find(id) != std::string::npos);
      }
    }
    RC_ASSERT(merged.conflicts.empty() == mirrored.conflicts.empty());
    if (!merged.conflicts.empty()) return;
    const States now = states_of(merged.text);
    RC_ASSERT(now == states_of(mirrored.text));
    for (const auto& [id, state] : now) {
      const auto was = before.find(id);
      const auto in_ours = ours.find(id);
      const auto in_theirs = theirs.find(id);
      if (in_ours == ours.end() || in_theirs == theirs.end()) continue;
      if (was != before.end() && in_ours->second == was->second) {
        RC_ASSERT(state == in_theirs->second);
      } else if (was != before.end() && in_theirs->second == was->second) {
        RC_ASSERT(state == in_ours->second);
      } else {
        RC_ASSERT(state == std::max(in_ours->second, in_theirs->second));
      }
    }
  }));
  CHECK(rc::check("any bytes are merged, and what one side left alone is the other's", [] {
    static const std::vector<std::string> kPieces{"- [ ] a <!-- TASK: a -->\n",
                                                  "- [x] b <!-- TASK: b -->\r\n",
                                                  "```\n",
                                                  "<!--",
                                                  "-->",
                                                  "# H\n",
                                                  "\n",
                                                  "\r",
                                                  "- [ ] c\n",
                                                  "  - [x] d\n",
                                                  "\xFF",
                                                  "<<<<<<< x\n",
                                                  "=======\n",
                                                  ">>>>>>> y\n",
                                                  "<!-- CHECKPOINT: p -->\n",
                                                  "> - [~] q\n",
                                                  "text",
                                                  " "};
    const auto any = [] {
      std::string text;
      for (const auto& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
        text += piece;
      return text;
    };
    const std::string o = any();
    const std::string a = any();
    const std::string b = any();
    RC_ASSERT(merge_plans(o, a, a).text == a);
    RC_ASSERT(merge_plans(o, o, b).text == b);
    RC_ASSERT(merge_plans(o, a, o).text == a);
    const MergedPlan merged = merge_plans(o, a, b);
    RC_ASSERT(merged.text == merge_plans(o, a, b).text);
  }));
}
