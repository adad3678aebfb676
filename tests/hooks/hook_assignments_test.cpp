// What subagents were given, whatever the order in which hooks and files come, and which plan a claim is
// about.
#include <catch2/catch.hpp>
#include <tuple>
#include <utility>

#include "hook_world.hpp"
#include "reports/resume.hpp"

using namespace plankeep;
using Catch::Contains;
using core::EventKind;
using core::HookEvent;
using core::HookKind;
using test::HookWorld;
using test::ids_of;
using Ids = std::vector<std::string>;

namespace {

const std::string kLog = "/home/kim/log/s1.jsonl";
const std::string kAll = "All assigned tasks are complete.";

HookEvent with_log(HookEvent event) {
  event.transcript = kLog;
  return event;
}

HookEvent by(HookEvent event, const std::string& agent, const std::string& type = "coder") {
  event.agent_id = agent;
  event.agent_type = type;
  return with_log(std::move(event));
}

void put_meta(HookWorld& world, const std::string& agent, const std::string& tool_use) {
  world.disk().put("/home/kim/log/s1/subagents/agent-" + agent + ".meta.json",
                   "{\"toolUseId\": \"" + tool_use + "\"}");
}

void put_prompt(HookWorld& world, const std::string& agent, const std::string& prompt) {
  world.disk().put("/home/kim/log/s1/subagents/agent-" + agent + ".jsonl",
                   "{\"type\":\"user\",\"isSidechain\":true,\"message\":{\"role\":\"user\",\"content\":\"" +
                       prompt + "\"}}\n");
}

void tick(HookWorld& world, const std::string& agent, const std::string& title) {
  world.edit("[ ] " + title, "[x] " + title);
  world.quiet(by(world.written(), agent));
}

// Two plans that have T001 both; alpha alone has T002, beta alone T003.
void put_two_plans(HookWorld& world) {
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/plans/alpha/plan.md",
                   "# Alpha\n- [ ] One <!-- TASK: T001 -->\n- [ ] Two <!-- TASK: T002 -->\n");
  world.disk().put("/home/kim/plans/beta/plan.md",
                   "# Beta\n- [ ] One <!-- TASK: T001 -->\n- [ ] Three <!-- TASK: T003 -->\n");
  world.say(world.start());
}

}  // namespace

TEST_CASE("the only call that waits started the agent that begins") {
  HookWorld world;
  world.quiet(world.assign("t1", "Do `login`."));
  world.quiet(world.assign("t3", "Do `notes`.", "tester"));
  world.quiet(world.agent_start("a3", "tester"));
  world.quiet(world.agent_start("a1"));
  CHECK(ids_of(world.agent("a1").assigned_tasks) == Ids{"login"});
  CHECK(ids_of(world.agent("a3").assigned_tasks) == Ids{"notes"});
}

TEST_CASE("a call that names no type is that of the client's default") {
  HookWorld world;
  world.quiet(world.assign("t1", "Do `login`.", ""));
  world.quiet(world.agent_start("a1", "default"));
  CHECK(ids_of(world.agent("a1").assigned_tasks) == Ids{"login"});
}

TEST_CASE("parallel subagents of one type get their own tasks, whatever comes first") {
  HookWorld world;
  world.say(with_log(world.start()));
  const bool late = GENERATE(false, true);  // their files appear when they stop, or with their first tools
  const bool prompts = GENERATE(false, true);
  const bool second_first = GENERATE(false, true);
  CAPTURE(late, prompts, second_first);
  world.quiet(world.assign("t1", "Do `login`."));
  world.quiet(world.assign("t2", "Do `notes`."));
  const std::string first = second_first ? "a2" : "a1";
  const std::string second = second_first ? "a1" : "a2";
  world.quiet(by(world.agent_start(first), first));
  world.quiet(by(world.agent_start(second), second));
  CHECK(world.agent("a1").assigned_tasks.empty());
  CHECK(world.agent("a2").assigned_tasks.empty());
  const auto appear = [&] {
    for (const auto& [agent, call, prompt] :
         {std::tuple{"a1", "t1", "Do `login`."}, std::tuple{"a2", "t2", "Do `notes`."}}) {
      prompts ? put_prompt(world, agent, prompt) : put_meta(world, agent, call);
    }
  };
  if (!late) {
    appear();
    world.quiet(by(world.settled(), "a1"));
    world.quiet(by(world.settled(), "a2"));
    CHECK(ids_of(world.agent("a1").assigned_tasks) == Ids{"login"});
    CHECK(ids_of(world.agent("a2").assigned_tasks) == Ids{"notes"});
  }
  tick(world, "a1", "Login");
  if (late) appear();
  // The honest one is let go, the other one is not excused by what its neighbour did.
  world.quiet(by(world.agent_stop("a1", kAll), "a1"));
  const std::string block = world.say(by(world.agent_stop("a2", kAll), "a2")).block;
  CHECK_THAT(block, Contains("notes"));
  CHECK_THAT(block, !Contains("login"));
  CHECK(ids_of(world.agent("a1").assigned_tasks) == Ids{"login"});
  CHECK(ids_of(world.agent("a2").assigned_tasks) == Ids{"notes"});
}

TEST_CASE("whose assignment is not certain answers only for what it names") {
  HookWorld world;
  world.say(with_log(world.start()));
  world.quiet(world.assign("t1", "Do `login`."));
  world.quiet(world.assign("t2", "Do `notes`."));
  world.quiet(by(world.agent_start("a1"), "a1"));
  world.quiet(by(world.agent_start("a2"), "a2"));
  const std::string words = GENERATE("All tasks are complete.", "All assigned tasks are complete.");
  world.quiet(by(world.agent_stop("a1", words), "a1"));
  CHECK_THAT(world.say(by(world.agent_stop("a2", "Task `notes` is done."), "a2")).block, Contains("notes"));
}

TEST_CASE("a prompt that comes with a second start is the assignment") {
  HookWorld world;
  world.quiet(world.agent_start("a1"));
  HookEvent again = world.agent_start("a1");
  again.prompt = "Do `logout`.";
  world.quiet(again);
  CHECK(ids_of(world.agent("a1").assigned_tasks) == Ids{"logout"});
  const std::size_t starts = world.count(EventKind::subagent_started);
  world.quiet(again);
  CHECK(world.count(EventKind::subagent_started) == starts);
  CHECK(world.copies("pre_subagent_spawn") == 1);
}

TEST_CASE("a session that died is told with the tasks of its subagents, also to itself") {
  HookWorld world;
  world.processes.running[7] = "7:1";
  HookEvent start = with_log(world.start());
  start.process = 7;
  world.say(start);
  world.quiet(world.assign("t1", "Do `login`."));
  world.quiet(world.assign("t2", "Do `notes`."));
  world.quiet(by(world.agent_start("a1"), "a1"));
  put_meta(world, "a1", "t1");  // too late for any hook of the agent's own
  world.processes.running.clear();
  world.clock.advance(60'000);
  const std::string next = GENERATE("s1", "s2");
  HookEvent resumed = world.start(next, next == "s1" ? "resume" : "startup");
  resumed.transcript = "/home/kim/log/" + next + ".jsonl";
  const std::string context = world.say(resumed).context;
  CHECK_THAT(context, Contains("coder"));
  CHECK_THAT(context, Contains("login"));
  CHECK(ids_of(world.agent("a1").assigned_tasks) == Ids{"login"});
}

TEST_CASE("the audit asks the plan that the agent was given, wrote in or names") {
  HookWorld world("");
  put_two_plans(world);
  const auto start = [&world](const std::string& prompt) {
    HookEvent event = world.agent_start("a1");
    event.prompt = prompt;
    world.quiet(event);
  };
  const auto stop = [&world](const std::string& words) {
    return world.say(world.agent_stop("a1", words)).block;
  };
  SECTION("named by its path in the prompt: an open one") {
    start("Do T001 of plans/beta/plan.md.");
    CHECK_THAT(stop("T001 is done."), Contains("plans/beta/plan.md"));
  }
  SECTION("named by its path in the prompt: a ticked one, open in the other plan") {
    start("Do T001 of plans/beta/plan.md.");
    world.disk().put("/home/kim/plans/beta/plan.md",
                     "# Beta\n- [x] One <!-- TASK: T001 -->\n- [ ] Three <!-- TASK: T003 -->\n");
    CHECK(stop("T001 is done.").empty());
  }
  SECTION("named by its id") {
    start("Work on the beta plan.");
    CHECK_THAT(stop("T001 is done."), Contains("plans/beta/plan.md"));
  }
  SECTION("given by an id that it alone has") {
    start("Do T003.");
    CHECK_THAT(stop("T001 is done."), Contains("plans/beta/plan.md"));
  }
  SECTION("where it ticked something") {
    start("Go on.");
    world.disk().put("/home/kim/plans/beta/plan.md",
                     "# Beta\n- [ ] One <!-- TASK: T001 -->\n- [x] Three <!-- TASK: T003 -->\n");
    world.quiet(by(world.written("/home/kim/plans/beta/plan.md"), "a1"));
    CHECK_THAT(stop("T001 is done."), Contains("plans/beta/plan.md"));
  }
  SECTION("named in its message") {
    start("Go on.");
    CHECK_THAT(stop("In plans/alpha/plan.md: T001 is done."), Contains("plans/alpha/plan.md"));
  }
}

TEST_CASE("who edits is known although the client does not say it") {
  HookWorld world;
  SECTION("an id without a type") {
    world.quiet(world.agent_start("a1"));
    world.edit("[ ] Login", "[x] Login");
    world.quiet(by(world.written(), "a1", ""));
    CHECK(world.now().phases[0].tasks[1].completed_by == "subagent:coder");
  }
  SECTION("a client whose subagents act in conversations that nothing ties to them") {
    world.client = clients::find_client("cursor");
    world.say(world.start());
    world.say(world.start("s2"));
    world.quiet(world.agent_start("a1", "coder"));
    HookEvent edit = world.written();
    SECTION("the subagent's") {
      edit.session_id = "child";
      world.edit("[ ] Login", "[x] Login");
      world.quiet(edit);
      CHECK(world.now().phases[0].tasks[1].completed_by == "subagent:coder");
      CHECK(ids_of(world.agent("a1").completed_tasks) == Ids{"login"});
      world.say(world.agent_stop("a1", "Done."));
      edit.session_id = "other";
      world.edit("[ ] Logout", "[x] Logout");
      world.say(edit);
      CHECK(world.now().phases[0].tasks[2].completed_by == "main");
    }
    SECTION("its parent's, or a conversation's that a person began") {
      edit.session_id = GENERATE("s1", "s2");
      world.edit("[ ] Login", "[x] Login");
      world.quiet(edit);
      CHECK(world.now().phases[0].tasks[1].completed_by == "main");
    }
  }
  SECTION("a client whose tools never say that a subagent acts") {
    world.client = clients::find_client("gemini");
    world.say(world.start());
    world.quiet(world.agent_start("gemini:s1:generalist", "generalist"));
    const bool two = GENERATE(false, true);
    if (two) world.quiet(world.agent_start("gemini:s1:scout", "scout"));
    world.edit("[ ] Login", "[x] Login");
    world.quiet(world.written());
    CHECK(world.now().phases[0].tasks[1].completed_by == (two ? "external" : "subagent:generalist"));
    // One that was cut off is over with the next prompt.
    world.clock.advance(2000);
    world.say(world.prompt("and now?"));
    world.edit("[ ] Logout", "[x] Logout");
    world.say(world.written());
    CHECK(world.now().phases[0].tasks[2].completed_by == "main");
  }
}
