#include "session_rules/finished_shadow.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::core;

TEST_CASE("a shadow branch goes only when everything speaks for it, and the first reason is told") {
  const ShadowFacts finished{.only_snapshots = true, .old_enough = true, .recorded = true, .committed = true};
  CHECK_FALSE(why_kept(finished));
  CHECK(why_kept({}) == "it has commits that are not snapshots of a session");
  const auto with = [&](bool ShadowFacts::*fact, bool value) {
    ShadowFacts facts = finished;
    facts.*fact = value;
    return why_kept(facts).value_or("");
  };
  CHECK(with(&ShadowFacts::only_snapshots, false) == "it has commits that are not snapshots of a session");
  CHECK(with(&ShadowFacts::checked_out, true) == "it is checked out");
  CHECK(with(&ShadowFacts::running, true) == "its session is running");
  CHECK(with(&ShadowFacts::open_in_entire, true) == "Entire lists its session as open");
  CHECK(with(&ShadowFacts::old_enough, false) == "it is not old enough");
  CHECK(with(&ShadowFacts::recorded, false) == "its session is in no session checkpoint made after it");
  CHECK(with(&ShadowFacts::committed, false) == "it has files that are in no commit");
}
