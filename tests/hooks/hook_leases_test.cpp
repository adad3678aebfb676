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
