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
  CHECK_FALSE(steps.undo);
  CHECK_FALSE(steps.redo);
}

TEST_CASE("undo after undo goes two rewinds back, and redo forward again") {
  std::vector<core::Event> events{went(id(10), id(1)), went(id(11), id(2), "head")};
  REQUIRE(core::rewind_steps(events).undo);
  CHECK(*core::rewind_steps(events).undo == core::RewindStep{id(11), "head"});
  events.push_back(went(id(12), id(11), "head"));  // undo
  CHECK(core::rewind_steps(events).undo->checkpoint == id(10));
  CHECK(*core::rewind_steps(events).redo == core::RewindStep{id(12), "head"});
  events.push_back(went(id(13), id(10)));  // undo
  CHECK_FALSE(core::rewind_steps(events).undo);
  CHECK(core::rewind_steps(events).redo->checkpoint == id(13));
  events.push_back(went(id(14), id(13)));  // redo
  CHECK(core::rewind_steps(events).undo->checkpoint == id(14));
  CHECK(core::rewind_steps(events).redo->checkpoint == id(12));
}

TEST_CASE("a new rewind forgets what could be redone") {
  const core::RewindSteps steps =
      core::rewind_steps({went(id(10), id(1)), went(id(11), id(10)), went(id(12), id(2))});
  CHECK(steps.undo->checkpoint == id(12));
  CHECK_FALSE(steps.redo);
}

TEST_CASE("texts that restore brought back are no steps") {
  CHECK_FALSE(core::rewind_steps({went("sha256:0123456789abcdef", "sha256:fedcba9876543210")}).undo);
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
      RC_ASSERT(steps.undo.has_value() == !past.empty());
      RC_ASSERT(steps.redo.has_value() == !future.empty());
      const auto shown = [&](const core::RewindStep& step) {
        const std::string digits = step.checkpoint.substr(step.checkpoint.rfind('_') + 1);
        return state_of.at(static_cast<std::size_t>(std::stoi(digits)));
      };
      if (act == 1 && steps.undo) {
        RC_ASSERT(shown(*steps.undo) == past.back());
        go(steps.undo->checkpoint);
        future.push_back(now);
        now = past.back();
        past.pop_back();
      } else if (act == 2 && steps.redo) {
        RC_ASSERT(shown(*steps.redo) == future.back());
        go(steps.redo->checkpoint);
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
