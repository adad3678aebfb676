#include "editing/add_task.hpp"

#include <catch2/catch.hpp>

#include "editing/new_plan.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using test::World;

namespace {

struct Tracked : World {
  explicit Tracked(const char* text) {
    put_plan(text);
    if (!app::start_tracking(context, location)) FAIL("cannot track");
  }
};

}  // namespace

TEST_CASE("a box that is added is recorded under the actor's name") {
  Tracked world("# P\n\n## One\n- [x] Done\n\n## Two\n- [ ] Next\n");
  app::AddRequest request;
  request.title = "Found on the way";
  const auto added = app::add_task(world.context, world.location, request, "person:kim");
  REQUIRE(added);
  CHECK(added->id == "found-on-the-way");
  CHECK(added->phase.text == "two");
  CHECK(world.plan() == "# P\n\n## One\n- [x] Done\n\n## Two\n- [ ] Next\n- [ ] Found on the way\n");
  REQUIRE(added->outcome.events.size() == 1);
  CHECK(added->outcome.events[0].kind == core::EventKind::task_added);
  CHECK(added->outcome.events[0].by == "person:kim");
}

TEST_CASE("what is asked of a new box is looked up in the plan") {
  Tracked world("# P\n\n## One\n- [ ] First\n\n## Two\n- [ ] Next\n");
  app::AddRequest request;
  request.title = "More";
  SECTION("the phase by number") {
    request.phase = "1";
    CHECK(app::add_task(world.context, world.location, request, "main")->phase.text == "one");
  }
  SECTION("a phase that is not there changes nothing") {
    request.phase = "three";
    const std::string before = world.plan();
    const auto added = app::add_task(world.context, world.location, request, "main");
    REQUIRE_FALSE(added);
    CHECK(added.error().kind == base::ErrorKind::not_found);
    CHECK(world.plan() == before);
  }
  SECTION("what it waits for") {
    request.after = {"first"};
    const auto added = app::add_task(world.context, world.location, request, "main");
    REQUIRE(added);
    CHECK(world.plan().find("- [ ] More <!-- TASK: more | after: first -->") != std::string::npos);
  }
  SECTION("a parent of another phase") {
    request.parent = "first";
    request.phase = "two";
    CHECK_FALSE(app::add_task(world.context, world.location, request, "main"));
  }
}

TEST_CASE("a heading without boxes becomes a phase with its first one") {
  Tracked world("# P\n\n## A\n- [ ] First\n\n## B\n\n## Notes\n\nWords.\n");
  app::AddRequest request;
  request.title = "More";
  request.phase = "b";
  const auto added = app::add_task(world.context, world.location, request, "main");
  REQUIRE(added);
  CHECK(added->phase.text == "b");
  CHECK(world.plan() == "# P\n\n## A\n- [ ] First\n\n## B\n\n- [ ] More\n\n## Notes\n\nWords.\n");
  // Where markers make the phases, a heading makes none.
  Tracked marked("## A\n<!-- CHECKPOINT: a -->\n- [ ] First <!-- TASK: first -->\n\n## B\n\nWords.\n");
  const auto refused = app::add_task(marked.context, marked.location, request, "main");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::not_found);
}

TEST_CASE("a new plan has a file of its own and is never put over another") {
  World world;
  const auto made = app::new_plan(world.context, "Auth flow", app::PlanTemplate::plain);
  REQUIRE(made);
  CHECK(made->path().ends_with("/plans/auth-flow/plan.md"));
  const auto started = app::start_tracking(world.context, *made);
  REQUIRE(started);
  CHECK(started->outcome.state.progress.total == 3);
  CHECK(app::new_plan(world.context, "Auth flow", app::PlanTemplate::plain).error().kind ==
        base::ErrorKind::conflict);
  CHECK(app::new_plan(world.context, "plans/auth-flow/PLAN.md", app::PlanTemplate::plain).error().kind ==
        base::ErrorKind::conflict);
  CHECK(app::new_plan(world.context, "specs", app::PlanTemplate::spec)
            ->path()
            .ends_with("/specs/specs/tasks.md"));
  CHECK(app::new_plan(world.context, "a\nb", app::PlanTemplate::plain).error().kind ==
        base::ErrorKind::invalid_input);
  CHECK(app::new_plan(world.context, " ", app::PlanTemplate::plain).error().kind ==
        base::ErrorKind::invalid_input);
}
