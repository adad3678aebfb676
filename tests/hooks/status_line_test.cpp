#include "hooks/status_line.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "hook_world.hpp"

using namespace plankeep;
using test::HookWorld;

namespace {

clients::StatusLineInput asked(const std::string& session = "s1") {
  clients::StatusLineInput input;
  input.session_id = session;
  input.cwd = "/home/kim";
  return input;
}

}  // namespace

TEST_CASE("without a tracked plan there is no status line, and none is begun for its sake") {
  HookWorld world;
  const auto before = world.disk().everything();
  CHECK_FALSE(app::look_for_status_line(world.context, asked()));
  CHECK(world.disk().everything() == before);
}

TEST_CASE("the status line shows what is recorded and writes nothing") {
  HookWorld world;
  world.say(world.start());
  const auto before = world.disk().everything();
  world.disk().forget_log();
  const auto plan = app::look_for_status_line(world.context, asked());
  REQUIRE(plan);
  CHECK(plan->location == world.location);
  CHECK(plan->state.progress.total == 4);
  CHECK(world.disk().everything() == before);
  CHECK(world.operations_named("lock") == 0);
}

TEST_CASE("the status line knows by one look whether the plan's file is still the recorded one") {
  HookWorld world;
  world.clock.advance(60'000);  // the plan's stamp is worth something
  world.say(world.start());
  const auto now = [&world] { return app::look_for_status_line(world.context, asked())->beside.file; };
  CHECK(now() == render::PlanFileNow::as_recorded);
  const std::string text = *world.disk().get(world.location.path());
  world.disk().put(world.location.path(), text + "- [ ] More <!-- TASK: more -->\n");
  CHECK(now() == render::PlanFileNow::changed);
  world.disk().erase(world.location.path());
  CHECK(now() == render::PlanFileNow::missing);
  world.disk().put_folder(world.location.path());
  CHECK(now() == render::PlanFileNow::unreadable);
}

TEST_CASE(
    "the status line of a plan that is done knows what is skipped, what vanished and what no stamp tells") {
  const std::string done = "# P\n\n## One\n- [x] A <!-- TASK: a -->\n- [ ] Legend <!-- SKIP -->\n";
  HookWorld world(done + "- [ ] B <!-- TASK: b -->\n");
  world.say(world.start());
  world.put_plan(done);
  const auto beside = [&world] { return app::look_for_status_line(world.context, asked())->beside; };
  CHECK(beside().vanished.empty());
  world.say(world.written());
  REQUIRE(beside().vanished.size() == 1);
  CHECK(beside().vanished.front().id.text == "b");
  CHECK(app::look_for_status_line(world.context, asked())->state.skipped == 1);
  world.put_plan(done + "- [ ] C <!-- TASK: c -->\n");  // within the same second: no stamp tells
  CHECK(beside().file == render::PlanFileNow::changed);
}

TEST_CASE("the status line of a plan that is done reads the plan's file only where the state has no stamp") {
  const std::string done = "# P\n\n## One\n- [x] A <!-- TASK: a -->\n";
  HookWorld world(done);
  world.clock.advance(60'000);
  world.say(world.start());
  const auto now = [&world] { return app::look_for_status_line(world.context, asked())->beside.file; };
  const auto reads = [&world, &now] {
    world.disk().forget_log();
    (void)now();
    const std::vector<std::string>& log = world.disk().log();
    return std::count(log.begin(), log.end(), "read plan.md");
  };
  CHECK(reads() == 0);

  // As after an edit that was too recent for one.
  core::State state = world.now();
  REQUIRE(state.plan_stamp);
  state.plan_stamp.reset();
  world.disk().put("/home/kim/.checkpoint/state.json", core::encode_state(state));
  CHECK(reads() == 1);
  CHECK(now() == render::PlanFileNow::as_recorded);
  world.put_plan(done + "- [ ] B <!-- TASK: b -->\n");
  CHECK(now() == render::PlanFileNow::changed);
}

TEST_CASE("how full the context window is, is kept with its session, without an event") {
  HookWorld world;
  world.say(world.start());
  const auto told = world.told();
  clients::StatusLineInput input = asked();
  input.context_percent = 42;
  input.context_window = 200'000;
  REQUIRE(app::look_for_status_line(world.context, input));
  CHECK(world.session().context_percent == 42);
  CHECK(world.session().context_window == 200'000);
  CHECK(world.told() == told);

  SECTION("and not written twice") {
    world.disk().forget_log();
    REQUIRE(app::look_for_status_line(world.context, input));
    CHECK(world.operations_named("lock") == 0);
    CHECK(world.operations_named("write") == 0);
  }
  SECTION("and stays when a call does not say it") {
    REQUIRE(app::look_for_status_line(world.context, asked()));
    CHECK(world.session().context_percent == 42);
  }
  SECTION("and a prompt of a full window writes a copy") {
    input.context_percent = 85;
    REQUIRE(app::look_for_status_line(world.context, input));
    world.quiet(world.prompt("go on"));
    CHECK(world.copies("context_window") == 1);
  }
  SECTION("and a session that nobody knows is not made up") {
    clients::StatusLineInput other = asked("s9");
    other.context_percent = 85;
    REQUIRE(app::look_for_status_line(world.context, other));
    CHECK(world.now().sessions.size() == 1);
  }
}

TEST_CASE("a status line waits for nobody: what it cannot write, the next one will") {
  HookWorld world;
  world.say(world.start());
  clients::StatusLineInput input = asked();
  input.context_percent = 42;
  {
    auto folder = world.files.open_folder("/home/kim/.checkpoint");
    REQUIRE(folder);
    const auto lock = (*folder)->lock("lock", std::chrono::milliseconds(0));
    REQUIRE(lock);
    CHECK(app::look_for_status_line(world.context, input));
    CHECK_FALSE(world.session().context_percent);
  }
  CHECK(app::look_for_status_line(world.context, input));
  CHECK(world.session().context_percent == 42);
}

TEST_CASE("a plan whose state is damaged shows what its copy knows, and nothing is repaired by looking") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.compact());
  world.disk().put("/home/kim/.checkpoint/state.json", "{");
  const auto before = world.disk().everything();
  const auto plan = app::look_for_status_line(world.context, asked());
  REQUIRE(plan);
  CHECK(plan->state.progress.total == 4);
  CHECK(world.disk().everything() == before);
}
