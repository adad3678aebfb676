// Whose a tick is when the hooks of several agents overlap (rules/attribution), through the whole of a hook
// call.
#include <catch2/catch.hpp>

#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "hook_world.hpp"
#include "rules/attribution.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using core::EventKind;
using core::HookEvent;
using core::HookKind;
using test::HookWorld;
using test::ids_of;
using test::World;
using Ids = std::vector<std::string>;

namespace {

void tick(HookWorld& world, const std::string& title) {
  std::string text = world.plan();
  const std::size_t at = text.find("[ ] " + title);
  REQUIRE(at != std::string::npos);
  text[at + 1] = 'x';
  world.put_plan(text);
}

std::vector<core::TextEdit> says(const std::string& title) {
  return {{"- [ ] " + title, "- [x] " + title}};
}

HookEvent edit_by(const HookWorld& world, const std::string& agent) {
  HookEvent event = world.written();
  event.agent_id = agent;
  if (!agent.empty()) event.agent_type = "coder";
  return event;
}

std::string who(HookWorld& world, const std::string& id) {
  const core::State state = world.now();
  for (const core::PhaseState& phase : state.phases) {
    for (const core::TaskState& task : phase.tasks) {
      if (task.id.text == id) return task.completed_by;
    }
  }
  return "no such task";
}

}  // namespace

TEST_CASE("a hook that comes second gets its own tick, whatever the first one found") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  world.quiet(world.agent_start("a2"));
  tick(world, "Login");
  tick(world, "Logout");
  CHECK(world.call(edit_by(world, "a2"), says("Logout")).problems.empty());
  CHECK(who(world, "logout") == "subagent:coder");
  CHECK(who(world, "login") == "external");
  CHECK(world.call(edit_by(world, "a1"), says("Login")).answer.silent());
  CHECK(who(world, "login") == "subagent:coder");
  CHECK(ids_of(world.agent("a1").completed_tasks) == Ids{"login"});
  CHECK(ids_of(world.agent("a2").completed_tasks) == Ids{"logout"});
  CHECK(world.count(EventKind::task_completed) == 2);
  CHECK(world.count(EventKind::task_attributed) == 1);
  // An edit that its own hook announced is no edit from outside.
  CHECK(world.count(EventKind::checksum_mismatch) == 0);
}

TEST_CASE("a hook that only looked does not keep a tick from its author") {
  HookWorld world;
  world.say(world.start());
  tick(world, "Login");
  world.quiet(world.settled());
  CHECK(who(world, "login") == "external");
  world.clock.advance(900);
  CHECK(world.call(edit_by(world, ""), says("Login")).answer.silent());
  CHECK(who(world, "login") == "main");
  const auto revision = world.now().revision;
  CHECK(world.call(edit_by(world, ""), says("Login")).answer.silent());
  CHECK(world.now().revision == revision);
}

TEST_CASE("a payload that does not say what was written speaks for all that changed") {
  HookWorld world;
  world.say(world.start());
  tick(world, "Login");
  tick(world, "Logout");
  CHECK(world.call(edit_by(world, "")).problems.empty());
  CHECK(who(world, "login") == "main");
  CHECK(who(world, "logout") == "main");
}

TEST_CASE("a file watcher speaks for nobody, whatever is said to have been written") {
  HookWorld world;
  world.say(world.start());
  tick(world, "Login");
  HookEvent seen = world.written();
  seen.outside = true;
  CHECK(world.call(seen, says("Login")).answer.silent());
  CHECK(who(world, "login") == "external");
}

TEST_CASE("what was attributed is still so when the state is made anew") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  tick(world, "Login");
  world.quiet(world.settled());
  world.quiet(world.settled());
  CHECK(world.call(edit_by(world, "a1"), says("Login")).answer.silent());
  for (const char* name : {"state.json", "recovery.json", "recovery.1.json", "recovery.2.json"})
    world.disk().erase(std::string("/home/kim/.checkpoint/") + name);
  world.quiet(world.settled());
  CHECK(who(world, "login") == "subagent:coder");
  CHECK(ids_of(world.agent("a1").completed_tasks) == Ids{"login"});
}

namespace {

// A subagent's shell, or with an empty id the main thread's.
HookEvent shell(const HookWorld& world, HookKind kind, const std::string& agent,
                const std::string& session = "s1") {
  HookEvent event = world.event(kind, session);
  event.agent_id = agent;
  if (!agent.empty()) event.agent_type = "coder";
  return event;
}
HookEvent begins(const HookWorld& world, const std::string& agent) {
  return shell(world, HookKind::shell_started, agent);
}
HookEvent ends(const HookWorld& world, const std::string& agent) {
  return shell(world, HookKind::tools_settled, agent);
}

std::string how(HookWorld& world, const std::string& id) {
  for (const core::Event& event : world.events()) {
    if (event.kind == EventKind::task_completed && event.task.text == id) return event.via;
  }
  return "never";
}

}  // namespace

TEST_CASE("what changes while one agent has a command in the shell is that agent's") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  const std::string agent = GENERATE("", "a1");
  CAPTURE(agent);
  world.quiet(begins(world, agent));
  tick(world, "Login");
  world.quiet(ends(world, agent));
  CHECK(who(world, "login") == (agent.empty() ? "main" : "subagent:coder"));
  CHECK(how(world, "login") == "shell");
  CHECK(ids_of(world.agent("a1").completed_tasks) == (agent.empty() ? Ids{} : Ids{"login"}));
  CHECK(world.count(EventKind::checksum_mismatch) == 0);
  // The command is over: what comes now is nobody's.
  tick(world, "Logout");
  world.say(ends(world, agent));
  CHECK(who(world, "logout") == "external");
  CHECK(how(world, "logout").empty());
}

TEST_CASE("what changes while several agents have a command in the shell is nobody's") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  world.quiet(begins(world, "a1"));
  SECTION("during both") {
    world.quiet(begins(world, ""));
    tick(world, "Login");
    world.quiet(ends(world, ""));
    CHECK(who(world, "login") == "external");
    // Only the one that began first still runs.
    tick(world, "Logout");
    world.say(ends(world, "a1"));
    CHECK(who(world, "logout") == "subagent:coder");
  }
  SECTION("before the second began") {
    tick(world, "Login");
    world.quiet(begins(world, ""));
    CHECK(who(world, "login") == "subagent:coder");
  }
  SECTION("of two sessions") {
    world.say(world.start("s2"));
    world.quiet(shell(world, HookKind::shell_started, "", "s2"));
    tick(world, "Login");
    world.quiet(ends(world, "a1"));
    CHECK(who(world, "login") == "external");
  }
}

TEST_CASE("a tick whose author's hook came late is no edit from outside") {
  HookWorld world;
  world.say(world.start());
  world.say(world.start("s2"));
  tick(world, "Login");
  const bool another = GENERATE(false, true);
  if (another) tick(world, "Logout");
  world.say(world.settled("s2"));
  REQUIRE(who(world, "login") == "external");
  CHECK(world.call(edit_by(world, ""), says("Login")).problems.empty());
  REQUIRE(who(world, "login") == "main");
  world.clock.advance(5000);
  const std::string context = world.say(world.start("s3")).context;
  CHECK((context.find("no session reported it") != std::string::npos) == another);
  CHECK(context.find("main: task login done") != std::string::npos);
  CHECK(context.find("attributed") == std::string::npos);
  CHECK((context.find("external: ") != std::string::npos) == another);
}

TEST_CASE("a subagent that was stopped by hand is credited with nothing that changes later") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  world.quiet(world.agent_start("a2"));
  world.quiet(begins(world, "a1"));
  world.quiet(begins(world, "a2"));
  HookEvent told = world.prompt("");
  told.notified = {{"a1", GENERATE("killed", "failed")}};
  world.say(told);
  tick(world, "Login");
  world.say(world.prompt("go on"));
  // The other one still runs.
  CHECK(who(world, "login") == "subagent:coder");
  CHECK(ids_of(world.agent("a1").completed_tasks).empty());
  CHECK(ids_of(world.agent("a2").completed_tasks) == Ids{"login"});
  told.notified = {{"a2", "killed"}};
  world.say(told);
  tick(world, "Logout");
  world.say(world.prompt("and on"));
  CHECK(who(world, "logout") == "external");
}

TEST_CASE("what changed before a command began, and without one, is nobody's") {
  HookWorld world;
  world.say(world.start());
  tick(world, "Login");
  world.quiet(begins(world, ""));
  CHECK(who(world, "login") == "external");
  world.quiet(world.end());
  world.say(world.start("s2"));
  tick(world, "Logout");
  world.say(world.settled("s2"));
  CHECK(who(world, "logout") == "external");
}

TEST_CASE("an edit that a payload tells of is its author's, whoever has a command in the shell") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  world.quiet(begins(world, "a1"));
  tick(world, "Login");
  CHECK(world.call(edit_by(world, ""), says("Login")).answer.silent());
  CHECK(who(world, "login") == "main");
  CHECK(how(world, "login").empty());
}

TEST_CASE("a tick through our MCP server is the subagent's whose hook names the call") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  REQUIRE(app::set_tasks(world.context, world.location, {"login"}, core::BoxState::done, {"main"}));
  CHECK(who(world, "login") == "main");
  HookEvent batch = world.settled();
  const auto say = [&](const std::string& agent, const Ids& ticked) {
    batch.agent_id = agent;
    batch.agent_type = agent.empty() ? "" : "coder";
    clients::Payload payload(batch, {}, {ticked, {}});
    CHECK(app::answer_hook(world.context, *world.client, payload).answer.silent());
  };
  say("", {"login"});
  say("a1", {"logout"});
  CHECK(who(world, "login") == "main");
  say("a1", {"login"});
  CHECK(who(world, "login") == "subagent:coder");
  CHECK(ids_of(world.agent("a1").completed_tasks) == Ids{"login"});
  CHECK(world.count(EventKind::task_attributed) == 1);
  say("a1", {"login"});
  CHECK(world.count(EventKind::task_attributed) == 1);
  // The history alone says the same.
  world.disk().erase("/home/kim/.checkpoint/state.json");
  world.say(world.settled());
  CHECK(who(world, "login") == "subagent:coder");
}

namespace {

// Another plan of the project, a session in the first one, and a subagent of it.
app::PlanLocation begin_beside(HookWorld& world) {
  world.disk().put_folder("/home/kim/.git");
  app::PlanLocation other{"/home/kim/plans/api", "plan.md"};
  world.disk().put(other.path(), test::kPlanText);
  REQUIRE(app::start_tracking(world.context, other));
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  return other;
}

core::State recorded(HookWorld& world, const app::PlanLocation& plan) {
  auto state = core::decode_state(*world.disk().get(plan.folder + "/.checkpoint/state.json"));
  REQUIRE(state);
  return std::move(*state);
}

}  // namespace

TEST_CASE("a tick through our MCP server in another plan than the session's is the subagent's too") {
  struct Case {
    const char* named;   // as the call names the plan
    const char* ticked;  // the ids that it names
    bool also_here;      // the main thread has just ticked a task of that id in the session's plan
    const char* there = "subagent:coder";
    const char* here = "main";
  };
  const Case one = GENERATE(values<Case>({
      {"plans/api/plan.md", "login", true},
      {"/home/kim/plans/api", "login", true},
      {"./plans/api/", "login", true},
      {"api", "login", true},
      {"", "login", false},
      // Either may be meant: the session's is.
      {"", "login", true, "main", "subagent:coder"},
      {"web", "login", true, "main"},
      {"plan.md", "login", false, "main"},
      {"api", "logout", true, "main"},
  }));
  CAPTURE(one.named, one.ticked, one.also_here);
  HookWorld world;
  const app::PlanLocation other = begin_beside(world);
  REQUIRE(app::set_tasks(world.context, other, {"login"}, core::BoxState::done, {"main"}));
  if (one.also_here)
    REQUIRE(app::set_tasks(world.context, world.location, {"login"}, core::BoxState::done, {"main"}));
  HookEvent batch = world.settled();
  batch.agent_id = "a1";
  // Not every payload says the type.
  batch.agent_type = GENERATE("coder", "");
  clients::Payload payload(batch, {}, {{one.ticked}, {}, one.named});
  CHECK(app::answer_hook(world.context, *world.client, payload).problems.empty());
  const core::State state_there = recorded(world, other);
  CHECK(World::task(state_there, "login")->completed_by == one.there);
  if (one.also_here) CHECK(who(world, "login") == one.here);
}

TEST_CASE("a claim through our MCP server in another plan than the session's is the subagent's too") {
  HookWorld world;
  const app::PlanLocation other = begin_beside(world);
  app::ClaimRequest request;
  request.by_default = request.for_session = true;
  REQUIRE(app::claim_task(world.context, other, "login", request));
  HookEvent batch = world.settled();
  batch.agent_id = "a1";
  batch.agent_type = "coder";
  clients::Payload payload(batch, {}, {{}, {{"login", 0}}, "api"});
  CHECK(app::answer_hook(world.context, *world.client, payload).problems.empty());
  const core::State there = recorded(world, other);
  REQUIRE(there.leases.size() == 1);
  CHECK(there.leases.front().by == "subagent:coder");
  CHECK(there.leases.front().session == "s1");
}

TEST_CASE("a tick of the main thread's that is older than a minute stays its own") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  REQUIRE(app::set_tasks(world.context, world.location, {"login"}, core::BoxState::done, {"main"}));
  world.clock.advance(core::kAttributionMilliseconds + 1);
  HookEvent batch = world.settled();
  batch.agent_id = "a1";
  batch.agent_type = "coder";
  clients::Payload payload(batch, {}, {{"login"}, {}});
  (void)app::answer_hook(world.context, *world.client, payload);
  CHECK(who(world, "login") == "main");
}

TEST_CASE("a patch in a here-document is its agent's, though nobody reports that it was made") {
  HookWorld world;
  world.client = clients::find_client("codex");
  world.say(world.start());
  HookEvent patch = world.event(HookKind::shell_started);
  patch.paths = {"plan.md"};
  std::string actor = "main";
  SECTION("main") {}
  SECTION("a subagent") {
    patch.agent_id = "a1";
    patch.agent_type = "coder";
    actor = "subagent:coder";
  }
  CHECK(world.call(patch, {{"- [ ] Login form", "- [x] Login form <!-- TASK: login | after: schema -->"}})
            .problems.empty());
  const auto tick = [&world](const std::string& title) {
    std::string text = world.plan();
    text.replace(text.find("[ ] " + title), 3, "[x]");
    world.put_plan(text);
    world.clock.advance(1000);
  };
  SECTION("the lines that it names, and no others") {
    tick("Login");
    tick("Release");
    world.say(world.turn("ok"));
    CHECK(world.task(world.now(), "login")->completed_by == actor);
    CHECK(world.task(world.now(), "notes")->completed_by == "external");
    CHECK(world.count(EventKind::checksum_mismatch) == 1);
  }
  SECTION("then the plan was edited by nobody else") {
    tick("Login");
    world.say(world.turn("ok"));
    CHECK(world.task(world.now(), "login")->completed_by == actor);
    CHECK(world.count(EventKind::checksum_mismatch) == 0);
  }
  SECTION("for a minute") {
    tick("Login");
    world.clock.advance(60'000);
    world.say(world.turn("ok"));
    CHECK(world.task(world.now(), "login")->completed_by == "external");
  }
}
