#include "tracking/show.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"
#include "tracking/predecessor.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;

namespace {

app::Shown looked(World& world) {
  auto shown = app::load_shown(world.context, world.location, 5);
  if (!shown) FAIL(shown.error().message);
  return std::move(*shown);
}

bool warns(const app::Shown& shown, std::string_view text) {
  return std::any_of(shown.warnings.begin(), shown.warnings.end(),
                     [text](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

// Runs `look` and checks that the disk is as it was.
app::Shown looked_only(World& world) {
  const auto before = world.disk().everything();
  world.disk().forget_log();
  app::Shown shown = looked(world);
  CHECK(world.disk().everything() == before);
  CHECK(world.operations_named("lock") == 0);
  return shown;
}

}  // namespace

TEST_CASE("an untracked plan is shown from its text, and nothing is written") {
  World world;
  world.put_plan(test::kPlanText);
  const app::Shown shown = looked_only(world);
  CHECK(shown.source == store::Loaded::Source::none);
  CHECK_FALSE(shown.state);
  CHECK(shown.plan);
  CHECK(warns(shown, "not tracked yet"));
}

TEST_CASE("what is not recorded yet is shown with a warning that counts it") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(looked_only(world).warnings.empty());
  world.edit("[ ] Login", "[x] Login");
  const app::Shown shown = looked_only(world);
  CHECK(warns(shown, "1 change is not recorded yet"));
  REQUIRE(shown.state);
  CHECK(World::task(*shown.state, "login")->done);
}

TEST_CASE("a change that no sync has recorded does not change when the newest save was") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  const base::Instant saved = world.state()->last_saved;
  world.clock.advance(60'000);
  world.edit("[ ] Release notes", "[x] Release notes");
  const auto shown = app::load_shown(world.context, world.location, 0);
  REQUIRE(shown);
  CHECK(app::view_of(*shown).last_saved == saved);
}

TEST_CASE("damage is named, and the state is shown as a repair would make it") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  const auto before = world.state();
  world.disk().put("/home/kim/.checkpoint/state.json", "[]");
  const app::Shown shown = looked_only(world);
  CHECK(warns(shown, "state.json is damaged"));
  CHECK(shown.source == store::Loaded::Source::history);
  REQUIRE(shown.state);
  CHECK(shown.state->phases == before->phases);
}

TEST_CASE("without its file a tracked plan is shown from the records") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  SECTION("gone") {
    world.disk().erase("/home/kim/plan.md");
  }
  SECTION("emptied") {
    world.put_plan("nothing\n");
  }
  const app::Shown shown = looked_only(world);
  CHECK_FALSE(shown.plan);
  REQUIRE(shown.state);
  CHECK(shown.state->progress.total == 4);
  CHECK(warns(shown, "last recorded state"));
  CHECK_THAT(shown.unreadable, Catch::Contains("last recorded state"));
}

TEST_CASE("a plan that is gone is looked for under another name in its folder") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  CHECK(app::renamed_words(world.context, world.location).empty());
  world.disk().erase("/home/kim/plan.md");
  world.disk().put("/home/kim/README.md", "# Read me\n\n- [ ] Something else\n");
  CHECK(app::renamed_words(world.context, world.location).empty());
  std::string text(test::kPlanText);
  text.replace(text.find("- [ ] Login"), 5, "- [x]");
  world.disk().put("/home/kim/NEW.md", text);
  CHECK(app::renamed_words(world.context, world.location) == "if it was renamed: plankeep init NEW.md");
  const app::Shown shown = looked_only(world);
  CHECK(warns(shown, "(if it was renamed: plankeep init NEW.md)"));
  CHECK(app::without_plan(shown, "nothing was exported").hint == "if it was renamed: plankeep init NEW.md");
}

TEST_CASE("a plan that is gone is looked for where the project's plans stand") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  world.disk().erase("/home/kim/plan.md");
  world.disk().put("/home/kim/docs/plans/other.md", "# Other\n\n- [ ] Something else\n");
  CHECK(app::renamed_words(world.context, world.location).empty());
  // Nothing is like it: what to do is said in general.
  CHECK(warns(looked_only(world),
              "(if it was renamed or moved: plankeep init NEW-NAME; if it was deleted: "
              "plankeep restore)"));
  world.disk().put("/home/kim/docs/plans/shop.md", test::kPlanText);
  CHECK(app::renamed_words(world.context, world.location) ==
        "if it was moved: plankeep init docs/plans/shop.md");
  CHECK(warns(looked_only(world), "(if it was moved: plankeep init docs/plans/shop.md)"));
}

TEST_CASE("neither plan nor records is an error") {
  World world;
  const auto shown = app::load_shown(world.context, world.location, 5);
  REQUIRE_FALSE(shown);
  CHECK(shown.error().kind == base::ErrorKind::not_found);
}

TEST_CASE("another file of a tracked folder is shown as untracked") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  world.disk().put("/home/kim/other.md", "- [ ] x <!-- TASK: x -->\n");
  world.location.name = "other.md";
  const app::Shown shown = looked_only(world);
  CHECK_FALSE(shown.state);
  CHECK(warns(shown, "not tracked yet: run plankeep init other.md"));
}

TEST_CASE("the phase's note is found by its number") {
  World world;
  world.put_plan(test::kPlanText);
  world.disk().put("/home/kim/phase-02-ship.md", "x");
  world.disk().put("/home/kim/phase-10-more.md", "x");
  CHECK(app::phase_note(world.context, world.location, 2) == "phase-02-ship.md");
  CHECK(app::phase_note(world.context, world.location, 1).empty());
  CHECK(app::phase_note(world.context, world.location, 10) == "phase-10-more.md");
}

TEST_CASE("other plans of the project count as active while they are tracked and not complete") {
  World world;
  world.disk().put("/home/kim/plans/a/plan.md", test::kPlanText);
  world.disk().put("/home/kim/plans/b/plan.md", test::kPlanText);
  world.disk().put("/home/kim/plans/c/plan.md", "- [x] x <!-- TASK: x -->\n");
  world.disk().put("/home/kim/plans/d/plan.md", test::kPlanText);
  world.disk().put("/home/kim/plans/e/plan.md", "- [x] x <!-- TASK: x -->\n- [ ] Green <!-- ACCEPT: g -->\n");
  world.disk().put_folder("/home/kim/.git");
  for (const char* id : {"a", "b", "c", "e"}) {
    REQUIRE(app::start_tracking(world.context, {"/home/kim/plans/" + std::string(id), "plan.md"}));
  }
  const auto others = app::other_active_plans(world.context, {"/home/kim/plans/a", "plan.md"});
  REQUIRE(others.size() == 2);
  CHECK(others[0].location.plan_id() == "b");
  CHECK(others[1].location.plan_id() == "e");  // an open criterion is work
}
