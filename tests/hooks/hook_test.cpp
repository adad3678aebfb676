// What a hook says of edits, and what it does when something is in the way.
#include <catch2/catch.hpp>

#include "hook_world.hpp"

using namespace plankeep;
using Catch::Contains;
using core::EventKind;
using core::HookEvent;
using core::HookKind;
using test::HookWorld;
using test::World;

namespace {

/// The world's files, with folders that the system refuses to open.
class ForbiddingFiles : public system::FileSystem {
 public:
  explicit ForbiddingFiles(system::FileSystem& files) : files_(files) {}
  std::vector<std::string> forbidden;

  base::Result<std::unique_ptr<system::Folder>> open_folder(const std::string& path) override {
    for (const std::string& one : forbidden) {
      if (path == one) return base::fail(base::ErrorKind::io, "cannot open " + path + ": Permission denied");
    }
    return files_.open_folder(path);
  }
  base::Result<system::FileInfo> info(const std::string& path) override { return files_.info(path); }
  base::Result<std::string> real_path(const std::string& path) override { return files_.real_path(path); }

 private:
  system::FileSystem& files_;
};

std::string other_plan(const std::string& id) {
  return "# Other\n\n- [ ] First <!-- TASK: " + id + "-1 -->\n- [ ] Second <!-- TASK: " + id + "-2 -->\n";
}

std::unique_ptr<system::Lock> hold_lock(HookWorld& world) {
  auto folder = world.files.open_folder("/home/kim/.checkpoint");
  REQUIRE(folder);
  auto lock = (*folder)->lock("lock", std::chrono::milliseconds(0));
  REQUIRE(lock);
  return std::move(*lock);
}

}  // namespace

TEST_CASE("an edit that a payload tells of is its actor's") {
  HookWorld world;
  world.say(world.start());
  world.edit("[ ] Login", "[x] Login");
  HookEvent edit = world.written();
  std::string actor = "main";
  SECTION("main") {}
  SECTION("a subagent") {
    edit.agent_id = "a1";
    edit.agent_type = "coder";
    actor = "subagent:coder";
  }
  SECTION("one without a type") {
    edit.agent_id = "a1";
    actor = "subagent:unknown";
  }
  SECTION("a teammate") {
    edit.team = "red team";
    actor = "team:red-team";
  }
  SECTION("nobody knows") {
    edit.outside = true;
    actor = "external";
  }
  SECTION("only the file says so") {
    edit = world.event(HookKind::shell_ran);
    edit.agent_id = "a1";
    edit.agent_type = "coder";
    actor = "external";
  }
  world.quiet(edit);
  const core::State state = world.now();
  REQUIRE(World::task(state, "login") != nullptr);
  CHECK(World::task(state, "login")->completed_by == actor);
  CHECK(world.count(EventKind::checksum_mismatch) == (actor == "external" ? 1 : 0));
}

TEST_CASE("a tick is silent, what is worth a word is told to the model") {
  HookWorld world;
  world.say(world.start());
  SECTION("a tick") {
    world.edit("[ ] Login", "[x] Login");
    world.quiet(world.written());
  }
  SECTION("prose") {
    world.edit("# Auth", "# Authentication");
    world.quiet(world.written());
  }
  SECTION("reopened") {
    world.edit("[x] Schema", "[ ] Schema");
    CHECK_THAT(world.say(world.written()).context, Contains("schema"));
  }
  SECTION("vanished") {
    world.edit("- [ ] Logout <!-- TASK: logout | after: login -->\n", "");
    CHECK_THAT(world.say(world.written()).context, Contains("logout"));
  }
  SECTION("a phase completed") {
    world.edit("[ ] Login", "[x] Login");
    world.edit("[ ] Logout", "[x] Logout");
    CHECK_THAT(world.say(world.written()).context, Contains("Build"));
  }
  SECTION("the plan completed") {
    world.edit("[ ] Login", "[x] Login");
    world.edit("[ ] Logout", "[x] Logout");
    world.edit("[ ] Release", "[x] Release");
    world.edit("[ ] Tests", "[x] Tests");
    const std::string context = world.say(world.written()).context;
    CHECK_FALSE(context.empty());
    CHECK(std::count(context.begin(), context.end(), '\n') == 0);
  }
  SECTION("a new mistake, once") {
    world.edit("after: login", "after: nowhere");
    CHECK_THAT(world.say(world.written()).context, Contains("unknown-dependency"));
    world.edit("# Auth", "# Authentication");
    world.quiet(world.written());
  }
  // Said by the call that saw it, and by no later one.
  world.clock.advance(5000);
  world.quiet(world.settled());
}

TEST_CASE("where the model cannot be told, the person is") {
  HookWorld world;
  world.say(world.start());
  world.edit("[x] Schema", "[ ] Schema");
  const core::HookAnswer answer = world.say(world.turn("Well."));
  CHECK(answer.context.empty());
  CHECK_THAT(answer.notice, Contains("schema"));
}

TEST_CASE("a plan that cannot be read is told once, and nothing of it is lost") {
  HookWorld world;
  world.say(world.start());
  SECTION("binary") {
    world.put_plan(std::string("\0\1\2", 3));
  }
  SECTION("emptied") {
    world.put_plan("# Auth\n");
  }
  SECTION("gone") {
    world.disk().erase("/home/kim/plan.md");
  }
  CHECK_THAT(world.say(world.settled()).context, Contains("keeping the last recorded state"));
  for (int i = 0; i < 3; ++i) {
    world.clock.advance(5000);
    world.quiet(world.settled());
    world.quiet(world.prompt("go on"));
    world.quiet(world.event(HookKind::shell_ran));
  }
  CHECK(world.count(EventKind::parse_error) == 1);
  CHECK(world.now().progress.total == 4);
  // The next session has to know why the plan is as it was.
  CHECK_THAT(world.say(world.start("s2")).context, Contains("keeping the last recorded state"));
}

TEST_CASE("an edit of a file that is no plan looks into its folder and leaves") {
  HookWorld world;
  world.say(world.start());
  world.disk().put("/home/kim/src/main.cpp", "int main() {}\n");
  const auto before = world.disk().everything();
  world.disk().forget_log();
  world.quiet(world.written("/home/kim/src/main.cpp"));
  CHECK(world.disk().everything() == before);
  CHECK(world.operations_named("read") == 0);
  CHECK(world.operations_named("lock") == 0);
}

TEST_CASE("a hook that is none of ours does nothing") {
  HookWorld world;
  world.say(world.start());
  const auto before = world.disk().everything();
  world.disk().forget_log();
  world.quiet(world.event(HookKind::nothing));
  CHECK(world.disk().log().empty());
  CHECK(world.disk().everything() == before);
}

TEST_CASE("while somebody else holds the lock a hook says so on the side and nothing else") {
  HookWorld world;
  world.say(world.start());
  const auto lock = hold_lock(world);
  world.edit("[x] Schema", "[ ] Schema");
  for (const HookEvent& event :
       {world.written(), world.settled(), world.prompt("go on"), world.turn("Well."), world.compact(),
        world.end(), world.start("s2"), world.agent_start("a1"), world.assign("t1", "Do `login`.")}) {
    CAPTURE(event.client_event);
    const auto before = world.events().size();
    const app::HookResult result = world.call(event);
    CHECK(result.answer.silent());
    REQUIRE(result.problems.size() == 1);
    CHECK_THAT(result.problems.front(), Contains("plan.md"));
    CHECK(world.events().size() == before);
    // It is to stand in errors.log, so it must be known whose it is.
    CHECK(result.plan == world.location);
  }
}

TEST_CASE("a disk that fails is a problem, never an answer") {
  HookWorld world;
  world.say(world.start());
  world.edit("[ ] Login", "[x] Login");
  world.disk().restart();
  std::int64_t quiet_ones = 0;
  for (std::int64_t operation = 1;; ++operation) {
    REQUIRE(operation < 500);
    HookWorld fresh;
    fresh.say(fresh.start());
    fresh.edit("[x] Schema", "[ ] Schema");
    fresh.disk().restart();
    fresh.disk().plan_fault({test::Fault::Kind::fail_from, operation, 0});
    const app::HookResult result = fresh.call(fresh.written());
    if (fresh.disk().operations() < operation) break;
    CAPTURE(operation);
    if (result.problems.empty()) ++quiet_ones;
    fresh.disk().restart();
    fresh.disk().plan_fault({});
    // Whatever failed, the next call puts it right.
    CHECK(fresh.call(fresh.settled()).problems.empty());
    const core::State state = fresh.now();
    REQUIRE(World::task(state, "schema") != nullptr);
    CHECK_FALSE(World::task(state, "schema")->done);
  }
  // Only what fails before the plan is known to be one may go unsaid (the look for the project's top among
  // it), and what does no harm: the project's list of plans is a cache, and behind it stands the look for the
  // mark of git-setup --sessions.
  CHECK(quiet_ones <= 35);
}

TEST_CASE("a state that stands only in the history keeps no sessions and breaks nothing") {
  HookWorld world;
  world.say(world.start());
  world.disk().erase("/home/kim/.checkpoint/state.json");
  for (const char* copy : {"recovery.json", "recovery.1.json", "recovery.2.json"})
    world.disk().erase(std::string("/home/kim/.checkpoint/") + copy);
  world.put_plan(std::string("\0\1", 2));
  CHECK_THAT(world.say(world.prompt("go on")).context, Contains("keeping the last recorded state"));
  world.clock.advance(5000);
  for (const HookEvent& event :
       {world.prompt("go on"), world.turn("Well."), world.compact(), world.start("s2"),
        world.agent_start("a1"), world.agent_stop("a1", "Well."), world.end()}) {
    CAPTURE(event.client_event);
    world.quiet(event);
  }
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/state.json"));
  world.put_plan(test::kPlanText);
  world.clock.advance(5000);
  CHECK_FALSE(world.say(world.start("s3")).context.empty());
  CHECK(world.session("s3").started_at == world.clock.now());
}

TEST_CASE("a plan in a folder that cannot be read is no plan for a hook, and no reason to speak") {
  HookWorld world;
  world.disk().put("/home/kim/plans/a/plan.md", other_plan("a"));
  world.say(world.start());
  ForbiddingFiles files(world.files);
  const app::Context refused{files, world.clock, world.environment, &world.processes};
  SECTION("the plan's") {
    files.forbidden = {"/home/kim"};
  }
  SECTION("another plan's") {
    files.forbidden = {"/home/kim/plans/a"};
  }
  SECTION("everything") {
    files.forbidden = {"/home/kim", "/home/kim/plans", "/home/kim/plans/a", "/home", "/"};
  }
  for (const HookEvent& event : {world.written(), world.settled(), world.turn("Well."), world.compact(),
                                 world.agent_start("a1"), world.end()}) {
    CAPTURE(event.client_event);
    clients::Payload payload(event);
    CHECK(app::answer_hook(refused, *world.client, payload).answer.silent());
  }
}

TEST_CASE("settings that are not as they should be are reported and change nothing") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  world.disk().put("/home/kim/.plankeep.json", "{\"audit\": \"off\", ");
  const app::HookResult result = world.call(world.agent_stop("a1", "Tasks completed:\n- login"));
  CHECK_FALSE(result.answer.block.empty());
  REQUIRE(result.problems.size() == 1);
  CHECK_THAT(result.problems.front(), Contains("/home/kim/.plankeep.json"));
}

TEST_CASE("a call is logged with how long it took, what went wrong in a log of its own") {
  HookWorld world;
  world.say(world.start());
  const HookEvent event = world.settled();
  app::HookResult result = world.call(event);
  app::log_hook(world.context, event, std::chrono::microseconds(1234), result);
  result.answer.context = "words";
  app::log_hook(world.context, event, std::chrono::microseconds(7), result);
  result.problems = {"first\x1b[31m\nline", "second"};
  app::log_hook(world.context, event, std::chrono::microseconds(8), result);
  const std::string call = "2026-11-20T15:43:50.123Z claude-code PostToolBatch";
  CHECK(world.disk().get("/home/kim/.checkpoint/hooks.log") ==
        call + " 1234 ok\n" + call + " 7 spoke\n" + call + " 8 problem\n");
  CHECK(world.disk().get("/home/kim/.checkpoint/errors.log").value_or("") ==
        call + ": first line\n" + call + ": second\n");
  // Neither a plan that is gone nor none at all is anybody's business.
  result.tracking = nullptr;
  result.plan = app::PlanLocation{"/home/nowhere", "plan.md"};
  app::log_hook(world.context, event, std::chrono::microseconds(9), result);
  result.plan.reset();
  app::log_hook(world.context, event, std::chrono::microseconds(9), result);
  CHECK(world.disk().get("/home/kim/.checkpoint/hooks.log")->find(" 9 ") == std::string::npos);
}

namespace {

core::HookEvent changed(const HookWorld& world) {
  HookEvent event = world.written();
  event.client_event = "FileChanged";
  event.outside = true;
  return event;
}

}  // namespace

TEST_CASE("losses that a hook found and could not say are said with the next that can") {
  const bool at_prompt = GENERATE(true, false);
  HookWorld world;
  world.say(world.start());
  world.say(world.prompt("go"));
  world.edit("[x] Schema", "[ ] Schema");
  HookEvent found;
  SECTION("a changed file") {
    found = changed(world);
  }
  SECTION("a compaction") {
    found = world.compact();
  }
  SECTION("a shell command that starts") {
    found = world.event(HookKind::shell_started);
  }
  SECTION("a subagent that is about to be started") {
    found = world.assign("t1", "Do it.");
  }
  SECTION("a subagent's start, which is answered to the subagent") {
    found = world.agent_start("a1");
  }
  (void)world.say(found);
  CHECK(world.now().unsaid_since);
  world.clock.advance(60'000);
  HookEvent beside = world.settled();
  beside.agent_id = "a1";
  CHECK_THAT(world.say(beside).context, !Contains("Schema"));
  CHECK(world.now().unsaid_since);
  const HookEvent next = at_prompt ? world.prompt("next") : world.settled();
  CHECK(world.say(next).context == "[plankeep] plan.md: task schema was done and has been reopened");
  CHECK_FALSE(world.now().unsaid_since);
  CHECK(world.say(next).context.empty());
}

TEST_CASE("what the plan has put right before it could be said is not said") {
  HookWorld world;
  world.say(world.start());
  SECTION("a task that is done again") {
    world.edit("[x] Schema", "[ ] Schema");
    (void)world.say(changed(world));
    world.edit("[ ] Schema", "[x] Schema");
  }
  SECTION("a task that is back") {
    const std::string whole = world.plan();
    world.edit("- [ ] Logout <!-- TASK: logout | after: login -->\n", "");
    (void)world.say(changed(world));
    world.clock.advance(60'000);
    world.put_plan(whole);
  }
  SECTION("a plan that is there again") {
    const std::string whole = world.plan();
    world.disk().erase("/home/kim/plan.md");
    (void)world.say(world.compact());
    world.put_plan(whole);
  }
  CHECK(world.now().unsaid_since);
  world.clock.advance(60'000);
  CHECK(world.say(world.settled()).context.empty());
  CHECK_FALSE(world.now().unsaid_since);
}

TEST_CASE("several losses that wait are said together, each once") {
  HookWorld world;
  world.say(world.start());
  world.edit("[x] Schema", "[ ] Schema");
  (void)world.say(changed(world));
  world.edit("- [ ] Logout <!-- TASK: logout | after: login -->\n", "");
  (void)world.say(changed(world));
  world.edit("[ ] Schema", "[x] Schema");
  (void)world.say(changed(world));
  world.edit("[x] Schema", "[ ] Schema");
  CHECK(world.say(world.prompt("next")).context ==
        "[plankeep] plan.md:\n- task logout is no longer in the plan\n"
        "- task schema was done and has been reopened\n"
        "To see and restore earlier versions: plankeep restore");
}

TEST_CASE("a missing plan that could not be said is said while it is missing") {
  HookWorld world;
  world.say(world.start());
  world.disk().erase("/home/kim/plan.md");
  (void)world.say(world.compact());
  CHECK_THAT(world.say(world.prompt("next")).context, Contains("plan.md is missing"));
  world.quiet(world.prompt("and again"));
}

TEST_CASE("a plan that is lost a second time is said a second time") {
  HookWorld world;
  world.say(world.start());
  const std::string whole = world.plan();
  for (int i = 0; i < 2; ++i) {
    world.disk().erase("/home/kim/plan.md");
    CHECK_THAT(world.say(world.settled()).context, Contains("plan.md is missing"));
    world.quiet(world.settled());
    world.put_plan(whole);
    world.quiet(world.settled());
  }
  CHECK(world.count(EventKind::parse_error) == 2);
}
