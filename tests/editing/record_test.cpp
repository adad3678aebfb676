#include "editing/record.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;
using Lines = std::vector<std::string>;

namespace {

struct Tracked : World {
  Tracked() {
    put_plan(test::kPlanText);
    if (!app::track(context, location, {})) FAIL("cannot track");
  }
  app::Outcome good(base::Result<app::Outcome> outcome) {
    if (!outcome) FAIL(outcome.error().message);
    return std::move(*outcome);
  }
};

}  // namespace

TEST_CASE("a decision stands in the plan under the current phase and in the records with its time") {
  Tracked world;
  const auto outcome = world.good(app::record_decision(world.context, world.location,
                                                       "Use  argon2\nfor hashes", "scrypt is older", "main"));
  CHECK(world.plan().find("<!-- DECISION: Use argon2 for hashes | reason: scrypt is older -->") !=
        std::string::npos);
  CHECK(world.plan().find("DECISION") < world.plan().find("## Ship"));
  REQUIRE(outcome.state.decisions.size() == 1);
  CHECK(outcome.state.decisions[0].decision == "Use argon2 for hashes");
  CHECK(outcome.state.decisions[0].time == world.clock.now());
  SECTION("twice is once") {
    const auto before = world.disk().everything();
    CHECK(world
              .good(app::record_decision(world.context, world.location, "Use argon2 for hashes",
                                         "scrypt is older", "main"))
              .events.empty());
    CHECK(world.disk().everything() == before);
  }
}

TEST_CASE("who decided, blocked, resolved and noted something is kept") {
  Tracked world;
  world.good(app::record_decision(world.context, world.location, "Use argon2", "", "person:kim"));
  world.good(app::raise_blocker(world.context, world.location, "no key", "team:x"));
  world.good(app::resolve_blocker(world.context, world.location, "1", "subagent:ops"));
  world.good(app::save_note(world.context, world.location, "look here", "person:lee"));
  std::vector<std::string> told;
  for (const std::string& line : world.told()) {
    if (line.starts_with("decision_") || line.starts_with("blocker_") || line.starts_with("note_"))
      told.push_back(line);
  }
  CHECK(told == std::vector<std::string>{"decision_recorded person:kim", "blocker_raised team:x",
                                         "blocker_resolved subagent:ops", "note_saved person:lee"});
}

TEST_CASE("texts that no marker can hold are refused and nothing is written") {
  Tracked world;
  const auto before = world.disk().everything();
  for (const std::string& text :
       {std::string("a --> b"), std::string("  \n"), std::string("\xff"), std::string("")}) {
    const auto outcome = app::record_decision(world.context, world.location, text, "", "main");
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().kind == base::ErrorKind::invalid_input);
  }
  CHECK(world.disk().everything() == before);
}

TEST_CASE("blockers come and go by number, by text and by a part of it") {
  Tracked world;
  world.good(app::raise_blocker(world.context, world.location, "Waiting for the API key", "main"));
  world.good(app::raise_blocker(world.context, world.location, "API is down", "main"));
  CHECK(world.state()->blockers.size() == 2);

  auto which = app::resolve_blocker(world.context, world.location, "api", "main");
  REQUIRE_FALSE(which);
  CHECK(which.error().kind == base::ErrorKind::ambiguous);
  which = app::resolve_blocker(world.context, world.location, "3", "main");
  REQUIRE_FALSE(which);
  CHECK(which.error().kind == base::ErrorKind::not_found);

  world.good(app::resolve_blocker(world.context, world.location, "API KEY", "main"));
  CHECK(world.state()->blockers == std::vector<std::string>{"API is down"});
  const auto last = world.good(app::resolve_blocker(world.context, world.location, "1", "main"));
  CHECK(last.events.front().kind == core::EventKind::blocker_resolved);
  CHECK(world.plan() == test::kPlanText);
}

TEST_CASE("a note written by hand is no automatic one, also in the same words") {
  Tracked world;
  core::State state = *world.state();
  state.session_notes = "so far";
  state.note_is_automatic = true;
  world.disk().put("/home/kim/.checkpoint/state.json", core::encode_state(state));
  const std::string text = GENERATE("so far", "further");
  CHECK(world.good(app::save_note(world.context, world.location, text, "main")).events.size() == 1);
  CHECK(world.state()->session_notes == text);
  CHECK_FALSE(world.state()->note_is_automatic);
  CHECK(world.good(app::save_note(world.context, world.location, text, "main")).events.empty());

  world.disk().erase("/home/kim/.checkpoint/state.json");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(world.state()->session_notes == text);
  CHECK_FALSE(world.state()->note_is_automatic);
}

TEST_CASE("a note is saved while the plan cannot be read, with a warning, once") {
  Tracked world;
  world.disk().erase("/home/kim/plan.md");
  for (const bool again : {false, true}) {
    const app::Outcome noted = world.good(app::save_note(world.context, world.location, "remember", "main"));
    CHECK(noted.readable);
    REQUIRE(noted.warnings.size() == 1);
    CHECK(noted.warnings[0].find("missing") != std::string::npos);
    CHECK(World::lines_of(noted.events).empty() == again);
  }
  CHECK(world.state()->session_notes == "remember");
}

TEST_CASE("a note is kept in the records, not in the plan, and survives a loss of the state") {
  Tracked world;
  world.good(app::save_note(world.context, world.location, "Look at the\nmigration first", "main"));
  CHECK(world.plan() == test::kPlanText);
  CHECK(world.state()->session_notes == "Look at the\nmigration first");
  CHECK(world.events().back().kind == core::EventKind::note_saved);
  const std::size_t events = world.events().size();
  CHECK(world.good(app::save_note(world.context, world.location, "Look at the\nmigration first", "main"))
            .events.empty());
  CHECK(world.events().size() == events);

  world.disk().erase("/home/kim/.checkpoint/state.json");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(world.state()->session_notes == "Look at the\nmigration first");

  world.good(app::save_note(world.context, world.location, "", "main"));
  CHECK_FALSE(world.state()->session_notes);
  world.disk().erase("/home/kim/.checkpoint/state.json");
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK_FALSE(world.state()->session_notes);
}
