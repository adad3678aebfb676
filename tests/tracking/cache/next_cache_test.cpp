#include "tracking/cache/next_cache.hpp"

#include <catch2/catch.hpp>

#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "render/progress/next.hpp"
#include "reports/resume.hpp"
#include "support/world.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/show.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;

namespace {

const std::string kKept = "/home/kim/.checkpoint/next.json";

std::string large_plan(int tasks) {
  std::string text = "# Large\n\n## All\n<!-- CHECKPOINT: all -->\n";
  for (int i = 1; i <= tasks; ++i) {
    const std::string id = "t" + std::to_string(i);
    text += "- [ ] Task " + id + " <!-- TASK: " + id + " -->\n";
  }
  return text;
}

// What `next` says from the files alone, for holding what was kept against it.
std::string said_by_reading(World& world) {
  auto shown = app::load_shown(world.context, world.location, 0);
  if (!shown) FAIL(shown.error().message);
  return render::next_json(app::view_of(*shown));
}

std::optional<std::string> recalled(World& world) {
  const auto view = app::read_next_cache(world.context, world.location);
  if (!view) return std::nullopt;
  return render::next_json(*view);
}

void track_large(World& world, int tasks = 200) {
  world.put_plan(large_plan(tasks));
  if (!app::track(world.context, world.location, {})) FAIL("cannot track");
}

}  // namespace

TEST_CASE(
    "A save of a large plan keeps what next shows, and looking there reads no plan and writes nothing") {
  World world;
  world.put_plan(large_plan(200));
  world.clock.advance(60'000);  // the plan's stamp is worth something
  REQUIRE(app::track(world.context, world.location, {}));
  const auto before = world.disk().everything();
  CHECK(recalled(world) == said_by_reading(world));
  CHECK(world.disk().everything() == before);
}

TEST_CASE("A small plan is read: nothing is kept of it") {
  World world;
  track_large(world, static_cast<int>(app::kTasksWorthCaching) - 1);
  CHECK_FALSE(world.disk().get(kKept));
  CHECK_FALSE(recalled(world));
}

TEST_CASE("After a tick the next task is recalled") {
  World world;
  track_large(world);
  REQUIRE(app::set_tasks(world.context, world.location, {"t1"}, core::BoxState::done, {"main"}));
  const auto said = recalled(world);
  REQUIRE(said);
  CHECK(said->find("\"t2\"") != std::string::npos);
  CHECK(said == said_by_reading(world));
}

TEST_CASE("What was kept of another moment is passed over") {
  World world;
  track_large(world);
  REQUIRE(recalled(world));
  SECTION("the plan was edited and nobody recorded it") {
    world.edit("[ ] Task t1 ", "[x] Task t1 ");
  }
  SECTION("the plan is gone") {
    world.disk().erase("/home/kim/plan.md");
  }
  SECTION("state.json was written by another") {
    const auto text = world.disk().get("/home/kim/.checkpoint/state.json");
    world.disk().put("/home/kim/.checkpoint/state.json", *text);
  }
  SECTION("state.json is gone") {
    world.disk().erase("/home/kim/.checkpoint/state.json");
  }
  SECTION("the history is longer than the state knows") {
    const std::string history = "/home/kim/.checkpoint/history.jsonl";
    world.disk().put(history,
                     *world.disk().get(history) + "{\"ts\":\"2026-11-20T15:43:50.123Z\",\"event\":\"x\"}\n");
  }
  SECTION("it is torn") {
    const std::string text = *world.disk().get(kKept);
    world.disk().put(kKept, text.substr(0, text.size() / 2));
  }
  SECTION("it is of another version") {
    std::string text = *world.disk().get(kKept);
    const std::string version = "\"version\":5";
    text.replace(text.find(version), version.size(), "\"version\":9");
    world.disk().put(kKept, text);
  }
  SECTION("it is of another file") {
    std::string text = *world.disk().get(kKept);
    const std::string name = "/plan.md";
    text.replace(text.find(name), name.size(), "/PLAN.md");
    world.disk().put(kKept, text);
  }
  CHECK_FALSE(recalled(world));
}

TEST_CASE("A plan that was touched and not changed is told by its bytes") {
  World world;
  track_large(world);
  world.clock.advance(60'000);
  world.put_plan(world.plan());
  CHECK(recalled(world) == said_by_reading(world));
}

TEST_CASE("While somebody has a task nothing is kept: that depends on the time") {
  World world;
  track_large(world);
  app::ClaimRequest request;
  request.actor = "kim";
  REQUIRE(app::claim_task(world.context, world.location, "t1", request));
  CHECK_FALSE(recalled(world));
  REQUIRE(app::release_task(world.context, world.location, "t1", request, core::Force::no));
  // Given back: the next save that has read the plan keeps it again.
  world.edit("[ ] Task t1 ", "[x] Task t1 ");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(recalled(world) == said_by_reading(world));
}

TEST_CASE("A save that reads no plan takes what was kept along") {
  World world;
  track_large(world);
  app::PlanWork work(world.context, world.location);
  REQUIRE(work.open(app::PlanWork::Create::if_plan));
  REQUIRE(work.lock(app::kTimeout));
  REQUIRE(work.sync({}, false));
  SECTION("bookkeeping") {
    core::State state = work.state();
    state.lint_errors.emplace_back("made up");
    REQUIRE(work.keep_bookkeeping(state));
  }
  SECTION("an event") {
    core::Event note;
    note.time = work.now();
    note.kind = core::EventKind::note_saved;
    note.note = "later";
    core::State state = work.state();
    state.session_notes = "later";
    REQUIRE(work.save(state, {note}));
  }
  SECTION("both, one after the other") {
    core::State state = work.state();
    state.lint_errors.emplace_back("made up");
    REQUIRE(work.keep_bookkeeping(state));
    state = work.state();
    state.lint_errors.clear();
    REQUIRE(work.keep_bookkeeping(state));
  }
  CHECK(recalled(world) == said_by_reading(world));
}

TEST_CASE("A plan that was emptied is not what is kept") {
  World world;
  track_large(world);
  world.put_plan("nothing\n");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK_FALSE(recalled(world));
}

TEST_CASE("After a save that recorded tasks as gone the plan is read, so that this is said") {
  World world;
  track_large(world, 201);
  world.clock.advance(60'000);
  track_large(world, 200);
  CHECK_FALSE(recalled(world));
  CHECK(said_by_reading(world).find("\"t201\"") != std::string::npos);
}
