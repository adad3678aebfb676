#include "project/project_plans.hpp"

#include <catch2/catch.hpp>

#include "hooks/hook_world.hpp"
#include "project/listed/layout_plans.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using test::World;

namespace {

using Paths = std::vector<std::string>;
constexpr std::string_view kOpen = "- [ ] a <!-- TASK: a -->\n";
constexpr std::string_view kDone = "- [x] a <!-- TASK: a -->\n";
using base::kDay;

Paths paths(const std::vector<app::PlanLocation>& plans) {
  Paths all;
  for (const app::PlanLocation& plan : plans) all.push_back(plan.path());
  return all;
}

struct Listed : World {
  explicit Listed(bool git = true) {
    if (git) disk().put_folder("/home/kim/.git");
    list_file = git ? "/home/kim/.git/plankeep/plans.json" : "";
  }
  void track(const std::string& folder, const std::string& name, std::string_view text) {
    disk().put(folder + "/" + name, text);
    REQUIRE(app::start_tracking(context, {folder, name}));
  }
  app::ProjectPlans plans() { return {context, app::Project(context, "/home/kim")}; }
  Paths all() { return paths(plans().all()); }
  Paths going_on() { return paths(plans().not_over(clock.now())); }

  std::string list_file;
};

}  // namespace

TEST_CASE("a list of plans reads back as it was written, and what is none is refused") {
  app::PlanList list;
  list.project = "/home/kim";
  list.plans = {{"a/plan.md", std::nullopt, false, std::nullopt},
                {"b/plan.md", base::Instant{1763653430123}, true, core::PlanStamp{5, 7, 0}}};
  list.untracked = {"docs/plan.md", "notes/road map.md"};
  list.sessions = {{"s1", "", "a/plan.md"}, {"s2", "42 77", "b/plan.md"}};
  CHECK(app::decode_plan_list(app::encode_plan_list(list)).value() == list);
  const std::string bad = GENERATE("", "{}", "[]", R"({"version":2})", R"({"version":1,"plans":[{}]})",
                                   R"({"version":1,"plans":[{"path":"../x/plan.md"}]})",
                                   R"({"version":1,"plans":[{"path":"/etc/passwd"}]})",
                                   R"({"version":1,"untracked":["../x/plan.md"]})",
                                   R"({"version":1,"plans":[{"path":"a/../../x"}]})",
                                   R"({"version":1,"sessions":[{"id":"s","plan":"a/./x"}]})",
                                   R"({"version":1,"plans":[{"path":"a","complete":"soon"}]})");
  CAPTURE(bad);
  CHECK_FALSE(app::decode_plan_list(bad));
}

TEST_CASE("what is tracked is in the list, in the git directory or else in the user's state folder") {
  const bool git = GENERATE(true, false);
  Listed world(git);
  if (!git) world.disk().put("/home/kim/.plankeep.json", "{}");
  world.track("/home/kim/plans/a", "plan.md", kOpen);
  world.track("/home/kim/odd/place", "roadmap.md", kOpen);
  CHECK(world.all() == Paths{"/home/kim/odd/place/roadmap.md", "/home/kim/plans/a/plan.md"});
  CHECK(world.disk().get("/home/kim/.git/plankeep/plans.json").has_value() == git);
  const auto everything = world.disk().everything();
  CHECK(std::any_of(everything.begin(), everything.end(), [](const auto& entry) {
          return entry.first.find("/home/ada/.local/state/plankeep/plans-") == 0;
        }) != git);
}

TEST_CASE("a list that is missing, damaged or another project's is made anew where plans mostly are") {
  Listed world;
  world.track("/home/kim/plans/a/b", "plan.md", kOpen);
  world.track("/home/kim/specs/001", "tasks.md", kOpen);
  world.track("/home/kim", "plan.md", kDone);
  const Paths all = world.all();
  CHECK(all.size() == 3);
  SECTION("missing") {
    world.disk().erase(world.list_file);
  }
  SECTION("damaged") {
    world.disk().put(world.list_file, GENERATE("", "{", R"({"version":1,"plans":7})"));
  }
  SECTION("another's") {
    world.disk().put(world.list_file,
                     R"({"version":1,"project":"/elsewhere","plans":[{"path":"x/plan.md"}]})");
  }
  CHECK(world.all() == all);
  CHECK(world.disk().get(world.list_file).value_or("").find("specs/001/tasks.md") != std::string::npos);
}

TEST_CASE("a plan that is gone with its records is passed over, one whose file alone is gone is not") {
  Listed world;
  world.track("/home/kim/a", "plan.md", kOpen);
  world.track("/home/kim/b", "plan.md", kOpen);
  world.disk().erase("/home/kim/a/plan.md");
  CHECK(world.all().size() == 2);
  world.disk().erase("/home/kim/a");
  CHECK(world.all() == Paths{"/home/kim/b/plan.md"});
}

TEST_CASE("a plan that is complete for seven days is over, until somebody touches it") {
  Listed world;
  world.track("/home/kim/a", "plan.md", kDone);
  world.track("/home/kim/b", "plan.md", kOpen);
  CHECK(world.going_on().size() == 2);
  world.clock.advance(7 * kDay - 1);
  CHECK(world.going_on().size() == 2);
  world.clock.advance(1);
  CHECK(world.going_on() == Paths{"/home/kim/b/plan.md"});
  CHECK(world.all().size() == 2);
  world.disk().put("/home/kim/a/plan.md", "- [x] a <!-- TASK: a -->\n- [ ] b\n");
  CHECK(world.going_on().size() == 2);
}

TEST_CASE("what a search has found is in the list until it is tracked, gone or not found again") {
  Listed world;
  world.track("/home/kim/a", "plan.md", kOpen);
  world.disk().put("/home/kim/docs/plan.md", kOpen);
  world.disk().put("/home/kim/notes/plan.md", kOpen);
  const app::Project project(world.context, "/home/kim");
  const auto found = [&world] { return paths(world.plans().untracked()); };
  const Paths searched{"a/plan.md", "docs/plan.md", "gone/plan.md", "notes/plan.md"};
  app::ProjectPlans::note_untracked(world.context, project, searched);
  CHECK(found() == Paths{"/home/kim/docs/plan.md", "/home/kim/notes/plan.md"});
  CHECK(world.all() == Paths{"/home/kim/a/plan.md"});
  world.track("/home/kim/docs", "plan.md", kOpen);
  CHECK(found() == Paths{"/home/kim/notes/plan.md"});
  app::ProjectPlans::note_untracked(world.context, project, {});
  CHECK(found().empty());
}

TEST_CASE("a session's plan is the one that it wrote in last, and thirty-two sessions are remembered") {
  Listed world;
  world.track("/home/kim/a", "plan.md", kOpen);
  world.track("/home/kim/b", "plan.md", kOpen);
  const app::PlanLocation a{"/home/kim/a", "plan.md"};
  const app::PlanLocation b{"/home/kim/b", "plan.md"};
  app::ProjectPlans::note_session(world.context, a, "s", "7 1");
  app::ProjectPlans::note_session(world.context, b, "s", "7 1");
  CHECK(world.plans().of_session("s") == b);
  test::FakeProcesses processes;
  processes.running = {{1, "1 0"}, {7, "7 1"}, {8, "8 1"}};
  processes.parents = {1, 7};
  CHECK(world.plans().of_session_around(processes) == b);
  CHECK(world.plans().session_around(processes)->id == "s");
  processes.parents = {9, 8};
  CHECK_FALSE(world.plans().of_session_around(processes));
  CHECK_FALSE(world.plans().of_session(""));
  for (int i = 0; i < 40; ++i) app::ProjectPlans::note_session(world.context, a, "t" + std::to_string(i), "");
  CHECK_FALSE(world.plans().of_session("s"));
  CHECK(app::decode_plan_list(*world.disk().get(world.list_file))->sessions.size() ==
        app::kMostKnownSessions);
}

TEST_CASE("a plan that was moved leaves its old path, and its sessions follow it") {
  Listed world;
  world.track("/home/kim/a", "plan.md", kOpen);
  world.track("/home/kim/b", "plan.md", kOpen);
  const app::PlanLocation from{"/home/kim/a", "plan.md"};
  const app::PlanLocation to{"/home/kim/done", "plan.md"};
  app::ProjectPlans::note_session(world.context, from, "s", "7 1");
  world.track("/home/kim/done", "plan.md", kOpen);
  app::ProjectPlans::note_move(world.context, from, to);
  const auto list = app::decode_plan_list(*world.disk().get(world.list_file));
  REQUIRE(list);
  Paths listed;
  for (const app::KnownPlan& plan : list->plans) listed.push_back(plan.path);
  CHECK(listed == Paths{"b/plan.md", "done/plan.md"});
  CHECK(world.plans().of_session("s") == to);
  app::ProjectPlans::note_move(world.context, to, {"/srv/other", "plan.md"});
  CHECK_FALSE(world.plans().of_session("s"));
  CHECK(world.all() == Paths{"/home/kim/b/plan.md"});
}

TEST_CASE("a move to another project finds the plans of a lost list again") {
  Listed world;
  world.track("/home/kim/plans/a", "plan.md", kOpen);
  world.track("/home/kim/plans/b", "plan.md", kOpen);
  world.disk().erase(world.list_file);
  app::ProjectPlans::note_move(world.context, {"/home/kim/plans/a", "plan.md"}, {"/srv/other", "plan.md"});
  const auto list = app::decode_plan_list(world.disk().get(world.list_file).value_or(""));
  REQUIRE(list);
  REQUIRE(list->plans.size() == 1);
  CHECK(list->plans.front().path == "plans/b/plan.md");
}

TEST_CASE("a plan of the list is found by its id when it alone has it") {
  Listed world;
  world.track("/home/kim/plans/auth", "plan.md", kOpen);
  world.track("/home/kim/plans/web", "plan.md", kDone);
  world.track("/home/kim/old/web", "plan.md", kOpen);
  world.track("/home/kim/docs", "notes.md", kOpen);
  const app::ProjectPlans plans = world.plans();
  CHECK(plans.named("auth") == app::PlanLocation{"/home/kim/plans/auth", "plan.md"});
  CHECK(plans.named("notes") == app::PlanLocation{"/home/kim/docs", "notes.md"});
  CHECK(plans.named("old/web") == app::PlanLocation{"/home/kim/old/web", "plan.md"});
  CHECK_FALSE(plans.named("web"));
  CHECK_FALSE(plans.named("nope"));
  CHECK_FALSE(plans.named(""));
  world.disk().erase("/home/kim/plans/auth");
  CHECK_FALSE(world.plans().named("auth"));
}

TEST_CASE("what the list has as over is over until its file is touched") {
  Listed world;
  world.track("/home/kim/a", "plan.md", kDone);
  world.clock.advance(kDay);
  world.track("/home/kim/b", "plan.md", kOpen);
  const app::PlanLocation a{"/home/kim/a", "plan.md"};
  auto list = app::decode_plan_list(*world.disk().get(world.list_file)).value();
  REQUIRE(list.plans.front().complete);
  const auto info = world.context.files.info(a.path());
  list.plans.front().stamp = core::PlanStamp{info->mtime_ns, info->size, 0};
  world.disk().put(world.list_file, app::encode_plan_list(list));
  CHECK(world.plans().is_over_as_listed(a));
  CHECK_FALSE(world.plans().is_over_as_listed({"/home/kim/b", "plan.md"}));
  CHECK_FALSE(world.plans().is_over_as_listed({"/home/kim/c", "plan.md"}));
  world.disk().put(a.path(), std::string(kDone) + "- [ ] more\n");
  CHECK_FALSE(world.plans().is_over_as_listed(a));
}

TEST_CASE("looking along the known layouts finds what is in them and nothing beside") {
  Listed world;
  const Paths known{"/home/kim/.kiro/specs/login/tasks.md",
                    "/home/kim/IMPLEMENTATION_PLAN.md",
                    "/home/kim/OpenSpec/changes/add/tasks.md",
                    "/home/kim/docs/superpowers/plans/x.md",
                    "/home/kim/plan.md",
                    "/home/kim/plans/a/plan.md",
                    "/home/kim/plans/y.md"};
  for (const std::string& path : known) world.disk().put(path, kOpen);
  world.disk().put("/home/kim/openspec/changes/archive/old/tasks.md", kOpen);
  world.disk().put("/home/kim/src/deep/plan.md", kOpen);
  world.disk().put("/home/kim/plans/a/notes.md", kOpen);
  world.disk().put_link("/home/kim/specs", "/home/ada");
  world.disk().put("/home/ada/x/tasks.md", kOpen);
  CHECK(paths(app::plans_in_known_layouts(world.context, "/home/kim")) == known);
  CHECK(app::plans_in_known_layouts(world.context, "/home/kim", 2).size() == 2);
}
