#include "doctor/doctor.hpp"

#include <catch2/catch.hpp>

#include "editing/complete.hpp"
#include "rewind/restore.hpp"
#include "store/paths.hpp"
#include "store/plan_texts.hpp"
#include "support/world.hpp"
#include "system/atomic_file.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;

namespace {

struct Tracked : World {
  Tracked() {
    put_plan(test::kPlanText);
    if (!app::track(context, location, {})) FAIL("cannot track");
  }
  std::vector<app::Finding> examined() {
    auto findings = app::examine(context, location);
    if (!findings) FAIL(findings.error().message);
    return std::move(*findings);
  }
  void tick(const std::string& id) {
    if (!app::set_tasks(context, location, {id}, core::BoxState::done, {"subagent:coder"}))
      FAIL("cannot tick " + id);
  }
  /// What is wrong with the file of this name.
  app::Condition worst(std::string_view name) {
    app::Condition worst = app::Condition::fine;
    for (const app::Finding& finding : examined()) {
      if (finding.name == name) worst = std::max(worst, finding.condition);
    }
    return worst;
  }
  bool healthy() {
    for (const app::Finding& finding : examined()) {
      if (finding.condition != app::Condition::fine) return false;
    }
    return true;
  }
  void repair() {
    const auto outcome = app::repair(context, location);
    if (!outcome) FAIL(outcome.error().message);
  }
};

}  // namespace

TEST_CASE("a plan in order has only fine findings, and looking writes nothing") {
  Tracked world;
  const auto before = world.disk().everything();
  CHECK(world.healthy());
  CHECK(world.disk().everything() == before);
}

TEST_CASE("a damaged state is found and repaired") {
  Tracked world;
  world.disk().put("/home/kim/.checkpoint/state.json", "{}");
  CHECK(world.worst("state.json") == app::Condition::broken);
  world.repair();
  CHECK(world.healthy());
}

TEST_CASE("a state that says otherwise than the history is found and rebuilt") {
  Tracked world;
  REQUIRE(app::set_tasks(world.context, world.location, {"login"}, core::BoxState::done, {"subagent:coder"}));
  CHECK(world.healthy());
  const std::string path = "/home/kim/.checkpoint/state.json";
  std::string state = *world.disk().get(path);
  const std::size_t at = state.find("subagent:coder");
  REQUIRE(at != std::string::npos);
  state.replace(at, 14, "person:mallory");
  world.disk().put(path, state);
  std::string said;
  for (const app::Finding& finding : world.examined())
    if (finding.name == "state.json") said = finding.message;
  CHECK(said.find("person:mallory; the history says") != std::string::npos);
  CHECK(said.find("by subagent:coder") != std::string::npos);
  world.repair();
  CHECK(world.healthy());
  CHECK(world.disk().get(path)->find("subagent:coder") != std::string::npos);
  bool kept = false;
  for (const auto& [name, content] : world.disk().everything())
    kept = kept || (name.find("state.json.damaged-") != std::string::npos && content == state);
  CHECK(kept);
}

TEST_CASE("damaged recovery copies are found, and set aside though the state is fine") {
  Tracked world;
  world.disk().put("/home/kim/.checkpoint/recovery.1.json", "no");
  CHECK(world.worst("recovery.1.json") == app::Condition::broken);
  world.repair();
  CHECK(world.healthy());
  bool kept = false;
  for (const auto& [path, content] : world.disk().everything()) {
    kept = kept || (path.find("recovery.1.json.damaged-") != std::string::npos && content == "no");
  }
  CHECK(kept);
}

TEST_CASE("a torn end of the history is found and set aside") {
  Tracked world;
  const std::string path = "/home/kim/.checkpoint/history.jsonl";
  world.disk().put(path, *world.disk().get(path) + "{\"ts\":\"2026-11-20T15:4");
  CHECK(world.worst("history.jsonl") == app::Condition::broken);
  world.repair();
  CHECK(world.healthy());
  CHECK(world.disk().get(path)->find("15:4\"") == std::string::npos);
}

TEST_CASE("a damaged line in the middle is told with its number, and left alone") {
  Tracked world;
  world.edit("[ ] Login", "[x] Login");
  REQUIRE(app::track(world.context, world.location, {}));
  const std::string path = "/home/kim/.checkpoint/history.jsonl";
  std::string text = *world.disk().get(path);
  text.insert(text.find('\n') + 1, "garbage\n");
  world.disk().put(path, text);
  world.disk().erase("/home/kim/.checkpoint/state.json");
  REQUIRE(app::track(world.context, world.location, {}));
  const auto findings = world.examined();
  const auto found = std::find_if(findings.begin(), findings.end(), [](const app::Finding& finding) {
    return finding.name == "history.jsonl";
  });
  REQUIRE(found != findings.end());
  CHECK(found->condition == app::Condition::attention);
  CHECK(found->message.find("line 2") != std::string::npos);
  CHECK(world.disk().get(path)->find("garbage\n") != std::string::npos);
}

TEST_CASE("a line of the history that was changed or taken out is told, lines of other tools are allowed") {
  Tracked world;
  world.edit("[ ] Login", "[x] Login");
  REQUIRE(app::track(world.context, world.location, {}));
  const std::string path = "/home/kim/.checkpoint/history.jsonl";
  std::string text = world.disk().get(path).value();
  const auto chain = [&world] { return app::examine_chain(world.context, world.location).value(); };
  CHECK(chain().condition == app::Condition::fine);
  SECTION("of another tool") {
    world.disk().put(path, text + R"({"ts":"2026-11-20T15:50:00Z","event":"their_own"})"
                                  "\n");
    CHECK(chain().condition == app::Condition::fine);
    CHECK(chain().message.find("1 by other tools") != std::string::npos);
    CHECK(world.worst("history chain") == app::Condition::fine);
  }
  SECTION("changed") {
    text.replace(text.find("\"login\",\"phaseId\""), 7, "\"logout\"");
    world.disk().put(path, text);
    CHECK(chain().condition == app::Condition::broken);
    CHECK(chain().message == "is broken from line 2 on: a line was changed or removed");
    CHECK(world.worst("history chain") == app::Condition::attention);
  }
  SECTION("taken out") {
    world.disk().put(path, text.substr(text.find('\n') + 1));
    CHECK(chain().message == "is broken from line 1 on: a line was changed or removed");
  }
}

TEST_CASE("doctor counts the earlier texts that restore can put back") {
  Tracked world;
  const auto told = [&world] {
    for (const app::Finding& finding : world.examined()) {
      if (finding.name == store::kPlanTexts) return finding.message;
    }
    return std::string("none");
  };
  const auto kept = [&world] { return app::earlier_texts(world.context, world.location)->texts.size(); };
  // The text at first sight and what is there now differ in a tick that is recorded.
  world.edit("[ ] Login", "[x] Login");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(kept() == 0);
  CHECK(told() == "none");
  world.edit("Release notes", "Release notes and pictures");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(kept() == 1);
  CHECK(told() == "1 earlier version of the plan");
}

TEST_CASE("what is no file of ours is named") {
  Tracked world;
  world.disk().put_other("/home/kim/.checkpoint/recovery.json");
  CHECK(world.worst("recovery.json") == app::Condition::broken);
}

TEST_CASE("what is no file of ours is set aside with all that is in it, and nothing is lost") {
  const std::string name = GENERATE("lock", "history.jsonl", "state.json", "recovery.json", "recovery.2.json",
                                    "checkpoints.db", "checkpoints.db-wal", "errors.log");
  Tracked world;
  world.tick("login");
  const std::string path = "/home/kim/.checkpoint/" + name;
  world.disk().erase(path);
  world.disk().put(path + "/mine", "mine");
  if (name == "checkpoints.db") world.disk().put(path + "-wal", "of another database");
  CHECK(world.worst(name.starts_with("checkpoints.db") ? "checkpoints.db" : name) == app::Condition::broken);
  world.repair();
  CHECK(world.healthy());
  const auto all = world.disk().everything();
  CHECK(std::any_of(all.begin(), all.end(), [&](const auto& file) {
    return file.first.starts_with(path + ".damaged-2") && file.first.ends_with("/mine");
  }));
  if (name == "checkpoints.db") CHECK_FALSE(all.contains(path + "-wal"));
  // Whether the history or the state was gone, the other one tells.
  world.disk().erase("/home/kim/.checkpoint/state.json");
  world.disk().erase("/home/kim/.checkpoint/recovery.json");
  const auto outcome = app::track(world.context, world.location, {});
  REQUIRE(outcome);
  CHECK(world.disk().get("/home/kim/.checkpoint/state.json")->find("subagent:coder") != std::string::npos);
}

TEST_CASE("a history of NUL bytes is damage, and what the state knows is recorded again") {
  Tracked world;
  world.tick("login");
  const std::string path = "/home/kim/.checkpoint/history.jsonl";
  const std::string zeros(world.disk().get(path)->size(), '\0');
  world.disk().put(path, zeros);
  bool told = false;
  for (const app::Finding& finding : world.examined())
    told = told || (finding.name == "history.jsonl" && finding.message.starts_with("damaged: "));
  CHECK(told);
  SECTION("by doctor") {
    world.repair();
  }
  SECTION("by the next change") {
    world.tick("logout");
  }
  CHECK(world.disk().get(path)->find("\"taskId\":\"login\"") != std::string::npos);
  const auto all = world.disk().everything();
  CHECK(std::any_of(all.begin(), all.end(), [&](const auto& file) {
    return file.first.starts_with(path + ".damaged-") && file.second == zeros;
  }));
  world.repair();
  CHECK(world.healthy());
}

TEST_CASE("a plan that changed since, a missing plan and a lock that is held are told") {
  Tracked world;
  SECTION("changed") {
    world.edit("[ ] Login", "[x] Login");
    CHECK(world.worst("state.json") == app::Condition::attention);
  }
  SECTION("missing") {
    world.disk().erase("/home/kim/plan.md");
    CHECK(world.worst("plan.md") == app::Condition::broken);
  }
  SECTION("held") {
    auto folder = world.files.open_folder("/home/kim/.checkpoint");
    REQUIRE(folder);
    auto lock = (*folder)->lock("lock", std::chrono::milliseconds{0});
    REQUIRE(lock);
    CHECK(world.worst("lock") == app::Condition::attention);
  }
}

TEST_CASE("an untracked plan is told to be so") {
  World world;
  world.put_plan(test::kPlanText);
  const auto findings = app::examine(world.context, world.location);
  REQUIRE(findings);
  CHECK(findings->back().remedy.find("plankeep init") != std::string::npos);
}

TEST_CASE("an earlier text that is not what its name says is told, and left where it is") {
  Tracked world;
  const store::KeptText kept = [&] {
    auto folder = world.files.open_folder("/home/kim/.checkpoint");
    REQUIRE(folder);
    const auto texts = store::kept_texts(**folder);
    REQUIRE(texts);
    REQUIRE(texts->size() == 1);
    return texts->front();
  }();
  CHECK(world.worst(store::kPlanTexts) == app::Condition::fine);
  const std::string path = "/home/kim/.checkpoint/plans/" + kept.name;
  world.disk().put(path, "something else");
  CHECK(world.worst(store::kPlanTexts) == app::Condition::attention);
  world.repair();
  CHECK(world.disk().get(path) == "something else");
}

TEST_CASE("a criterion that is ticked and has no proof is told") {
  Tracked world;
  CHECK(world.worst("evidence") == app::Condition::fine);
  world.edit("[ ] Tests pass", "[x] Tests pass");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(world.worst("evidence") == app::Condition::attention);
}

TEST_CASE("commands that nobody can be said to trust are told") {
  Tracked world;
  CHECK(world.worst("trusted commands") == app::Condition::fine);
  world.disk().put_folder("/home/ada/.config/plankeep");
  world.disk().put("/home/ada/.config/plankeep/trusted-commands.json", "[]");
  CHECK(world.worst("trusted commands") == app::Condition::attention);
}

TEST_CASE("a plan without its tasks is no plan in order: doctor names the ways back and out") {
  Tracked world;
  world.put_plan("# Auth\n");
  const app::Finding plan = world.examined().front();
  CHECK(plan.condition == app::Condition::broken);
  CHECK(plan.message == "has no tasks any more; the last recorded state is kept");
  CHECK(plan.remedy == "plankeep restore; if this is intended: plankeep sync --accept-empty");
  CHECK(world.worst("state.json") == app::Condition::fine);
  world.disk().erase("/home/kim/plan.md");
  CHECK(world.examined().front().remedy.find("plankeep restore") != std::string::npos);
}

TEST_CASE("what the system refuses is told once, and nobody is told to move it away") {
  Tracked world;
  const auto refuse = [&world](const std::string& refused) {
    world.disk().before = [&world, refused](const std::string& operation) {
      if (operation == refused) world.disk().plan_fault({test::Fault::Kind::fail_once, 1});
    };
  };
  SECTION("a history that cannot be appended to") {
    refuse("open_append history.jsonl");
    CHECK(world.worst("history.jsonl") == app::Condition::broken);
    const auto findings = world.examined();
    CHECK(std::count_if(findings.begin(), findings.end(),
                        [](const app::Finding& one) { return one.name == "history.jsonl"; }) == 1);
  }
  SECTION("a folder that cannot be written") {
    refuse("create " + system::temporary_name("doctor"));
    CHECK(world.worst(".checkpoint") == app::Condition::broken);
  }
  SECTION("earlier texts that cannot be listed") {
    REQUIRE(app::track(world.context, world.location, {}));
    world.edit("- [ ] Login", "- [ ] Sign in");
    REQUIRE(app::track(world.context, world.location, {}));
    refuse("open_folder plans");
    CHECK(world.worst("plans") == app::Condition::broken);
  }
  std::size_t broken = 0;
  for (const app::Finding& finding : world.examined()) {
    if (finding.condition != app::Condition::broken) continue;
    ++broken;
    CHECK(finding.remedy == "check the disk and the folder's permissions");
  }
  CHECK(broken == 1);
}
