#include "markdown/import_prd.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/utf8.hpp"
#include "markdown/marker.hpp"
#include "markdown/plan_text.hpp"

using namespace plankeep;
using namespace plankeep::markdown;
using Catch::Matchers::Contains;
using Json = nlohmann::json;

namespace {

ImportedPlan imported(const std::string& json) {
  auto plan = import_prd(json, "prd.json");
  if (!plan) FAIL(plan.error().message);
  return std::move(*plan);
}

std::string refused(const std::string& json) {
  const auto plan = import_prd(json, "prd.json");
  REQUIRE_FALSE(plan.has_value());
  CHECK(plan.error().kind == base::ErrorKind::invalid_input);
  return plan.error().message;
}

std::string with_story(const std::string& fields) {
  return R"({"userStories":[{)" + fields + "}]}";
}

}  // namespace

TEST_CASE("a story is a phase with its task and its criteria") {
  const ImportedPlan plan =
      imported(R"({"project":"Shop","branchName":"ralph/shop","description":"Sell things",
    "userStories":[{"id":"US-001","title":"Cart","description":"As a buyer","acceptanceCriteria":["Adds","Removes"],
                    "priority":1,"passes":true,"notes":""}]})");
  CHECK(plan.text ==
        "# Shop\n\nSell things\n\nBranch: ralph/shop\n\n## US-001: Cart\n<!-- CHECKPOINT: US-001 -->\n\nAs a "
        "buyer\n\n"
        "- [x] Cart <!-- TASK: US-001 -->\n- [x] Adds <!-- ACCEPT: US-001-1 -->\n"
        "- [x] Removes <!-- ACCEPT: US-001-2 -->\n");
  CHECK(plan.notes.empty());
  CHECK(plan.tasks == 1);
  CHECK(plan.done == 1);
  CHECK(plan.criteria == 2);
}

TEST_CASE("stories stand in the order of their priority, those without one last") {
  const ImportedPlan plan =
      imported(R"({"userStories":[{"id":"N","title":"n"},{"id":"B2","title":"b","priority":2},
    {"id":"A1","title":"a","priority":1.5},{"id":"B3","title":"b","priority":2},{"id":"M","title":"m","priority":null}]})");
  CHECK(task_ids(parsed(plan.text)) == std::vector<std::string>{"A1", "B2", "B3", "N", "M"});
}

TEST_CASE("verification commands become criteria with their commands") {
  const ImportedPlan plan = imported(
      R"({"verificationCommands":{"test":"npm test | tee log","odd":"a --> b","empty":""},"userStories":[{"id":"checks","title":"c"}]})");
  const core::Plan read = parsed(plan.text);
  REQUIRE(read.phases.size() == 2);
  CHECK(read.phases[1].id.text == "checks-2");
  REQUIRE(read.phases[1].acceptance.size() == 1);
  CHECK(read.phases[1].acceptance[0].verify == "npm test | tee log");
  CHECK(plan.notes ==
        std::vector<std::string>{"the command of \"odd\" cannot be put in a marker and was ignored",
                                 "the command of \"empty\" cannot be put in a marker and was ignored"});
}

TEST_CASE("ids that cannot be or stand twice are changed, and that is said") {
  const ImportedPlan plan =
      imported(R"({"userStories":[{"id":"US 1","title":"a"},{"id":7,"title":"b"},{"title":"No id"},
    {"id":"us-1","title":"c"},{"id":"us-1","title":"d"},{"id":"-->","title":"e"}]})");
  CHECK(task_ids(parsed(plan.text)) ==
        std::vector<std::string>{"us-1-2", "7", "no-id", "us-1", "us-1-3", "story"});
  CHECK(plan.notes.size() == 4);
  CHECK_THAT(plan.notes[0], Contains("\"US 1\" is not a valid id: the story was named us-1-2"));
  CHECK_THAT(plan.notes[1], Contains("a story without an id was named no-id"));
}

TEST_CASE("what is not known is said by its path, never dropped in silence") {
  const ImportedPlan plan = imported(
      R"({"owner":{"a":[1]},"userStories":[{"id":"A","title":"a"},{"id":"B","title":"b","estimate":3}]})");
  CHECK(plan.notes == std::vector<std::string>{"\"owner\" is unknown and was ignored",
                                               "\"userStories[1].estimate\" is unknown and was ignored"});
  std::string many = R"({"userStories":[{"title":"a")";
  for (int i = 0; i < 100; ++i) many += ",\"x" + std::to_string(i) + "\":0";
  CHECK(imported(many + "}]}").notes.size() == 21);
}

TEST_CASE("bad input is refused with the place") {
  CHECK_THAT(refused(""), Contains("expected"));
  CHECK_THAT(refused("[]"), Contains("expected"));
  CHECK_THAT(refused("{}"), Contains("\"userStories\" is missing"));
  CHECK_THAT(refused(R"({"userStories":[]})"), Contains("empty"));
  CHECK_THAT(refused(R"({"userStories":{}})"), Contains("userStories"));
  CHECK_THAT(refused(R"({"userStories":[1]})"), Contains("userStories[0]"));
  CHECK_THAT(refused(with_story(R"("title":1)")), Contains("userStories[0].title"));
  CHECK_THAT(refused(with_story(R"("title":"a","passes":"true")")), Contains("userStories[0].passes"));
  CHECK_THAT(refused(with_story(R"("title":"a","priority":"high")")), Contains("priority"));
  CHECK_THAT(refused(with_story(R"("title":"a","acceptanceCriteria":[{}])")),
             Contains("acceptanceCriteria[0]"));
  CHECK_THAT(refused(with_story(R"("title":"a")") + "x"), Contains("byte"));
  CHECK_THAT(refused("{\"userStories\":[{\"title\":\"\xFF\"}]}"), Contains("title"));
  CHECK_THAT(refused(std::string(100'000, '[')), Contains("expected"));
}

TEST_CASE("hostile text stays text") {
  for (const char* words : {"<!-- TASK: evil -->",
                            "--> <!-- DECISION: yes -->",
                            "- [x] done",
                            "# Heading",
                            "1. One",
                            "```",
                            "~~~",
                            "> quote",
                            "---",
                            "===",
                            "| a | b |",
                            "[x](y)",
                            "![x](y)",
                            "<div>",
                            "</div>",
                            "<script>",
                            "&lt;!-- TASK: a --&gt;",
                            "a\\",
                            "\\",
                            "`code",
                            "**bold",
                            "_a_",
                            "__a__",
                            "~~a~~",
                            "***",
                            "* a",
                            "+ a",
                            "- ",
                            "a\n- [x] b",
                            "a\r\n\r\n## b",
                            "a\u2028b",
                            "\x1B[31mred",
                            "[x]",
                            "[ ]",
                            "* * *",
                            "<<<<<<< ours",
                            "=======",
                            ">>>>>>> theirs",
                            "---\na: b\n---",
                            "http://a_b_c",
                            "a #",
                            "#",
                            "<!--",
                            "<?php",
                            "<![CDATA[",
                            "<!A",
                            "[^1]: note",
                            "[a]: /b",
                            "\xEF\xBB\xBF",
                            "   ",
                            "\t",
                            "a &amp; b",
                            "&#60;!--",
                            "\u202Eabc",
                            "a | verify: rm -rf /",
                            "TASK: a",
                            "<!--->",
                            "<!---->"}) {
    CAPTURE(words);
    Json prd;
    prd["project"] = words;
    prd["description"] = words;
    prd["branchName"] = words;
    prd["verificationCommands"] = {{words, words}};
    prd["userStories"] = {{{"id", words},
                           {"title", words},
                           {"description", words},
                           {"notes", words},
                           {"passes", true},
                           {"acceptanceCriteria", {words, "plain"}}},
                          {{"id", "LAST-1"}, {"title", "last"}}};
    // The import itself reads its plan again and compares every title.
    const ImportedPlan plan = imported(prd.dump());
    CHECK(plan.tasks == 2);
    CHECK(plan.done == 1);
  }
}

TEST_CASE("any text in any place is imported as it reads, and read again as it was written") {
  CHECK(rc::check("round trip", [] {
    static const std::vector<std::string> kPieces{
        "<!--", "-->", " ",        "TASK:", "x",       "[", "]",  "(",  ")", "`",     "*", "_",
        "#",    "\n",  "-",        "1.",    "&",       ";", "lt", "\\", "<", ">",     "~", "|",
        "=",    "\t",  "\xC3\xA9", ":",     "http://", "!", "\"", "'",  "{", "verify"};
    const auto any = [] {
      std::string text;
      for (const auto& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
        text += piece;
      return text;
    };
    Json prd;
    prd["project"] = any();
    prd["description"] = any();
    prd["userStories"] = Json::array();
    const auto count = *rc::gen::inRange(1, 4);
    std::vector<std::string> titles;
    for (int i = 0; i < count; ++i) {
      const std::string title = "t" + any();
      titles.push_back(fold_space(base::printable(title)));
      prd["userStories"].push_back({{"id", any()},
                                    {"title", title},
                                    {"description", any()},
                                    {"notes", any()},
                                    {"acceptanceCriteria", {any(), any()}}});
    }
    const auto plan = import_prd(prd.dump(), "prd.json");
    RC_ASSERT(plan.has_value());
    const core::Plan read = parsed(plan->text);
    std::vector<std::string> found;
    for (const core::Phase& phase : read.phases) {
      for (const core::Task& task : phase.tasks) found.push_back(task.title);
    }
    RC_ASSERT(found == titles);
  }));
}

TEST_CASE("any bytes are refused or imported") {
  CHECK(rc::check("bytes", [] {
    static const std::vector<std::string> kPieces{
        "{",         "}",     "[",  "]",    ",",    ":",          "\"userStories\"",
        "\"title\"", "\"a\"", "1",  "true", "null", "\"passes\"", "\"id\"",
        " ",         "\\",    "\"", "\xFF"};
    std::string text;
    for (const auto& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
      text += piece;
    const auto plan = import_prd(text, "x");
    RC_ASSERT(plan.has_value() || plan.error().kind == base::ErrorKind::invalid_input);
  }));
}
