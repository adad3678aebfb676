#include "rules/recovery_policy.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::core;

TEST_CASE("every fifth save and every completed phase make a recovery copy") {
  State state;
  Event completed;
  completed.kind = EventKind::phase_completed;
  const std::vector<Event> none;
  const std::vector<Event> one{completed};
  state.revision = 4;
  CHECK_FALSE(recovery_reason(state, none).has_value());
  CHECK(recovery_reason(state, one) == "phase_completed");
  state.revision = 5;
  CHECK(recovery_reason(state, none) == "every_5th_save");
  state.revision = 10;
  CHECK(recovery_reason(state, none).has_value());
}

TEST_CASE("a copy without tasks never takes the place of one with some") {
  State none;
  State some;
  some.phases.emplace_back();
  some.phases[0].tasks.emplace_back();
  CHECK(may_replace(none, none));
  CHECK(may_replace(none, some));
  CHECK(may_replace(some, some));
  CHECK_FALSE(may_replace(some, none));
}
