#include "project/current_plan.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using test::World;

TEST_CASE("a choice is kept per project, outside of it") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put_folder("/home/kim/sub");
  const auto before = world.disk().everything();
  REQUIRE(app::choose_plan(world.context, {"/home/kim/plans/a", "plan.md"}));
  world.environment.directory = "/home/kim/sub";
  auto current = app::current_plan(world.context);
  REQUIRE(current);
  REQUIRE(*current);
  CHECK((*current)->project == "/home/kim");
  CHECK((*current)->path == "/home/kim/plans/a/plan.md");
  for (const auto& [path, content] : world.disk().everything()) {
    if (path.rfind("/home/kim", 0) == 0) CHECK(before.count(path) == 1);
  }
  CHECK(world.disk().get("/home/ada/.local/state/plankeep/current-plans.json"));

  world.environment.directory = "/home";
  current = app::current_plan(world.context);
  REQUIRE(current);
  CHECK_FALSE(*current);
}

TEST_CASE("XDG_STATE_HOME says where choices are kept") {
  World world;
  world.disk().put_folder("/state");
  world.environment.variables["XDG_STATE_HOME"] = "/state/mine";
  REQUIRE(app::choose_plan(world.context, {"/home/kim/a", "plan.md"}));
  CHECK(world.disk().get("/state/mine/plankeep/current-plans.json"));
}

TEST_CASE("a forgotten choice is gone, and forgetting twice is fine") {
  World world;
  REQUIRE(app::choose_plan(world.context, {"/home/kim/a", "plan.md"}));
  auto forgotten = app::forget_plan(world.context);
  REQUIRE(forgotten);
  CHECK(*forgotten);
  forgotten = app::forget_plan(world.context);
  REQUIRE(forgotten);
  CHECK_FALSE(*forgotten);
  const auto current = app::current_plan(world.context);
  REQUIRE(current);
  CHECK_FALSE(*current);
}

TEST_CASE("without a home there is no choice, and choosing is a clear error") {
  World world;
  world.environment.variables.erase("HOME");
  const auto current = app::current_plan(world.context);
  REQUIRE(current);
  CHECK_FALSE(*current);
  const auto chosen = app::choose_plan(world.context, {"/home/kim/a", "plan.md"});
  REQUIRE_FALSE(chosen);
  CHECK(chosen.error().message.find("HOME is not set") != std::string::npos);
  CHECK(chosen.error().hint.find("HOME") != std::string::npos);
}

TEST_CASE("a home that cannot be used is named when a choice is to be stored") {
  struct Row {
    std::string variable;
    std::string value;
    std::string told;
  };
  const Row rows[] = {
      {"HOME", "/gone", "the folder /gone, named by HOME, does not exist"},
      {"HOME", "/gone/too", "the folder /gone/too, named by HOME, does not exist"},
      {"HOME", "kim", "HOME is not an absolute path: kim"},
      {"HOME", "", "HOME is not set"},
      {"XDG_STATE_HOME", "/gone/state", "the folder /gone, named by XDG_STATE_HOME, does not exist"},
  };
  for (const Row& row : rows) {
    World world;
    world.environment.variables[row.variable] = row.value;
    const auto before = world.disk().everything();
    const auto chosen = app::choose_plan(world.context, {"/home/kim/a", "plan.md"});
    CAPTURE(row.variable, row.value);
    REQUIRE_FALSE(chosen);
    CHECK(chosen.error().message.find(row.told) != std::string::npos);
    CHECK(chosen.error().hint.find("--plan") != std::string::npos);
    CHECK(world.disk().everything() == before);
  }
}

TEST_CASE("a damaged file of choices is set aside, not deleted") {
  World world;
  const std::string path = "/home/ada/.local/state/plankeep/current-plans.json";
  world.disk().put(path, "{\"projects\": [");
  const auto current = app::current_plan(world.context);
  REQUIRE(current);
  CHECK_FALSE(*current);
  REQUIRE(app::choose_plan(world.context, {"/home/kim/a", "plan.md"}));
  bool kept = false;
  for (const auto& [name, content] : world.disk().everything()) {
    kept = kept || (name.rfind(path + ".damaged-", 0) == 0 && content == "{\"projects\": [");
  }
  CHECK(kept);
  CHECK(world.disk().get(path)->find("/home/kim/a/plan.md") != std::string::npos);
}
