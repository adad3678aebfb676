#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "markdown/parse_plan.hpp"
#include "markdown/places.hpp"
#include "markdown/plan_reader.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

using Strings = std::vector<std::string>;

// "line:column what", with a "!" where lint --fix can do nothing.
Strings lookalikes(const std::string& text) {
  const auto places = read_places(text);
  if (!places) return {places.error().message};
  Strings all;
  for (const core::Diagnostic& one : places->lookalikes) {
    CHECK(one.code == core::DiagnosticCode::checkbox_lookalike);
    std::string what = one.message.substr(0, one.message.find(':'));
    for (const char* const end : {" is no checkbox", " are no checkbox"})
      what = what.substr(0, what.find(end));
    const bool fix = one.hint.find("--fix") != std::string::npos;
    all.push_back(std::to_string(one.line) + ":" + std::to_string(one.column) + " " + what +
                  (fix ? "" : "!"));
  }
  // They are lint's alone: the plan's own diagnostics are those of its specification.
  const auto plan = parse_plan(text);
  REQUIRE(plan);
  for (const core::Diagnostic& one : plan->diagnostics)
    CHECK(one.code != core::DiagnosticCode::checkbox_lookalike);
  return all;
}

}  // namespace

TEST_CASE("brackets at the beginning of an item that are no box look like one") {
  CHECK(lookalikes("- [] a\n* [ x] b\n+ [  ] c\n1. [X ]\n") ==
        Strings{"1:3 \"[]\"", "2:3 \"[ x]\"", "3:3 brackets around several spaces", "4:4 \"[X ]\""});
  CHECK(lookalikes("- a\n\n  > - [] b\n") == Strings{"3:7 \"[]\""});
  CHECK(lookalikes("- \\[ \\] a\n- \\[x\\] b\n- \\[ ] c\n- [ \\] d\n") ==
        Strings{"1:3 \"\\[ \\]\"!", "2:3 \"\\[x\\]\"!", "3:3 \"\\[ ]\"!", "4:3 \"[ \\]\"!"});
  CHECK(lookalikes("- \xE2\x98\x90 a\n- \xE2\x98\x91\xEF\xB8\x8F b\n- \xE2\x98\x92 c\n") ==
        Strings{"1:3 \"\xE2\x98\x90\"!", "2:3 \"\xE2\x98\x91\xEF\xB8\x8F\"!", "3:3 \"\xE2\x98\x92\"!"});
}

TEST_CASE("a box right behind its list marker looks like an item") {
  CHECK(lookalikes("-[ ] a\n\n*[x] b\n\n1.[X] c\n\n+[] d\n") ==
        Strings{"1:1 \"-[ ]\"", "3:1 \"*[x]\"", "5:1 \"1.[X]\"", "7:1 \"+[]\""});
  // In the paragraph of an item, of a quote, behind a comment.
  CHECK(lookalikes("- [ ] a\n-[ ] b\n  -[x] c\n") == Strings{"2:1 \"-[ ]\"", "3:3 \"-[x]\""});
  CHECK(lookalikes("> a\n> -[ ] b\n") == Strings{"2:3 \"-[ ]\""});
  CHECK(lookalikes("a <!-- one\n-[ ] two\n-->\n-[ ] three\n") == Strings{"4:1 \"-[ ]\""});
}

TEST_CASE("boxes in an HTML block look like items, once a block") {
  CHECK(lookalikes("<details>\n<summary>More</summary>\n- [ ] a\n- [x] b\n</details>\n\n<p>\n* [ ] c\n") ==
        Strings{"3:1 2 boxes in an HTML block!", "8:1 1 box in an HTML block!"});
  CHECK(lookalikes("<details>\n\n- [ ] a\n\n</details>\n").empty());
  CHECK(lookalikes("<!--\n- [ ] a\n-->\n\n<div><!--\n- [ ] b\n--></div>\n").empty());
  CHECK(lookalikes("<pre>\n- [ ] a\n</pre>\n\n<div><PRE>\n- [ ] b\n</PRE></div>\n\n<script>\n- [ ] c\n")
            .empty());
}

TEST_CASE("what nobody takes for a box is left in peace") {
  for (const std::string text :
       {"- [ ] a\n- [x] b\n- [~] c\n- [-] d\n- [?] e\n- [P] f\n- [ ]* g\n- [x]h\n",
        "- [](x) a\n- [x](y) b\n- [ x](y) c\n", "- [ x] a\n\n[x]: https://example.org\n",
        "- [][x] a\n- []: b\n- [12] c\n- [xx] d\n- [ok ] e\n",
        "- [] = open\n- [ x] - done\n- \xE2\x98\x90 : open\n- \xE2\x98\x91 \xE2\x86\x92 done\n",
        "```\n- [] a\n-[ ] b\n```\n\n    - [] a\n    -[ ] b\n", "- `[]` a\n- a [] b\n- a `-[ ]` b\n",
        "text -[ ] a\nand [] b\n\n`-[ ]` c\n", "*[x] a* b\n\n-[x](y)\n\n-[y] a\n\n--[ ] a\n\n-[ ]a\n",
        "- [] a <!-- SKIP -->\n\n## Key\n<!-- SKIP -->\n\n- [] b\n-[ ] c\n",
        "# [] a\n\n| [] | a |\n|---|---|\n| [] | -[ ] |\n",
        "- \xE2\x98\x90\xE2\x98\x90 a\n- a\n  \xE2\x98\x90 b\n", ""}) {
    CAPTURE(text);
    CHECK(lookalikes(text) == Strings{});
  }
}

TEST_CASE("a reader that reads on has the same ones") {
  PlanReader reader(8);
  std::string text = "# P\n\n## A\n\n- [] a\n\n## B\n\n- [ ] b\n-[ ] c\n";
  for (const char* const more : {"", "x\n\n", "- [ x] y\n\n", "[y]: z\n\n"}) {
    text.insert(text.find("## B"), more);
    REQUIRE(reader.plan(text));
    CHECK(reader.lookalikes() == read_places(text)->lookalikes);
    REQUIRE(reader.places(text));
    CHECK(reader.lookalikes() == read_places(text)->lookalikes);
  }
}
