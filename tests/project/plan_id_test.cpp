#include "project/plan_id.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using test::World;

namespace {

using Ids = std::vector<std::string>;

std::string id_of(World& world, const std::string& folder, const std::string& name = "plan.md") {
  app::PlanLocation plan{folder, name};
  app::identify(world.context, plan);
  return plan.plan_id();
}

}  // namespace

TEST_CASE("a general name takes its folder's, any other its own") {
  struct Row {
    std::string name;
    std::string id;
  };
  const Row row = GENERATE(values<Row>({{"plan.md", "auth"},
                                        {"PLAN.md", "auth"},
                                        {"tasks.md", "auth"},
                                        {"Task_Plan.md", "auth"},
                                        {"fix_plan.md", "auth"},
                                        {"@fix_plan.md", "auth"},
                                        {"IMPLEMENTATION_PLAN.md", "auth"},
                                        {"TODO.md", "auth"},
                                        {"PRD.md", "auth"},
                                        {"2026-11-20-login.md", "2026-11-20-login"},
                                        {"v1.2.md", "v1.2"},
                                        {"roadmap", "roadmap"},
                                        {".hidden", ".hidden"}}));
  CHECK(app::PlanLocation{"/home/kim/auth", row.name}.plan_id() == row.id);
}

TEST_CASE("at the root of a work tree a general name takes the repository's, in every clone and work tree") {
  World world;
  SECTION("by origin's URL") {
    const std::string url = GENERATE("https://host/team/shop.git", "git@host:team/shop.git", "/srv/shop/.git",
                                     "\"ssh://host/shop/\"", "https://host/shop # the shop");
    world.disk().put("/home/kim/clone/.git/config",
                     "[core]\n\tbare = false\n[remote \"other\"]\n\turl = https://host/no.git\n"
                     "[remote \"origin\"]\n\tfetch = x\n\tURL = " +
                         url + "\n[branch \"main\"]\n\turl = no\n");
    CHECK(id_of(world, "/home/kim/clone") == "shop");
    CHECK(id_of(world, "/home/kim/clone", "roadmap.md") == "roadmap");
    CHECK(id_of(world, "/home/kim/clone/plans/auth") == "auth");
  }
  SECTION("without one by the main work tree's folder") {
    world.disk().put("/home/kim/shop/.git/config", "[core]\n");
    CHECK(id_of(world, "/home/kim/shop") == "shop");
    world.disk().put("/home/kim/linked/.git", "gitdir: /home/kim/shop/.git/worktrees/linked\n");
    world.disk().put("/home/kim/shop/.git/worktrees/linked/commondir", "../..\n");
    CHECK(id_of(world, "/home/kim/linked") == "shop");
  }
  SECTION("a submodule without an origin by its own folder") {
    world.disk().put("/home/kim/shop/.git/modules/lib/config", "[core]\n");
    world.disk().put("/home/kim/shop/vendor/lib/.git", "gitdir: ../../.git/modules/lib\n");
    CHECK(id_of(world, "/home/kim/shop/vendor/lib") == "lib");
  }
  SECTION("what says nothing changes nothing") {
    world.disk().put("/home/kim/shop/.git", GENERATE("", "gitdir: ", "gitdir: /nowhere\n", "\xff\n"));
    CHECK(id_of(world, "/home/kim/shop") == "shop");
  }
}

TEST_CASE("two plans of one id are told apart by the folders above them") {
  const std::vector<app::PlanLocation> plans{{"/p/plans/auth", "plan.md"},
                                             {"/p/docs/plans", "auth.md"},
                                             {"/p/plans/web", "plan.md"},
                                             {"/p/old/plans/auth", "plan.md"},
                                             {"/p/plans/auth", "notes.md"}};
  CHECK(app::distinct_ids(plans) == Ids{"p/plans/auth", "docs/plans/auth", "web", "old/plans/auth", "notes"});
  CHECK(app::distinct_ids({{"/p/a/x", "plan.md"}, {"/p/b/x", "plan.md"}}) == Ids{"a/x", "b/x"});
  CHECK(app::distinct_ids({{"/p/x", "plan.md"}, {"/p/x", "TODO.md"}, {"/p/x", "prd.md"}}) ==
        Ids{"x", "TODO", "prd"});
  CHECK(app::distinct_ids({{"/p/x", "tasks.md"}, {"/p/y", "todo.md"}}) == Ids{"x", "y"});
  CHECK(app::distinct_ids({}).empty());
  // The same plan twice cannot be told apart, and nobody waits for it.
  CHECK(app::distinct_ids({{"/x", "plan.md"}, {"/x", "plan.md"}}) == Ids{"/x/plan.md", "/x/plan.md"});
}

TEST_CASE("the plans of linked work trees have an id each, with the folder of its work tree") {
  CHECK(app::distinct_ids({{"/p/shop", "plan.md", "shop"},
                           {"/p/shop-b", "plan.md", "shop"},
                           {"/p/shop/wt/c", "plan.md", "shop"},
                           {"/p/shop-b/plans/auth", "plan.md"}}) ==
        Ids{"p/shop", "shop-b/shop", "c/shop", "auth"});
  // Where folders cannot tell them apart, the path does.
  CHECK(app::distinct_ids({{"/p/a", "plan.md", "shop"}, {"/p/a/shop", "plan.md"}}) ==
        Ids{"/p/a/plan.md", "/p/a/shop/plan.md"});
}
