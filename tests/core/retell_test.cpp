#include "core/retell.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "core/match.hpp"
#include "core/random_plan.hpp"
#include "core/reconcile.hpp"
#include "core/replay.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

TEST_CASE("a history told again from the state gives the state back") {
  CHECK(rc::check("retell", [] {
    const bool marked = *rc::gen::arbitrary<bool>();
    const auto make = [&] { return marked ? random_marked_plan() : random_unmarked_plan(); };
    State state = first_sight(make(), "id", "/plan.md", "main", Instant{1}).state;
    Plan plan;
    const int steps = *rc::gen::inRange(1, 6);
    for (int step = 0; step < steps; ++step) {
      plan = make();
      keep_ids(state, plan);
      state = reconcile(state, plan, "kim", Instant{2 + step}).state;
    }
    const std::vector<Event> events = retell(state, plan.mode, Instant{100});
    RC_ASSERT(std::is_sorted(events.begin(), events.end(),
                             [](const Event& a, const Event& b) { return a.time < b.time; }));
    Ledger ledger;
    // What is left of the history before does no harm: telling begins anew.
    Event leftover;
    leftover.kind = EventKind::task_completed;
    leftover.phase = PhaseId("p1");
    leftover.task = TaskId("a");
    leftover.by = "somebody";
    ledger.apply(leftover);
    for (const Event& event : events) ledger.apply(event);
    Plan same = plan;
    const Reconciled result =
        reconcile(ledger.rebuild(same, "id", "/plan.md"), same, "external", Instant{200});
    RC_ASSERT(result.events.empty());
    State wanted = state;
    wanted.last_checkpoint = Instant{100};
    RC_ASSERT(result.state == wanted);
  }));
}

TEST_CASE("a retold history says that it is one") {
  State state;
  state.plan_id = "id";
  const std::vector<Event> events = retell(state, PlanMode::marked, Instant{5});
  REQUIRE(events.size() == 2);
  CHECK(events[0].kind == EventKind::checkpoint_created);
  CHECK(events[1].kind == EventKind::full_recovery);
  CHECK(events[1].detail == "state.json");
}
