// Which plans a hook is about, and which of them keeps a session's records.
#include "hooks/hook_plans.hpp"

#include <catch2/catch.hpp>

#include "editing/archive.hpp"
#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "hook_world.hpp"
#include "project/current_plan.hpp"
#include "project/discover.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "store/brief_state.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using Catch::Contains;
using core::EventKind;
using core::HookEvent;
using core::HookKind;
using test::HookWorld;
using test::World;
using Names = std::vector<std::string>;

namespace {

std::string other_plan(const std::string& id) {
  return "# Other\n\n- [ ] First <!-- TASK: " + id + "-1 -->\n- [ ] Second <!-- TASK: " + id + "-2 -->\n";
}

std::optional<std::string> written(HookWorld& world, const std::string& path,
                                   const std::string& cwd = "/home/kim") {
  const auto plan = app::written_plan(world.context, path, cwd);
  if (!plan || !plan->sure) return std::nullopt;
  return plan->found.plan.path();
}

bool may_be_marked(HookWorld& world, const std::string& path) {
  const auto plan = app::written_plan(world.context, path, "/home/kim");
  return plan && plan->create == app::PlanWork::Create::if_marked;
}

std::string sessions_plan(HookWorld& world, const std::string& session) {
  for (const char* folder :
       {"/home/kim/plans/a", "/home/kim/plans/b", "/home/kim/plans/c", "/home/kim", "/home/kim/api"}) {
    const auto text = world.disk().get(std::string(folder) + "/.checkpoint/state.json");
    if (!text) continue;
    const auto state = core::decode_state(*text);
    if (state && core::find_session(*state, session) != nullptr) return folder;
  }
  return {};
}

}  // namespace

TEST_CASE("which written file is a plan") {
  HookWorld world;
  world.disk().put_folder("/home/kim/sub");
  SECTION("by its default name, absolute or relative") {
    CHECK(written(world, "/home/kim/plan.md") == "/home/kim/plan.md");
    CHECK(written(world, "plan.md") == "/home/kim/plan.md");
    CHECK(written(world, "./plan.md") == "/home/kim/plan.md");
    CHECK(written(world, "sub/../plan.md") == "/home/kim/plan.md");
    CHECK(written(world, "../plan.md", "/home/kim/sub") == "/home/kim/plan.md");
    CHECK(written(world, "plan.md", "/home/kim/sub") == "/home/kim/sub/plan.md");
    CHECK(written(world, "plan.md", "") == "/home/kim/plan.md");
    CHECK(written(world, "/home/kim/sub/PLAN.md") == "/home/kim/sub/PLAN.md");
  }
  SECTION("never by anything else") {
    for (const std::string& path :
         {std::string(), std::string("."), std::string(".."), std::string("/"), std::string("plan.md/"),
          std::string("plan.md/.."), std::string("sub/."), std::string("plan.md\0.txt", 12),
          std::string("plan.md\0", 8), std::string("\0plan.md", 8), std::string("nowhere/plan.md"),
          std::string("plan.txt"), std::string("README.md"), std::string("plan")}) {
      CAPTURE(path);
      CHECK_FALSE(written(world, path));
    }
  }
  SECTION("through a linked folder it is the plan of the real one") {
    world.disk().put_link("/home/kim/link", "/home/kim/sub");
    CHECK(written(world, "link/plan.md") == "/home/kim/sub/plan.md");
    world.disk().put_link("/home/kim/loop", "/home/kim/loop");
    CHECK_FALSE(written(world, "loop/plan.md"));
  }
  SECTION("by a name of the settings") {
    world.disk().put_folder("/home/kim/.git");
    world.disk().put("/home/kim/.plankeep.json",
                     "{\"planNames\": [\"TODO.md\", \"notes.markdown\", \"secret.txt\"]}");
    CHECK(written(world, "TODO.md") == "/home/kim/TODO.md");
    CHECK(written(world, "sub/TODO.md") == "/home/kim/sub/TODO.md");
    CHECK(written(world, "notes.markdown") == "/home/kim/notes.markdown");
    CHECK_FALSE(written(world, "secret.txt"));
    CHECK(written(world, "todo.md") == "/home/kim/todo.md");
    CHECK_FALSE(written(world, "README.md"));
  }
  SECTION("also beside another that is tracked in its folder") {
    world.disk().put("/home/kim/.plankeep.json", "{\"planNames\": [\"TODO.md\"]}");
    world.disk().put("/home/kim/sub/road.md", other_plan("road"));
    REQUIRE(app::start_tracking(world.context, {"/home/kim/sub", "road.md"}));
    CHECK(written(world, "sub/road.md") == "/home/kim/sub/road.md");
    CHECK(written(world, "sub/plan.md") == "/home/kim/sub/plan.md");
    CHECK(written(world, "sub/TODO.md") == "/home/kim/sub/TODO.md");
  }
  SECTION("in a known layout of the project") {
    world.disk().put_folder("/home/kim/specs/001-login");
    world.disk().put_folder("/home/kim/sub/specs/001-login");
    CHECK(written(world, "specs/001-login/tasks.md") == "/home/kim/specs/001-login/tasks.md");
    CHECK_FALSE(written(world, "specs/001-login/spec.md"));
    world.disk().put_folder("/home/kim/.git");
    CHECK_FALSE(written(world, "sub/specs/001-login/tasks.md"));
  }
  SECTION("any other Markdown file only with a marker") {
    CHECK(may_be_marked(world, "README.md"));
    CHECK_FALSE(may_be_marked(world, "plan.md"));
    CHECK_FALSE(app::written_plan(world.context, "plan.txt", "/home/kim"));
  }
  SECTION("as the settings say") {
    world.disk().put("/home/kim/.plankeep.json", R"({"track": "marked"})");
    CHECK(may_be_marked(world, "plan.md"));
    world.disk().put("/home/kim/.plankeep.json", R"({"track": "off"})");
    CHECK_FALSE(app::written_plan(world.context, "plan.md", "/home/kim"));
    world.disk().erase("/home/kim/.plankeep.json");
    REQUIRE(app::start_tracking(world.context, {"/home/kim", "plan.md"}));
    world.disk().put("/home/kim/.plankeep.json", R"({"track": "off"})");
    CHECK(written(world, "plan.md") == "/home/kim/plan.md");
  }
}

TEST_CASE("a record of decisions is no plan, though it has a box") {
  for (const char* marker : {"<!-- DECISION: use Postgres -->", "<!-- BLOCKER: no account yet -->"}) {
    CAPTURE(marker);
    HookWorld world("");
    world.disk().put_folder("/home/kim/.git");
    world.disk().put("/home/kim/adr-007.md", "# ADR 7\n\n" + std::string(marker) + "\n\n- [ ] reviewed\n");
    CHECK(world.call(world.written("adr-007.md")).problems.empty());
    CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/adr-007.md/state.json"));
    world.disk().put("/home/kim/adr-007.md", "# ADR 7\n\n- [ ] reviewed <!-- TASK: reviewed -->\n");
    CHECK(world.call(world.written("adr-007.md")).problems.empty());
    CHECK(world.disk().get("/home/kim/.checkpoint/adr-007.md/state.json"));
  }
}

TEST_CASE("a plan of a name from the settings is tracked when it is written, if it has a box") {
  HookWorld world("");
  world.disk().put("/home/kim/.plankeep.json", "{\"planNames\": [\"TODO.md\"]}");
  const std::string state = "/home/kim/.checkpoint/TODO.md/state.json";
  SECTION("with a marker") {
    world.disk().put("/home/kim/TODO.md", other_plan("todo"));
    const app::HookResult result = world.call(world.written("TODO.md"));
    CHECK(result.problems.empty());
    CHECK(result.answer.silent());
    CHECK(core::decode_state(world.disk().get(state).value())->plan_path == "/home/kim/TODO.md");
    CHECK_FALSE(world.say(world.start()).context.empty());
  }
  SECTION("in whatever letters") {
    world.disk().put("/home/kim/.plankeep.json", "{\"planNames\": [\"todo.MD\"]}");
    world.disk().put("/home/kim/TODO.md", "- [ ] buy milk\n");
    CHECK(world.call(world.written("TODO.md")).problems.empty());
    CHECK(core::decode_state(world.disk().get(state).value())->plan_path == "/home/kim/TODO.md");
  }
  SECTION("with a marker and nothing to do") {
    world.disk().put("/home/kim/TODO.md",
                     "# Guide\n\n<!-- CHECKPOINT: setup -->\n\n- [ ] no <!-- SKIP -->\n");
    CHECK(world.call(world.written("TODO.md")).problems.empty());
    CHECK_FALSE(world.disk().get(state));
  }
  SECTION("without one") {
    world.disk().put("/home/kim/TODO.md", "- [ ] buy milk\n");
    world.quiet(world.written("TODO.md"));
    CHECK(world.disk().get(state));
  }
  SECTION("not without a box, and not where only marked files are tracked") {
    if (GENERATE(true, false)) {
      world.disk().put("/home/kim/TODO.md", "# Notes\n\n```\n- [ ] <!-- TASK: x -->\n```\n");
    } else {
      world.disk().put("/home/kim/TODO.md", "```\n<!-- TASK: x -->\n```\n\n- [ ] buy milk\n");
      world.disk().put("/home/kim/.plankeep.json", R"({"planNames": ["TODO.md"], "track": "marked"})");
    }
    world.quiet(world.written("TODO.md"));
    CHECK_FALSE(world.disk().get(state));
    CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/.gitignore"));
  }
}

TEST_CASE("what was there before the hooks is tracked when a session starts, but no collection") {
  HookWorld world("");
  world.disk().put_folder("/home/kim/.git");
  const auto tracked = [&world](const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return world.disk()
        .get(path.substr(0, slash) + "/.checkpoint" + path.substr(slash) + "/state.json")
        .has_value();
  };
  const auto put = [&world](int count, const std::string& text) {
    for (int i = 0; i < count; ++i)
      world.disk().put("/home/kim/docs/plans/p" + std::to_string(i) + ".md", text);
  };
  SECTION("the only one") {
    put(1, "- [ ] a\n- [x] b\n");
    CHECK(world.say(world.start()).context.find("p0") != std::string::npos);
    CHECK(tracked("/home/kim/docs/plans/p0.md"));
  }
  SECTION("twenty, beside any number that are done or no plans") {
    put(50, "- [x] done\n");
    put(20, "- [ ] a\n");
    world.disk().put("/home/kim/docs/plans/README.md", "# None\n");
    world.say(world.start());
    CHECK(tracked("/home/kim/docs/plans/p0.md"));
    CHECK(tracked("/home/kim/docs/plans/p19.md"));
    CHECK_FALSE(tracked("/home/kim/docs/plans/p20.md"));
    CHECK_FALSE(tracked("/home/kim/docs/plans/README.md"));
  }
  SECTION("not twenty-one") {
    put(21, "- [ ] a\n");
    CHECK(world.say(world.start()).silent());
    CHECK_FALSE(tracked("/home/kim/docs/plans/p0.md"));
  }
  SECTION("the only one that a search found, if nothing else is there") {
    const int files = GENERATE(1, 2);
    const bool other = GENERATE(false, true);
    Names found;
    for (int i = 0; i < files; ++i) {
      found.push_back("docs/" + std::to_string(i) + "/plan.md");
      world.disk().put("/home/kim/" + found.back(), "- [ ] a\n");
    }
    if (other) put(1, "- [ ] a\n");
    app::ProjectPlans::note_untracked(world.context, app::Project(world.context, "/home/kim"), found);
    world.say(world.start());
    CHECK(world.disk().get("/home/kim/docs/0/.checkpoint/state.json").has_value() == (files == 1 && !other));
    CHECK(tracked("/home/kim/docs/plans/p0.md") == other);
  }
  SECTION("not where the settings say otherwise") {
    put(1, "- [ ] a\n");
    world.disk().put("/home/kim/.plankeep.json", GENERATE(R"({"track": "marked"})", R"({"track": "off"})"));
    CHECK(world.say(world.start()).silent());
    CHECK_FALSE(tracked("/home/kim/docs/plans/p0.md"));
  }
}

TEST_CASE("a command below a client means the plan that the client's session wrote in last") {
  HookWorld world("");
  world.disk().put_folder("/home/kim/.git");
  world.processes.running[7] = "7:1";
  for (const std::string name : {"a", "b"}) {
    world.disk().put("/home/kim/plans/" + name + "/plan.md", other_plan(name));
    REQUIRE(app::start_tracking(world.context, {"/home/kim/plans/" + name, "plan.md"}));
  }
  HookEvent start = world.start();
  start.process = 7;
  world.say(start);
  const auto meant = [&world]() -> std::string {
    const auto plan = app::discover(world.context, std::nullopt);
    return plan ? plan->plan.path() : "";
  };
  HookEvent edit = world.written("plans/b/plan.md");
  edit.process = 7;
  world.quiet(edit);
  CHECK(meant().empty());  // not below it
  world.processes.running[30] = "30:1";
  world.processes.parents = {30, 7, 1};
  CHECK(meant() == "/home/kim/plans/b/plan.md");
  edit.paths = {"plans/a/plan.md"};
  world.quiet(edit);
  CHECK(meant() == "/home/kim/plans/a/plan.md");
  // Another process with the client's number.
  world.processes.running[7] = "7:2";
  CHECK(meant().empty());
}

TEST_CASE("no hook looks at a plan that is over") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/plans/old/plan.md", "- [x] a <!-- TASK: old -->\n");
  REQUIRE(app::start_tracking(world.context, {"/home/kim/plans/old", "plan.md"}));
  REQUIRE(app::start_tracking(world.context, {"/home/kim", "plan.md"}));
  HookEvent here;
  here.cwd = "/home/kim";
  CHECK(app::hook_plans(world.context, here).plans.size() == 2);
  SECTION("complete for a week") {
    world.clock.advance(7LL * 24 * 60 * 60 * 1000);
    const auto plans = app::hook_plans(world.context, here).plans;
    REQUIRE(plans.size() == 1);
    CHECK(plans.front().plan.path() == "/home/kim/plan.md");
  }
  SECTION("archived") {
    REQUIRE(app::archive_plan(world.context, {"/home/kim", "plan.md"}, false, "main"));
    REQUIRE(app::archive_plan(world.context, {"/home/kim/plans/old", "plan.md"}, false, "main"));
    CHECK(app::hook_plans(world.context, here).plans.empty());
    CHECK(world.say(world.start()).silent());
    REQUIRE(app::archive_plan(world.context, {"/home/kim", "plan.md"}, true, "main"));
    CHECK(app::hook_plans(world.context, here).plans.size() == 1);
  }
}

TEST_CASE("a plan in the folder where OpenSpec puts what is over is shown to nobody, even in that folder") {
  HookWorld world;
  const std::string folder = "/home/kim/openspec/changes/archive/2026-01-01-x";
  world.disk().put(folder + "/tasks.md", "- [x] 1.1 One\n- [ ] 1.2 Two\n");
  REQUIRE(app::start_tracking(world.context, {folder, "tasks.md"}));
  HookEvent here;
  here.cwd = folder;
  CHECK(app::hook_plans(world.context, here).plans.empty());
}

TEST_CASE("one call may write several plans, each is looked at once") {
  HookWorld world;
  world.disk().put("/home/kim/plans/a/plan.md", other_plan("a"));
  HookEvent edit = world.written();
  edit.paths = {"/home/kim/plan.md", "plans/a/plan.md", "plan.md", "plans/../plan.md", "/etc/passwd"};
  const app::HookResult result = world.call(edit);
  CHECK(result.problems.empty());
  CHECK(world.count(EventKind::checkpoint_created) == 1);
  CHECK(world.disk().get("/home/kim/plans/a/.checkpoint/state.json"));
}

TEST_CASE("of three plans one keeps the session, and the others are looked at all the same") {
  HookWorld world("");
  world.disk().put_folder("/home/kim/.git");
  for (const std::string name : {"a", "b", "c"}) {
    const std::string folder = "/home/kim/plans/" + name;
    world.disk().put(folder + "/plan.md", other_plan(name));
    world.clock.advance(5000);
    REQUIRE(app::start_tracking(world.context, {folder, "plan.md"}));
  }
  world.clock.advance(5000);
  SECTION("the one saved last") {
    world.say(world.start());
    CHECK(sessions_plan(world, "s1") == "/home/kim/plans/c");
  }
  SECTION("not one that is complete") {
    world.disk().put("/home/kim/plans/c/plan.md",
                     "- [x] First <!-- TASK: c-1 -->\n- [x] Second <!-- TASK: c-2 -->\n");
    world.say(world.start());
    CHECK(sessions_plan(world, "s1") == "/home/kim/plans/b");
  }
  SECTION("the one that was chosen") {
    REQUIRE(app::choose_plan(world.context, {"/home/kim/plans/a", "plan.md"}));
    world.say(world.start());
    CHECK(sessions_plan(world, "s1") == "/home/kim/plans/a");
  }
  SECTION("the one that knows it, whatever was saved since") {
    world.say(world.start());
    world.clock.advance(60'000);
    world.disk().put("/home/kim/plans/a/plan.md",
                     "- [x] First <!-- TASK: a-1 -->\n- [ ] Second <!-- TASK: a-2 -->\n");
    world.quiet(world.settled());
    world.quiet(world.turn("Well."));
    CHECK(sessions_plan(world, "s1") == "/home/kim/plans/c");
    world.say(world.start("s2"));
    CHECK(sessions_plan(world, "s2") == "/home/kim/plans/a");
  }
  SECTION("the nearest to where the call ran is looked at like the others") {
    world.disk().put("/home/kim/plans/b/plan.md", "- [ ] Second <!-- TASK: b-2 -->\n");
    CHECK_THAT(world.say(world.settled()).context, Contains("b-1"));
  }
  SECTION("the text for a new session names the other active ones") {
    const std::string context = world.say(world.start()).context;
    CHECK_THAT(context, Contains("plans/a/plan.md"));
    CHECK_THAT(context, Contains("plans/b/plan.md"));
  }
}

namespace {

// A project with a second plan, in api/.
struct TwoPlans : HookWorld {
  const std::string api = "/home/kim/api";

  TwoPlans() {
    disk().put_folder("/home/kim/.git");
    disk().put(api + "/plan.md", other_plan("api"));
    if (!app::start_tracking(context, {api, "plan.md"})) FAIL("api/plan.md cannot be tracked");
    clock.advance(5000);
  }
  void tick_other() {
    disk().put(api + "/plan.md", "- [x] First <!-- TASK: api-1 -->\n- [ ] Second <!-- TASK: api-2 -->\n");
    quiet(written(api + "/plan.md"));
    clock.advance(5000);
  }
};

}  // namespace

TEST_CASE("a session follows its work to another plan, with its note and its end") {
  TwoPlans world;
  world.say(world.start());
  REQUIRE(sessions_plan(world, "s1") == "/home/kim");
  const auto state_of = [&world](const std::string& folder) {
    const auto text = world.disk().get(folder + "/.checkpoint/state.json");
    REQUIRE(text);
    return *core::decode_state(*text);
  };
  SECTION("after a turn") {
    world.tick_other();
    world.quiet(world.turn("The first is finished, the second needs a decision."));
    world.clock.advance(5000);
    world.quiet(world.end());
  }
  SECTION("at its end") {
    world.tick_other();
    HookEvent end = world.end();
    end.message = "The first is finished, the second needs a decision.";
    world.quiet(end);
  }
  const core::State there = state_of(world.api);
  REQUIRE(there.sessions.size() == 1);
  CHECK(there.sessions[0].ended_at);
  CHECK(there.session_notes == "The first is finished, the second needs a decision.");
  // It began here, so it ends here too; it left nothing.
  const core::State here = world.now();
  REQUIRE(here.sessions.size() == 1);
  CHECK(here.sessions[0].ended_at);
  CHECK_FALSE(here.session_notes);
  CHECK(world.say(world.start("s2")).context.find("ended unexpectedly") == std::string::npos);
}

TEST_CASE("what a subagent claims of another plan stands in that plan's history") {
  TwoPlans world;
  world.say(world.start());
  REQUIRE(sessions_plan(world, "s1") == "/home/kim");
  world.quiet(world.assign("t", "Do api-1 of api/plan.md"));
  world.quiet(world.agent_start("a1"));
  const auto stops = [&world](const std::string& folder) {
    std::vector<core::Event> found;
    for (const core::Event& event : world.events(folder)) {
      if (event.kind == EventKind::subagent_stopped) found.push_back(event);
    }
    return found;
  };
  CHECK_FALSE(world.say(world.agent_stop("a1", "`api-1` is done.")).block.empty());
  CHECK(stops(world.api).empty());
  world.clock.advance(5000);
  const bool ticked = GENERATE(false, true);
  if (ticked) {
    world.disk().put(world.api + "/plan.md",
                     "- [x] First <!-- TASK: api-1 -->\n- [ ] Second <!-- TASK: api-2 -->\n");
  }
  HookEvent again = world.agent_stop("a1", "`api-1` is done.");
  again.stop_active = true;
  world.quiet(again);
  REQUIRE(stops("/home/kim").size() == 1);
  CHECK(stops("/home/kim")[0].claimed.empty());
  CHECK(stops("/home/kim")[0].unverified.empty());
  REQUIRE(stops(world.api).size() == 1);
  CHECK(stops(world.api)[0].agent == "a1");
  CHECK(stops(world.api)[0].claimed == Names{"api-1"});
  CHECK(stops(world.api)[0].unverified == Names{"api-1"});
  world.clock.advance(5000);
  world.quiet(again);
  CHECK(stops("/home/kim").size() == 1);
  CHECK(stops(world.api).size() == 1);
  const core::HookAnswer told = world.say(world.settled());
  CHECK(told.silent() == ticked);
  if (!ticked) CHECK_THAT(told.context, Contains("api-1"));
}

TEST_CASE("a session stays where its subagents are recorded until the last has been reported") {
  TwoPlans world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  world.tick_other();
  world.quiet(world.turn("It runs."));
  CHECK(sessions_plan(world, "s1") == "/home/kim");
  world.quiet(world.agent_stop("a1", "Finished."));
  CHECK(world.agent("a1").status == core::AgentStatus::stopped);
  world.clock.advance(5000);
  world.quiet(world.turn("It has run."));
  CHECK(core::find_session(*core::decode_state(*world.disk().get(world.api + "/.checkpoint/state.json")),
                           "s1") != nullptr);
}

TEST_CASE("a plan that is moved while a session runs goes on with its records") {
  HookWorld world("# Shop\n\n- [ ] Cart\n- [ ] Mail\n");
  world.disk().put_folder("/home/kim/.git");
  world.say(world.start());
  world.edit("[ ] Cart", "[x] Cart");
  world.quiet(world.written());
  const std::string there = "/home/kim/plans/shop/plan.md";
  world.disk().put(there, world.plan());
  world.disk().erase("/home/kim/plan.md");
  world.clock.advance(5000);
  SECTION("seen by an edit") {
    world.disk().put(there, "# Shop\n\n- [x] Cart\n- [x] Mail\n");
    (void)world.say(world.written(there));
  }
  SECTION("seen by a look") {
    world.quiet(world.settled());
  }
  SECTION("seen by the end of a turn") {
    world.quiet(world.turn("Moved."));
  }
  SECTION("seen by a new session") {
    CHECK_THAT(world.say(world.start("s2")).context, Contains("plans/shop/plan.md") && !Contains("missing"));
  }
  const auto text = world.disk().get("/home/kim/plans/shop/.checkpoint/state.json");
  REQUIRE(text);
  const core::State state = *core::decode_state(*text);
  CHECK(World::task(state, "cart")->completed_by == "main");
  CHECK(core::find_session(state, "s1") != nullptr);
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/state.json"));
}

TEST_CASE("a session is told of a plan whose folder was renamed between sessions") {
  HookWorld world("");
  world.disk().put_folder("/home/kim/.git");
  const std::string text = "# Shop\n\n- [ ] Cart\n- [ ] Mail\n";
  world.disk().put("/home/kim/specs/001-a/tasks.md", text);
  CHECK_THAT(world.say(world.start()).context, Contains("001-a"));
  std::vector<std::pair<std::string, std::string>> moved{{"tasks.md", text}};
  for (const std::string name : {"state.json", "history.jsonl"}) {
    const std::string path = ".checkpoint/tasks.md/" + name;
    const auto bytes = world.disk().get("/home/kim/specs/001-a/" + path);
    REQUIRE(bytes);
    moved.emplace_back(path, *bytes);
  }
  world.disk().erase("/home/kim/specs/001-a");
  for (const auto& [path, bytes] : moved) world.disk().put("/home/kim/specs/002-b/" + path, bytes);
  world.clock.advance(5000);
  CHECK_THAT(world.say(world.start("s2")).context, Contains("002-b"));
  CHECK_THAT(world.say(world.start("s3")).context, Contains("002-b"));
}

TEST_CASE("a session's start leads with the plan that was worked in, not with one that it finds") {
  HookWorld world("");
  world.disk().put_folder("/home/kim/.git");
  for (const char* name : {"b", "a", "c"})
    world.disk().put("/home/kim/plans/" + std::string(name) + "/plan.md", other_plan(name));
  // Whatever comes first by name.
  const std::string worked = GENERATE("a", "b", "c");
  const std::string folder = "/home/kim/plans/" + worked;
  REQUIRE(app::start_tracking(world.context, {folder, "plan.md"}));
  world.clock.advance(60'000);
  for (const std::string session : {"s1", "s2"}) {
    CAPTURE(session);
    const std::string context = world.say(world.start(session)).context;
    CHECK_THAT(context, Contains("Plan " + worked));
    CHECK(sessions_plan(world, session) == folder);
    for (const std::string name : {"a", "b", "c"}) {
      if (name != worked) CHECK_THAT(context, Contains("plans/" + name + "/plan.md"));
    }
    // Commands mean the same one.
    const auto meant = app::discover(world.context, std::nullopt);
    REQUIRE(meant);
    CHECK(meant->plan.folder == folder);
    world.say(world.end(session));
    world.clock.advance(1000);
  }
  // Once somebody works in one that was found, it is as good as any.
  const std::string found = worked == "a" ? "b" : "a";
  REQUIRE(app::set_tasks(world.context, {"/home/kim/plans/" + found, "plan.md"}, {found + "-1"},
                         core::BoxState::done, {"main"}));
  world.clock.advance(1000);
  CHECK_THAT(world.say(world.start("s3")).context, Contains("Plan " + found));
}

TEST_CASE("a plan that may be several missing ones is not tracked by itself, and the model is told") {
  HookWorld world("");
  world.disk().put_folder("/home/kim/.git");
  for (const std::string name : {"one", "two"}) {
    world.disk().put("/home/kim/docs/plans/" + name + ".md", "- [ ] Cart\n- [ ] Mail\n");
    REQUIRE(app::start_tracking(world.context, {"/home/kim/docs/plans", name + ".md"}));
  }
  world.disk().erase("/home/kim/docs/plans/one.md");
  world.disk().erase("/home/kim/docs/plans/two.md");
  world.disk().put("/home/kim/plan.md", "# Now\n\n- [ ] Cart\n- [ ] Mail\n");
  const app::HookResult result = world.call(world.written());
  CHECK_THAT(result.answer.context, Contains("docs/plans/one.md") && Contains("plankeep init plan.md"));
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/state.json"));
}

TEST_CASE("a new session gets no missing plan where another one is active") {
  TwoPlans world;
  world.say(world.start());
  world.say(world.end());
  world.disk().erase("/home/kim/plan.md");
  world.clock.advance(5000);
  const std::string context = world.say(world.start("s2")).context;
  CHECK_THAT(context,
             Contains("Plan api") && Contains("- kim (plan.md): 1 of 4 tasks, but its file is missing"));
  CHECK(sessions_plan(world, "s2") == world.api);
}

TEST_CASE("a session in a folder with a plan of its own begins with that plan") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put_folder("/home/kim/api/src");
  world.disk().put("/home/kim/api/plan.md", "# Api\n\n- [ ] Routes\n- [ ] Auth\n");
  HookEvent start = world.start();
  start.cwd = GENERATE("/home/kim/api", "/home/kim/api/src");
  CHECK_THAT(world.say(start).context, Contains("Plan api"));
  CHECK(sessions_plan(world, "s1") == "/home/kim/api");
}

TEST_CASE("a session's folder may lie below its plan, and the plan elsewhere by name") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put_folder("/home/kim/src/deep");
  SECTION("below") {
    HookEvent start = world.start();
    start.cwd = "/home/kim/src/deep";
    CHECK_FALSE(world.say(start).context.empty());
    CHECK(world.session().id == "s1");
  }
  SECTION("no folder said: where the hook runs") {
    HookEvent start = world.start();
    start.cwd.clear();
    CHECK_FALSE(world.say(start).context.empty());
  }
  SECTION("a folder that is gone, and a project that is not") {
    HookEvent start = world.start();
    start.cwd = "/home/gone";
    start.project = "/home/kim";
    CHECK_FALSE(world.say(start).context.empty());
  }
  SECTION("named by the environment") {
    world.disk().put("/home/elsewhere/plan.md", other_plan("far"));
    world.environment.variables["PLANKEEP_PLAN"] = "/home/elsewhere/plan.md";
    CHECK(app::hook_plans(world.context, world.start()).plans.front().plan.path() ==
          "/home/elsewhere/plan.md");
    world.quiet(world.settled());
    CHECK(world.disk().get("/home/elsewhere/.checkpoint/state.json"));
    CHECK(world.disk().get("/home/kim/.checkpoint/state.json"));
  }
  SECTION("a name of the environment that leads nowhere") {
    world.environment.variables["PLANKEEP_PLAN"] = "/home/nowhere/plan.md";
    CHECK_FALSE(world.say(world.start()).context.empty());
  }
}

TEST_CASE("a call opens and locks each plan at most once, whatever is due") {
  HookWorld world;
  const int plans = GENERATE(1, 3);
  const bool edited = GENERATE(false, true);
  CAPTURE(edited);
  for (const char* name : {"alpha", "beta"}) {
    if (plans > 1) world.disk().put(std::string("/home/kim/plans/") + name + "/plan.md", test::kPlanText);
  }
  world.say(world.start());
  app::ClaimRequest request;
  request.session = "s1";
  REQUIRE(app::claim_task(world.context, world.location, "login", request));
  if (plans > 1)
    REQUIRE(app::claim_task(world.context, {"/home/kim/plans/beta", "plan.md"}, "login", request));
  HookEvent agent = world.settled();
  agent.agent_id = "a1";
  agent.agent_type = "coder";
  HookEvent stopped = world.agent_stop("a1", "Tasks completed:\n- login");
  world.quiet(world.agent_start("a1"));
  const std::vector<HookEvent> events = {world.settled(), agent,           world.prompt("go on"),
                                         stopped,         world.settled(), world.turn("Well."),
                                         world.compact(), world.end()};
  for (const HookEvent& event : events) {
    CAPTURE(event.client_event, plans);
    world.clock.advance(20 * 60'000);  // leases are to be renewed, a session was silent
    if (edited) world.edit("# ", "# Also ");
    world.disk().forget_log();
    (void)world.call(event);
    CHECK(world.operations_named("lock lock") <= static_cast<std::size_t>(plans));
    CHECK(world.operations_named("lock lock") >= 1);
    // The search for plans below plans/ looks into the state as well.
    const std::size_t searched = plans == 1 ? 0 : 2;
    CHECK(world.operations_named("read state.json") <= static_cast<std::size_t>(plans) + searched);
  }
}

namespace {

std::string large_plan(int tasks) {
  std::string text = "# Large\n\n## All\n<!-- CHECKPOINT: all -->\n";
  for (int i = 1; i <= tasks; ++i) {
    const std::string id = "t" + std::to_string(i);
    text += "- [ ] Task " + id + " <!-- TASK: " + id + " -->\n";
  }
  return text;
}

// A project with a small plan and one of two thousand tasks, whose state.json is far from small.
struct LargeBeside {
  static constexpr const char* kLarge = "/home/kim/plans/large/";
  HookWorld world;

  LargeBeside() {
    world.disk().put_folder("/home/kim/.git");
    world.disk().put(std::string(kLarge) + "plan.md", large_plan(2000));
    world.clock.advance(60'000);
    REQUIRE(app::track(world.context, app::PlanLocation{"/home/kim/plans/large", "plan.md"}, {}));
    world.say(world.start());
    REQUIRE(state().size() > std::size_t{2} * store::kSmallState);
  }
  std::string state() {
    return world.disk().get(std::string(kLarge) + ".checkpoint/state.json").value_or("");
  }
  std::uint64_t read_by(const HookEvent& event) {
    world.clock.advance(20 * 60'000);
    world.disk().forget_log();
    (void)world.call(event);
    return world.disk().bytes_read();
  }
};

}  // namespace

TEST_CASE("a large plan that a call is not about is known without reading its state or its text") {
  LargeBeside project;
  HookWorld& world = project.world;
  world.quiet(world.agent_start("a1"));
  const std::vector<HookEvent> events = {world.settled(),
                                         world.prompt("go on"),
                                         world.event(HookKind::shell_started),
                                         world.event(HookKind::shell_ran),
                                         world.turn("Well, plan.md goes on."),
                                         world.compact(),
                                         world.end(),
                                         world.start()};
  for (const HookEvent& event : events) {
    CAPTURE(event.client_event);
    CHECK(project.read_by(event) < project.state().size() / 2);
  }
}

TEST_CASE("what changes in a large plan beside is recorded by the next call all the same") {
  LargeBeside project;
  HookWorld& world = project.world;
  const std::string path = std::string(LargeBeside::kLarge) + "plan.md";
  std::string text = world.disk().get(path).value();
  text.replace(text.find("[ ] Task t7 "), 3, "[x]");
  world.clock.advance(60'000);
  world.disk().put(path, text);
  (void)world.call(world.settled());
  CHECK(project.state().find("\"completedTasks\": 1,") != std::string::npos);
  SECTION("and its history, where somebody died before the state was written") {
    const std::string before = project.state();
    text.replace(text.find("[ ] Task t8 "), 3, "[x]");
    world.clock.advance(60'000);
    world.disk().put(path, text);
    (void)world.call(world.settled());
    world.disk().put(std::string(LargeBeside::kLarge) + ".checkpoint/state.json", before);
    (void)world.call(world.settled());
    CHECK(project.state().find("\"completedTasks\": 2,") != std::string::npos);
  }
}

TEST_CASE("a large plan whose file was only touched is compared once, not by every call") {
  LargeBeside project;
  HookWorld& world = project.world;
  const std::string path = std::string(LargeBeside::kLarge) + "plan.md";
  world.disk().put(path, world.disk().get(path).value());
  CHECK(project.read_by(world.settled()) >= world.disk().get(path)->size());
  CHECK(project.read_by(world.settled()) < world.disk().get(path)->size());
}

TEST_CASE("a brief that is damaged, missing or of another state is passed over") {
  LargeBeside project;
  HookWorld& world = project.world;
  const std::string brief = std::string(LargeBeside::kLarge) + ".checkpoint/brief.json";
  const std::string whole = world.disk().get(brief).value();
  SECTION("missing") {
    world.disk().erase(brief);
  }
  SECTION("torn") {
    world.disk().put(brief, whole.substr(0, whole.size() / 2));
  }
  SECTION("empty") {
    world.disk().put(brief, "");
  }
  SECTION("no object") {
    world.disk().put(brief, "[]");
  }
  SECTION("a link") {
    world.disk().erase(brief);
    world.disk().put_link(brief, "/etc/passwd");
  }
  SECTION("of another state") {
    world.disk().put(std::string(LargeBeside::kLarge) + ".checkpoint/state.json", project.state());
  }
  CHECK(project.read_by(world.settled()) >= project.state().size());
  world.quiet(world.settled());
}

TEST_CASE("a claim that names no plan is held against the tasks of all of them, also of a large one") {
  LargeBeside project;
  HookWorld& world = project.world;
  world.disk().put("/home/kim/.plankeep.json", "{\"gate\": \"block\"}");
  const core::HookAnswer answer = world.say(world.turn("t7 is done."));
  CHECK_THAT(answer.block, Contains("t7"));
}

TEST_CASE("a command in the shell is noted once, however many plans a project has") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  const int plans = GENERATE(1, 12);
  for (int i = 0; i < plans; ++i) {
    const std::string folder = "/home/kim/plans/p" + std::to_string(i);
    world.disk().put(folder + "/plan.md", other_plan("p" + std::to_string(i)));
    REQUIRE(app::track(world.context, app::PlanLocation{folder, "plan.md"}, {}));
  }
  world.say(world.start());
  world.disk().forget_log();
  world.quiet(world.event(HookKind::shell_started));
  CHECK(world.operations_named("create") == 1);
  CHECK(world.operations_named("lock") == 0);
  CHECK(world.operations_named("read state.json") <= 2);
  CHECK(world.disk().log().size() < 120);
}

TEST_CASE("the project's list of plans is read once a call, also for a session that no plan knows") {
  HookWorld world("");
  world.disk().put_folder("/home/kim/.git");
  for (const std::string name : {"a", "b"}) {
    world.disk().put("/home/kim/plans/" + name + "/plan.md", other_plan(name));
    REQUIRE(app::track(world.context, app::PlanLocation{"/home/kim/plans/" + name, "plan.md"}, {}));
  }
  world.disk().forget_log();
  world.quiet(world.settled());
  CHECK(world.operations_named("read plans.json") == 1);
}

TEST_CASE(
    "what a command in the shell changes in any plan of the project is its agent's, what was there before is "
    "not") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  const auto path = [](int i) { return "/home/kim/plans/p" + std::to_string(i) + "/plan.md"; };
  for (int i = 0; i < 3; ++i) {
    world.disk().put(path(i), std::string(test::kPlanText));
    REQUIRE(
        app::track(world.context, app::PlanLocation{"/home/kim/plans/p" + std::to_string(i), "plan.md"}, {}));
  }
  world.say(world.start());
  const auto tick = [&](int i) {
    std::string text = world.disk().get(path(i)).value();
    text.replace(text.find("[ ] Login"), 3, "[x]");
    world.clock.advance(60'000);
    world.disk().put(path(i), text);
  };
  const auto by = [&](int i) {
    const auto state = core::decode_state(
        world.disk().get("/home/kim/plans/p" + std::to_string(i) + "/.checkpoint/state.json").value());
    REQUIRE(state);
    return HookWorld::task(*state, "login")->completed_by;
  };
  tick(2);  // nobody looks at that plan before the command begins
  world.quiet(world.event(HookKind::shell_started));
  tick(1);
  (void)world.call(world.settled());
  CHECK(by(1) == "main");
  CHECK(by(2) == "external");
}

namespace {

core::State state_of(HookWorld& world, const std::string& folder) {
  const auto text = world.disk().get(folder + "/.checkpoint/state.json");
  REQUIRE(text);
  auto state = core::decode_state(*text);
  REQUIRE(state);
  return std::move(*state);
}

std::string history_of(HookWorld& world, const std::string& folder) {
  return world.disk().get(folder + "/.checkpoint/history.jsonl").value_or("");
}

// Two plans. The session keeps its records in one of them, and gives a subagent a task of the other.
struct PlanBeside : HookWorld {
  PlanBeside() : HookWorld("") {
    disk().put_folder("/home/kim/.git");
    disk().put_folder("/home/kim/plans");
    for (const char* name : {"a", "b"}) {
      disk().put_folder(std::string("/home/kim/plans/") + name);
      disk().put(std::string("/home/kim/plans/") + name + "/plan.md",
                 other_plan(name == std::string("a") ? "AB" : "CD"));
    }
    say(start());
    own = sessions_plan(*this, "s1");
    REQUIRE_FALSE(own.empty());
    other = own == "/home/kim/plans/a" ? "/home/kim/plans/b" : "/home/kim/plans/a";
    given = other == "/home/kim/plans/a" ? "AB-1" : "CD-1";
  }
  void tick_other() {
    std::string text = disk().get(other + "/plan.md").value_or("");
    text.replace(text.find("[ ]"), 3, "[x]");
    disk().put(other + "/plan.md", text);
  }
  void start_agent() {
    say(assign("t1", "Implement " + given + " from " + other.substr(10) + "/plan.md"));
    clock.advance(1000);
    say(agent_start("a1"));
    clock.advance(1000);
  }
  std::string own;
  std::string other;
  std::string given;
};

}  // namespace

TEST_CASE("a subagent that works on another plan than its session's is recorded there") {
  PlanBeside world;
  world.start_agent();
  core::State there = state_of(world, world.other);
  const core::AgentState* agent = core::find_agent(there, "a1");
  REQUIRE(agent != nullptr);
  CHECK(test::ids_of(agent->assigned_tasks) == Names{world.given});
  CHECK(core::find_agent(state_of(world, world.own), "a1") != nullptr);
  CHECK(sessions_plan(world, "s1") == world.own);
  SECTION("with what it completed") {
    world.tick_other();
    HookEvent edit = world.written(world.other + "/plan.md");
    edit.agent_id = "a1";
    edit.agent_type = "coder";
    world.say(edit);
    world.clock.advance(1000);
    world.say(world.agent_stop("a1", world.given + " is done."));
    there = state_of(world, world.other);
    agent = core::find_agent(there, "a1");
    REQUIRE(agent != nullptr);
    CHECK(test::ids_of(agent->completed_tasks) == Names{world.given});
    CHECK(agent->status == core::AgentStatus::stopped);
    CHECK_THAT(history_of(world, world.other), Contains("\"completed\":1"));
  }
  SECTION("and as cut off with its session") {
    world.say(world.end());
    there = state_of(world, world.other);
    CHECK(core::find_agent(there, "a1")->status == core::AgentStatus::lost);
  }
}

TEST_CASE("a crash is found where the session has its records, whatever plan the next one works on") {
  PlanBeside world;
  world.processes.running[4711] = "4711:100";
  HookEvent start = world.start("s2");
  start.process = 4711;
  world.say(start);
  const std::string own = sessions_plan(world, "s2");
  REQUIRE(own == world.own);
  world.clock.advance(1000);
  world.tick_other();
  HookEvent edit = world.written(world.other + "/plan.md");
  edit.session_id = "s2";
  world.say(edit);
  SECTION("") {
    world.processes.running.clear();
    world.clock.advance(1000);
    world.say(world.start("s3"));
    CHECK(sessions_plan(world, "s3") == world.other);
    CHECK_THAT(history_of(world, own), Contains("session_crash"));
  }
  SECTION("unless it lives") {
    world.clock.advance(1000);
    world.say(world.start("s3"));
    CHECK_THAT(history_of(world, own), !Contains("session_crash"));
  }
}
