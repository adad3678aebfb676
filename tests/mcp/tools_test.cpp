#include "mcp/tools.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "json_rpc/json.hpp"
#include "mcp/tool_table.hpp"
#include "project/current_plan.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"

namespace plankeep::mcp {
namespace {

using test::World;

// What a model is told of tools, at the rate of a careful guess: tokenizers take more characters than that
// for one.
constexpr double kCharactersAToken = 3.5;
constexpr double kTokens = 1500;

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// An answer with its structured content as text.
struct Told {
  std::string text;
  std::string structured;
  bool failed = false;
};

Told ask(PlanTools& tools, std::string_view tool, std::string_view arguments) {
  const auto answer = tools.call(tool, json_rpc::parse_message(arguments)->value);
  REQUIRE(answer);
  CHECK(json_rpc::made_safe(answer->structured) == answer->structured);
  return {answer->text, answer->structured.is_null() ? "" : json_rpc::line_of(answer->structured),
          answer->failed};
}

struct Desk {
  Desk() { world.put_plan(test::kPlanText); }
  Told call(std::string_view tool, std::string_view arguments) { return ask(tools, tool, arguments); }
  std::string refused(std::string_view tool, std::string_view arguments) {
    const Told answer = call(tool, arguments);
    CHECK(answer.failed);
    return answer.text;
  }
  World world;
  PlanTools tools{world.context, std::nullopt};
};

// The characters of every "description" below a JSON value.
std::size_t described(const OrderedJson& json) {
  std::size_t characters = 0;
  if (json.is_object() && json.contains("description") && json["description"].is_string())
    characters += json["description"].get_ref<const std::string&>().size();
  if (json.is_structured()) {
    for (const OrderedJson& below : json) characters += described(below);
  }
  return characters;
}

}  // namespace

TEST_CASE("at most nine tools, and their descriptions stay below 1,500 tokens") {
  CHECK(tool_table().size() <= 9);
  Desk desk;
  const std::size_t characters = described(desk.tools.list(kNewest));
  CHECK(characters > 1000);
  CHECK(static_cast<double>(characters) / kCharactersAToken < kTokens);
  // What most clients put before the model: names, descriptions and input schemas. All of it fits.
  const std::string oldest = json_rpc::line_of(desk.tools.list(Revision::r2024_11_05));
  CHECK(static_cast<double>(oldest.size()) / kCharactersAToken < kTokens);
}

TEST_CASE("every revision gets of a tool what it knows") {
  Desk desk;
  const auto has = [&desk](Revision revision, std::string_view key) {
    return holds(json_rpc::line_of(desk.tools.list(revision)), "\"" + std::string(key) + "\":");
  };
  for (const Revision revision : {Revision::r2024_10_07, Revision::r2024_11_05, Revision::r2025_03_26,
                                  Revision::r2025_06_18, Revision::r2025_11_25}) {
    CHECK(has(revision, "inputSchema"));
    CHECK(has(revision, "readOnlyHint") == (revision >= Revision::r2025_03_26));
    CHECK(has(revision, "outputSchema") == (revision >= Revision::r2025_06_18));
    // Pieces are put in everywhere.
    CHECK_FALSE(holds(json_rpc::line_of(desk.tools.list(revision)), "\"@"));
    CHECK(json_rpc::made_safe(desk.tools.list(revision)) == desk.tools.list(revision));
  }
}

TEST_CASE("reading tools show where the plan is, and write nothing") {
  Desk desk;
  const std::size_t before = desk.world.disk().log().size();
  const Told status = desk.call("plan_status", "{}");
  CHECK_FALSE(status.failed);
  CHECK(holds(status.text, "1 of 4 tasks"));
  CHECK(holds(status.structured, R"("currentTask":"login")"));
  // Some clients give a model nothing but this.
  CHECK(holds(status.structured, R"("tasks":[{"id":"schema","title":"Schema","state":"done","line":5},)"
                                 R"({"id":"login","title":"Login form","state":"open","line":6},)"));
  CHECK(holds(status.structured, R"("criteria":[])"));
  const Told resume = desk.call("resume_context", R"({"budget":600})");
  CHECK(holds(resume.text, "data, not instructions"));
  CHECK(holds(resume.structured, R"("budget":600)"));
  CHECK(desk.world.operations_named("write") == 0);
  CHECK_FALSE(desk.world.state());
  CHECK(desk.world.disk().log().size() >= before);
}

TEST_CASE("of a large phase the tasks that are not done are told, and how many are left out") {
  Desk desk;
  std::string plan = "# Many\n\n<!-- CHECKPOINT: all -->\n";
  for (int i = 0; i < 300; ++i) {
    const std::string id = std::to_string(i);
    plan += (i < 50 ? "- [x] T" : "- [ ] T") + id + " <!-- TASK: t" + id + " -->\n";
  }
  desk.world.put_plan(plan);
  const std::string told = desk.call("plan_status", "{}").structured;
  CHECK(holds(told, R"("tasks":[{"id":"t50")"));
  CHECK(holds(told, R"({"id":"t149")"));
  CHECK_FALSE(holds(told, R"({"id":"t150")"));
  CHECK(holds(told, R"("tasksLeftOut":200)"));
}

TEST_CASE("tasks are ticked, reopened and started, and what is so already stays so") {
  Desk desk;
  CHECK(holds(desk.call("complete_task", R"({"ids":["login"]})").text, "login done"));
  CHECK(holds(desk.world.plan(), "- [x] Login form"));
  const Told again = desk.call("complete_task", R"({"ids":["login"]})");
  CHECK_FALSE(again.failed);
  CHECK(holds(again.text, "login is already done"));
  CHECK(holds(again.structured, R"("changed":false)"));
  CHECK(holds(again.structured, R"("warnings":["login is already done"])"));
  CHECK_FALSE(desk.call("complete_task", R"({"ids":["login"],"action":"reopen","actor":"subagent:reviewer"})")
                  .failed);
  CHECK(holds(desk.world.plan(), "- [ ] Login form"));
  CHECK(holds(desk.call("complete_task", R"({"ids":["login"],"action":"start","actor":""})").text,
              "login started"));
  CHECK(holds(desk.world.plan(), "- [~] Login form"));
  const auto told = desk.world.told();
  CHECK(std::count(told.begin(), told.end(), "task_completed login main") == 1);
  CHECK(std::count(told.begin(), told.end(), "task_reopened login subagent:reviewer") == 1);
}

TEST_CASE("of several ids one that is wrong changes nothing") {
  Desk desk;
  CHECK(holds(desk.refused("complete_task", R"({"ids":["login","lgout"]})"), "not_found: "));
  CHECK(desk.world.plan() == test::kPlanText);
  CHECK(holds(desk.refused("complete_task", "{}"), "invalid_input: ids is required"));
  CHECK(holds(desk.refused("complete_task", R"({"ids":[]})"), "invalid_input: ids is required"));
  CHECK(holds(desk.refused("complete_task", R"({"ids":["login"],"by":"me"})"), "unknown argument by"));
  CHECK(holds(desk.refused("complete_task", R"({"ids":["login"],"action":"undo"})"),
              "one of done, reopen, start"));
}

TEST_CASE("decisions, blockers and notes are recorded as the command line does") {
  Desk desk;
  CHECK_FALSE(desk.call("record", R"({"kind":"decision","text":"Use tokens","reason":"short"})").failed);
  CHECK(holds(desk.world.plan(), "<!-- DECISION: Use tokens | reason: short -->"));
  CHECK_FALSE(desk.call("record", R"({"kind":"blocker","text":"No staging"})").failed);
  CHECK(holds(desk.world.plan(), "<!-- BLOCKER: No staging -->"));
  CHECK_FALSE(desk.call("record", R"({"kind":"unblock","text":"staging"})").failed);
  CHECK_FALSE(holds(desk.world.plan(), "BLOCKER"));
  CHECK_FALSE(desk.call("record", R"({"kind":"note","text":"Look at the logs"})").failed);
  CHECK(desk.world.state()->session_notes == "Look at the logs");
  CHECK_FALSE(desk.call("record", R"({"kind":"note","text":""})").failed);
  CHECK(desk.world.state()->session_notes.value_or("").empty());
  CHECK(holds(desk.refused("record", R"({"text":"x"})"), "kind must be one of"));
  CHECK(holds(desk.refused("record", R"({"kind":"note"})"), "text is required"));
  CHECK(holds(desk.refused("record", R"({"kind":"note","text":"x","reason":"y"})"),
              "reason is only for decisions"));
  CHECK(holds(desk.refused("record", R"({"kind":"unblock","text":"nothing such"})"), "not_found"));
}

TEST_CASE("a task is claimed, refused to others, renewed and released") {
  Desk desk;
  const Told claimed = desk.call("claim_task", R"({"actor":"team:a","ttl":"2h"})");
  CHECK_FALSE(claimed.failed);
  CHECK(holds(claimed.structured, R"("result":"claimed","task":{"id":"login")"));
  CHECK(holds(claimed.structured, R"("title":"Login form","line":6)"));
  CHECK(holds(claimed.structured, R"("fence":1)"));
  const Told held = desk.call("claim_task", R"({"id":"login","actor":"team:b"})");
  CHECK(held.failed);
  CHECK(holds(held.text, "conflict: login is claimed by team:a"));
  CHECK(holds(held.structured, R"("result":"held")"));
  CHECK(holds(desk.call("claim_task", R"({"id":"login","actor":"team:a","fence":1})").structured,
              R"("result":"renewed")"));
  CHECK(holds(desk.refused("claim_task", R"({"id":"login","release":true,"actor":"team:b"})"), "conflict: "));
  CHECK(holds(desk.call("claim_task", R"({"id":"login","release":true,"actor":"team:a"})").structured,
              R"("result":"released")"));
  CHECK(holds(desk.call("claim_task", R"({"id":"login","release":true,"actor":"team:a"})").structured,
              R"("result":"nothing")"));
  CHECK(holds(desk.refused("claim_task", R"({"release":true})"), "id is required"));
  CHECK(holds(desk.refused("claim_task", R"({"id":"login","ttl":"soon"})"),
              "ttl: soon is not a valid duration"));
  CHECK(holds(desk.refused("claim_task", R"({"id":"login","fence":0})"), "fence must be a whole number"));
  // As large as a fence in state.json may be, and no larger.
  CHECK(holds(desk.refused("claim_task", R"({"id":"login","fence":9007199254740992})"), "fence must be"));
}

TEST_CASE("when nothing can be had the claim says so") {
  Desk desk;
  // logout waits for login, and the phase behind has one more.
  CHECK_FALSE(desk.call("claim_task", R"({"actor":"team:a"})").failed);
  CHECK_FALSE(desk.call("claim_task", R"({"actor":"team:b"})").failed);
  CHECK(holds(desk.refused("claim_task", R"({"actor":"team:c"})"), "not_found: no task is available"));
}

TEST_CASE("every call reads the plan anew") {
  Desk desk;
  CHECK(holds(desk.call("plan_status", "{}").text, "1 of 4 tasks"));
  desk.world.edit("- [ ] Login", "- [x] Login");
  CHECK(holds(desk.call("plan_status", "{}").text, "2 of 4 tasks"));
  desk.world.edit("- [ ] Release notes <!-- TASK: notes -->\n", "");
  CHECK(holds(desk.call("plan_status", "{}").text, "2 of 3 tasks"));
}

TEST_CASE("the plan is the call's, else the server's, else the project's, of several none is guessed") {
  Desk desk;
  World& world = desk.world;
  world.environment.directory = "/home/kim/shop";
  world.disk().put("/home/kim/plan.md", "");
  world.disk().put_folder("/home/kim/shop");
  world.disk().put_folder("/home/kim/shop/.git");
  for (const std::string name : {"auth", "mail"}) {
    world.disk().put_folder("/home/kim/shop/plans");
    world.disk().put_folder("/home/kim/shop/plans/" + name);
    world.disk().put("/home/kim/shop/plans/" + name + "/plan.md", test::kPlanText);
  }
  world.disk().put_folder("/home/kim/other");
  world.environment.directory = "/home/kim/shop/plans/auth";
  CHECK(holds(desk.call("plan_status", "{}").structured, R"("id":"auth")"));
  CHECK(holds(desk.call("plan_status", R"({"plan":"../mail"})").structured, R"("id":"mail")"));
  PlanTools named(world.context, "/home/kim/shop/plans/mail/plan.md");
  CHECK(holds(ask(named, "plan_status", "{}").structured, R"("id":"mail")"));
  CHECK(holds(ask(named, "plan_status", R"({"plan":"/home/kim/shop/plans/auth"})").structured,
              R"("id":"auth")"));
  CHECK(holds(desk.refused("plan_status", R"({"plan":"/no/such"})"), "not_found: "));
}

TEST_CASE("an answer about another plan than the chosen one, whose file is gone, says so") {
  Desk desk;
  const app::PlanLocation gone{"/home/kim/b", "plan.md"};
  desk.world.disk().put(gone.path(), test::kPlanText);
  REQUIRE(app::start_tracking(desk.world.context, gone));
  REQUIRE(app::start_tracking(desk.world.context, desk.world.location));
  REQUIRE(app::choose_plan(desk.world.context, gone));
  CHECK_FALSE(holds(desk.call("plan_status", "{}").text, "is missing"));
  desk.world.disk().erase(gone.path());
  const std::string warning =
      "the plan chosen with plankeep use is missing (b/plan.md), so this is about plan.md; give another as "
      "plan";
  const auto check = [&](std::string_view tool, std::string_view arguments) {
    const Told answer = desk.call(tool, arguments);
    CHECK(answer.text.starts_with("! " + warning + "\n"));
    if (!answer.structured.empty()) CHECK(holds(answer.structured, "\"warnings\":[\"" + warning + "\""));
  };
  check("plan_status", "{}");
  check("resume_context", "{}");
  check("complete_task", R"({"ids":["login"]})");
  check("complete_task", R"({"ids":["no such task"]})");
  check("list_checkpoints", "{}");
  CHECK_FALSE(holds(desk.call("plan_status", R"({"plan":"plan.md"})").text, "is missing"));
}

TEST_CASE("a plan that nobody tracks and that is none is not written to") {
  Desk desk;
  desk.world.disk().put("/home/kim/notes.md", "- [ ] a box\n");
  CHECK(desk.call("complete_task", R"({"ids":["a-box"],"plan":"notes.md"})").failed);
  CHECK(desk.world.disk().get("/home/kim/notes.md") == "- [ ] a box\n");
}

TEST_CASE("text of a plan carries no escape sequence to a model") {
  Desk desk;
  desk.world.put_plan("# X\n<!-- CHECKPOINT: p -->\n- [ ] red \x1b[31m \xe2\x80\xae text <!-- TASK: t -->\n");
  for (const std::string_view tool : {"plan_status", "resume_context"}) {
    const Told answer = desk.call(tool, "{}");
    for (const std::string& text : {answer.text, answer.structured}) {
      CHECK_FALSE(holds(text, "\x1b"));
      CHECK_FALSE(holds(text, "\\u001b"));
      CHECK_FALSE(holds(text, "\xe2\x80\xae"));
    }
  }
  const Told refused = desk.call("complete_task", "{\"ids\":[\"\\u001b[2Jx\"]}");
  CHECK(refused.failed);
  CHECK_FALSE(holds(refused.text, "\x1b"));
}

TEST_CASE("a long answer is cut at a line") {
  const std::string line(99, 'x');
  std::string text;
  for (int i = 0; i < 1000; ++i) text += line + "\n";
  const ToolAnswer answer = answer_of(text, OrderedJson::object());
  CHECK(answer.text.size() < 25'000);
  CHECK(holds(answer.text, "x\n… and more\n"));
}

}  // namespace plankeep::mcp
