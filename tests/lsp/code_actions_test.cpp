#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lsp/text.hpp"
#include "lsp/text_edits.hpp"
#include "markdown/edits/annotate.hpp"
#include "markdown/edits/fix_plan.hpp"
#include "markdown/parse_plan.hpp"
#include "talk.hpp"

namespace plankeep::lsp {
namespace {

const std::string kText =
    "## A\n<!-- CHECKPOINT: a -->\n- [ ] \xF0\x9F\x98\x80 One <!-- task: one -->\n- [ ]Two <!-- TASK: two "
    "-->\n"
    "- [ ] Three\n";
const Json kLiterals = {
    {"textDocument",
     {{"codeAction", {{"codeActionLiteralSupport", {{"codeActionKind", {{"valueSet", Json::array()}}}}}}}}}};

Json asked(int first, int last, Json context = Json::object()) {
  const Json range = {{"start", {{"line", first}, {"character", 0}}},
                      {"end", {{"line", last}, {"character", 0}}}};
  if (!context.contains("diagnostics")) context["diagnostics"] = Json::array();
  return {{"textDocument", {{"uri", kUri}}}, {"range", range}, {"context", context}};
}

// The text after the client has made an action's edit.
std::string made(const std::string& before, const Json& action) {
  const Text text(before);
  std::vector<TextEdit> edits;
  for (const Json& one : action["edit"]["changes"][kUri]) {
    const auto range = range_in(one["range"]);
    REQUIRE(range);
    edits.push_back(
        {{text.offset_of(range->start, Encoding::utf16), text.offset_of(range->end, Encoding::utf16)},
         one["newText"]});
  }
  return with_edits(before, edits);
}

// Annotates as the real one does of a plan that is not tracked.
class AnnotatingDesk : public FakeDesk {
 public:
  base::Result<std::string> annotated(const std::string&, const std::string& text) override {
    const auto plan = markdown::parse_plan(text);
    REQUIRE(plan);
    auto annotated = markdown::annotate(text, *plan);
    REQUIRE(annotated);
    return std::move(annotated->text);
  }
};

struct ActionTalk : Talk {
  explicit ActionTalk(const Json& capabilities = kLiterals, const std::string& text = kText)
      : Talk(std::make_unique<AnnotatingDesk>()) {
    begin(capabilities);
    open(text);
  }
  Json actions(const Json& params) { return ask("textDocument/codeAction", params)["result"]; }
};

}  // namespace

TEST_CASE("what lint can fix is fixed one at a time, in the buffer") {
  ActionTalk talk;
  const Json told = talk.published()["diagnostics"];
  const Json only = {{"only", {"quickfix"}}, {"diagnostics", told}};
  const Json first = talk.actions(asked(2, 2, only));
  REQUIRE(first.size() == 1);
  CHECK(first[0]["kind"] == "quickfix");
  CHECK(first[0]["diagnostics"].size() == 1);
  CHECK(first[0]["diagnostics"][0]["code"] == "marker-unknown-kind");
  std::string after = kText;
  after.replace(after.find("task: one"), 4, "TASK");
  CHECK(made(kText, first[0]) == after);

  const Json second = talk.actions(asked(3, 3, only));
  REQUIRE(second.size() == 1);
  after = kText;
  after.replace(after.find("[ ]Two"), 3, "[ ] ");
  CHECK(made(kText, second[0]) == after);

  CHECK(talk.actions(asked(0, 4, only)).size() == 2);
  CHECK(talk.actions(asked(4, 4, only)).empty());
}

TEST_CASE("what has no right answer has no quick fix") {
  ActionTalk talk(kLiterals,
                  "- [ ] A <!-- TASK: a -->\n- [ ] B <!-- task: a -->\n- [ ] C <!-- TAKS: c -->\n");
  CHECK(talk.published()["diagnostics"].size() >= 2);
  CHECK(talk.actions(asked(0, 2, {{"only", {"quickfix"}}})).empty());
}

TEST_CASE("a quick fix names no diagnostic that the client did not send") {
  ActionTalk talk;
  const Json other = {{"code", "marker-unknown-kind"}, {"source", "another"}, {"range", nullptr}};
  const Json action = talk.actions(asked(2, 2, {{"only", {"quickfix"}}, {"diagnostics", {other, 7}}}));
  REQUIRE(action.size() == 1);
  CHECK_FALSE(action[0].contains("diagnostics"));
}

TEST_CASE("every box gets its marker by a source action") {
  ActionTalk talk;
  for (const char* const kind : {"source", "source.annotate", "source.annotate.plankeep"}) {
    CAPTURE(kind);
    const Json actions = talk.actions(asked(0, 0, {{"only", {kind}}}));
    REQUIRE(actions.size() == 1);
    CHECK(actions[0]["title"] == "Give every box its marker");
    CHECK(made(kText, actions[0]) == *AnnotatingDesk().annotated({}, kText));
    CHECK(made(kText, actions[0]).find("Three <!-- TASK:") != std::string::npos);
  }
  CHECK(talk.actions(asked(0, 0, {{"only", {"source.anno"}}})).empty());
  CHECK(talk.actions(asked(0, 0)).size() == 1);
  // Asked for with each movement of the cursor only what is cheap comes.
  CHECK(talk.actions(asked(0, 0, {{"triggerKind", 2}})).empty());
  ActionTalk marked(kLiterals, "## A\n<!-- CHECKPOINT: a -->\n- [ ] One <!-- TASK: one -->\n");
  CHECK(marked.actions(asked(0, 0)).empty());
}

TEST_CASE("lost tasks are offered to be put back, where there are any") {
  ActionTalk talk;
  const Json wanted = {{"only", {"source.restore.plankeep"}}};
  CHECK(talk.actions(asked(0, 0, wanted)).empty());
  talk.desk.lost = {"a", "b"};
  const Json actions = talk.actions(asked(0, 0, wanted));
  REQUIRE(actions.size() == 1);
  CHECK(actions[0]["title"] == "Put back 2 lost tasks");
  CHECK(actions[0]["command"]["command"] == "plankeep.restore");
  CHECK(actions[0]["command"]["arguments"] == Json::array({kUri}));
  CHECK(talk.actions(asked(0, 0, {{"triggerKind", 2}})).empty());
}

TEST_CASE("a client without literals of code actions gets commands only") {
  ActionTalk talk(Json::object());
  const Json actions = talk.actions(asked(0, 4));
  REQUIRE(actions.size() == 1);
  CHECK(actions[0]["command"] == "plankeep.annotate");
  CHECK(actions[0]["arguments"] == Json::array({kUri}));
}

TEST_CASE("code actions for no range are refused") {
  ActionTalk talk;
  const Json params = {{"textDocument", {{"uri", kUri}}}};
  CHECK(talk.ask("textDocument/codeAction", params)["error"]["code"] == -32602);
}

TEST_CASE("what only looks like a box is offered to be made one, where that is certain") {
  const std::string text = "# P\n<!-- CHECKPOINT: p -->\n- [ ] One\n- [] Two\n- \\[ \\] Three\n-[x] Four\n";
  ActionTalk talk(kLiterals, text);
  const Json actions = talk.actions(asked(3, 3, {{"only", {"quickfix"}}}));
  REQUIRE(actions.size() == 1);
  CHECK(actions[0]["title"] == "Make it a checkbox");
  CHECK(made(text, actions[0]) ==
        "# P\n<!-- CHECKPOINT: p -->\n- [ ] One\n- [ ] Two\n- \\[ \\] Three\n-[x] Four\n");
  CHECK(talk.actions(asked(4, 4, {{"only", {"quickfix"}}})).empty());
  CHECK(talk.actions(asked(5, 5, {{"only", {"quickfix"}}})).size() == 1);
}

TEST_CASE("one diagnostic is fixed, and the others stay") {
  const std::string head = "## A\n<!-- CHECKPOINT: a -->\n\n";
  const std::string text = head + "- [ ]One <!-- TASK: one -->\n- [ ]Two <!-- task: two -->\n";
  const auto plan = markdown::parse_plan(text);
  REQUIRE(plan);
  std::vector<std::string> texts;
  for (const core::Diagnostic& one : plan->diagnostics) {
    const auto result = markdown::fix_one(text, *plan, one);
    REQUIRE(result);
    CHECK(result->fixes.size() == (result->text == text ? 0 : 1));
    if (!result->fixes.empty()) texts.push_back(result->text);
  }
  CHECK(texts ==
        std::vector<std::string>{head + "- [ ] One <!-- TASK: one -->\n- [ ]Two <!-- task: two -->\n",
                                 head + "- [ ]One <!-- TASK: one -->\n- [ ] Two <!-- task: two -->\n",
                                 head + "- [ ]One <!-- TASK: one -->\n- [ ]Two <!-- TASK: two -->\n"});
}

}  // namespace plankeep::lsp
