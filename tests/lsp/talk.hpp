#pragma once
// A conversation with Protocol, over a desk without a disk.

#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "json_rpc/header_framing.hpp"
#include "lsp/protocol.hpp"

namespace plankeep::lsp {

inline const std::string kUri = "file:///home/kim/plan.md";

// A disk that has nothing but what a test puts there.
class FakeDesk : public Desk {
 public:
  Records records(const std::string&) override { return recorded; }
  std::vector<core::Diagnostic> secrets(const std::string&, std::string_view) override { return {}; }
  core::TreeNow tree(const std::string&) override {
    ++looks;
    recorded.now.milliseconds += a_look_takes;
    return files;
  }
  base::Instant now() override { return recorded.now; }
  base::Result<std::string> status(const std::string&, const OpenPlan* open) override {
    if (open != nullptr) held_against = open->tree.digest;
    return open == nullptr ? std::string("{\"from\":\"disk\"}") : std::string("{\"from\":\"buffer\"}");
  }
  EarlierNames earlier_names(const std::string&, const core::PhaseId&, const std::string& id,
                             const std::string&) override {
    const auto at = earlier.find(id);
    return at == earlier.end() ? EarlierNames() : at->second;
  }
  base::Result<std::string> annotated(const std::string&, const std::string& text) override { return text; }
  std::vector<std::string> plans_around(const std::string& folder) override {
    looked_around.push_back(folder);
    std::vector<std::string> paths;
    for (const auto& [path, text] : plans) paths.push_back(path);
    return paths;
  }
  base::Result<std::optional<std::string>> text_of(const std::string& path, std::string& stamp) override {
    const auto at = plans.find(path);
    if (at == plans.end() || at->second.empty())
      return base::fail(base::ErrorKind::not_found, "there is no such file");
    if (stamp == at->second) return std::nullopt;
    ++texts_read;
    return stamp = at->second;
  }
  base::Result<std::string> set_box(const std::string&, const std::string& id, core::BoxState) override {
    return did("set " + id);
  }
  base::Result<std::string> annotate(const std::string&) override { return did("annotate"); }
  std::vector<std::string> lost_tasks(const std::string&, const std::string&) override { return lost; }
  base::Result<std::string> with_lost_tasks(const std::string&, const std::string& text) override {
    return text + "- [ ] Lost\n";
  }
  base::Result<std::string> restore_lost(const std::string&) override { return did("restore"); }
  base::Result<std::string> claim(const std::string&, const std::string& id) override {
    return did("claim " + id);
  }
  base::Result<CriterionCommands> commands_of(const std::string&, const std::string& id,
                                              const std::string* text) override {
    if (text != nullptr && *text != on_disk)
      return base::fail(base::ErrorKind::conflict, "the file differs from the editor's text",
                        "save it first");
    const auto one = [this](const std::string& name) {
      return CriterionCommand{name, name.substr(name.rfind('/') + 1), "test " + name, trusted};
    };
    if (!id.empty()) return CriterionCommands{"/home/kim", {one(id)}};
    CriterionCommands all{"/home/kim", {one("a"), one("b"), one("c")}};
    all.list[1].trusted = true;
    return all;
  }
  base::Result<CommandResult> run_command(const std::string&, const CriterionCommand& command, bool trust,
                                          system::CommandWatch& watch) override {
    const std::string& id = command.key;
    done.push_back((trust ? "trust and run " : "run ") + command.command);
    for (const std::function<void(system::CommandWatch&)>& step : while_running) step(watch);
    CommandResult result;
    result.interrupted = !watch.go_on(std::chrono::seconds(7));
    result.passed = !result.interrupted && passes && id != fails;
    result.result = result.interrupted ? "interrupted" : result.passed ? "passed" : "failed";
    result.text = result.result + " " + id + "\n    the last line\n";
    return result;
  }
  base::Result<std::vector<std::string>> saved(const std::string& path) override {
    done.push_back("saved " + path);
    if (busy) return base::fail(base::ErrorKind::busy, "the plan is locked");
    return taken_back;
  }
  std::string diagnostics_page() override { return manual; }
  const std::string& actor() const override { return me; }

  std::string did(std::string what) {
    done.push_back(what);
    return what;
  }
  Records recorded;
  core::TreeNow files;
  int looks = 0;
  std::int64_t a_look_takes = 0;  // in milliseconds
  std::string held_against;       // the digest that the last status was given
  std::vector<std::string> done;
  std::vector<std::string> lost;
  std::vector<std::string> taken_back;  // what the next saves say
  std::string me = "person";
  std::string manual;
  std::map<std::string, EarlierNames> earlier;  // by id
  bool busy = false;

  std::map<std::string, std::string> plans;  // by path
  std::vector<std::string> looked_around;
  int texts_read = 0;

  std::string on_disk;
  bool trusted = true;
  bool passes = true;
  std::string fails;
  std::vector<std::function<void(system::CommandWatch&)>> while_running;
};

struct Talk {
  void send(const Json& message) { protocol.take(message.dump()); }
  std::vector<Json> answers() {
    while (protocol.busy()) protocol.step();
    json_rpc::HeaderReader in;
    in.feed(protocol.take_output());
    std::vector<Json> all;
    while (const auto message = in.next()) all.push_back(Json::parse(message->text));
    return all;
  }
  Json ask(const std::string& method, const Json& params) {
    send({{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}, {"params", params}});
    for (Json& one : answers()) {
      if (member(one, "id") == id && !one.contains("method")) return one;
    }
    return nullptr;
  }
  void tell(const std::string& method, const Json& params) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  void begin(const Json& capabilities = Json::object(), const Json& options = nullptr) {
    CHECK(ask("initialize", {{"capabilities", capabilities}, {"initializationOptions", options}})
              .contains("result"));
    tell("initialized", Json::object());
  }
  void open(const std::string& text) {
    tell("textDocument/didOpen",
         {{"textDocument", {{"uri", kUri}, {"languageId", "markdown"}, {"version", 1}, {"text", text}}}});
  }
  // The diagnostics that were published last.
  Json published() {
    Json last = nullptr;
    for (Json& one : answers()) {
      if (member(one, "method") == "textDocument/publishDiagnostics") last = one["params"];
    }
    return last;
  }
  explicit Talk(std::unique_ptr<FakeDesk> own = std::make_unique<FakeDesk>()) : desk_(std::move(own)) {}

 private:
  std::unique_ptr<FakeDesk> desk_;

 public:
  FakeDesk& desk = *desk_;
  Protocol protocol{desk, "9.9"};
  int id = 0;
};

}  // namespace plankeep::lsp
