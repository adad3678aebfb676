#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lsp/text.hpp"
#include "lsp/text_edits.hpp"
#include "talk.hpp"

namespace plankeep::lsp {
namespace {

const std::string kBefore = "- [ ] Pour <!-- TASK: pour -->\n- [ ] \xF0\x9F\x98\x80 Dig <!-- TASK: dig -->\n";

// What a client is offered where "^" stands in a line below kBefore, and what the line becomes by each.
struct Offered {
  std::vector<std::string> labels;
  std::vector<std::string> lines;
  bool none = false;
  bool incomplete = false;
};
Offered offered(std::string line, const std::string& before = kBefore) {
  const std::size_t cursor = line.find('^');
  REQUIRE(cursor != std::string::npos);
  line.erase(cursor, 1);
  const Text text(before + line);
  Talk talk;
  talk.begin();
  talk.open(text.bytes());
  const Json answer = talk.ask(
      "textDocument/completion",
      {{"textDocument", {{"uri", kUri}}},
       {"position", Json(json_of(text.position_of(before.size() + cursor, Encoding::utf16)))}})["result"];
  Offered all;
  all.none = answer.is_null();
  if (all.none) return all;
  all.incomplete = answer["isIncomplete"];
  for (const Json& item : answer["items"]) {
    all.labels.push_back(item["label"]);
    const auto range = range_in(item["textEdit"]["range"]);
    REQUIRE(range);
    const Bytes part{text.offset_of(range->start, Encoding::utf16),
                     text.offset_of(range->end, Encoding::utf16)};
    const TextEdit edit{part, item["textEdit"]["newText"]};
    all.lines.push_back(with_edits(text.bytes(), {edit}).substr(before.size()));
  }
  return all;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("in a comment the kinds of markers are offered") {
  const Offered all = offered("- [ ] Wait <!-- ^");
  CHECK(all.labels == Words{"CHECKPOINT", "TASK", "ACCEPT", "DECISION", "BLOCKER", "SKIP"});
  CHECK(all.lines[1] == "- [ ] Wait <!-- TASK: ");
  CHECK(all.lines[5] == "- [ ] Wait <!-- SKIP");
  CHECK(offered("- [ ] Wait <!--^").lines[1] == "- [ ] Wait <!-- TASK: ");
  CHECK(offered("- [ ] Wait <!-- ta^ -->").lines[1] == "- [ ] Wait <!-- TASK:  -->");
  // What is there already is not written twice.
  CHECK(offered("- [ ] Wait <!-- T^AS: wait -->").lines[2] == "- [ ] Wait <!-- ACCEPT: wait -->");
}

TEST_CASE("a kind is offered the attribute that it has") {
  CHECK(offered("- [ ] W <!-- TASK: w | ^ -->").lines == Words{"- [ ] W <!-- TASK: w | after:  -->"});
  CHECK(offered("- [ ] W <!-- TASK: w |a^").lines == Words{"- [ ] W <!-- TASK: w | after: "});
  CHECK(offered("- [ ] W <!-- TASK: w ^").lines == Words{"- [ ] W <!-- TASK: w | after: "});
  CHECK(offered("- [ ] W <!-- ACCEPT: w | v^er: make -->").lines ==
        Words{"- [ ] W <!-- ACCEPT: w | verify: make -->"});
  CHECK(offered("<!-- DECISION: use a bar | ^ -->").labels == Words{"reason:"});
}

TEST_CASE("after the key come the ids of the other tasks, each once") {
  const Offered all = offered("- [ ] W <!-- TASK: w | after: ^ -->\n");
  CHECK(all.labels == Words{"pour", "dig"});
  CHECK(all.lines[1] == "- [ ] W <!-- TASK: w | after: dig -->\n");
  CHECK(offered("- [ ] W <!-- TASK: w | after:^").lines[0] == "- [ ] W <!-- TASK: w | after: pour");
  CHECK(offered("- [ ] W <!-- TASK: w | after: D^ -->\n").labels == Words{"dig"});
  CHECK(offered("- [ ] W <!-- TASK: w | after: pour, ^ -->\n").labels == Words{"dig"});
  CHECK(offered("- [ ] W <!-- TASK: w | after: pour,^ -->\n").lines ==
        Words{"- [ ] W <!-- TASK: w | after: pour, dig -->\n"});
  CHECK(offered("- [ ] W <!-- TASK: w | after: ^, dig -->\n").lines ==
        Words{"- [ ] W <!-- TASK: w | after: pour, dig -->\n"});
  // The whole id is replaced, not only what stands before the cursor.
  CHECK(offered("- [ ] W <!-- TASK: w | after: p^ool, dig -->\n").lines ==
        Words{"- [ ] W <!-- TASK: w | after: pour, dig -->\n"});
  CHECK(offered("- [ ] W <!-- TASK: w | after: \xF0\x9F\x98\x80^ -->\n").labels.empty());
}

TEST_CASE("elsewhere nothing is offered") {
  for (const char* const line :
       {"- [ ] Wait^", "- [ ] W <!-- TASK: w -->^", "- [ ] W <!-- TASK: ^", "- [ ] W <!-- TASK: w^",
        "<!-- DECISION: use a ^ -->", "<!-- BLOCKER: no | ^ -->", "<!-- NOTE: x | ^ -->",
        "- [ ] W <!-- ACCEPT: w | verify: ^ -->", "- [ ] W <!-- ACCEPT: w | verify: make | t^ -->",
        "<!-- CHECKPOINT: a | ^ -->", "<!-- some words ^ -->"}) {
    CAPTURE(line);
    CHECK(offered(line).none);
  }
}

TEST_CASE("of very many tasks the first ones are offered, and the client is told to ask again") {
  std::string many;
  for (int i = 0; i < 600; ++i) many += "- [ ] T <!-- TASK: t" + std::to_string(i) + " -->\n";
  const Offered all = offered("- [ ] W <!-- TASK: w | after: ^ -->\n", many);
  CHECK(all.labels.size() == 500);
  CHECK(all.incomplete);
  const Offered fewer = offered("- [ ] W <!-- TASK: w | after: t59^ -->\n", many);
  CHECK(fewer.labels.size() == 11);
  CHECK_FALSE(fewer.incomplete);
}

TEST_CASE("titles that are offered show no control characters") {
  Talk talk;
  talk.begin();
  talk.open("- [ ] A\x1b[2J <!-- TASK: a -->\n- [ ] B <!-- TASK: b | after:  -->\n");
  const Json answer = talk.ask("textDocument/completion", {{"textDocument", {{"uri", kUri}}},
                                                           {"position", {{"line", 1}, {"character", 29}}}});
  REQUIRE(answer["result"]["items"].size() == 1);
  CHECK(answer["result"]["items"][0]["detail"].get<std::string>().find('\x1b') == std::string::npos);
}

TEST_CASE("symbols are searched in all open plans, by title and by id") {
  Talk talk;
  talk.begin();
  talk.open(
      "# P\n\n## Ground\n<!-- CHECKPOINT: ground -->\n- [ ] Dig <!-- TASK: hole -->\n- [x] Pour <!-- TASK: "
      "pour -->\n");
  talk.tell("textDocument/didOpen", {{"textDocument",
                                      {{"uri", "file:///home/kim/other.md"},
                                       {"languageId", "markdown"},
                                       {"version", 1},
                                       {"text", "- [ ] A Hole <!-- ACCEPT: deep -->\n"}}}});
  talk.tell("textDocument/didOpen", {{"textDocument",
                                      {{"uri", "file:///home/kim/letter.md"},
                                       {"languageId", "markdown"},
                                       {"version", 1},
                                       {"text", "- [ ] a hole\n"}}}});
  const auto found = [&](const Json& query) {
    Words names;
    const Json answer = talk.ask("workspace/symbol", {{"query", query}});
    for (const Json& one : answer["result"]) names.push_back(one["name"]);
    return names;
  };
  CHECK(found("HOLE") == Words{"A Hole", "Dig"});
  CHECK(found("pour") == Words{"Pour"});
  CHECK(found("nosuch").empty());
  CHECK(found("").size() >= 4);
  const Json dig = talk.ask("workspace/symbol", {{"query", "dig"}})["result"][0];
  CHECK(dig["containerName"] == "Ground");
  CHECK(dig["location"]["uri"] == kUri);
  CHECK(dig["location"]["range"]["start"]["line"] == 4);
}

}  // namespace plankeep::lsp
