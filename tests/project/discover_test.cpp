#include "project/discover.hpp"

#include <catch2/catch.hpp>

#include "editing/archive.hpp"
#include "editing/record.hpp"
#include "hooks/hook_plans.hpp"
#include "project/current_plan.hpp"
#include "project/project_plans.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;

namespace {

constexpr std::string_view kText = "- [ ] a <!-- TASK: a -->\n";

std::string found(World& world, const std::optional<std::string>& named = std::nullopt) {
  const auto plan = app::discover(world.context, named);
  return plan ? plan->plan.path() : "error: " + std::string(base::name_of(plan.error().kind));
}

const app::PlanLocation kPlan{"/home/kim", "plan.md"};
const app::PlanLocation kTodo{"/home/kim", "todo.md"};

// Both of them, in a project of git's.
void track_two(World& world) {
  world.disk().put_folder("/home/kim/.git");
  for (const app::PlanLocation& one : {kPlan, kTodo}) {
    world.disk().put(one.path(), kText);
    REQUIRE(app::start_tracking(world.context, one));
  }
}

}  // namespace

TEST_CASE("the plan of the working folder is found in any letter case") {
  World world;
  world.disk().put("/home/kim/Plan.MD", kText);
  CHECK(found(world) == "/home/kim/Plan.MD");
}

TEST_CASE("the nearest parent's plan is found, and it wins over plans below plans/") {
  World world;
  world.disk().put("/home/kim/plan.md", kText);
  world.disk().put("/home/kim/src/deep/plans/x/plan.md", kText);
  world.environment.directory = "/home/kim/src/deep";
  world.disk().put_folder(GENERATE("/home/kim/.git", "/home/kim/.plankeep.json"));
  CHECK(found(world) == "/home/kim/plan.md");
}

TEST_CASE("a plan above the project is nobody's who asks below") {
  World world;
  world.disk().put("/home/plan.md", kText);
  world.disk().put_folder("/home/kim/src");
  world.environment.directory = GENERATE("/home/kim", "/home/kim/src");
  SECTION("of a git work tree") {
    world.disk().put_folder("/home/kim/.git");
  }
  SECTION("of a folder with settings") {
    world.disk().put("/home/kim/.plankeep.json", "{}");
  }
  SECTION("of a folder without either") {}
  SECTION("nor above one's own home") {
    world.environment.variables["HOME"] = "/home/kim";
    world.disk().put_folder("/home/.git");
  }
  CHECK(found(world) == "error: not_found");
  CHECK(app::hook_plans(world.context, core::HookEvent()).plans.empty());
}

TEST_CASE("two spellings of plan.md in one folder are ambiguous") {
  World world;
  world.disk().put("/home/kim/plan.md", kText);
  world.disk().put("/home/kim/PLAN.md", kText);
  const auto plan = app::discover(world.context, std::nullopt);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().kind == base::ErrorKind::ambiguous);
  CHECK(plan.error().message.find("PLAN.md") != std::string::npos);
}

TEST_CASE("a folder named plan.md is no plan") {
  World world;
  world.disk().put_folder("/home/kim/plan.md");
  CHECK(found(world) == "error: not_found");
}

TEST_CASE("the only plan below plans/ or docs/plans/ is found up to three folders deep") {
  World world;
  SECTION("plans/auth") {
    world.disk().put("/home/kim/plans/auth/plan.md", kText);
    CHECK(found(world) == "/home/kim/plans/auth/plan.md");
  }
  SECTION("docs/plans, three deep") {
    world.disk().put("/home/kim/docs/plans/a/b/c/plan.md", kText);
    CHECK(found(world) == "/home/kim/docs/plans/a/b/c/plan.md");
  }
  SECTION("four deep is too deep") {
    world.disk().put("/home/kim/plans/a/b/c/d/plan.md", kText);
    CHECK(found(world) == "error: not_found");
  }
  SECTION("hidden folders are passed over") {
    world.disk().put("/home/kim/plans/.old/plan.md", kText);
    CHECK(found(world) == "error: not_found");
  }
  SECTION("from a folder inside the project") {
    world.disk().put_folder("/home/kim/.git");
    world.disk().put("/home/kim/plans/auth/plan.md", kText);
    world.disk().put_folder("/home/kim/src/core");
    world.environment.directory = "/home/kim/src/core";
    CHECK(found(world) == "/home/kim/plans/auth/plan.md");
  }
  SECTION("but not from outside the project") {
    world.disk().put_folder("/home/kim/inner/.git");
    world.disk().put("/home/kim/plans/auth/plan.md", kText);
    world.environment.directory = "/home/kim/inner";
    CHECK(found(world) == "error: not_found");
  }
}

TEST_CASE("several plans are listed and none is guessed") {
  World world;
  world.disk().put("/home/kim/plans/auth/plan.md", kText);
  world.disk().put("/home/kim/docs/plans/billing/plan.md", kText);
  const auto plan = app::discover(world.context, std::nullopt);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().kind == base::ErrorKind::ambiguous);
  CHECK(plan.error().message.find("plans/auth/plan.md") != std::string::npos);
  CHECK(plan.error().message.find("docs/plans/billing/plan.md") != std::string::npos);
}

TEST_CASE("of several plans the chosen one is taken") {
  World world;
  world.disk().put("/home/kim/plans/auth/plan.md", kText);
  world.disk().put("/home/kim/plans/billing/plan.md", kText);
  world.disk().put("/home/kim/plans/search/plan.md", kText);
  REQUIRE(app::choose_plan(world.context, {"/home/kim/plans/billing", "plan.md"}));
  CHECK(found(world) == "/home/kim/plans/billing/plan.md");
  SECTION("one that is gone is an error, not a guess") {
    world.disk().erase("/home/kim/plans/billing/plan.md");
    CHECK(found(world) == "error: not_found");
  }
}

TEST_CASE("a plan that is named wins over PLANKEEP_PLAN, and that over what is found") {
  World world;
  world.disk().put("/home/kim/plan.md", kText);
  world.disk().put("/other/a/plan.md", kText);
  world.disk().put("/other/b/plan.md", kText);
  world.environment.variables["PLANKEEP_PLAN"] = "/other/a";
  CHECK(found(world) == "/other/a/plan.md");
  CHECK(found(world, "/other/b/plan.md") == "/other/b/plan.md");
  CHECK(found(world, "../../other/b") == "/other/b/plan.md");
  world.environment.variables["PLANKEEP_PLAN"] = "/nowhere";
  CHECK(found(world) == "error: not_found");
  world.environment.variables["PLANKEEP_PLAN"] = "";
  CHECK(found(world) == "/home/kim/plan.md");
}

TEST_CASE("a folder's tracked file is its plan, whatever its name, and also when the file is gone") {
  World world;
  world.disk().put("/home/kim/todo.md", kText);
  REQUIRE(app::start_tracking(world.context, {"/home/kim", "todo.md"}));
  CHECK(found(world) == "/home/kim/todo.md");
  CHECK(found(world, ".") == "/home/kim/todo.md");
  world.disk().erase("/home/kim/todo.md");
  CHECK(found(world) == "/home/kim/todo.md");
  CHECK(found(world, "todo.md") == "/home/kim/todo.md");
  CHECK(found(world, "other.md") == "error: not_found");
}

TEST_CASE("a plan whose file is gone is meant only where no other is active") {
  World world;
  track_two(world);
  CHECK(found(world) == "error: ambiguous");
  world.disk().erase(kPlan.path());
  CHECK(found(world) == "/home/kim/todo.md");
  CHECK(found(world, ".") == "/home/kim/todo.md");
  CHECK(found(world, "plan.md") == "/home/kim/plan.md");
  const auto restoring = app::discover(world.context, std::nullopt, app::Gone::as_others);
  REQUIRE_FALSE(restoring);
  CHECK(restoring.error().kind == base::ErrorKind::ambiguous);
  REQUIRE(app::archive_plan(world.context, kTodo, false, "main"));
  CHECK(found(world) == "/home/kim/plan.md");
}

TEST_CASE("a recovery copy names the tracked file when state.json is damaged") {
  World world;
  world.disk().put("/home/kim/todo.md", kText);
  REQUIRE(app::start_tracking(world.context, {"/home/kim", "todo.md"}));
  const auto state = world.disk().get("/home/kim/.checkpoint/todo.md/state.json");
  REQUIRE(state);
  // As an earlier version left it.
  world.disk().erase("/home/kim/.checkpoint/todo.md");
  world.disk().put("/home/kim/.checkpoint/recovery.json",
                   "{\"savedAt\":\"2026-11-20T15:43:50.123Z\",\"reason\":\"x\",\"state\":" + *state + "}");
  world.disk().put("/home/kim/.checkpoint/state.json", "{\"version\": 2, \"planId\"");
  CHECK(found(world) == "/home/kim/todo.md");
}

TEST_CASE("planPath cannot lead out of the folder") {
  World world;
  world.disk().put("/home/kim/plan.md", kText);
  world.disk().put("/home/kim/.checkpoint/state.json", "{\"planPath\": \"/etc/..\"}");
  CHECK(found(world) == "/home/kim/plan.md");
}

TEST_CASE("a plan behind a link keeps the link's name and the folder's real path") {
  World world;
  world.disk().put("/real/plans/text.md", kText);
  world.disk().put_folder("/real/a");
  world.disk().put_link("/real/a/plan.md", "../plans/text.md");
  world.disk().put_link("/alias", "/real/a");
  CHECK(found(world, "/alias") == "/real/a/plan.md");
}

TEST_CASE("what is no regular file cannot be named as a plan") {
  World world;
  world.disk().put_other("/home/kim/fifo.md");
  CHECK(found(world, "fifo.md") == "error: invalid_input");
  CHECK(found(world, "") == "error: invalid_input");
}

TEST_CASE("a plan is named by its id, and with a folder where two have the same") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/plans/auth/plan.md", kText);
  world.disk().put("/home/kim/docs/plans/web.md", kText);
  world.disk().put("/home/kim/odd/road.md", kText);
  REQUIRE(app::start_tracking(world.context, {"/home/kim/odd", "road.md"}));
  CHECK(found(world, "auth") == "/home/kim/plans/auth/plan.md");
  CHECK(found(world, "web") == "/home/kim/docs/plans/web.md");
  CHECK(found(world, "road") == "/home/kim/odd/road.md");
  CHECK(found(world, "roa") == "error: not_found");
  world.environment.variables["PLANKEEP_PLAN"] = "web";
  CHECK(found(world) == "/home/kim/docs/plans/web.md");
  world.disk().put("/home/kim/docs/plans/auth.md", kText);
  CHECK(found(world, "auth") == "error: ambiguous");
  CHECK(found(world, "docs/plans/auth") == "/home/kim/docs/plans/auth.md");
  CHECK(found(world, "kim/plans/auth") == "/home/kim/plans/auth/plan.md");
}

TEST_CASE("without a plan in the folders above, the only active one of the project is meant") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/specs/001/tasks.md", kText);
  world.disk().put("/home/kim/specs/002/tasks.md", "- [x] a\n");
  world.disk().put("/home/kim/docs/plans/notes.md", "# No box\n");
  CHECK(found(world) == "/home/kim/specs/001/tasks.md");
  world.disk().put("/home/kim/odd/road.md", kText);
  CHECK(found(world) == "/home/kim/specs/001/tasks.md");
  REQUIRE(app::start_tracking(world.context, {"/home/kim/odd", "road.md"}));
  // Of several, the only one that somebody has begun to track.
  CHECK(found(world) == "/home/kim/odd/road.md");
  REQUIRE(app::start_tracking(world.context, {"/home/kim/specs/001", "tasks.md"}));
  const auto several = app::discover(world.context, std::nullopt);
  REQUIRE_FALSE(several);
  CHECK(several.error().message ==
        "several plans found:\nroad  odd/road.md  0 of 1 task\n001  specs/001/tasks.md  0 of 1 task");
  REQUIRE(app::archive_plan(world.context, {"/home/kim/specs/001", "tasks.md"}, false, "main"));
  CHECK(found(world) == "/home/kim/odd/road.md");
}

TEST_CASE("a plan with an open criterion is active though all its tasks are done") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  const bool tracked = GENERATE(true, false);
  world.disk().put("/home/kim/specs/001/tasks.md", kText);
  world.disk().put("/home/kim/specs/002/tasks.md",
                   "- [x] a <!-- TASK: a -->\n- [ ] Tests pass <!-- ACCEPT: t -->\n");
  if (tracked) {
    for (const char* folder : {"/home/kim/specs/001", "/home/kim/specs/002"})
      REQUIRE(app::start_tracking(world.context, {folder, "tasks.md"}));
  }
  const auto several = app::discover(world.context, std::nullopt);
  REQUIRE_FALSE(several);
  CHECK(several.error().message ==
        "several plans found:\n001  specs/001/tasks.md  0 of 1 task\n"
        "002  specs/002/tasks.md  1 of 1 task, criteria not met");
}

TEST_CASE("of several plans in a folder the only active one is meant, and an archived one is never offered") {
  World world;
  track_two(world);
  CHECK(found(world) == "error: ambiguous");
  REQUIRE(app::archive_plan(world.context, kTodo, false, "main"));
  CHECK(found(world) == "/home/kim/plan.md");
  REQUIRE(app::archive_plan(world.context, kPlan, false, "main"));
  CHECK(found(world) == "error: ambiguous");
  world.disk().put("/home/kim/plans/x/plan.md", kText);
  CHECK(found(world) == "/home/kim/plans/x/plan.md");
  CHECK(found(world, "todo.md") == "/home/kim/todo.md");
}

TEST_CASE("a plan chosen with use whose file is gone gives way to an active one, and that is said") {
  const bool records = GENERATE(true, false);
  World world;
  world.disk().put_folder("/home/kim/.git");
  const app::PlanLocation a{"/home/kim/a", "plan.md"};
  const app::PlanLocation b{"/home/kim/b", "plan.md"};
  for (const app::PlanLocation& one : {a, b}) {
    world.disk().put(one.path(), kText);
    REQUIRE(app::start_tracking(world.context, one));
  }
  world.environment.directory = "/home/kim/a";
  REQUIRE(app::choose_plan(world.context, b));
  world.disk().erase(records ? b.path() : b.folder);
  const auto other = app::discover(world.context, std::nullopt);
  REQUIRE(other);
  CHECK(other->plan == a);
  CHECK(other->gone_choice == b.path());
  if (records) CHECK(app::discover(world.context, std::nullopt, app::Gone::as_others)->plan == b);
  world.disk().erase(records ? a.path() : a.folder);
  if (records) CHECK(found(world) == b.path());
  if (!records) {
    world.environment.directory = "/home/kim";
    const auto none = app::discover(world.context, std::nullopt);
    REQUIRE_FALSE(none);
    CHECK(none.error().context == "the plan chosen with plankeep use");
  }
}

TEST_CASE("the plan chosen with use stands before the one of the folder") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  const app::PlanLocation a{"/home/kim/a", "plan.md"};
  const app::PlanLocation b{"/home/kim/b", "plan.md"};
  for (const app::PlanLocation& one : {a, b}) {
    world.disk().put(one.path(), kText);
    REQUIRE(app::start_tracking(world.context, one));
  }
  world.environment.directory = "/home/kim/a";
  CHECK(found(world) == "/home/kim/a/plan.md");
  REQUIRE(app::choose_plan(world.context, b));
  CHECK(found(world) == "/home/kim/b/plan.md");
}

namespace {

std::string listed(World& world) {
  return world.disk().get("/home/kim/.git/plankeep/plans.json").value_or("");
}

}  // namespace

TEST_CASE("a tracked plan that is met and missing in the project's list is taken into it") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  const std::string folder = GENERATE("/home/kim/.work/a", "/home/kim/odd/place", "/home/kim/plans/.x");
  const app::PlanLocation plan{folder, "plan.md"};
  world.disk().put(plan.path(), kText);
  REQUIRE(app::start_tracking(world.context, plan));
  world.disk().erase("/home/kim/.git/plankeep");
  const bool others = GENERATE(true, false);
  if (others) {
    world.disk().put("/home/kim/specs/001/tasks.md", kText);
    REQUIRE(app::start_tracking(world.context, {"/home/kim/specs/001", "tasks.md"}));
  }
  REQUIRE(listed(world).find(folder.substr(10)) == std::string::npos);
  SECTION("by a command in its folder") {
    world.environment.directory = folder;
    CHECK(found(world) == plan.path());
  }
  SECTION("by a command below its folder") {
    world.disk().put_folder(folder + "/src");
    world.environment.directory = folder + "/src";
    CHECK(found(world) == plan.path());
  }
  SECTION("by its path") {
    CHECK(found(world, folder + "/plan.md") == plan.path());
    CHECK(listed(world).find("touched") == std::string::npos);
  }
  SECTION("by PLANKEEP_PLAN") {
    world.environment.variables["PLANKEEP_PLAN"] = folder;
    CHECK(found(world) == plan.path());
  }
  CHECK(listed(world).find(folder.substr(10)) != std::string::npos);
  world.environment.variables.clear();
  world.environment.directory = "/home/kim";
  CHECK(found(world, app::last_part(folder)) == plan.path());
}

TEST_CASE("what is named and not tracked does not get into the project's list") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/.work/a/plan.md", kText);
  CHECK(found(world, ".work/a") == "/home/kim/.work/a/plan.md");
  world.environment.directory = "/home/kim/.work/a";
  CHECK(found(world) == "/home/kim/.work/a/plan.md");
  CHECK(listed(world).empty());
}

TEST_CASE("a plan is found where the list cannot be written") {
  World world;
  world.disk().put_folder("/home/kim/.git");
  const app::PlanLocation plan{"/home/kim/.work/a", "plan.md"};
  world.disk().put(plan.path(), kText);
  REQUIRE(app::start_tracking(world.context, plan));
  world.disk().erase("/home/kim/.git/plankeep");
  // Something else stands in its place.
  world.disk().put("/home/kim/.git/plankeep", "");
  world.environment.directory = plan.folder;
  CHECK(found(world) == plan.path());
}

TEST_CASE("of several active plans that one is meant which somebody has begun") {
  struct Case {
    std::vector<std::string> steps;  // "init a", "find b", "touch b", "work b" (later), "list"
    std::string meant;
  };
  const Case one = GENERATE(values<Case>({
      {{}, "error: ambiguous"},
      {{"init a"}, "a"},
      {{"init a", "init b"}, "b"},
      {{"init a", "init b", "init a"}, "a"},
      // A session's start found it: nobody has worked in it.
      {{"init a", "find b"}, "a"},
      {{"track a", "find b"}, "a"},
      {{"find a", "find b"}, "error: ambiguous"},
      {{"find a"}, "a"},
      {{"track a", "find b", "work b"}, "error: ambiguous"},
      // A call that named it.
      {{"touch b"}, "error: ambiguous"},
      {{"track a", "touch b"}, "a"},
      {{"track a", "touch b", "work b"}, "a"},
      {{"touch b", "init b"}, "b"},
      // Somebody begins another one behind it.
      {{"init a", "track b"}, "error: ambiguous"},
      {{"track a", "track b"}, "error: ambiguous"},
      {{"init a", "init b", "archive b"}, "a"},
      // The list is made anew.
      {{"init a", "init b", "lose"}, "error: ambiguous"},
  }));
  CAPTURE(one.steps);
  World world;
  world.disk().put_folder("/home/kim/.git");
  const bool folder = GENERATE(true, false);
  CAPTURE(folder);
  const auto place = [&](const std::string& name) {
    return folder ? app::PlanLocation{"/home/kim/plans/" + name, "plan.md"}
                  : app::PlanLocation{"/home/kim/docs/plans", name + ".md"};
  };
  for (const char* name : {"a", "b"}) world.disk().put(place(name).path(), kText);
  for (const std::string& step : one.steps) {
    world.clock.advance(1000);
    const std::string what = step.substr(0, step.find(' '));
    const app::PlanLocation plan = place(step.substr(step.find(' ') + 1));
    if (what == "lose") {
      world.disk().erase("/home/kim/.git/plankeep");
    } else if (what == "archive") {
      REQUIRE(app::archive_plan(world.context, plan, false, "main"));
    } else if (what == "work") {
      REQUIRE(app::save_note(world.context, plan, "later", "main"));
    } else if (what == "init") {
      REQUIRE(app::start_tracking(world.context, plan));
      app::ProjectPlans::note_begun(world.context, plan);
    } else {
      app::Edit edit;
      edit.announced = what == "track";
      const auto create = what == "touch" ? app::PlanWork::Create::if_plan : app::PlanWork::Create::if_boxes;
      if (what == "touch" && !folder) return;  // only plan.md is tracked so
      REQUIRE(app::track(world.context, plan, edit, app::kTimeout, create));
    }
  }
  const std::string meant = found(world);
  CHECK(meant == (one.meant.starts_with("error") ? one.meant : place(one.meant).path()));
}
