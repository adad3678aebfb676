// Lines whose titles are read off the file and of which cmark-gfm gets a masked copy.

#include "markdown/plain_items.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>

#include "markdown/plan_text.hpp"

using namespace plankeep::markdown;

namespace {

std::string masked(std::string lines, bool first = true) {
  mask_plain_items(lines, first);
  return lines;
}

bool plain(std::string_view text) {
  InlineScan scan;
  return scan_plain(text, scan);
}

}  // namespace

TEST_CASE("words, other scripts and whole comments are plain, inline Markdown is not") {
  CHECK(plain(" Draw the map, \"twice\" (2 > 1) <!-- TASK: map | after: a_b --> 地图"));
  for (const std::string text : {"a *b*", "_a_", "`a`", "[a]", "a <b>", "&amp;", "a \\", "~~a~~", "![a](b)",
                                 "<!-- no end", "<!-->", "<!--->", "a\rb", "\x1A"}) {
    INFO(text);
    CHECK_FALSE(plain(text));
  }
}

TEST_CASE("the comments of a plain text are those that the inline scan finds") {
  const std::string text = " a <!-- TASK: x --> b <!-- note - -- > --> c";
  InlineScan plain_scan;
  InlineScan inline_scan;
  REQUIRE(scan_plain(text, plain_scan));
  scan_inlines(text, inline_scan);
  REQUIRE(plain_scan.comments.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(plain_scan.comments[i].begin == inline_scan.comments.at(i).begin);
    CHECK(plain_scan.comments[i].end == inline_scan.comments.at(i).end);
  }
  CHECK(plain_title(text, plain_scan.comments) == "a b c");
}

TEST_CASE("items below a blank line or in a row of their like are masked") {
  CHECK(masked("- [ ] A\n- [x] B <!-- TASK: b -->\n\n") == "- xxx A\n- xxx B xx-- TASK: b -->\n\n");
  CHECK(masked("\r\n  * [~] A\r\n\r\n") == "\r\n  * xxx A\r\n\r\n");
}

TEST_CASE("items below each other are masked, and so are their siblings behind them") {
  CHECK(masked("- [ ] A\n  - [ ] B\n    - [x] C\n  - [ ] D\n- [ ] E\n\n  - [ ] F\n\n") ==
        "- xxx A\n  - xxx B\n    - xxx C\n  - xxx D\n- xxx E\n\n  - xxx F\n\n");
  // One that cmark reads stands between them all the same.
  CHECK(masked("- [ ] A\n  - [ ] *B*\n  - [ ] C\n\n") == "- xxx A\n  - [ ] *B*\n  - xxx C\n\n");
  // One that cmark may see anything in does not.
  CHECK(masked("- [ ] A\n- ```\n- [ ] C\n\n") == "- xxx A\n- ```\n- [ ] C\n\n");
}

TEST_CASE("lists of any shape say the same whether cmark gets them masked or as they are") {
  CHECK(rc::check("same lists", [] {
    const auto line =
        rc::gen::element<std::string>("- [ ] a", "- [x] b <!-- TASK: b -->", "- [ ] *c*", "- d", "* [ ] e",
                                      "1. [ ] f", "", "", "g", "- - h", "---", "```", "<div>", "> i");
    std::string text = "# T\n\n";
    for (int left = *rc::gen::inRange(1, 14); left > 0; --left)
      text += std::string(static_cast<std::size_t>(*rc::gen::inRange(0, 9)), ' ') + *line + "\n";
    // What is no UTF-8 sends the whole text the long way round.
    const std::string end = "\n\n# End of ";
    const auto as_masked = parsed(text + end + "it\n");
    const auto as_it_is = parsed(text + end + "\xFF\n");
    RC_LOG() << text;
    RC_ASSERT(as_masked.phases == as_it_is.phases);
  }));
}

TEST_CASE("an item that may be part of another text stays as it is") {
  for (const std::string lines : {
           "words\n- [ ] A\n\n",          // may go on with the paragraph above
           "- [ ] A\nwords\n",            // goes on below
           "- [ ] A\n      - [ ] B\n\n",  // the same, lazily
           "- [ ] A\n - [ ] B\n\n",       // neither child nor sibling
           "> - [ ] A\n\n",               // in a quote
           "-  [ ] A\n\n",                // written in another way
           "- [ ]\n\n",                   // no text
           "- [?] A\n\n",                 // no box everybody knows
           "- [ ] *A*\n\n",               // cmark's to read
           "- [ ] A",                     // nobody knows what follows
       }) {
    INFO(lines);
    std::string first = masked(lines);
    // Of several items only the last may be masked, below its own blank line.
    CHECK(first.substr(0, first.find('\n')) == lines.substr(0, lines.find('\n')));
  }
  CHECK(masked("- [ ] A\n\n", false) == "- [ ] A\n\n");
}

TEST_CASE("a plain item of a plan has the same title as one that cmark reads") {
  CHECK(rc::check("same title", [] {
    const auto word = rc::gen::element<std::string>("map", "the", "  wide", "tab\t", "\"quoted\"", "a|b",
                                                    "1.", "地图", "x:y", "(", ")", "->", "#", "- [ ]");
    const auto words =
        *rc::gen::container<std::vector<std::string>>(*rc::gen::inRange<std::size_t>(1, 6), word);
    std::string text;
    for (const std::string& one : words) {
      if (one != "- [ ]") text += one + " ";
    }
    const std::string line = "- [ ] " + text + "<!-- TASK: a -->\n";
    // A line of text below, of a paragraph with it, sends the same item the long way round.
    const auto alone = parsed(line + "\n");
    const auto together = parsed("- [ ] " + text + "<!-- TASK: a -->\n  \\*\n\n");
    RC_ASSERT(alone.phases.at(0).tasks.at(0).title + (alone.phases[0].tasks[0].title.empty() ? "*" : " *") ==
              together.phases.at(0).tasks.at(0).title);
  }));
}

TEST_CASE("boxes and markers that code or HTML hides are found though cmark got them masked") {
  const auto fence = parsed("```\n\n- [ ] A <!-- TASK: a -->\n\n```\n\n- [ ] B <!-- TASK: b -->\n");
  CHECK(task_ids(fence) == std::vector<std::string>{"b"});
  CHECK(codes(fence) == std::vector<std::string>{"1:1 checkbox-in-code", "3:9 marker-in-code"});
  const auto comment = parsed("<!-- off\n\n- [ ] A <!-- TASK: a -->\n\n- [ ] B <!-- TASK: b -->\n");
  CHECK(task_ids(comment) == std::vector<std::string>{"b"});
}

TEST_CASE("a plan of many pieces is read as its lines stand, blank lines or none") {
  for (const std::string gap : {"", "\n"}) {
    std::string text;
    for (int i = 0; i < 6'000; ++i) {
      text += "- [ ] Some words of number " + std::to_string(i) + " <!-- TASK: t" + std::to_string(i) +
              " -->\n" + (i % 7 == 0 ? "  and `more` of them\n" : "") + gap;
    }
    const auto plan = parsed(text);
    REQUIRE(plan.phases.at(0).tasks.size() == 6'000);
    for (int i = 0; i < 6'000; ++i) {
      const auto& task = plan.phases[0].tasks[static_cast<std::size_t>(i)];
      const std::string title =
          "Some words of number " + std::to_string(i) + (i % 7 == 0 ? " and more of them" : "");
      if (task.title != title || task.id.text != "t" + std::to_string(i)) {
        CHECK(task.title == title);
        CHECK(task.id.text == "t" + std::to_string(i));
        break;
      }
    }
  }
}
