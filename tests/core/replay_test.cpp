// The law behind everything: state = fold(plan, history).

#include "core/replay.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "core/event_json.hpp"
#include "core/match.hpp"
#include "core/random_plan.hpp"
#include "core/reconcile.hpp"
#include "core/state_json.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

namespace {

// Every event goes through its JSON, as it would through the file.
Event through_the_file(const Event& event) {
  const std::string line = encode_event(event);
  auto decoded = decode_event(std::string_view(line).substr(0, line.size() - 1));
  if (!decoded) throw std::runtime_error(decoded.error().message);
  return *decoded;
}

// Titles of marked tasks are not in the history: the plan has them.
void follow(Ledger& ledger, const std::vector<Event>& events) {
  for (const Event& event : events) ledger.apply(through_the_file(event));
  for (const Event& event : events) RC_LOG() << encode_event(event);
}

struct World {
  bool marked = true;
  State state;
  Ledger ledger;
  Plan plan;
  std::int64_t time = 1;

  Plan next_plan() const { return marked ? random_marked_plan() : random_unmarked_plan(); }
};

World begin() {
  World world;
  world.marked = *rc::gen::arbitrary<bool>();
  world.plan = world.next_plan();
  Reconciled seen = first_sight(world.plan, "id", "/plan.md", "main", Instant{world.time});
  world.state = seen.state;
  follow(world.ledger, seen.events);
  return world;
}

}  // namespace

TEST_CASE("fold equals incremental: a state rebuilt from plan and history is the state that was kept") {
  CHECK(rc::check("fold", [] {
    World world = begin();
    const int steps = *rc::gen::inRange(1, 12);
    for (int step = 0; step < steps; ++step) {
      const Plan fresh = world.next_plan();
      const Instant now{++world.time};
      const auto by = *rc::gen::element<std::string>("main", "external", "subagent:x");
      Plan kept = fresh;
      keep_ids(world.state, kept);
      const Reconciled incremental = reconcile(world.state, kept, by, now);

      // State and recovery are lost just before this step: the history alone must lead to the same state and
      // events.
      Plan rebuilt_plan = fresh;
      const State believed = world.ledger.rebuild(rebuilt_plan, "id", "/plan.md");
      const Reconciled rebuilt = reconcile(believed, rebuilt_plan, by, now);
      RC_ASSERT(rebuilt_plan == kept);
      RC_LOG() << "kept: " << encode_state(incremental.state) << "\nrebuilt: " << encode_state(rebuilt.state);
      for (const Event& event : incremental.events) RC_LOG() << "incremental " << encode_event(event);
      for (const Event& event : rebuilt.events) RC_LOG() << "rebuilt " << encode_event(event);
      RC_ASSERT(rebuilt.state == incremental.state);
      RC_ASSERT(rebuilt.events.size() == incremental.events.size());

      // A save that died behind its events: on top of the old state they give the new one.
      Ledger tail(world.state);
      follow(tail, incremental.events);
      Plan tail_plan = fresh;
      const State advanced = tail.state();
      keep_ids(advanced, tail_plan);
      const Reconciled finished = reconcile(advanced, tail_plan, "external", Instant{world.time + 1000});
      RC_ASSERT(finished.events.empty());
      RC_ASSERT(finished.state == incremental.state);

      // Either way of going on is the same from here.
      world.state = *rc::gen::arbitrary<bool>() ? incremental.state : rebuilt.state;
      follow(world.ledger, incremental.events);
      Plan same = fresh;
      const Reconciled nothing = reconcile(world.ledger.rebuild(same, "id", "/plan.md"), same, "external",
                                           Instant{world.time + 2000});
      RC_ASSERT(nothing.events.empty());
      RC_ASSERT(nothing.state == world.state);
    }
  }));
}

TEST_CASE("without its first event the history still gives back who finished what and when") {
  World world;
  Plan plan;
  plan.mode = PlanMode::marked;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  plan.phases[0].tasks.emplace_back();
  plan.phases[0].tasks[0].id = TaskId("a");
  plan.phases[0].tasks.push_back(plan.phases[0].tasks[0]);
  plan.phases[0].tasks[1].id = TaskId("b");
  State state = first_sight(plan, "id", "/plan.md", "main", Instant{1}).state;
  plan.phases[0].tasks[0].state = BoxState::done;
  const Reconciled ticked = reconcile(state, plan, "kim", Instant{2});
  Ledger ledger;
  follow(ledger, ticked.events);  // checkpoint_created was lost
  Plan now = plan;
  const State believed = ledger.rebuild(now, "id", "/plan.md");
  const Reconciled result = reconcile(believed, now, "external", Instant{3});
  CHECK(result.events.empty());
  CHECK(result.state.phases.at(0).tasks.at(0).completed_by == "kim");
  CHECK(result.state.phases.at(0).tasks.size() == 2);
}

TEST_CASE("unknown events change nothing but the time of the last one") {
  Ledger ledger;
  Event event;
  event.time = Instant{5};
  event.name = "something_new";
  ledger.apply(event);
  CHECK(ledger.events() == 1);
  CHECK(ledger.state().last_checkpoint == Instant{5});
  CHECK(ledger.state().phases.empty());
}

TEST_CASE("the session note is the last one saved") {
  Ledger ledger;
  Event note;
  note.kind = EventKind::note_saved;
  note.text = "first";
  ledger.apply(note);
  note.text = "second";
  ledger.apply(note);
  CHECK(ledger.state().session_notes == "second");
}
