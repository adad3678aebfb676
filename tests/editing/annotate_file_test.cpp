#include "editing/annotate_file.hpp"

#include <catch2/catch.hpp>

#include "editing/complete.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using test::World;

namespace {

constexpr std::string_view kText = "# Plan\n\n## Setup\n- [x] Make folder\n- [ ] Write config\n";

app::AnnotatedFile annotated(World& world, bool check_only) {
  auto result = app::annotate_file(world.context, world.location, check_only, "main");
  if (!result) FAIL(result.error().message);
  return std::move(*result);
}

}  // namespace

TEST_CASE("check only says what is missing") {
  World world;
  world.put_plan(kText);
  const auto before = world.disk().everything();
  CHECK(annotated(world, true).added.size() == 3);
  CHECK(world.disk().everything() == before);
}

TEST_CASE("an untracked plan is only edited, and annotating twice changes nothing") {
  World world;
  world.put_plan(kText);
  CHECK(annotated(world, false).added.size() == 3);
  CHECK(world.plan().find("Write config <!-- TASK: write-config -->") != std::string::npos);
  const auto before = world.disk().everything();
  CHECK(annotated(world, false).added.empty());
  CHECK(world.disk().everything() == before);
}

TEST_CASE("a tracked plan keeps its ids, completions and actors through annotating") {
  World world;
  world.put_plan(kText);
  REQUIRE(app::start_tracking(world.context, world.location));
  REQUIRE(
      app::set_tasks(world.context, world.location, {"write-config"}, core::BoxState::done, {"team:blue"}));
  world.edit("Write config", "Write the config");
  const app::AnnotatedFile result = annotated(world, false);
  CHECK(world.plan().find("Write the config <!-- TASK: write-config -->") != std::string::npos);
  REQUIRE(result.outcome);
  const core::TaskState* task = World::task(result.outcome->state, "write-config");
  REQUIRE(task != nullptr);
  CHECK(task->done);
  CHECK(task->completed_by == "team:blue");
  for (const core::Event& event : world.events()) {
    CHECK(event.kind != core::EventKind::task_removed);
    CHECK(event.kind != core::EventKind::task_added);
  }
}
