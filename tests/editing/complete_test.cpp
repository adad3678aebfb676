#include "editing/complete.hpp"

#include <catch2/catch.hpp>

#include "model/record_evidence.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;
using Lines = std::vector<std::string>;
using core::BoxState;

namespace {

app::Completed set(World& world, const std::vector<std::string>& ids, BoxState state,
                   const std::string& actor = "main") {
  auto completed = app::set_tasks(world.context, world.location, ids, state, {actor});
  if (!completed) FAIL(completed.error().message);
  return std::move(*completed);
}

void track(World& world) {
  const auto outcome = app::track(world.context, world.location, {});
  if (!outcome) FAIL(outcome.error().message);
}

}  // namespace

TEST_CASE("done ticks the box, leaves every other byte, and records the actor") {
  World world;
  std::string text =
      "\xef\xbb\xbf# Auth\r\n\r\n## Build\r\n<!-- CHECKPOINT: build -->\r\n"
      "- [ ]\tLogin form  <!-- TASK: login -->  \r\n- [ ] Other <!-- TASK: other -->";
  world.put_plan(text);
  track(world);
  const app::Completed completed = set(world, {"login"}, BoxState::done, "subagent:coder");
  text[text.find("[ ]\tLogin") + 1] = 'x';
  CHECK(world.plan() == text);
  CHECK(World::lines_of(completed.outcome.events).front() == "task_completed login subagent:coder");
  CHECK(World::task(*world.state(), "login")->completed_by == "subagent:coder");
}

TEST_CASE("an edit from outside is recorded as external before ours") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  world.edit("[ ] Release", "[x] Release");
  const app::Completed completed = set(world, {"login"}, BoxState::done);
  const Lines lines = World::lines_of(completed.outcome.events);
  CHECK(lines == Lines{"checksum_mismatch reparse", "task_completed notes external", "phase_started",
                       "task_completed login main"});
}

TEST_CASE("what is done already changes nothing and is said") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const auto before = world.disk().everything();
  const app::Completed completed = set(world, {"schema"}, BoxState::done);
  CHECK(completed.already == std::vector<std::string>{"schema"});
  CHECK(completed.outcome.events.empty());
  CHECK(world.disk().everything() == before);
}

TEST_CASE("every id is known before anything is written") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const auto before = world.disk().everything();
  const auto completed =
      app::set_tasks(world.context, world.location, {"login", "nope"}, BoxState::done, {"main"});
  REQUIRE_FALSE(completed);
  CHECK(completed.error().kind == base::ErrorKind::not_found);
  CHECK(world.disk().everything() == before);
}

TEST_CASE("done before what it comes after is done all the same, with a notice") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const app::Completed completed = set(world, {"logout"}, BoxState::done);
  CHECK(completed.outcome.warnings.empty());
  REQUIRE(completed.outcome.notices.size() == 1);
  CHECK(completed.outcome.notices.front().kind == core::NoticeKind::done_before_dependency);
  CHECK(completed.outcome.notices.front().text ==
        "task logout was ticked before the tasks it depends on: login");
  CHECK(World::task(*world.state(), "logout")->done);
  SECTION("but not when both are done in one call") {
    set(world, {"logout"}, BoxState::open);
    for (const core::Notice& notice : set(world, {"logout", "login"}, BoxState::done).outcome.notices)
      CHECK(notice.kind != core::NoticeKind::done_before_dependency);
  }
}

TEST_CASE("reopen and start set their boxes") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const app::Completed reopened = set(world, {"schema"}, BoxState::open);
  CHECK(world.plan().find("- [ ] Schema") != std::string::npos);
  CHECK_FALSE(World::task(*world.state(), "schema")->done);
  CHECK(World::lines_of(reopened.outcome.events).front() == "task_reopened schema main");
  const app::Completed started = set(world, {"login"}, BoxState::active);
  CHECK(World::lines_of(started.outcome.events).front() == "task_started login main");
  CHECK(started.outcome.events.front().title == "Login form");
  CHECK(set(world, {"login"}, BoxState::active).outcome.events.empty());
  CHECK(world.plan().find("- [~] Login") != std::string::npos);
  CHECK(world.state()->current_task == core::TaskId("login"));
  const app::Completed given_up = set(world, {"login"}, BoxState::open);
  CHECK(World::lines_of(given_up.outcome.events).front() == "task_reopened login main");
  CHECK(world.plan().find("- [ ] Login") != std::string::npos);
  CHECK(set(world, {"login"}, BoxState::open).outcome.events.empty());
}

TEST_CASE("a done task is not started: its tick would be gone") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const auto start = [&world](const std::string& id) {
    return app::set_tasks(world.context, world.location, {"login", id}, BoxState::active, {"main"});
  };
  const auto unseen = start("schema");
  REQUIRE_FALSE(unseen);
  CHECK(unseen.error().kind == base::ErrorKind::invalid_input);
  CHECK(unseen.error().message == "schema is done: starting it would take back that tick");
  set(world, {"notes"}, BoxState::done, "team:ada");
  world.clock.advance(120'000);
  const auto seen = start("notes");
  REQUIRE_FALSE(seen);
  CHECK(seen.error().message ==
        "notes is done, by team:ada 2 min ago: starting it would take back that tick");
  CHECK(seen.error().hint == "if that is meant, take it back first: plankeep reopen notes");
  CHECK(world.plan().find("- [ ] Login") != std::string::npos);
}

TEST_CASE("an earlier call is taken back with who and when, and as in progress") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  set(world, {"login"}, BoxState::done, "team:ada");
  const core::State before = *world.state();
  world.clock.advance(60'000);
  const app::Completed reopened = set(world, {"login", "schema"}, BoxState::open);
  REQUIRE(reopened.recorded.before.phases.size() == 1);
  CHECK(reopened.recorded.before.phases[0].tasks.size() == 2);
  const auto back = app::set_tasks(world.context, world.location, {"login", "schema"}, BoxState::done,
                                   {"main"}, &reopened.recorded);
  REQUIRE(back);
  CHECK(*World::task(*world.state(), "login") == *World::task(before, "login"));
  CHECK(World::task(*world.state(), "schema")->completed_by == "main");
  set(world, {"notes"}, BoxState::active);
  const app::Completed done = set(world, {"notes"}, BoxState::done);
  CHECK(app::set_tasks(world.context, world.location, {"notes"}, BoxState::active, {"main"}, &done.recorded));
  CHECK(world.plan().find("- [~] Release") != std::string::npos);
}

TEST_CASE("a criterion is met by its id") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const app::Completed completed = set(world, {"tests"}, BoxState::done);
  CHECK(World::lines_of(completed.outcome.events).front() == "acceptance_met tests main");
}

TEST_CASE("a criterion that is ticked by hand though its command failed is said not to be proven") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  core::Evidence evidence;
  evidence.command = "make test";
  evidence.time = world.clock.now();
  evidence.status = GENERATE(0, 2);
  core::State state = *world.state();
  core::record_evidence(state, core::PhaseId("ship"), core::CriterionId("tests"), evidence, "main",
                        world.clock.now());
  world.disk().put("/home/kim/.checkpoint/state.json", core::encode_state(state));
  const app::Completed completed = set(world, {"tests"}, BoxState::done);
  const std::vector<std::string>& warnings = completed.outcome.warnings;
  const bool said = std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.find("tests is ticked, but not proven: its command failed with status 2") == 0;
  });
  CHECK(said == (evidence.status != 0));
}

TEST_CASE("a criterion cannot be started: it is met or not") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const auto before = world.disk().everything();
  for (const std::string& id : {std::string("tests"), std::string("ship/tests")}) {
    const auto refused = app::set_tasks(world.context, world.location, {id}, BoxState::active, {"main"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("criterion") != std::string::npos);
  }
  CHECK(world.disk().everything() == before);
}

TEST_CASE("an editor that saves the plan meanwhile is not overwritten") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  int saves = 0;
  world.disk().before = [&](const std::string& operation) {
    // Just as our new text is on its way, three times.
    if (operation.rfind("write .plan.md", 0) != 0 || saves == 3) return;
    ++saves;
    std::string text = world.plan();
    text += "- [ ] Added " + std::to_string(saves) + " <!-- TASK: added" + std::to_string(saves) + " -->\n";
    world.disk().put("/home/kim/plan.md", text);
  };
  const app::Completed completed = set(world, {"login"}, BoxState::done);
  world.disk().before = nullptr;
  CHECK(saves == 3);
  CHECK(world.plan().find("[x] Login") != std::string::npos);
  for (const char* id : {"added1", "added2", "added3"}) {
    CHECK(world.plan().find(id) != std::string::npos);
    CHECK(World::task(completed.outcome.state, id) != nullptr);
  }
  const Lines told = world.told();
  CHECK(std::count(told.begin(), told.end(), "task_completed login main") == 1);
  CHECK(std::count(told.begin(), told.end(), "task_added added2 external") == 1);
}

TEST_CASE("an editor that never stops is a conflict in the end, and its text stands") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  world.disk().before = [&](const std::string& operation) {
    if (operation.rfind("write .plan.md", 0) == 0) world.disk().put("/home/kim/plan.md", world.plan() + "\n");
  };
  const auto completed = app::set_tasks(world.context, world.location, {"login"}, BoxState::done, {"main"});
  world.disk().before = nullptr;
  REQUIRE_FALSE(completed);
  CHECK(completed.error().kind == base::ErrorKind::conflict);
  CHECK(world.plan().find("[ ] Login") != std::string::npos);
}

TEST_CASE("in a plan that cannot be read no box is set") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  world.put_plan(std::string("\0", 1));
  const auto completed = app::set_tasks(world.context, world.location, {"login"}, BoxState::done, {"main"});
  REQUIRE_FALSE(completed);
  CHECK(completed.error().kind == base::ErrorKind::conflict);
  CHECK(world.plan() == std::string("\0", 1));
}

TEST_CASE("an untracked plan without markers is not edited") {
  World world;
  world.put_plan("- [ ] a\n");
  const auto completed = app::set_tasks(world.context, world.location, {"a"}, BoxState::done, {"main"});
  REQUIRE_FALSE(completed);
  CHECK(completed.error().kind == base::ErrorKind::not_found);
  CHECK(world.plan() == "- [ ] a\n");
}

TEST_CASE("killed at any operation of done, the box is recorded by the next sync at the latest") {
  for (std::int64_t operation = 1; operation < 300; ++operation) {
    World world;
    world.put_plan(test::kPlanText);
    track(world);
    world.disk().restart();
    world.disk().plan_fault({test::Fault::Kind::die, operation, 5});
    const auto died = app::set_tasks(world.context, world.location, {"login"}, BoxState::done, {"main"});
    const bool reached = world.disk().dead();
    world.disk().restart();
    INFO("operation " << operation);
    const bool ticked = world.plan().find("[x] Login") != std::string::npos;
    CHECK((ticked || world.plan() == test::kPlanText));
    if (died) CHECK(ticked);
    track(world);
    CHECK(World::task(*world.state(), "login")->done == ticked);
    if (!reached) {
      CHECK(died);
      return;
    }
  }
  FAIL("done takes more operations than expected");
}

TEST_CASE("done changes nothing where it cannot be recorded") {
  World world;
  world.put_plan(test::kPlanText);
  track(world);
  const auto before = world.disk().everything();
  const std::string refused = GENERATE("open_append history.jsonl", "create .state.json.plankeep-tmp");
  CAPTURE(refused);
  world.disk().before = [&world, &refused](const std::string& operation) {
    if (operation == refused) world.disk().plan_fault({test::Fault::Kind::fail_once, 1});
  };
  const auto completed = app::set_tasks(world.context, world.location, {"login"}, BoxState::done, {"team:x"});
  REQUIRE_FALSE(completed);
  CHECK(completed.error().kind == base::ErrorKind::io);
  CHECK(world.disk().everything() == before);
  world.disk().before = nullptr;
  set(world, {"login"}, BoxState::done, "team:x");
  CHECK(World::task(*world.state(), "login")->completed_by == "team:x");
}
