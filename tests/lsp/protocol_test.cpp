#include "lsp/protocol.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lsp/text_edits.hpp"
#include "lsp/uri.hpp"
#include "talk.hpp"

namespace plankeep::lsp {
namespace {

const std::string kPlan =
    "# P\n\n- [ ] First <!-- TASK: first -->\n- [x] \xF0\x9F\x98\x80 Second <!-- TASK: second | after: first "
    "-->\n";

}  // namespace

TEST_CASE("a task that is done before what it comes after is told where it stands, in the agreed units") {
  for (const char* const encoding : {"utf-8", "utf-16", "utf-32"}) {
    Talk talk;
    talk.begin({{"general", {{"positionEncodings", Json::array({"utf-7", encoding})}}}});
    talk.open("- [ ] A <!-- TASK: a -->\n- [ ] \xF0\x9F\x98\x80 <!-- TASK: b | after: nosuch -->\n");
    const Json told = talk.published();
    REQUIRE(told["diagnostics"].size() == 1);
    const Json& one = told["diagnostics"][0];
    CHECK(one["code"] == "unknown-dependency");
    CHECK(one["severity"] == 1);
    const int wide = std::string(encoding) == "utf-8" ? 4 : std::string(encoding) == "utf-16" ? 2 : 1;
    CHECK(one["range"]["start"]["character"] == 6 + wide + 1);
  }
  Talk talk;
  talk.begin();
  talk.open(kPlan);
  const Json told = talk.published();
  REQUIRE(told["diagnostics"].size() == 1);
  CHECK(told["diagnostics"][0]["code"] == "done-before-dependency");
  CHECK(told["diagnostics"][0]["range"]["start"] == Json({{"line", 3}, {"character", 2}}));
}

TEST_CASE("a diagnostic links to the manual's page where there is one and the client shows links") {
  const Json shows = {{"textDocument", {{"publishDiagnostics", {{"codeDescriptionSupport", true}}}}}};
  for (const bool installed : {false, true}) {
    for (const bool shown : {false, true}) {
      Talk talk;
      if (installed) talk.desk.manual = "/usr/share/doc/plan keep/diagnostics.md";
      talk.begin(shown ? shows : Json::object());
      talk.open(kPlan);
      const Json told = talk.published();
      const Json& one = told["diagnostics"][0];
      CHECK(one.contains("codeDescription") == (installed && shown));
      if (!installed || !shown) continue;
      CHECK(one["codeDescription"]["href"] ==
            "file:///usr/share/doc/plan%20keep/diagnostics.md#done-before-dependency");
    }
  }
}

TEST_CASE("hover shows the ids and titles that a task had before") {
  Talk talk;
  talk.begin();
  talk.open(kPlan);
  talk.desk.earlier["first"] = {{"begin", "start"}, {"The *very* first"}};
  const auto hover = [&talk](int line) {
    const Json answer = talk.ask("textDocument/hover", {{"textDocument", {{"uri", kUri}}},
                                                        {"position", {{"line", line}, {"character", 8}}}});
    return answer["result"]["contents"]["value"].get<std::string>();
  };
  CHECK(hover(2).ends_with("\n\nearlier: `begin`, `start`, The \\*very\\* first"));
  CHECK(hover(3).find("earlier") == std::string::npos);
}

TEST_CASE("a save is recorded, and what cannot be recorded now is told in the editor's log") {
  Talk talk;
  talk.begin();
  talk.open(kPlan);
  (void)talk.answers();
  talk.tell("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}});
  std::vector<std::string> methods;
  for (const Json& one : talk.answers()) methods.push_back(string_in(one, "method"));
  CHECK(talk.desk.done == std::vector<std::string>{"saved /home/kim/plan.md"});
  CHECK(std::find(methods.begin(), methods.end(), "plankeep/changed") != methods.end());
  CHECK(std::find(methods.begin(), methods.end(), "window/logMessage") == methods.end());

  talk.desk.busy = true;
  talk.tell("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}});
  bool told = false;
  for (const Json& one : talk.answers()) {
    if (string_in(one, "method") != "window/logMessage") continue;
    told = one["params"]["message"] == "not recorded yet: the plan is locked";
  }
  CHECK(told);
  talk.tell("textDocument/didSave", {{"textDocument", {{"uri", "file:///home/kim/not-open.md"}}}});
  CHECK(talk.answers().empty());
  CHECK(talk.desk.done.size() == 2);
}

TEST_CASE("a file that is no plan is met with silence") {
  Talk talk;
  talk.begin();
  talk.open("# A letter\n\n- [ ] milk\n");
  CHECK(talk.answers().empty());
  CHECK(talk.ask("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}})["result"].is_null());
}

TEST_CASE("only the newest text of several changes is told of, and older requests are answered at once") {
  Talk talk;
  talk.begin();
  talk.open(kPlan);
  (void)talk.answers();
  talk.send({{"jsonrpc", "2.0"},
             {"id", "old"},
             {"method", "textDocument/codeLens"},
             {"params", {{"textDocument", {{"uri", kUri}}}}}});
  talk.send({{"jsonrpc", "2.0"},
             {"id", "pull"},
             {"method", "textDocument/diagnostic"},
             {"params", {{"textDocument", {{"uri", kUri}}}}}});
  for (int version = 2; version < 5; ++version) {
    const Json range = {{"start", {{"line", 2}, {"character", 3}}}, {"end", {{"line", 2}, {"character", 4}}}};
    talk.tell("textDocument/didChange",
              {{"textDocument", {{"uri", kUri}, {"version", version}}},
               {"contentChanges", Json::array({{{"range", range}, {"text", version == 4 ? "x" : " "}}})}});
  }
  const std::vector<Json> all = talk.answers();
  REQUIRE(all.size() == 4);
  CHECK(all[0]["error"]["code"] == kContentModified);
  CHECK(all[1]["error"]["code"] == kServerCancelled);
  CHECK(all[2]["params"]["version"] == 4);
  CHECK(all[2]["params"]["diagnostics"].empty());
  CHECK(all[3]["method"] == "plankeep/changed");
}

TEST_CASE("nothing is said of a text of which a change was missed, until the text comes whole") {
  Talk talk;
  talk.begin();
  talk.open(kPlan);
  const auto change = [&talk](const Json& piece, int version) {
    talk.tell("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", version}}},
                                         {"contentChanges", Json::array({piece})}});
  };
  const auto lenses = [&talk] {
    return talk.ask("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}});
  };
  change({{"range", {{"start", "here"}}}, {"text", "x"}}, 2);
  CHECK(lenses()["error"]["code"] == kContentModified);
  change({{"text", kPlan}}, 3);
  CHECK_FALSE(lenses().contains("error"));
}

TEST_CASE("a change is taken whatever its version, because changes come in order") {
  for (const int version : {1, 0, -3}) {
    for (const bool whole : {false, true}) {
      Talk talk;
      talk.begin();
      talk.open(kPlan);
      (void)talk.answers();
      std::string ticked = kPlan;
      ticked[ticked.find("[ ]") + 1] = 'x';
      Json piece = {{"text", whole ? ticked : "x"}};
      if (!whole) {
        piece["range"] = {{"start", {{"line", 2}, {"character", 3}}},
                          {"end", {{"line", 2}, {"character", 4}}}};
      }
      talk.tell("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", version}}},
                                           {"contentChanges", Json::array({piece})}});
      const Json told = talk.published();
      CHECK(told["diagnostics"].empty());
      CHECK(told["version"] == version);
    }
  }
}

TEST_CASE("a command changes the buffer of an open plan, and the file of another") {
  Talk talk;
  talk.begin({{"workspace", {{"applyEdit", true}}}});
  talk.open(kPlan);
  (void)talk.answers();
  talk.send({{"jsonrpc", "2.0"},
             {"id", "tick"},
             {"method", "workspace/executeCommand"},
             {"params", {{"command", "plankeep.tick"}, {"arguments", Json::array({kUri, "first"})}}}});
  const std::vector<Json> asked = talk.answers();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0]["method"] == "workspace/applyEdit");
  const Json& edit = asked[0]["params"]["edit"]["changes"][kUri][0];
  CHECK(edit["newText"] == "x");
  CHECK(edit["range"]["start"] == Json({{"line", 2}, {"character", 3}}));
  talk.send({{"jsonrpc", "2.0"}, {"id", asked[0]["id"]}, {"result", {{"applied", true}}}});
  const std::vector<Json> answered = talk.answers();
  REQUIRE(answered.size() == 1);
  CHECK(answered[0]["id"] == "tick");
  CHECK(answered[0].contains("result"));
  CHECK(talk.desk.done.empty());
  (void)talk.ask("workspace/executeCommand",
                 {{"command", "plankeep.start"}, {"arguments", Json::array({"file:///other.md", "a"})}});
  CHECK(talk.desk.done == std::vector<std::string>{"set a"});
}

TEST_CASE("lost tasks are put back in the buffer of an open plan, and in the file of another") {
  Talk talk;
  talk.begin({{"workspace", {{"applyEdit", true}}}});
  talk.open(kPlan);
  (void)talk.answers();
  talk.send({{"jsonrpc", "2.0"},
             {"id", "back"},
             {"method", "workspace/executeCommand"},
             {"params", {{"command", "plankeep.restore"}, {"arguments", Json::array({kUri})}}}});
  const std::vector<Json> asked = talk.answers();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0]["params"]["edit"]["changes"][kUri][0]["newText"] == "- [ ] Lost\n");
  talk.send({{"jsonrpc", "2.0"}, {"id", asked[0]["id"]}, {"result", {{"applied", true}}}});
  CHECK(talk.answers().size() == 1);
  CHECK(talk.desk.done.empty());
  (void)talk.ask("workspace/executeCommand",
                 {{"command", "plankeep.restore"}, {"arguments", Json::array({"file:///other.md"})}});
  CHECK(talk.desk.done == std::vector<std::string>{"restore"});
}

TEST_CASE("hints say who finished what, if the client asked for them when it started") {
  const bool wanted = GENERATE(false, true);
  Talk talk;
  talk.begin(Json::object(), {{"inlayHints", wanted}});
  core::State state;
  core::PhaseState& phase = state.phases.emplace_back();
  phase.id = core::PhaseId("one");
  core::TaskState& task = phase.tasks.emplace_back();
  task.id = core::TaskId("a");
  task.done = true;
  task.completed_at = base::Instant{1};
  task.completed_by = "subagent:coder";
  core::LeaseState lease;
  lease.phase = phase.id;
  lease.task = core::TaskId("b");
  lease.by = "team:x";
  state.leases.push_back(lease);
  talk.desk.recorded.state = std::make_shared<const core::State>(state);
  talk.desk.recorded.statuses = {core::LeaseStatus::held};
  talk.desk.recorded.now = base::Instant{7'200'001};
  talk.open(
      "## One\n<!-- CHECKPOINT: one -->\n- [x] A <!-- TASK: a -->\n- [ ] B <!-- TASK: b -->\n- [ ] C\n");
  const auto hints = [&](int first, int last) {
    return talk.ask("textDocument/inlayHint", {{"textDocument", {{"uri", kUri}}},
                                               {"range",
                                                {{"start", {{"line", first}, {"character", 0}}},
                                                 {"end", {{"line", last}, {"character", 0}}}}}})["result"];
  };
  if (!wanted) {
    CHECK(hints(0, 5).empty());
    return;
  }
  REQUIRE(hints(0, 5).size() == 2);
  CHECK(hints(0, 5)[0]["label"] == "2 h ago by subagent:coder");
  CHECK(hints(0, 5)[0]["position"] == Json({{"line", 2}, {"character", 24}}));
  CHECK(hints(0, 5)[1]["label"] == "claimed by team:x");
  CHECK(hints(3, 3).size() == 1);
  CHECK(hints(4, 5).empty());
  CHECK(talk.ask("textDocument/inlayHint", {{"textDocument", {{"uri", kUri}}}})["error"]["code"] == -32602);
}

TEST_CASE("what waits can be cancelled, and the conversation ends as the protocol says") {
  Talk talk;
  CHECK(talk.ask("textDocument/codeLens", Json::object())["error"]["code"] == kServerNotInitialized);
  talk.begin();
  talk.send(
      {{"jsonrpc", "2.0"}, {"id", 70}, {"method", "textDocument/codeLens"}, {"params", Json::object()}});
  talk.tell("$/cancelRequest", {{"id", 70}});
  const std::vector<Json> all = talk.answers();
  REQUIRE(all.size() == 1);
  CHECK(all[0]["error"]["code"] == kRequestCancelled);
  CHECK(talk.ask("nosuch", Json::object())["error"]["code"] == -32601);
  CHECK(talk.protocol.exit_status() == 1);
  CHECK(talk.ask("shutdown", nullptr)["result"].is_null());
  CHECK(talk.ask("textDocument/codeLens", Json::object())["error"]["code"] == -32600);
  talk.tell("exit", nullptr);
  (void)talk.answers();
  CHECK(talk.protocol.ended());
  CHECK(talk.protocol.exit_status() == 0);
}

TEST_CASE("an id is found, highlighted and renamed wherever it is written") {
  Talk talk;
  talk.begin({{"workspace", {{"workspaceEdit", {{"documentChanges", true}}}}}});
  talk.open(kPlan);
  const Json at = {{"textDocument", {{"uri", kUri}}},
                   {"position", {{"line", 2}, {"character", 4}}},
                   {"newName", "erster"}};
  const auto ask = [&](const std::string& method, Json params) {
    return talk.ask("textDocument/" + method, params);
  };
  const Json definition = ask("definition", at)["result"];
  REQUIRE(definition.size() == 1);
  CHECK(definition[0]["range"]["start"] == Json({{"line", 2}, {"character", 23}}));
  CHECK(ask("references", at)["result"].size() == 1);
  CHECK(ask("documentHighlight", at)["result"].size() == 2);
  const Json renamed = ask("rename", at)["result"]["documentChanges"][0];
  CHECK(renamed["textDocument"]["version"] == 1);
  CHECK(renamed["edits"].size() == 2);
  for (const Json& edit : renamed["edits"]) CHECK(edit["newText"] == "erster");
  for (const char* const bad : {"", "two words", "-x", "second"}) {
    Json wrong = at;
    wrong["newName"] = bad;
    CHECK(ask("rename", wrong)["error"]["code"] == kRequestFailed);
  }
  CHECK(ask("rename", {{"textDocument", {{"uri", kUri}}}})["error"]["code"] == -32602);
}

TEST_CASE("hover tells of a task what is known, and plan text stays text") {
  Talk talk;
  talk.begin();
  talk.open("- [ ] <b>a</b> *x* <!-- TASK: a -->\n- [ ] B <!-- TASK: b | after: a -->\n");
  const auto hover = [&](int line) {
    const Json told = talk.ask(
        "textDocument/hover",
        {{"textDocument", {{"uri", kUri}}}, {"position", {{"line", line}, {"character", 8}}}})["result"];
    return told["contents"]["value"].get<std::string>();
  };
  CHECK(hover(0).find("needed by `b`") != std::string::npos);
  CHECK(hover(0).find("<b>") == std::string::npos);
  CHECK(hover(1).find("comes after `a`") != std::string::npos);
}

namespace {

// With one criterion, ticked, that has evidence.
core::State state_with_evidence() {
  core::State state;
  core::PhaseState& phase = state.phases.emplace_back();
  phase.id = core::PhaseId("one");
  core::CriterionState& criterion = phase.acceptance.emplace_back();
  criterion.id = core::CriterionId("works");
  criterion.met = true;
  criterion.evidence.emplace();
  criterion.evidence->command = "make test";
  return state;
}

}  // namespace

TEST_CASE("hover tells of a phase how far it is, and of a criterion what proves it") {
  Talk talk;
  talk.begin();
  talk.open(
      "## One\n<!-- CHECKPOINT: one -->\n- [x] A\n- [ ] B\n- [x] It works <!-- ACCEPT: works | verify: make "
      "test -->\n");
  const auto hover = [&](int line) {
    const Json told = talk.ask(
        "textDocument/hover",
        {{"textDocument", {{"uri", kUri}}}, {"position", {{"line", line}, {"character", 3}}}})["result"];
    return told.is_null() ? std::string() : told["contents"]["value"].get<std::string>();
  };
  CHECK(hover(0).find("1 of 2 tasks") != std::string::npos);
  CHECK(hover(0).find("1 of 1 criterion met") != std::string::npos);
  CHECK(hover(1).empty());
  CHECK(hover(4).find("verified by `make test`: unproven") != std::string::npos);

  core::State state = state_with_evidence();
  core::CriterionState& criterion = state.phases[0].acceptance[0];
  criterion.evidence->time = base::Instant{1};
  talk.desk.recorded.now = base::Instant{7'200'001};
  const auto hover_with = [&](int status, const char* command) {
    criterion.evidence->status = status;
    criterion.evidence->command = command;
    talk.desk.recorded.state = std::make_shared<const core::State>(state);
    ++talk.desk.recorded.age;
    return hover(4);
  };
  CHECK(hover_with(0, "make test").find("proven, 2 h ago") != std::string::npos);
  CHECK(hover_with(2, "make test").find("failed, 2 h ago") != std::string::npos);
  CHECK(hover_with(0, "make").find("stale") != std::string::npos);
}

namespace {

// The evidence is of these files.
Records proven_with(const std::string& tree) {
  core::State state = state_with_evidence();
  state.phases[0].acceptance[0].evidence->tree = tree;
  Records records;
  records.plan_by_place = records.tracked = true;
  records.state = std::make_shared<const core::State>(state);
  records.age = 1;
  return records;
}

const std::string kProvenPlan =
    "# P\n<!-- CHECKPOINT: one -->\n\n- [ ] A <!-- TASK: a -->\n- [x] Works <!-- ACCEPT: works | verify: "
    "make test -->\n";

}  // namespace

TEST_CASE("files that change beside an open plan make its proof stale within seconds, without a keystroke") {
  Talk talk;
  talk.desk.recorded = proven_with("t1");
  talk.desk.files = {core::TreeNow::Kind::known, "t1"};
  talk.begin();
  talk.open(kProvenPlan);
  CHECK(talk.published().is_null());
  CHECK(talk.desk.looks == 1);
  REQUIRE(talk.protocol.until_next_look());
  CHECK(talk.protocol.until_next_look()->count() == 3000);

  talk.desk.files.digest = "t2";
  talk.desk.recorded.now.milliseconds += 2999;
  CHECK_FALSE(talk.protocol.busy());
  talk.desk.recorded.now.milliseconds += 1;
  const Json told = talk.published();
  REQUIRE(told["diagnostics"].size() == 1);
  CHECK(told["diagnostics"][0]["code"] == "stale-evidence");
  CHECK(talk.ask("plankeep/status", {{"uri", kUri}}).contains("result"));
  CHECK(talk.desk.held_against == "t2");

  // The same files again are no news, and keystrokes look at nothing.
  talk.desk.recorded.now.milliseconds += 3000;
  CHECK(talk.answers().empty());
  CHECK(talk.desk.looks == 3);
  talk.tell("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                                       {"contentChanges", {{{"text", kProvenPlan + "\n"}}}}});
  CHECK(talk.published()["diagnostics"].size() == 1);
  CHECK(talk.desk.looks == 3);
}

TEST_CASE("an editor that asks for diagnostics itself is told to ask again when a proof has become stale") {
  Talk talk;
  talk.desk.recorded = proven_with("t1");
  talk.desk.files = {core::TreeNow::Kind::known, "t1"};
  talk.begin({{"textDocument", {{"diagnostic", Json::object()}}},
              {"workspace", {{"diagnostics", {{"refreshSupport", true}}}}}});
  talk.open(kProvenPlan);
  (void)talk.answers();
  talk.desk.files.digest = "t2";
  talk.desk.recorded.now.milliseconds += 3000;
  const auto told = talk.answers();
  CHECK(std::any_of(told.begin(), told.end(),
                    [](const Json& one) { return member(one, "method") == "workspace/diagnostic/refresh"; }));
}

TEST_CASE("where a look at the files takes long they are looked at more rarely, and without evidence never") {
  Talk talk;
  talk.desk.recorded = proven_with("t1");
  talk.desk.files = {core::TreeNow::Kind::known, "t1"};
  talk.desk.a_look_takes = 500;
  talk.begin();
  talk.open(kProvenPlan);
  (void)talk.answers();
  CHECK(talk.protocol.until_next_look()->count() == 10'000);

  Talk bare;
  bare.desk.recorded.plan_by_place = true;
  bare.begin();
  bare.open(kProvenPlan);
  (void)bare.answers();
  CHECK(bare.desk.looks == 0);
  CHECK_FALSE(bare.protocol.until_next_look());
  // A verification on the command line.
  bare.desk.recorded = proven_with("t1");
  bare.tell("workspace/didChangeWatchedFiles", {{"changes", Json::array()}});
  (void)bare.answers();
  CHECK(bare.desk.looks == 1);
  CHECK(bare.protocol.until_next_look());
}

TEST_CASE("a save that takes back a tick is shown to the person") {
  Talk talk;
  talk.begin();
  talk.open(kPlan);
  (void)talk.answers();
  const auto shown = [&talk] {
    talk.tell("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}});
    Json message = nullptr;
    for (const Json& one : talk.answers()) {
      if (member(one, "method") == "window/showMessage") message = one["params"];
    }
    return message;
  };
  CHECK(shown().is_null());
  talk.desk.taken_back = {"task first is open again", "task other is gone"};
  CHECK(shown() == Json({{"type", 2}, {"message", "task first is open again\ntask other is gone"}}));
}

TEST_CASE("phases are symbols and folds") {
  Talk talk;
  talk.begin();
  talk.open(
      "# P\n\n## One\n<!-- CHECKPOINT: one -->\n- [ ] A <!-- TASK: a -->\n\n## Two\n<!-- CHECKPOINT: two "
      "-->\n"
      "- [ ] B <!-- ACCEPT: b -->\n");
  const Json asked = {{"textDocument", {{"uri", kUri}}}};
  const Json symbols = talk.ask("textDocument/documentSymbol", asked)["result"];
  REQUIRE(symbols.size() == 2);
  CHECK(symbols[0]["name"] == "One");
  CHECK(symbols[0]["children"][0]["detail"] == "a");
  CHECK(symbols[1]["children"][0]["name"] == "B");
  const Json folds = talk.ask("textDocument/foldingRange", asked)["result"];
  CHECK(folds == Json::array({{{"startLine", 2}, {"endLine", 4}, {"kind", "region"}},
                              {{"startLine", 6}, {"endLine", 8}, {"kind", "region"}}}));
}

TEST_CASE("edits between two texts make the one of the other and touch no more than they must") {
  const std::string before = "a\r\nb \xC3\xA4\r\nc\r\n";
  for (const std::string after :
       {"a\r\nb \xC3\xB6\r\nc\r\n", "a\r\nx\r\nb \xC3\xA4\r\nc\r\n", "", "c", "a\nb \xC3\xA4\r\nc\r\n"}) {
    CAPTURE(after);
    CHECK(with_edits(before, edits_between(before, after)) == after);
  }
  CHECK(edits_between(before, before).empty());
  CHECK(edits_between("- [ ] a\n- [ ] b\n", "- [ ] a\n- [x] b\n") == std::vector<TextEdit>{{{11, 12}, "x"}});
}

TEST_CASE("a URI of a file and its path are one") {
  CHECK(path_of("file:///home/kim/my%20plan.md") == "/home/kim/my plan.md");
  CHECK(path_of("file://localhost/a") == "/a");
  for (const char* const bad :
       {"untitled:1", "file:///a%0", "file:///a%00", "file://host/a", "https://x/a"}) {
    CAPTURE(bad);
    CHECK_FALSE(path_of(bad));
  }
  CHECK(path_of(uri_of("/a b/\xC3\xA4%.md")) == "/a b/\xC3\xA4%.md");
}

}  // namespace plankeep::lsp
