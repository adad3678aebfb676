#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lsp/text.hpp"
#include "talk.hpp"

namespace plankeep::lsp {
namespace {

const std::string kMarked =
    "## A\n<!-- CHECKPOINT: a -->\n- [x] \xF0\x9F\x98\x80 One <!-- TASK: one -->\n"
    "- [ ] Two <!-- TASK: two | after: one -->\n  - [ ] Sub <!-- ACCEPT: ok | verify: true -->\n\n## B\n\n- "
    "[ ] Three\n";

std::string part_of(const Json& json) {
  const Text text(kMarked);
  const auto range = range_in(json);
  REQUIRE(range);
  return kMarked.substr(
      text.offset_of(range->start, Encoding::utf16),
      text.offset_of(range->end, Encoding::utf16) - text.offset_of(range->start, Encoding::utf16));
}

}  // namespace

TEST_CASE("kinds, ids, attributes and boxes are tokens that the client can place") {
  Talk talk;
  const Json begun = talk.ask("initialize", {{"capabilities", Json::object()}})["result"];
  talk.tell("initialized", Json::object());
  const Json legend = begun["capabilities"]["semanticTokensProvider"]["legend"];
  talk.open(kMarked);
  const Json answer = talk.ask("textDocument/semanticTokens/full", {{"textDocument", {{"uri", kUri}}}});
  const Json data = answer["result"]["data"];
  REQUIRE(data.size() % 5 == 0);
  std::vector<std::string> told;
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  for (std::size_t i = 0; i < data.size(); i += 5) {
    const auto down = data[i].get<std::uint32_t>();
    character = (down == 0 ? character : 0) + data[i + 1].get<std::uint32_t>();
    line += down;
    const Json range = {
        {"start", {{"line", line}, {"character", character}}},
        {"end", {{"line", line}, {"character", character + data[i + 2].get<std::uint32_t>()}}}};
    std::string one = legend["tokenTypes"][data[i + 3].get<std::size_t>()];
    const auto modifiers = data[i + 4].get<unsigned>();
    for (std::size_t m = 0; m < 2; ++m) {
      if ((modifiers >> m & 1U) != 0) one += "." + legend["tokenModifiers"][m].get<std::string>();
    }
    told.push_back(one + " " + part_of(range));
  }
  CHECK(told == std::vector<std::string>{"keyword CHECKPOINT", "variable a", "enumMember.done [x]",
                                         "keyword TASK", "variable one", "enumMember.open [ ]",
                                         "keyword TASK", "variable two", "property after", "variable one",
                                         "enumMember.open [ ]", "keyword ACCEPT", "variable ok",
                                         "property verify", "enumMember.open [ ]"});
}

TEST_CASE("a selection grows from a word to its marker, item, phase and plan") {
  Talk talk;
  talk.begin();
  talk.open(kMarked);
  const Json first = {{"line", 3}, {"character", 36}};  // in "one" of "after: one"
  const Json second = {{"line", 8}, {"character", 7}};
  const Json answer = talk.ask("textDocument/selectionRange",
                               {{"textDocument", {{"uri", kUri}}}, {"positions", {first, second}}})["result"];
  REQUIRE(answer.size() == 2);
  std::vector<std::string> parts;
  for (const Json* one = &answer[0]; one->is_object(); one = &member(*one, "parent"))
    parts.push_back(part_of((*one)["range"]));
  REQUIRE(parts.size() == 6);
  CHECK(parts[0] == "one");
  CHECK(parts[1] == "<!-- TASK: two | after: one -->");
  CHECK(parts[2] == "- [ ] Two <!-- TASK: two | after: one -->");
  CHECK(parts[3] == parts[2] + "\n  - [ ] Sub <!-- ACCEPT: ok | verify: true -->");
  CHECK(parts[4].starts_with("## A\n"));
  CHECK(parts[4].ends_with(parts[3]));
  CHECK(parts[5] == kMarked);
  CHECK(part_of(answer[1]["range"]) == "- [ ] Three");
}

TEST_CASE("selections at no place are refused") {
  Talk talk;
  talk.begin();
  talk.open(kMarked);
  Json many = Json::array();
  for (int i = 0; i < 101; ++i) many.push_back({{"line", 0}, {"character", 0}});
  for (const Json& positions : {Json(nullptr), Json::array({7}), many}) {
    const Json answer = talk.ask("textDocument/selectionRange",
                                 {{"textDocument", {{"uri", kUri}}}, {"positions", positions}});
    CHECK(answer["error"]["code"] == -32602);
  }
}

}  // namespace plankeep::lsp
