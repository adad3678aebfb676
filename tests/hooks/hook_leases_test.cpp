// Leases of a session: its own hooks renew them (rules/lease).
#include <catch2/catch.hpp>

#include "editing/claim.hpp"
#include "hook_world.hpp"

using namespace plankeep;
using core::EventKind;
using test::HookWorld;

namespace {

constexpr std::int64_t kMinute = 60'000;

void claim(HookWorld& world, const std::string& actor, const std::string& session) {
  app::ClaimRequest request;
  request.actor = actor;
  request.session = session;
  const auto claimed = app::claim_task(world.context, world.location, "login", request);
  if (!claimed) FAIL(claimed.error().message);
  REQUIRE(claimed->lease);
}

}  // namespace

TEST_CASE("a session that goes on working keeps what it holds, at one save each half time") {
  HookWorld world;
  world.say(world.start());
  claim(world, "main", "s1");
  const std::int64_t begun = world.clock.now().milliseconds;
  for (int minute = 1; minute <= 60; ++minute) {
    world.clock.advance(kMinute);
    world.quiet(world.settled());
    world.quiet(world.settled());
  }
  // Claimed once, renewed after 15, 30, 45 and 60 minutes.
  CHECK(world.count(EventKind::task_claimed) == 5);
  const core::LeaseState lease = world.state()->leases.at(0);
  CHECK(lease.fence == 1);
  CHECK(lease.since.milliseconds == begun);
  CHECK(lease.until.milliseconds == begun + 90 * kMinute);
}

TEST_CASE("a tick before its time is spoken of, once") {
  HookWorld world;
  world.say(world.start());
  world.edit("[ ] Logout", "[x] Logout");
  const core::HookAnswer answer = world.say(world.written());
  CHECK_THAT(answer.context + answer.notice,
             Catch::Contains("task logout was ticked before the tasks it depends on: login"));
  world.quiet(world.settled());
}

TEST_CASE("what a subagent claims through our MCP server is its own, and ends with it") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.agent_start("a1"));
  claim(world, "main", "s1");
  const auto batch = [&](const std::string& agent) {
    core::HookEvent event = world.settled();
    event.agent_id = agent;
    event.agent_type = agent.empty() ? "" : "coder";
    clients::Payload payload(event, {}, {{}, {{"login", 1}}});
    CHECK(app::answer_hook(world.context, *world.client, payload).answer.silent());
  };
  batch("");
  CHECK(world.now().leases.at(0).by == "main");
  batch("a1");
  CHECK(world.now().leases.at(0).by == "subagent:coder");
  CHECK(world.now().leases.at(0).fence == 1);
  // Its own hooks renew it.
  world.clock.advance(20 * kMinute);
  batch("a1");
  CHECK(world.count(EventKind::task_claimed) == 3);
  // The history alone says the same.
  world.disk().erase("/home/kim/.checkpoint/state.json");
  world.say(world.settled());
  CHECK(world.now().leases.at(0).by == "subagent:coder");
  world.say(world.agent_stop("a1", "I could not do it."));
  app::ClaimRequest other;
  other.session = "s1";
  const auto taken = app::claim_task(world.context, world.location, "login", other);
  REQUIRE(taken);
  CHECK(taken->result == app::ClaimResult::taken_over);
  CHECK(taken->status == core::LeaseStatus::gone);
}

TEST_CASE("who cannot say which agent of its session it is gives back what its subagents hold") {
  HookWorld world;
  world.say(world.start());
  claim(world, "subagent:coder", "s1");
  app::ClaimRequest request;
  request.session = "s2";
  request.for_session = true;
  const auto release = [&] {
    const auto released = app::release_task(world.context, world.location, "login", request, core::Force::no);
    REQUIRE(released);
    return released->result;
  };
  CHECK(release() == app::ClaimResult::refused);
  request.session = "s1";
  request.for_session = false;
  CHECK(release() == app::ClaimResult::refused);
  request.for_session = true;
  CHECK(release() == app::ClaimResult::released);
  const auto events = world.events();
  CHECK(events.back().by == "subagent:coder");
}
