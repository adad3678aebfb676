#include "checkpoints/own_session.hpp"

#include <catch2/catch.hpp>

#include "hooks/hook_world.hpp"

using namespace plankeep;
using test::HookWorld;

TEST_CASE("a checkpoint that is asked for inside a session belongs to it") {
  HookWorld world;
  world.processes.running[7] = "7:1";
  core::HookEvent start = world.start();
  start.process = 7;
  start.transcript = "/home/kim/log/s1.jsonl";
  world.say(start);
  app::CheckpointRequest request;
  request.manual = true;
  const auto place = [&] { return app::in_own_session(world.context, world.location, request); };
  SECTION("outside of any") {
    CHECK(place().instance == core::kOutsideSessions);
  }
  SECTION("below its client") {
    world.processes.running[30] = "30:1";
    world.processes.parents = {30, 7, 1};
    CHECK(place().instance == "s1");
    CHECK(place().transcript == "/home/kim/log/s1.jsonl");
    SECTION("unless it names another") {
      request.instance = "s9";
      CHECK(place().instance == "s9");
      CHECK(place().transcript.empty());
    }
    SECTION("or nobody asked for it") {
      request.manual = false;
      CHECK(place().instance == core::kOutsideSessions);
    }
    SECTION("or the session is over") {
      world.say(world.end());
      CHECK(place().instance == core::kOutsideSessions);
    }
  }
  SECTION("below another process of the same number") {
    world.processes.running[7] = "7:2";
    world.processes.parents = {7};
    CHECK(place().instance == core::kOutsideSessions);
  }
}
