#include "editing/missing_plans.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using test::World;

namespace {

// plan.md and other.md with the same ids, both tracked.
struct TwoPlans {
  TwoPlans() {
    world.environment.directory = "/home/kim";
    world.disk().put_folder("/home/kim/.git");
    for (const app::PlanLocation& plan : {first, second}) {
      world.disk().put(plan.path(), test::kPlanText);
      const auto started = app::start_tracking(world.context, plan);
      if (!started) FAIL(started.error().message);
    }
  }
  World world;
  app::PlanLocation first{"/home/kim", "plan.md"};
  app::PlanLocation second{"/home/kim", "other.md"};
};

}  // namespace

TEST_CASE("an id that a missing plan of the folder has too is not guessed to be this plan's") {
  TwoPlans two;
  World& world = two.world;
  const auto guess = [&](const std::optional<std::string>& named, const std::string& id) {
    return app::refuse_guess(world.context, two.second, named, {id});
  };
  CHECK(guess({}, "login"));
  CHECK(app::missing_beside(world.context, two.second).empty());
  world.disk().erase("/home/kim/plan.md");
  CHECK(app::missing_beside(world.context, two.second) == std::vector{two.first});
  for (const std::string id : {"login", "build/login", "tests"}) {
    const auto refused = guess({}, id);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == base::ErrorKind::ambiguous);
    CHECK(refused.error().message.find("plan.md") != std::string::npos);
  }
  CHECK(guess({}, "else"));
  const auto phase = app::refuse_guess(world.context, two.second, {}, {}, "build");
  REQUIRE_FALSE(phase);
  CHECK(phase.error().message.starts_with("build may also be a phase of plan.md"));
  CHECK(app::refuse_guess(world.context, two.second, {}, {}, "else"));
  CHECK(guess("other.md", "login"));
  world.environment.variables["PLANKEEP_PLAN"] = "other.md";
  CHECK(guess({}, "login"));
}

TEST_CASE("a status names the missing plans beside it") {
  TwoPlans two;
  std::vector<std::string> warnings;
  app::warn_of_missing(two.world.context, two.second, warnings);
  CHECK(warnings.empty());
  two.world.disk().erase("/home/kim/plan.md");
  app::warn_of_missing(two.world.context, two.second, warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("plan.md is tracked here, too, and its file is missing") != std::string::npos);
}

TEST_CASE("what names no task is recorded in the plan that is there, and the missing one is named") {
  TwoPlans two;
  World& world = two.world;
  const auto told = [&](const std::optional<std::string>& named) {
    std::vector<std::string> warnings;
    app::warn_of_guess(world.context, two.second, named, warnings);
    return warnings;
  };
  CHECK(told({}).empty());
  world.disk().erase("/home/kim/plan.md");
  CHECK(told({}) == std::vector<std::string>{"this was recorded in other.md; the plan plan.md is tracked "
                                             "here, too, and its file is missing"});
  CHECK(told("other.md").empty());
}

TEST_CASE("no task is chosen for who names no plan, while a plan beside it is missing") {
  TwoPlans two;
  World& world = two.world;
  const auto choice = [&](const std::optional<std::string>& named) {
    return app::refuse_choice(world.context, two.second, named);
  };
  CHECK(choice({}));
  world.disk().erase("/home/kim/plan.md");
  const auto refused = choice({});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::ambiguous);
  CHECK(refused.error().message ==
        "the plan plan.md is tracked here, too, and its file is missing; nothing was claimed");
  CHECK(refused.error().hint == "give the plan: --plan other.md");
  CHECK(choice("other.md"));
  world.environment.variables["PLANKEEP_PLAN"] = "other.md";
  CHECK(choice({}));
}
