#include "markdown/edits/fix_plan.hpp"

#include <catch2/catch.hpp>

#include "markdown/plan_text.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

std::string fixed(const std::string& text) {
  const auto result = fix_plan(text, parsed(text));
  return result ? result->text : "refused: " + result.error().message;
}

}  // namespace

TEST_CASE("a box gets the space that other tools want") {
  CHECK(fixed("## A\n\n- [x]One\n  * [ ]Two\r\n- [ ] Three\n") ==
        "## A\n\n- [x] One\n  * [ ] Two\r\n- [ ] Three\n");
}

TEST_CASE("a marker's kind gets its letters and its colon") {
  const std::string marked = "## A\n<!-- CHECKPOINT: a -->\n\n- [ ] One <!-- TASK: one -->\n";
  CHECK(fixed(marked + "- [ ] Two <!-- task: two -->\n- [ ] Ok <!--Accept: ok | verify: true-->\n") ==
        marked + "- [ ] Two <!-- TASK: two -->\n- [ ] Ok <!--ACCEPT: ok | verify: true-->\n");
  CHECK(fixed(marked + "- [ ] Two <!-- TASK two -->\n") == marked + "- [ ] Two <!-- TASK: two -->\n");
  const auto result =
      fix_plan(marked + "- [ ]Two <!-- task: two -->\n", parsed(marked + "- [ ]Two <!-- task: two -->\n"));
  REQUIRE(result);
  CHECK(result->text == marked + "- [ ] Two <!-- TASK: two -->\n");
  CHECK(result->fixes.size() == 2);
  CHECK(result->fixes.front().line == 5);
}

TEST_CASE("a SKIP in other letters leaves out what it stands in, and so do its diagnostics") {
  CHECK(fixed("- [ ] One\n- [ ] Two <!-- skip -->\n") == "- [ ] One\n- [ ] Two <!-- SKIP -->\n");
  CHECK(fixed("- [ ] One\n- [ ] Two <!--Skip: not ours-->\n") ==
        "- [ ] One\n- [ ] Two <!--SKIP: not ours-->\n");
  CHECK(fixed("- [ ] One\n\n## Key\n<!-- skip -->\n- [ ] Two <!-- TSAK: two -->\n- [ ] Three <!-- task: x "
              "-->\n") ==
        "- [ ] One\n\n## Key\n<!-- SKIP -->\n- [ ] Two <!-- TSAK: two -->\n- [ ] Three <!-- TASK: x -->\n");
  // It may be the beginning of a sentence.
  CHECK(fixed("- [ ] One\n- [ ] Two <!-- SKIP it -->\n") == "- [ ] One\n- [ ] Two <!-- SKIP it -->\n");
}

TEST_CASE("what has more than one reading stays") {
  const std::string marked = "## A\n<!-- CHECKPOINT: a -->\n\n- [ ] One <!-- TASK: one -->\n";
  for (const std::string& text :
       {marked + "- [ ] Two <!-- TAKS: two -->\n", marked + "- [ ] Two <!-- task: one -->\n",
        std::string("# Plan\n\n- [x] Fine\n- a [ ]link\n```\n- [ ]code\n```\n"), std::string()}) {
    CAPTURE(text);
    CHECK(fixed(text) == text);
  }
}

TEST_CASE("what cannot be fixed keeps nothing else from being fixed, and is told") {
  const std::string marked = "## A\n<!-- CHECKPOINT: a -->\n\n- [ ] One <!-- TASK: one -->\n";
  const std::string twice = "- [ ] Two <!-- task: one -->\n";
  const std::string text =
      marked + "- [ ] Three <!-- task: three -->\n" + twice + "- [ ]Four <!-- TASK four -->\n";
  const auto result = fix_plan(text, parsed(text));
  REQUIRE(result);
  CHECK(result->text ==
        marked + "- [ ] Three <!-- TASK: three -->\n" + twice + "- [ ] Four <!-- TASK: four -->\n");
  CHECK(result->fixes.size() == 3);
  CHECK(result->left == std::vector<Fix>{{core::DiagnosticCode::marker_unknown_kind, 6}});
}

TEST_CASE("a marker that names one further down is fixed with it") {
  const std::string text =
      "- [ ] One <!-- TASK: one -->\n- [ ] Two <!-- task: two | after: four -->\n"
      "- [ ] Three <!-- task: one -->\n- [ ] Four <!-- task: four -->\n";
  CHECK(fixed(text) ==
        "- [ ] One <!-- TASK: one -->\n- [ ] Two <!-- TASK: two | after: four -->\n"
        "- [ ] Three <!-- task: one -->\n- [ ] Four <!-- TASK: four -->\n");
}

TEST_CASE("what only looks like a box becomes the one that is meant") {
  CHECK(fixed("- [] One\n- [  ] Two\n* [ x] Three\r\n* [X ]\n1. [ ~ ] Five\n") ==
        "- [ ] One\n- [ ] Two\n* [x] Three\r\n* [X]\n1. [~] Five\n");
  CHECK(fixed("# P\n\n-[ ] One\n\n2.[x] Two\n") == "# P\n\n- [ ] One\n\n2. [x] Two\n");
  CHECK(fixed("- [ ] One\n-[] Two\n  -[X ] Three\n") == "- [ ] One\n- [ ] Two\n  - [X] Three\n");
  CHECK(fixed("- [] One <!-- task: one -->\n") == "- [ ] One <!-- TASK: one -->\n");
  // There only a person can tell.
  for (const std::string text :
       {"- \\[ \\] One\n", "- \xE2\x98\x90 One\n", "<details>\n- [ ] One\n</details>\n",
        "- [ ] One\n      -[ ] a line of code, or of the paragraph\n"}) {
    CAPTURE(text);
    CHECK(fixed(text) == text);
  }
}

TEST_CASE("a box that would break the plan is not made, the others are") {
  const std::string text =
      "- [ ] One <!-- TASK: one -->\n- [] Again <!-- TASK: one -->\n\n- [] Three <!-- SKIP -->\n- [] Four\n";
  const auto result = fix_plan(text, parsed(text));
  REQUIRE(result);
  CHECK(result->text.ends_with("- [] Three <!-- SKIP -->\n- [ ] Four\n"));
}

TEST_CASE("fixing twice changes nothing") {
  const std::string once = fixed("\xef\xbb\xbf- [x]One\n- [ ]Zwei\xc3\xbc <!-- Task: b -->");
  CHECK(fixed(once) == once);
  CHECK(once.starts_with("\xef\xbb\xbf- [x] One\n- [ ] Zwei"));
}
