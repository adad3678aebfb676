#include "rules/rewind_steps.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "model/checkpoint.hpp"

using namespace plankeep;

namespace {

core::Event went(const std::string& from, const std::string& to, const std::string& what = "all") {
  core::Event event;
  event.kind = core::EventKind::rewound;
  event.from = from;
  event.to = to;
  event.what = what;
  return event;
}

std::string id(int number) {
  return core::checkpoint_id("cp_0a1b2c", number).text;
}

}  // namespace

TEST_CASE("without a rewind there is nothing to undo or redo") {
  const core::RewindSteps steps = core::rewind_steps({});
  CHECK(steps.undos.empty());
  CHECK(steps.redos.empty());
}

TEST_CASE("undo after undo goes two rewinds back, and redo forward again") {
  std::vector<core::Event> events{went(id(10), id(1)), went(id(11), id(2), "head")};
  REQUIRE(core::rewind_steps(events).undos.size() == 2);
  CHECK(core::rewind_steps(events).undos.back() == core::RewindStep{id(11), "head"});
  events.push_back(went(id(12), id(11), "head"));  // undo
  CHECK(core::rewind_steps(events).undos.back().checkpoint == id(10));
  CHECK(core::rewind_steps(events).redos.back() == core::RewindStep{id(12), "head"});
  events.push_back(went(id(13), id(10)));  // undo
  CHECK(core::rewind_steps(events).undos.empty());
  CHECK(core::rewind_steps(events).redos.back().checkpoint == id(13));
  events.push_back(went(id(14), id(13)));  // redo
  CHECK(core::rewind_steps(events).undos.back().checkpoint == id(14));
  CHECK(core::rewind_steps(events).redos.back().checkpoint == id(12));
}

TEST_CASE("a new rewind forgets what could be redone") {
  const core::RewindSteps steps =
      core::rewind_steps({went(id(10), id(1)), went(id(11), id(10)), went(id(12), id(2))});
  CHECK(steps.undos.back().checkpoint == id(12));
  CHECK(steps.redos.empty());
}

TEST_CASE("an undo of a part leaves the other part to be undone") {
  std::vector<core::Event> events{went(id(10), id(1)), went(id(11), id(10), "files")};
  CHECK(core::rewind_steps(events).undos == std::vector{core::RewindStep{id(10), "plan"}});
  CHECK(core::rewind_steps(events).redos == std::vector{core::RewindStep{id(11), "files"}});
  events.push_back(went(id(12), id(10), "plan"));
  CHECK(core::rewind_steps(events).undos.empty());
  events.push_back(went(id(13), id(12), "plan"));  // redo
  events.push_back(went(id(14), id(11), "files"));
  CHECK(core::rewind_steps(events).undos ==
        std::vector{core::RewindStep{id(13), "plan"}, core::RewindStep{id(14), "files"}});
  CHECK(core::rewind_steps(events).redos.empty());
}

TEST_CASE("what a part cannot finish stays whole") {
  const auto left = [](const std::string& step, const std::string& done) {
    return core::rewind_steps({went(id(10), id(1), step), went(id(11), id(10), done)}).undos;
  };
  CHECK(left("head", "files") == std::vector{core::RewindStep{id(10), "head"}});
  CHECK(left("head", "paths") == std::vector{core::RewindStep{id(10), "head"}});
  CHECK(left("files_and_head", "all") == std::vector{core::RewindStep{id(10), "files_and_head"}});
  CHECK(left("head", "head").empty());
  CHECK(left("all", "paths") == std::vector{core::RewindStep{id(10), "all"}});
  CHECK(left("paths", "paths") == std::vector{core::RewindStep{id(10), "paths"}});
  CHECK(left("paths", "files").empty());
  CHECK(left("plan", "files") == std::vector{core::RewindStep{id(10), "plan"}});
  CHECK(left("plan", "all").empty());
  CHECK(left("all", "head").empty());
}

TEST_CASE("a plan that came back from a step of head is not taken back again with the rest") {
  for (const std::string part : {"plan", "all"}) {
    std::vector<core::Event> events{went(id(10), id(1), "head"), went(id(11), id(10), part)};
    CHECK(core::rewind_steps(events).undos == std::vector{core::RewindStep{id(10), "files_and_head"}});
    events.push_back(went(id(12), id(10), "files_and_head"));
    CHECK(core::rewind_steps(events).undos.empty());
    CHECK(core::rewind_steps(events).redos ==
          std::vector{core::RewindStep{id(11), part}, core::RewindStep{id(12), "files_and_head"}});
    events.push_back(went(id(13), id(12), "files_and_head"));  // redo
    CHECK(core::rewind_steps(events).undos == std::vector{core::RewindStep{id(13), "files_and_head"}});
    CHECK(core::rewind_steps(events).redos == std::vector{core::RewindStep{id(11), part}});
  }
  CHECK(core::rewind_steps(
            {went(id(10), id(1), "head"), went(id(11), id(10), "plan"), went(id(12), id(10), "head")})
            .undos.empty());
}

TEST_CASE("going to an older step's checkpoint takes the newer ones along, as a whole only") {
  std::vector<core::Event> events{went(id(10), id(1)), went(id(11), id(2)), went(id(12), id(3))};
  CHECK(core::is_undo(core::rewind_steps(events), id(11), "all"));
  CHECK_FALSE(core::is_undo(core::rewind_steps(events), id(11), "files"));
  CHECK_FALSE(core::is_undo(core::rewind_steps(events), id(2), "all"));
  events.push_back(went(id(13), id(11)));
  CHECK(core::rewind_steps(events).undos == std::vector{core::RewindStep{id(10), "all"}});
  CHECK(core::rewind_steps(events).redos == std::vector{core::RewindStep{id(13), "all"}});
}

TEST_CASE("texts that restore brought back are no steps") {
  CHECK(core::rewind_steps({went("sha256:0123456789abcdef", "sha256:fedcba9876543210")}).undos.empty());
}

TEST_CASE("undo and redo retrace every step of any sequence") {
  CHECK(rc::check("the states an editor would show", [] {
    const auto acts = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3));
    // Each safety checkpoint stands for the state it was taken of.
    std::vector<core::Event> events;
    std::vector<int> past;
    std::vector<int> future;
    int now = 0;
    int fresh = 0;
    int next = 100;
    std::vector<int> state_of(100 + acts.size() * 2 + 2, -1);
    const auto go = [&](const std::string& to) {
      state_of.at(static_cast<std::size_t>(next)) = now;
      events.push_back(went(id(next), to));
      ++next;
    };
    for (const int act : acts) {
      const core::RewindSteps steps = core::rewind_steps(events);
      RC_ASSERT(steps.undos.empty() == past.empty());
      RC_ASSERT(steps.redos.empty() == future.empty());
      const auto shown = [&](const core::RewindStep& step) {
        const std::string digits = step.checkpoint.substr(step.checkpoint.rfind('_') + 1);
        return state_of.at(static_cast<std::size_t>(std::stoi(digits)));
      };
      if (act == 1 && !steps.undos.empty()) {
        RC_ASSERT(shown(steps.undos.back()) == past.back());
        go(steps.undos.back().checkpoint);
        future.push_back(now);
        now = past.back();
        past.pop_back();
      } else if (act == 2 && !steps.redos.empty()) {
        RC_ASSERT(shown(steps.redos.back()) == future.back());
        go(steps.redos.back().checkpoint);
        past.push_back(now);
        now = future.back();
        future.pop_back();
      } else {
        go(id(1 + fresh % 50));
        past.push_back(now);
        future.clear();
        now = ++fresh;
      }
    }
  }));
}
