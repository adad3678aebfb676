#include "editing/import_plan.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using test::World;

namespace {

constexpr std::string_view kPrd = R"({"userStories":[{"id":"US-1","title":"Cart","passes":true}]})";

}  // namespace

TEST_CASE("the plan is written where there is none") {
  World world;
  world.disk().put("/home/kim/prd.json", kPrd);
  app::ImportRequest request;
  request.file = "prd.json";
  REQUIRE(app::import_plan(world.context, request));
  CHECK(world.plan() ==
        "# prd.json\n\n## US-1: Cart\n<!-- CHECKPOINT: US-1 -->\n\n- [x] Cart <!-- TASK: US-1 -->\n");
}

TEST_CASE("a plan that is there is only replaced by force") {
  World world;
  world.disk().put("/home/kim/prd.json", kPrd);
  world.put_plan("mine\n");
  app::ImportRequest request;
  request.file = "prd.json";
  const auto refused = app::import_plan(world.context, request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::conflict);
  CHECK(world.plan() == "mine\n");
  request.write = false;
  REQUIRE(app::import_plan(world.context, request));
  CHECK(world.plan() == "mine\n");
  request.write = true;
  request.force = true;
  REQUIRE(app::import_plan(world.context, request));
  CHECK(world.plan().find("TASK: US-1") != std::string::npos);
}

TEST_CASE("nothing is written when the file cannot be imported") {
  World world;
  world.disk().put("/home/kim/prd.json", "{}");
  app::ImportRequest request;
  request.file = "prd.json";
  const auto refused = app::import_plan(world.context, request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::invalid_input);
  CHECK_FALSE(world.disk().get("/home/kim/plan.md").has_value());
}
