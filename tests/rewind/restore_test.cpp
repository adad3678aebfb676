#include "rewind/restore.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "editing/complete.hpp"
#include "support/bookkeeping.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using app::Restore;
using base::ErrorKind;
using Catch::Contains;
using core::EventKind;
using test::World;

namespace {

struct RestoreWorld : World {
  RestoreWorld() {
    put_plan(test::kPlanText);
    REQUIRE(app::start_tracking(context, location).has_value());
  }
  void sync() {
    clock.advance(1000);
    REQUIRE(app::track(context, location, {}).has_value());
  }
  void done(const std::string& id) {
    clock.advance(1000);
    REQUIRE(app::set_tasks(context, location, {id}, core::BoxState::done, {"kim"}).has_value());
  }
  std::vector<app::EarlierText> texts() {
    auto texts = app::earlier_texts(context, location);
    REQUIRE(texts.has_value());
    CHECK(texts->warnings.empty());
    return texts->texts;
  }
  app::Restored restore(const std::string& which, Restore what = Restore::whole, bool dry = false) {
    clock.advance(1000);
    auto restored = app::restore_text(context, location, which, what, "kim", dry);
    if (!restored) FAIL(restored.error().message);
    return std::move(*restored);
  }
};

// What the plan and the records of its work decide; not how often it was saved, or what is noted for the
// moment.
core::State essence(core::State state) {
  state = test::without_bookkeeping(std::move(state));
  state.revision = 0;
  state.history_offset = 0;
  state.plan_stamp.reset();
  state.last_saved = {};
  state.vanished_at.reset();
  for (core::DecisionState& decision : state.decisions) decision.time = {};
  return state;
}

// What had no time then (nobody saw it happen) has that of the restore now; done tasks that came later are
// among the removed ones.
core::State as_known(const core::State& then, core::State now) {
  now.removed = then.removed;
  for (std::size_t p = 0; p < now.phases.size() && p < then.phases.size(); ++p) {
    core::PhaseState& phase = now.phases[p];
    const core::PhaseState& known = then.phases[p];
    if (!known.started_at) phase.started_at.reset();
    if (!known.completed_at) phase.completed_at.reset();
    for (std::size_t t = 0; t < phase.tasks.size() && t < known.tasks.size(); ++t) {
      if (known.tasks[t].completed_at) continue;
      phase.tasks[t].completed_at.reset();
      phase.tasks[t].completed_by.clear();
    }
    for (std::size_t c = 0; c < phase.acceptance.size() && c < known.acceptance.size(); ++c) {
      if (!known.acceptance[c].verified_at) phase.acceptance[c].verified_at.reset();
    }
  }
  return now;
}

const std::string kLogin = "- [x] Login form <!-- TASK: login | after: schema -->\n";

}  // namespace

TEST_CASE("a lost task comes back as it was, and when and by whom it was done") {
  RestoreWorld world;
  world.done("login");
  const core::State before = *world.state();
  const std::string plan = world.plan();
  world.edit(kLogin, "");
  world.sync();
  const auto texts = world.texts();
  REQUIRE(texts.size() == 1);
  CHECK(texts[0].lost == std::vector<std::string>{"login"});
  CHECK(texts[0].progress.completed == 2);

  SECTION("with the whole text") {
    world.restore("1");
  }
  SECTION("by itself") {
    world.restore("1", Restore::lost_tasks);
  }
  CHECK(world.plan() == plan);
  CHECK(essence(*world.state()) == essence(before));
  const auto events = world.events();
  CHECK(std::count_if(events.begin(), events.end(),
                      [](const core::Event& one) { return one.kind == EventKind::rewound; }) == 1);
  // What was replaced can be had back.
  const auto after = world.texts();
  REQUIRE(after.size() == 1);
  CHECK(after[0].progress.total == 3);
}

TEST_CASE("only the lost tasks come back when that is what is wanted") {
  RestoreWorld world;
  world.edit("- [ ] Logout <!-- TASK: logout | after: login -->\n", "");
  world.edit("Release notes", "Release notes and news");
  world.sync();
  world.restore("1", Restore::lost_tasks);
  CHECK_THAT(world.plan(), Contains("- [ ] Logout <!-- TASK: logout") && Contains("notes and news"));
  world.restore("2");
  CHECK(world.plan() == test::kPlanText);
}

TEST_CASE("a restore says which number takes it back, and none where nothing was kept") {
  RestoreWorld world;
  world.edit("Release notes", "Release notes and news");
  world.sync();
  world.edit("# Auth", "# Login");
  world.sync();
  world.done("login");
  const std::string plan = world.plan();
  const app::Restored restored = world.restore("2");
  REQUIRE(restored.back == 1);
  CHECK(world.restore("1", Restore::whole, true).back == 0);
  CHECK(world.restore(std::to_string(restored.back)).back == 1);
  CHECK(world.plan() == plan);
  world.disk().erase("/home/kim/plan.md");
  CHECK(world.restore("1").back == 0);
}

TEST_CASE("a dry run says what would be and writes nothing") {
  RestoreWorld world;
  world.edit(std::string("- [x] Schema <!-- TASK: schema -->\n"), "");
  world.sync();
  const std::string plan = world.plan();
  const auto revision = world.state()->revision;
  const app::Restored restored = world.restore("1", Restore::whole, true);
  CHECK(restored.before == plan);
  CHECK(restored.after == test::kPlanText);
  CHECK(world.plan() == plan);
  CHECK(world.state()->revision == revision);
}

TEST_CASE("ticks alone keep no new text, and the one that comes back has those of its end") {
  RestoreWorld world;
  world.done("login");
  world.done("logout");
  CHECK(world.texts().empty());
  const std::string plan = world.plan();
  world.edit("# Auth", "# Authentication");
  world.sync();
  world.done("notes");
  world.restore("1");
  CHECK(world.plan() == plan);
}

TEST_CASE("a plan that is missing, emptied or no plan any more comes back") {
  RestoreWorld world;
  world.done("login");
  const std::string plan = world.plan();
  const core::State before = *world.state();
  bool something_was_there = true;
  SECTION("missing") {
    world.disk().erase("/home/kim/plan.md");
    something_was_there = false;
  }
  SECTION("emptied") {
    world.put_plan("# Nothing\n");
  }
  SECTION("no text") {
    world.put_plan(std::string("\0\1\2", 3));
  }
  SECTION("emptied and recorded") {
    world.put_plan("# Nothing\n");
    world.sync();
  }
  const app::Restored restored = world.restore("1");
  CHECK(restored.outcome.readable);
  CHECK(restored.outcome.warnings.empty());
  CHECK(world.plan() == plan);
  CHECK(essence(*world.state()) == essence(before));
  CHECK(world.texts().size() == (something_was_there ? 1 : 0));
}

TEST_CASE("lost tasks need a plan that can be read") {
  RestoreWorld world;
  world.disk().erase("/home/kim/plan.md");
  const auto restored =
      app::restore_text(world.context, world.location, "1", Restore::lost_tasks, "kim", false);
  REQUIRE_FALSE(restored.has_value());
  CHECK(restored.error().kind == ErrorKind::conflict);
}

TEST_CASE("which one: a number, digits or a time, and no guess") {
  RestoreWorld world;
  world.edit("# Auth", "# Auth 2");
  world.sync();
  world.edit("# Auth 2", "# Auth 3");
  world.sync();
  const auto texts = world.texts();
  REQUIRE(texts.size() == 2);
  const auto find = [&world](const std::string& which) {
    return app::restore_text(world.context, world.location, which, Restore::whole, "kim", true);
  };
  CHECK(find(texts[1].digits.substr(0, 6))->from.number == 2);
  CHECK(find(base::to_iso8601(texts[0].time))->from.number == 1);
  for (const char* which : {"3", "0", "-1", "1x", "", "abc", "2026"}) {
    CAPTURE(which);
    REQUIRE_FALSE(find(which).has_value());
    const bool both = std::string(which) == "2026";
    CHECK(find(which).error().kind == (both ? ErrorKind::ambiguous : ErrorKind::not_found));
  }
}

TEST_CASE("a kept text that was changed is told, and hides no other") {
  RestoreWorld world;
  world.edit("# Auth", "# Auth 2");
  world.sync();
  world.edit("# Auth 2", "# Auth 3");
  world.sync();
  const auto folder = world.files.open_folder("/home/kim/.checkpoint/plans");
  REQUIRE(folder.has_value());
  const std::vector<std::string> names = (*folder)->list().value();
  REQUIRE(names.size() == 3);
  world.disk().put("/home/kim/.checkpoint/plans/" + names[0], "somebody else's");
  const auto texts = app::earlier_texts(world.context, world.location);
  REQUIRE(texts.has_value());
  REQUIRE(texts->warnings.size() == 1);
  CHECK_THAT(texts->warnings[0], Contains(names[0]));
  CHECK(texts->texts.size() == 1);
}

TEST_CASE("a text that cannot be kept is told, and the record is made nevertheless") {
  World world;
  world.put_plan(test::kPlanText);
  world.disk().put_folder("/home/kim/.checkpoint");
  world.disk().put_link("/home/kim/.checkpoint/plans", "/home/ada");
  const auto outcome = app::track(world.context, world.location, {});
  REQUIRE(outcome.has_value());
  REQUIRE(outcome->warnings.size() == 1);
  CHECK_THAT(outcome->warnings[0], Contains("could not keep this version"));
  CHECK(world.state()->checksum == outcome->state.checksum);
}

TEST_CASE("restore, then sync: the state of that moment, and nothing left to record") {
  CHECK(rc::check("any text of any history", [] {
    RestoreWorld world;
    struct Moment {
      std::string plan;
      core::State state;
    };
    std::vector<Moment> moments;
    const int steps = *rc::gen::inRange(1, 12);
    for (int i = 0; i < steps; ++i) {
      world.clock.advance(*rc::gen::inRange(0, 5000));
      std::string text = world.plan();
      switch (*rc::gen::inRange(0, 5)) {
        case 0: {  // a task goes
          const std::size_t at = text.rfind("TASK:");
          if (text.find("TASK:") == at) break;
          const std::size_t begin = text.rfind('\n', at) + 1;
          text.erase(begin, text.find('\n', at) + 1 - begin);
          break;
        }
        case 1:
          text += "- [" + std::string(*rc::gen::arbitrary<bool>() ? "x" : " ") + "] New " +
                  std::to_string(i) + " <!-- TASK: new-" + std::to_string(i) + " -->\n";
          break;
        case 2:
          text.insert(2, "The ");
          break;
        default: {  // a box turns
          std::vector<std::size_t> boxes;
          for (std::size_t at = text.find("- ["); at != std::string::npos; at = text.find("- [", at + 1))
            boxes.push_back(at + 3);
          const std::size_t box = boxes[*rc::gen::inRange<std::size_t>(0, boxes.size())];
          text[box] = text[box] == 'x' ? ' ' : 'x';
        }
      }
      world.put_plan(text);
      RC_ASSERT(app::track(world.context, world.location, {}).has_value());
      moments.push_back({text, *world.state()});
    }
    const auto texts = app::earlier_texts(world.context, world.location);
    RC_ASSERT(texts.has_value());
    if (texts->texts.empty()) return;
    const std::size_t which = *rc::gen::inRange<std::size_t>(0, texts->texts.size());
    world.clock.advance(1000);
    const auto restored = app::restore_text(world.context, world.location, std::to_string(which + 1),
                                            Restore::whole, "kim", false);
    RC_ASSERT(restored.has_value());
    // The last moment of that text; the first text of all was never one of the loop's.
    const auto moment = std::find_if(moments.rbegin(), moments.rend(),
                                     [&world](const Moment& one) { return one.plan == world.plan(); });
    if (moment == moments.rend()) {
      RC_ASSERT(world.plan() == test::kPlanText);
    } else {
      const core::State then = essence(moment->state);
      const core::State now = as_known(then, essence(*world.state()));
      RC_LOG() << core::encode_state(then) << core::encode_state(now);
      RC_ASSERT(now == then);
    }
    const auto revision = world.state()->revision;
    RC_ASSERT(app::track(world.context, world.location, {}).has_value());
    RC_ASSERT(world.state()->revision == revision);
    // And the law of all: the history tells the same.
    const core::State kept = essence(*world.state());
    for (const char* name : {"state.json", "recovery.json", "recovery.1.json", "recovery.2.json"})
      world.disk().erase(std::string("/home/kim/.checkpoint/") + name);
    RC_ASSERT(app::track(world.context, world.location, {}).has_value());
    RC_ASSERT(essence(*world.state()) == kept);
  }));
}
