// What a subagent that was sent back says then, and what its parent is told (spec 10.4).
#include <catch2/catch.hpp>

#include "hook_world.hpp"

using namespace plankeep;
using Catch::Contains;
using core::AgentStatus;
using core::EventKind;
using core::HookEvent;
using test::HookWorld;
using Ids = std::vector<std::string>;

namespace {

HookEvent again(HookEvent event) {
  event.stop_active = true;
  return event;
}

core::Event stop_recorded(HookWorld& world) {
  core::Event last;
  for (const core::Event& event : world.events()) {
    if (event.kind == EventKind::subagent_stopped) last = event;
  }
  return last;
}

}  // namespace

TEST_CASE("who was sent back and only insists still claims, and his parent is told") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  CHECK_FALSE(world.say(world.agent_stop("a1", "`login` is done.")).block.empty());
  world.clock.advance(20'000);
  // While it works on, nobody is told.
  world.quiet(world.settled());
  world.clock.advance(20'000);

  SECTION("in other words") {
    const std::string words = GENERATE("It really is done, I checked again.", "yes.", "");
    CAPTURE(words);
    world.quiet(again(world.agent_stop("a1", words)));
    CHECK(stop_recorded(world).claimed == Ids{"login"});
    CHECK(stop_recorded(world).unverified == Ids{"login"});
    world.clock.advance(2000);
    CHECK_THAT(world.say(world.settled()).context, Contains("subagent coder (a1) said that login is done"));
    world.clock.advance(2000);
    world.quiet(world.settled());
  }
  SECTION("with another claim beside it") {
    world.quiet(again(world.agent_stop("a1", "Yes, and `notes` is done too.")));
    CHECK(stop_recorded(world).unverified.size() == 2);
    CHECK(world.now().findings.size() == 1);
  }
  SECTION("not where it takes it back") {
    const std::string words = GENERATE("You are right, `login` is not done: tests are missing.",
                                       "I was wrong.", "I could not finish it.");
    CAPTURE(words);
    world.quiet(again(world.agent_stop("a1", words)));
    CHECK(stop_recorded(world).claimed.empty());
    CHECK(stop_recorded(world).unverified == Ids{"login"});
    CHECK(world.now().findings.empty());
  }
  SECTION("not where it ticked the box") {
    world.edit("[ ] Login", "[x] Login");
    world.quiet(again(world.agent_stop("a1", "yes.")));
    // It was sent back all the same.
    CHECK(stop_recorded(world).unverified == Ids{"login"});
    CHECK(world.now().findings.empty());
    world.clock.advance(2000);
    world.quiet(again(world.agent_stop("a1", "yes.")));
    CHECK(world.count(EventKind::subagent_stopped) == 1);
  }
  SECTION("not where nobody knows its last words") {
    HookEvent notified = world.prompt("");
    notified.notified = {{"a1", "killed"}};
    world.quiet(notified);
    CHECK(world.agent("a1").status == AgentStatus::stopped);
    CHECK(stop_recorded(world).unverified == Ids{"login"});
    CHECK(world.now().findings.empty());
  }
  SECTION("its session ends before it stops again") {
    world.quiet(world.end());
    CHECK(world.agent("a1").status == AgentStatus::stopped);
    CHECK(stop_recorded(world).unverified == Ids{"login"});
    CHECK(world.now().findings.empty());
  }
  SECTION("somebody ticks the box before the parent is told") {
    world.quiet(again(world.agent_stop("a1", "yes.")));
    REQUIRE(world.now().findings.size() == 1);
    world.clock.advance(2000);
    world.edit("[ ] Login", "[x] Login");
    world.quiet(world.prompt("go on"));
    CHECK(world.now().findings.empty());
  }
  SECTION("said twice it is recorded once") {
    world.quiet(again(world.agent_stop("a1", "yes.")));
    world.clock.advance(2000);
    world.quiet(again(world.agent_stop("a1", "yes.")));
    CHECK(world.count(EventKind::subagent_stopped) == 1);
    CHECK(world.now().findings.size() == 1);
  }
}
