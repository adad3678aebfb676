#include "commits/merge_files.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using test::World;

namespace {

const std::string kBase = "- [ ] One <!-- TASK: one -->\n- [ ] Two <!-- TASK: two -->\n";
const std::string kOurs = "- [x] One <!-- TASK: one -->\n- [ ] Two <!-- TASK: two -->\n";
const std::string kTheirs = "- [ ] One <!-- TASK: one -->\n- [x] Two <!-- TASK: two -->\n";

void put_versions(World& world) {
  world.disk().put("/home/kim/o", kBase);
  world.disk().put("/home/kim/a", kOurs);
  world.disk().put("/home/kim/b", kTheirs);
}

}  // namespace

TEST_CASE("the result takes the place of ours, synced, and nothing else is written") {
  World world;
  put_versions(world);
  const auto conflicts = app::merge_files(world.context, {"o", "a", "b", 7});
  REQUIRE(conflicts);
  CHECK(conflicts->empty());
  CHECK(world.disk().get("/home/kim/a") == "- [x] One <!-- TASK: one -->\n- [x] Two <!-- TASK: two -->\n");
  CHECK(world.disk().get("/home/kim/o") == kBase);
  CHECK(world.disk().get("/home/kim/b") == kTheirs);
  CHECK(world.operations_named("rename") == 1);
}

TEST_CASE("a result that is ours already is not written again") {
  World world;
  put_versions(world);
  world.disk().put("/home/kim/b", kBase);
  const auto before = world.disk().everything();
  REQUIRE(app::merge_files(world.context, {"o", "a", "b", 7}));
  CHECK(world.disk().everything() == before);
  CHECK(world.operations_named("rename") == 0);
}

TEST_CASE("a version that is missing leaves ours alone") {
  World world;
  put_versions(world);
  const auto before = world.disk().everything();
  const auto merged = app::merge_files(world.context, {"o", "a", "gone", 7});
  REQUIRE_FALSE(merged);
  CHECK(merged.error().kind == base::ErrorKind::not_found);
  CHECK(world.disk().everything() == before);
}
