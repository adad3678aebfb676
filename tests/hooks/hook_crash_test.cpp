// Sessions that died without an end: who is found dead, when, and what is told of it (spec 10).
#include <catch2/catch.hpp>

#include "editing/claim.hpp"
#include "hook_world.hpp"

using namespace plankeep;
using Catch::Contains;
using core::EventKind;
using core::HookEvent;
using core::HookKind;
using test::HookWorld;
using test::ids_of;

namespace {

constexpr std::int64_t kMinute = 60'000;

HookEvent in_process(HookEvent event, std::int64_t process) {
  event.process = process;
  return event;
}

std::vector<std::string> crashed(HookWorld& world) {
  std::vector<std::string> sessions;
  for (const core::Event& event : world.events()) {
    if (event.kind == EventKind::session_crash) sessions.push_back(event.session);
  }
  return sessions;
}

}  // namespace

TEST_CASE("a session whose process is gone is found dead by the next one, however short ago it spoke") {
  HookWorld world;
  world.processes.running[4711] = "4711:100";
  world.say(in_process(world.start("s1"), 4711));
  CHECK(world.session("s1").process == "4711:100");
  SECTION("gone") {
    world.processes.running.clear();
  }
  SECTION("its number belongs to another one by now") {
    world.processes.running[4711] = "4711:200";
  }
  world.clock.advance(1500);
  const core::HookAnswer answer = world.say(world.start("s2"));
  CHECK_THAT(answer.context, Contains("ended unexpectedly"));
  CHECK(crashed(world) == std::vector<std::string>{"s1"});
  CHECK(world.session("s1").ended_at == world.clock.now());
  const auto events = world.events();
  const auto crash = std::find_if(events.begin(), events.end(), [](const core::Event& event) {
    return event.kind == EventKind::session_crash;
  });
  REQUIRE(crash + 1 < events.end());
  CHECK(crash->last_known_state == "state.json");
  CHECK((crash + 1)->kind == EventKind::session_recovered);
  CHECK((crash + 1)->session == "s1");
  CHECK((crash + 1)->from == "state.json");
  CHECK((crash + 1)->tasks_restored == 1);
}

TEST_CASE("a session whose process runs is never buried, however silent") {
  HookWorld world;
  world.processes.running[4711] = "4711:100";
  world.say(in_process(world.start("s1"), 4711));
  world.clock.advance(30 * 24 * 60 * kMinute);
  CHECK_THAT(world.say(world.start("s2")).context, !Contains("unexpectedly"));
  CHECK(crashed(world).empty());
  CHECK_FALSE(world.session("s1").ended_at);
}

TEST_CASE("where the system tells no more of a process, only silence counts") {
  HookWorld world;
  world.processes.running[4711] = "4711:100";
  world.say(in_process(world.start("s1"), 4711));
  world.processes.running[4711] = "";
  world.clock.advance(9 * kMinute);
  world.say(world.start("s2"));
  CHECK(crashed(world).empty());
  world.clock.advance(kMinute);
  world.say(world.start("s3"));
  CHECK(crashed(world) == std::vector<std::string>{"s1"});
}

TEST_CASE("a session without a known process is dead after ten minutes of silence and not before") {
  HookWorld world;
  world.say(world.start("s1"));
  world.clock.advance(10 * kMinute - 1);
  world.say(world.start("s2"));
  CHECK(crashed(world).empty());
  world.clock.advance(1);
  world.say(world.start("s3"));
  CHECK(crashed(world) == std::vector<std::string>{"s1"});
}

TEST_CASE("prompts, turns and long runs of tools break the silence") {
  HookWorld world;
  world.say(world.start("s1"));
  world.clock.advance(9 * kMinute);
  SECTION("a prompt") {
    world.quiet(world.prompt("go on"));
  }
  SECTION("the end of a turn") {
    world.quiet(world.turn("I went on."));
  }
  SECTION("a batch of tools") {
    world.quiet(world.settled());
  }
  SECTION("a command") {
    world.quiet(world.event(HookKind::shell_ran));
  }
  world.clock.advance(9 * kMinute);
  world.say(world.start("s2"));
  CHECK(crashed(world).empty());
}

TEST_CASE("tools that follow each other do not write the session down each time") {
  HookWorld world;
  world.say(world.start("s1"));
  world.clock.advance(5000);
  world.disk().forget_log();
  world.quiet(world.settled());
  CHECK(world.operations_named("write") == 0);
  CHECK(world.operations_named("lock") == 0);
}

TEST_CASE("a clock that was set back buries nobody") {
  HookWorld world;
  world.say(world.start("s1"));
  world.clock.advance(-60 * kMinute);
  world.say(world.start("s2"));
  CHECK(crashed(world).empty());
}

TEST_CASE("the same session starting again without an end died in between") {
  HookWorld world;
  world.processes.running[4711] = "4711:100";
  world.say(in_process(world.start("s1"), 4711));
  world.clock.advance(2000);
  const std::string source = GENERATE("startup", "resume");
  CHECK_THAT(world.say(in_process(world.start("s1", source), 4711)).context, Contains("ended unexpectedly"));
  CHECK(crashed(world) == std::vector<std::string>{"s1"});
  CHECK_FALSE(world.session("s1").ended_at);
  CHECK(world.session("s1").started_at == world.clock.now());
  CHECK(world.now().sessions.size() == 1);
}

TEST_CASE("a session that is compacted or cleared goes on") {
  HookWorld world;
  world.say(world.start("s1"));
  world.clock.advance(2000);
  const std::string source = GENERATE("compact", "clear", "fork");
  CHECK_FALSE(world.say(world.start("s1", source)).context.empty());
  CHECK(crashed(world).empty());
  CHECK(world.count(EventKind::session_started) == 1);
}

TEST_CASE("a session that ended and is resumed starts anew and nobody died") {
  HookWorld world;
  world.say(world.start("s1"));
  world.clock.advance(2000);
  world.quiet(world.end("s1"));
  world.clock.advance(2000);
  CHECK_FALSE(world.say(world.start("s1", "resume")).context.empty());
  CHECK(crashed(world).empty());
  CHECK(world.count(EventKind::session_started) == 2);
  CHECK(world.count(EventKind::session_ended) == 1);
}

TEST_CASE("a crash is told with the subagents that were cut off and what they had left") {
  HookWorld world;
  world.processes.running[4711] = "4711:100";
  world.say(in_process(world.start("s1"), 4711));
  world.quiet(world.assign("t1", "Do `login` and `notes`."));
  world.quiet(world.agent_start("a1"));
  world.edit("[ ] Release", "[x] Release");
  HookEvent edit = world.written();
  edit.agent_id = "a1";
  edit.agent_type = "coder";
  world.say(edit);
  world.processes.running.clear();
  world.clock.advance(2000);
  const core::HookAnswer answer = world.say(world.start("s2"));
  CHECK_THAT(answer.context, Contains("Subagents that ended before reporting"));
  CHECK_THAT(answer.context, Contains("coder: still open login"));
  CHECK(world.agent("a1").status == core::AgentStatus::lost);
  CHECK(ids_of(world.agent("a1").completed_tasks) == std::vector<std::string>{"notes"});
  SECTION("and once only") {
    world.quiet(world.end("s2"));
    world.clock.advance(2000);
    CHECK_THAT(world.say(world.start("s3")).context, !Contains("cut off"));
  }
}

TEST_CASE("after a crash a lost subagent's claimed task is told, though it was assigned none") {
  HookWorld world;
  world.processes.running[4711] = "4711:100";
  world.say(in_process(world.start("s1"), 4711));
  world.quiet(world.agent_start("a1"));
  app::ClaimRequest request;
  request.actor = "subagent:coder";
  request.session = "s1";
  REQUIRE(app::claim_task(world.context, world.location, "notes", request));
  world.processes.running.clear();
  world.clock.advance(2000);
  CHECK_THAT(world.say(world.start("s2")).context, Contains("coder: still open notes"));
}

TEST_CASE("what was believed when a session died, and from which file, is recorded") {
  HookWorld world;
  world.processes.running[4711] = "4711:100";
  world.say(in_process(world.start("s1"), 4711));
  world.quiet(world.compact());
  world.processes.running.clear();
  std::string file;
  SECTION("from a recovery copy") {
    world.disk().put("/home/kim/.checkpoint/state.json", "{");
    file = "recovery.json";
  }
  SECTION("from the history") {
    world.disk().put("/home/kim/.checkpoint/state.json", "{");
    world.disk().erase("/home/kim/.checkpoint/recovery.json");
    world.disk().erase("/home/kim/.checkpoint/recovery.1.json");
    world.disk().erase("/home/kim/.checkpoint/recovery.2.json");
    file = "history.jsonl";
  }
  world.clock.advance(10 * kMinute);
  world.say(world.start("s2"));
  const auto events = world.events();
  const auto crash = std::find_if(events.begin(), events.end(), [](const core::Event& event) {
    return event.kind == EventKind::session_crash;
  });
  REQUIRE(crash != events.end());
  CHECK(crash->last_known_state == file);
}

TEST_CASE("a client without a start finds the dead with its first prompt") {
  HookWorld world;
  clients::Client shy = *world.client;
  shy.tells_model = [](const HookEvent& event) { return event.kind == HookKind::prompt_submitted; };
  world.client = &shy;
  world.say(world.prompt("hello", "s1"));
  world.clock.advance(10 * kMinute);
  CHECK_THAT(world.say(world.prompt("hello", "s2")).context, Contains("ended unexpectedly"));
  CHECK(crashed(world) == std::vector<std::string>{"s1"});
}
