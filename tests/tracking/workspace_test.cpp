#include "tracking/workspace.hpp"

#include <catch2/catch.hpp>

#include "editing/complete.hpp"
#include "editing/record.hpp"
#include "hooks/hook_world.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using Catch::Contains;
using test::HookWorld;

namespace {

constexpr std::int64_t kDay = 24LL * 3600 * 1000;

struct Plans : HookWorld {
  Plans() : HookWorld("") {}
  app::PlanLocation add(const std::string& folder, const std::string& boxes = " ") {
    std::string text = "## Do\n<!-- CHECKPOINT: do -->\n";
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      text += "- [" + boxes.substr(i, 1) + "] Thing " + std::to_string(i) + " <!-- TASK: t" +
              std::to_string(i) + " -->\n";
    }
    disk().put(folder + "/plan.md", text);
    const app::PlanLocation plan{folder, "plan.md"};
    REQUIRE(app::start_tracking(context, plan).has_value());
    return plan;
  }
  app::Workspace all(const std::string& folder = "/home/kim") {
    auto found = app::survey(context, folder);
    if (!found) FAIL(found.error().message);
    return std::move(*found);
  }
  std::vector<std::string> folders(const std::string& folder = "/home/kim") {
    std::vector<std::string> names;
    for (const app::PlanOverview& plan : all(folder).plans) names.push_back(plan.plan.folder);
    return names;
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("every tracked plan below a folder is found, and nothing else") {
  Plans world;
  world.add("/home/kim/a");
  world.add("/home/kim/a/deeper/still");
  world.add("/home/kim/b");
  world.add("/home/kim/.hidden/x");
  world.add("/home/kim/node_modules/x");
  world.add("/home/else");
  world.disk().put("/home/kim/c/plan.md", "- [ ] Not tracked <!-- TASK: n -->\n");
  world.disk().put_link("/home/kim/d", "/home/else");
  Names names = world.folders();
  std::sort(names.begin(), names.end());
  CHECK(names == Names{"/home/kim/a", "/home/kim/a/deeper/still", "/home/kim/b"});
  CHECK(world.folders("/home/kim/a/deeper") == Names{"/home/kim/a/deeper/still"});
  CHECK(world.folders("a/deeper") == Names{"/home/kim/a/deeper/still"});
}

TEST_CASE("plans in hidden folders of the known layouts are found in every repository and package below") {
  Plans world;
  world.disk().put_folder("/home/kim/app/.git");
  world.disk().put("/home/kim/sub/.git", "gitdir: ../app/.git/modules/sub\n");
  world.disk().put_folder("/home/kim/mono/.git");
  for (const std::string root : {"/home/kim/app", "/home/kim/sub", "/home/kim/mono/pkg"}) {
    const app::PlanLocation plan{root + "/.kiro/specs/login", "tasks.md"};
    world.disk().put(plan.path(), "- [ ] One\n");
    REQUIRE(app::start_tracking(world.context, plan));
    world.disk().put(root + "/.kiro/specs/pay/tasks.md", "- [ ] One\n");
  }
  Names names = world.folders();
  std::sort(names.begin(), names.end());
  CHECK(names == Names{"/home/kim/app/.kiro/specs/login", "/home/kim/mono/pkg/.kiro/specs/login",
                       "/home/kim/sub/.kiro/specs/login"});
  for (const std::string root : {"/home/kim/app", "/home/kim/sub", "/home/kim/mono/pkg"}) {
    CAPTURE(root);
    CHECK(world.folders(root) == Names{root + "/.kiro/specs/login"});
    const auto untracked = app::untracked_plans(world.context, root);
    REQUIRE(untracked.size() == 1);
    CHECK(untracked.front().path == root + "/.kiro/specs/pay/tasks.md");
  }
}

TEST_CASE("where a plan stands is told from its records") {
  Plans world;
  const app::PlanLocation plan = world.add("/home/kim/a", "x  ");
  world.clock.advance(1000);
  REQUIRE(app::set_tasks(world.context, plan, {"t1"}, core::BoxState::done, {"subagent:coder"}).has_value());
  REQUIRE(app::raise_blocker(world.context, plan, "No key", "team:ops").has_value());
  const auto now = world.clock.now();
  const app::Workspace found = world.all();
  REQUIRE(found.plans.size() == 1);
  const app::PlanOverview& overview = found.plans[0];
  CHECK(overview.progress.completed == 2);
  CHECK(overview.progress.total == 3);
  CHECK(overview.phase == "Do");
  CHECK(overview.task == "t2");
  CHECK(overview.task_title == "Thing 2");
  CHECK(overview.blockers == 1);
  CHECK(overview.last_activity == now);
  CHECK(overview.last_by == "team:ops");
  CHECK_FALSE(overview.in_flight());
  CHECK_FALSE(overview.stale);
  CHECK_FALSE(overview.unrecorded);
  CHECK(overview.problem.empty());
}

TEST_CASE("what is at work stands first, what is complete last") {
  Plans world;
  world.add("/home/kim/complete", "x");
  world.clock.advance(1000);
  world.add("/home/kim/flying");
  world.clock.advance(1000);
  world.add("/home/kim/open");
  core::HookEvent start = world.start();
  start.cwd = "/home/kim/flying";
  (void)world.call(start);
  world.clock.advance(1000);
  world.add("/home/kim/newest");
  CHECK(world.folders() ==
        Names{"/home/kim/flying", "/home/kim/newest", "/home/kim/open", "/home/kim/complete"});
  CHECK(world.all().plans[0].sessions == 1);
}

TEST_CASE("a plan is stale when nothing happened for so many days, unless it is complete") {
  Plans world;
  world.add("/home/kim/open");
  world.add("/home/kim/complete", "x");
  world.clock.advance(14 * kDay - 1);
  CHECK_FALSE(world.all().plans[0].stale);
  world.clock.advance(1);
  CHECK(world.all().plans[0].stale);
  CHECK_FALSE(world.all().plans[1].stale);
  CHECK_FALSE(app::survey(world.context, "/home/kim", 15)->plans[0].stale);
}

TEST_CASE("a change that is not recorded is counted and said") {
  Plans world;
  world.add("/home/kim/a", "  ");
  world.clock.advance(5000);
  std::string text = *world.disk().get("/home/kim/a/plan.md");
  text[text.find("[ ]") + 1] = 'x';
  world.disk().put("/home/kim/a/plan.md", text);
  const app::PlanOverview overview = world.all().plans.at(0);
  CHECK(overview.progress.completed == 1);
  CHECK(overview.unrecorded);
}

TEST_CASE("a plan whose records are damaged or whose file is gone is in the list all the same") {
  Plans world;
  world.add("/home/kim/a", "x ");
  SECTION("damaged") {
    world.disk().put("/home/kim/a/.checkpoint/state.json",
                     "{\"version\":2,\"planId\":\"a\",\"planPath\":\"/home/kim/a/plan.md\", broken");
    CHECK(world.all().plans.at(0).progress.total == 2);
  }
  SECTION("gone") {
    world.disk().erase("/home/kim/a/plan.md");
    CHECK(world.all().plans.at(0).progress.total == 2);
  }
}

TEST_CASE("a folder that is none is an error") {
  Plans world;
  world.disk().put("/home/kim/file", "");
  CHECK(app::survey(world.context, "/nowhere").error().kind == base::ErrorKind::not_found);
  CHECK(app::survey(world.context, "/home/kim/file").error().kind == base::ErrorKind::not_found);
}
