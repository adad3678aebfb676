// plankeep.verify: consent, progress, cancelling, and what goes on while a command runs.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "talk.hpp"

namespace plankeep::lsp {
namespace {

const std::string kProven =
    "# P\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] A <!-- TASK: a -->\n"
    "- [ ] Tests <!-- ACCEPT: tests | verify: ctest -->\n- [ ] Looks good <!-- ACCEPT: looks -->\n";

struct VerifyTalk : Talk {
  explicit VerifyTalk(const Json& capabilities = Json::object()) {
    begin(capabilities);
    desk.on_disk = kProven;
    open(kProven);
    (void)answers();
  }
  // The number of the request.
  int verify(const Json& token = nullptr, const Json& arguments = {kUri, "build/tests"}) {
    Json params = {{"command", "plankeep.verify"}, {"arguments", arguments}};
    if (!token.is_null()) params["workDoneToken"] = token;
    send({{"jsonrpc", "2.0"}, {"id", ++id}, {"method", "workspace/executeCommand"}, {"params", params}});
    return id;
  }
  void respond(const Json& request, const Json& result) {
    send({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", result}});
  }
};

// The one of this method, or the answer to the request of this number; null if there is none.
Json find(const std::vector<Json>& all, const std::string& method) {
  for (const Json& one : all)
    if (string_in(one, "method") == method) return one;
  return nullptr;
}
Json answer_to(const std::vector<Json>& all, int id) {
  for (const Json& one : all)
    if (!one.contains("method") && member(one, "id") == id) return one;
  return nullptr;
}
std::vector<Json> progress_in(const std::vector<Json>& all) {
  std::vector<Json> found;
  for (const Json& one : all)
    if (string_in(one, "method") == "$/progress") found.push_back(one["params"]);
  return found;
}

}  // namespace

TEST_CASE("a trusted command runs, and its result is answered and shown") {
  VerifyTalk talk;
  const int request = talk.verify();
  const auto all = talk.answers();
  CHECK(talk.desk.done == std::vector<std::string>{"run test build/tests"});
  CHECK(answer_to(all, request)["result"] == Json({{"passed", true},
                                                   {"results", {{{"id", "tests"}, {"result", "passed"}}}},
                                                   {"message", "passed build/tests\n    the last line"}}));
  CHECK(find(all, "window/showMessage")["params"]["type"] == 3);
  CHECK(find(all, "plankeep/changed")["params"]["uri"] == kUri);
  CHECK(find(all, "window/showMessageRequest").is_null());
  // This client shows no progress.
  CHECK(progress_in(all).empty());

  talk.desk.passes = false;
  (void)talk.verify();
  CHECK(find(talk.answers(), "window/showMessage")["params"]["type"] == 2);
}

TEST_CASE("a command that is not trusted runs only when the user agrees to it") {
  for (const char* const choice : {"Run", "Trust and run", "No", ""}) {
    CAPTURE(choice);
    VerifyTalk talk;
    talk.desk.trusted = false;
    const int request = talk.verify();
    const auto asked = talk.answers();
    const Json question = find(asked, "window/showMessageRequest");
    REQUIRE_FALSE(question.is_null());
    const std::string text = question["params"]["message"];
    CHECK(text == "Run this command of the plan in /home/kim?\ntest build/tests");
    CHECK(answer_to(asked, request).is_null());
    CHECK(talk.desk.done.empty());
    // Closed without a choice: null.
    talk.respond(question, *choice == '\0' ? Json(nullptr) : Json({{"title", choice}}));
    const Json answered = answer_to(talk.answers(), request);
    if (std::string(choice) == "Run") CHECK(talk.desk.done.at(0) == "run test build/tests");
    if (std::string(choice) == "Trust and run")
      CHECK(talk.desk.done.at(0) == "trust and run test build/tests");
    if (talk.desk.done.empty()) CHECK(answered["error"]["code"] == kRequestCancelled);
    CHECK(talk.desk.done.empty() == answered.contains("error"));
  }
}

TEST_CASE("a question that fails is no agreement") {
  VerifyTalk talk;
  talk.desk.trusted = false;
  const int request = talk.verify();
  const Json question = find(talk.answers(), "window/showMessageRequest");
  talk.send({{"jsonrpc", "2.0"}, {"id", question["id"]}, {"error", {{"code", -32601}, {"message", "no"}}}});
  CHECK(answer_to(talk.answers(), request)["error"]["code"] == kRequestCancelled);
  CHECK(talk.desk.done.empty());
}

TEST_CASE("a client that shows progress is told when a command begins, goes on and ends") {
  VerifyTalk talk(Json({{"window", {{"workDoneProgress", true}}}}));
  talk.desk.while_running = {[](system::CommandWatch& watch) {
    watch.said("building\n[1/2] one\n");
    watch.said("[2/2] two \x1b[31m\n\n");
    (void)watch.go_on(std::chrono::milliseconds(900));  // less than a second: nothing to tell yet
    (void)watch.go_on(std::chrono::milliseconds(1100));
    (void)watch.go_on(std::chrono::milliseconds(1900));
  }};
  const int request = talk.verify();
  const auto first = talk.answers();
  const Json create = find(first, "window/workDoneProgress/create");
  REQUIRE_FALSE(create.is_null());
  CHECK(talk.desk.done.empty());
  const Json token = create["params"]["token"];
  talk.respond(create, nullptr);
  const auto all = talk.answers();
  CHECK(answer_to(all, request)["result"]["passed"] == true);
  const auto told = progress_in(all);
  REQUIRE(told.size() == 4);  // begin, 1 s, 7 s (as the desk's command ends), end
  for (const Json& one : told) CHECK(one["token"] == token);
  CHECK(told[0]["value"]["kind"] == "begin");
  CHECK(told[0]["value"]["title"] == "Verify tests");
  CHECK(told[0]["value"]["cancellable"] == true);
  CHECK(told[0]["value"]["message"] == "test build/tests");
  CHECK(told[1]["value"]["kind"] == "report");
  const std::string message = told[1]["value"]["message"];
  CHECK(message.starts_with("1 s: [2/2] two"));
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(told[3]["value"] == Json({{"kind", "end"}, {"message", "passed build/tests"}}));
}

TEST_CASE("the request's own token is used, and a refused token shows no progress") {
  VerifyTalk talk(Json({{"window", {{"workDoneProgress", true}}}}));
  (void)talk.verify("mine");
  const auto all = talk.answers();
  CHECK(find(all, "window/workDoneProgress/create").is_null());
  REQUIRE_FALSE(progress_in(all).empty());
  CHECK(progress_in(all)[0]["token"] == "mine");

  const int request = talk.verify();
  const Json create = find(talk.answers(), "window/workDoneProgress/create");
  talk.send({{"jsonrpc", "2.0"}, {"id", create["id"]}, {"error", {{"code", -32603}, {"message", "no"}}}});
  const auto second = talk.answers();
  CHECK(progress_in(second).empty());
  CHECK(answer_to(second, request)["result"]["passed"] == true);
}

TEST_CASE("a running command is stopped by its request, its progress, shutdown, or the end of the client") {
  const std::vector<Json> stops = {
      {{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}, {"params", {{"id", 2}}}},
      {{"jsonrpc", "2.0"}, {"method", "window/workDoneProgress/cancel"}, {"params", {{"token", "mine"}}}},
      {{"jsonrpc", "2.0"}, {"id", 99}, {"method", "shutdown"}},
      {{"jsonrpc", "2.0"}, {"method", "exit"}}};
  for (const Json& stop : stops) {
    CAPTURE(stop.dump());
    VerifyTalk talk;
    talk.protocol.set_attend([&talk] {
      while (talk.protocol.busy()) talk.protocol.step();
      return true;
    });
    talk.desk.while_running = {[&](system::CommandWatch& watch) {
      CHECK(watch.go_on(std::chrono::milliseconds(100)));
      talk.send(stop);
      CHECK_FALSE(watch.go_on(std::chrono::milliseconds(200)));
    }};
    const int request = talk.verify("mine");
    REQUIRE(request == 2);
    const auto all = talk.answers();
    CHECK(answer_to(all, request)["error"]["code"] == kRequestCancelled);
    CHECK(find(all, "window/showMessage").is_null());
    CHECK(progress_in(all).back()["value"]["kind"] == "end");
  }
}

TEST_CASE("a command that waits for the user's agreement can be cancelled, and never runs") {
  VerifyTalk talk;
  talk.desk.trusted = false;
  const int request = talk.verify();
  const Json question = find(talk.answers(), "window/showMessageRequest");
  talk.tell("$/cancelRequest", {{"id", request}});
  CHECK(answer_to(talk.answers(), request)["error"]["code"] == kRequestCancelled);
  // Another one, and then a late answer to the first question.
  talk.desk.trusted = true;
  (void)talk.verify();
  CHECK(talk.answers().size() > 1);
  talk.respond(question, {{"title", "Run"}});
  CHECK(talk.answers().empty());
  CHECK(talk.desk.done == std::vector<std::string>{"run test build/tests"});
}

TEST_CASE("without an id every criterion is verified, and what is not trusted yet is asked for at once") {
  VerifyTalk talk(Json({{"window", {{"workDoneProgress", true}}}}));
  talk.desk.trusted = false;
  talk.desk.fails = "b";
  const int request = talk.verify("mine", Json::array({kUri}));
  const Json question = find(talk.answers(), "window/showMessageRequest");
  CHECK(question["params"]["message"] == "Run these commands of the plan in /home/kim?\ntest a\ntest c");
  talk.respond(question, {{"title", "Run"}});
  const auto all = talk.answers();
  CHECK(talk.desk.done == std::vector<std::string>{"run test a", "run test b", "run test c"});
  const Json result = answer_to(all, request)["result"];
  CHECK(result["passed"] == false);
  CHECK(result["results"] == Json::parse(R"([{"id":"a","result":"passed"},{"id":"b","result":"failed"},
                                             {"id":"c","result":"passed"}])"));
  CHECK(find(all, "window/showMessage")["params"]["type"] == 2);
  const auto told = progress_in(all);
  CHECK(told.front()["value"]["title"] == "Verify 3 criteria");
  CHECK(told.at(1)["value"] == Json({{"kind", "report"}, {"message", "1 of 3: a"}, {"percentage", 0}}));
  CHECK(told.at(2)["value"]["message"] == "1 of 3: 7 s");
  CHECK(told.back()["value"]["message"] == "not all passed");
}

TEST_CASE("what ran before a command that was stopped is told as changed, and the rest does not run") {
  VerifyTalk talk;
  int runs = 0;
  talk.desk.while_running = {[&](system::CommandWatch&) {
    if (++runs == 2) talk.tell("$/cancelRequest", {{"id", talk.id}});
  }};
  const int request = talk.verify(nullptr, Json::array({kUri}));
  const auto all = talk.answers();
  CHECK(talk.desk.done.size() == 2);
  CHECK(answer_to(all, request)["error"]["code"] == kRequestCancelled);
  CHECK_FALSE(find(all, "plankeep/changed").is_null());
}

TEST_CASE("requests are answered while a command runs, but a second command is refused") {
  VerifyTalk talk;
  int hover = 0;
  int second = 0;
  talk.protocol.set_attend([&talk] {
    while (talk.protocol.busy()) talk.protocol.step();
    return true;
  });
  std::vector<Json> meanwhile;
  talk.desk.while_running = {[&](system::CommandWatch& watch) {
    talk.send(
        {{"jsonrpc", "2.0"},
         {"id", hover = 50},
         {"method", "textDocument/hover"},
         {"params", {{"textDocument", {{"uri", kUri}}}, {"position", {{"line", 4}, {"character", 8}}}}}});
    talk.id = 50;
    second = talk.verify();
    CHECK(watch.go_on(std::chrono::milliseconds(100)));
    meanwhile = talk.answers();
  }};
  const int first = talk.verify();
  const auto after = talk.answers();
  CHECK(answer_to(meanwhile, hover)["result"].is_object());
  CHECK(answer_to(meanwhile, second)["error"]["code"] == kRequestFailed);
  CHECK(answer_to(meanwhile, first).is_null());
  CHECK(answer_to(after, first)["result"]["passed"] == true);
}

TEST_CASE("an unsaved text is refused: the evidence and the box are written to the file") {
  VerifyTalk talk;
  talk.desk.on_disk = "# other\n";
  const int request = talk.verify();
  const auto all = talk.answers();
  CHECK(answer_to(all, request)["error"]["data"]["kind"] == "conflict");
  CHECK(find(all, "window/showMessage")["params"]["type"] == 2);
  CHECK(talk.desk.done.empty());
}

TEST_CASE("criteria with a command have a lens until they are ticked and proven, and an action when ticked") {
  const auto titles = [](const Json& lenses) {
    std::vector<std::string> all;
    for (const Json& one : lenses) all.push_back(one["command"]["title"]);
    return all;
  };
  VerifyTalk talk(Json({{"textDocument", {{"codeAction", {{"codeActionLiteralSupport", Json::object()}}}}}}));
  const Json whole = {{"textDocument", {{"uri", kUri}}}};
  CHECK(titles(talk.ask("textDocument/codeLens", whole)["result"]) ==
        std::vector<std::string>{"Tick", "Start", "Claim", "Tick", "Verify", "Tick"});

  std::string ticked = kProven;
  ticked.replace(ticked.find("[ ] Tests"), 3, "[x]");
  talk.tell("textDocument/didChange",
            {{"textDocument", {{"uri", kUri}, {"version", 2}}}, {"contentChanges", {{{"text", ticked}}}}});
  CHECK(titles(talk.ask("textDocument/codeLens", whole)["result"]) ==
        std::vector<std::string>{"Tick", "Start", "Claim", "Verify", "Tick"});
  const auto actions = [&] {
    return talk.ask(
        "textDocument/codeAction",
        {{"textDocument", {{"uri", kUri}}},
         {"range", {{"start", {{"line", 5}, {"character", 0}}}, {"end", {{"line", 5}, {"character", 1}}}}},
         {"context", {{"diagnostics", Json::array()}, {"only", {"quickfix"}}}}})["result"];
  };
  CHECK(actions().empty());  // not tracked: nothing is said of proof

  auto state = std::make_shared<core::State>();
  state->phases.emplace_back();
  state->phases[0].id.text = "build";
  state->phases[0].acceptance.emplace_back();
  state->phases[0].acceptance[0].id.text = "tests";
  talk.desk.recorded.tracked = talk.desk.recorded.plan_by_place = true;
  talk.desk.recorded.state = state;
  talk.desk.recorded.age = 1;
  const Json offered = actions();
  REQUIRE(offered.size() == 1);
  CHECK(offered[0]["title"] == "Verify tests");
  CHECK(offered[0]["command"]["command"] == "plankeep.verify");
  CHECK(offered[0]["command"]["arguments"] == Json({kUri, "criterion:build/tests"}));

  auto proven = std::make_shared<core::State>(*state);
  core::Evidence evidence;
  evidence.command = "ctest";
  evidence.tree = "t";
  proven->phases[0].acceptance[0].evidence = evidence;
  talk.desk.recorded.state = proven;
  talk.desk.recorded.age = 2;
  talk.desk.files = {core::TreeNow::Kind::known, "t"};
  talk.tell("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}});
  (void)talk.answers();
  CHECK(actions().empty());
  CHECK(titles(talk.ask("textDocument/codeLens", whole)["result"]) ==
        std::vector<std::string>{"Tick", "Start", "Claim", "Tick"});
}

}  // namespace plankeep::lsp
