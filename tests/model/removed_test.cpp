#include "model/removed.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

namespace {

const PhaseId kBuild("build");

TaskState done(const std::string& id, const std::string& title = "", const std::string& by = "kim") {
  TaskState task;
  task.id = TaskId(id);
  task.title = title;
  task.done = true;
  task.completed_at = Instant{5};
  task.completed_by = by;
  return task;
}

TaskState fresh(const std::string& id, const std::string& title = "", bool is_done = true) {
  TaskState task;
  task.id = TaskId(id);
  task.title = title;
  task.done = is_done;
  return task;
}

}  // namespace

TEST_CASE("a done task that comes back has its completion again, once") {
  State state;
  keep_removed(state, kBuild, done("a", "Do it"), Instant{10});
  TaskState back;
  SECTION("by its id, whatever its title") {
    back = fresh("a", "Do it now");
  }
  SECTION("by its exact title, whatever its id") {
    back = fresh("b", "Do it");
  }
  give_back(state, PhaseId("elsewhere"), back, Instant{20});
  CHECK(back.completed_at == Instant{5});
  CHECK(back.completed_by == "kim");
  CHECK(state.removed.empty());
}

TEST_CASE("what is another task, open, long gone or never seen done gets nothing") {
  State state;
  keep_removed(state, kBuild, done("a", "Do it"), Instant{10});
  TaskState back;
  Instant now{20};
  SECTION("another one") {
    back = fresh("b", "Do that");
  }
  SECTION("open") {
    back = fresh("a", "Do it", false);
  }
  SECTION("long gone") {
    back = fresh("a", "Do it");
    now = Instant{10 + kRemovedKeptMilliseconds + 1};
  }
  SECTION("without a title like another one") {
    keep_removed(state, kBuild, done("c"), Instant{10});
    back = fresh("b");
  }
  give_back(state, kBuild, back, now);
  CHECK_FALSE(back.completed_at);
  CHECK(back.completed_by.empty());

  State none;
  keep_removed(none, kBuild, fresh("a"), Instant{10});
  keep_removed(none, kBuild, fresh("b", "", false), Instant{10});
  CHECK(none.removed.empty());
}

TEST_CASE("an id goes before a title, the own phase before another, the last before the one before") {
  State state;
  keep_removed(state, PhaseId("p1"), done("a", "One", "first"), Instant{10});
  keep_removed(state, PhaseId("p2"), done("a", "One", "second"), Instant{11});
  keep_removed(state, PhaseId("p3"), done("b", "Two", "third"), Instant{12});
  TaskState back = fresh("a", "Two");
  SECTION("in a phase of its own") {
    give_back(state, PhaseId("p1"), back, Instant{20});
    CHECK(back.completed_by == "first");
  }
  SECTION("in another") {
    give_back(state, PhaseId("p9"), back, Instant{20});
    CHECK(back.completed_by == "second");
  }
}

TEST_CASE("what is kept of removed tasks is bounded, the longest gone goes first") {
  State state;
  for (std::size_t i = 0; i < 5 * kRemovedKept; ++i) {
    keep_removed(state, kBuild, done("t" + std::to_string(i)), Instant{static_cast<std::int64_t>(i)});
    REQUIRE(state.removed.size() <= 2 * kRemovedKept);
  }
  CHECK(state.removed.size() >= kRemovedKept);
  CHECK(state.removed.back().task.text == "t" + std::to_string(5 * kRemovedKept - 1));
  keep_removed(state, kBuild, done("last"), Instant{kRemovedKeptMilliseconds * 2});
  CHECK(state.removed.size() == 1);
}

TEST_CASE("a criterion is gone only if nothing in its phase can be it under another id") {
  const auto event = [](EventKind kind, std::string_view phase, std::string_view id, bool met) {
    Event made;
    made.kind = kind;
    made.phase = PhaseId(std::string(phase));
    made.criterion = CriterionId(std::string(id));
    made.met = met;
    return made;
  };
  constexpr auto kGone = EventKind::acceptance_removed;
  constexpr auto kNew = EventKind::acceptance_added;
  const auto gone = [](const std::vector<Event>& events) {
    std::vector<std::string> ids;
    for (const Event* one : criteria_gone(events)) ids.push_back(one->criterion.text);
    return ids;
  };
  CHECK(gone({event(kGone, "p", "a", false)}) == std::vector<std::string>{"a"});
  CHECK(gone({event(kNew, "p", "b", false), event(kGone, "p", "a", false)}).empty());
  CHECK(gone({event(kNew, "p", "b", true), event(kGone, "p", "a", true)}).empty());
  CHECK(gone({event(kNew, "p", "b", false), event(kGone, "p", "a", true)}).empty());
  // An open one is not replaced by one that came ticked.
  CHECK(gone({event(kNew, "p", "b", true), event(kGone, "p", "a", false)}) == std::vector<std::string>{"a"});
  CHECK(gone({event(kNew, "q", "b", false), event(kGone, "p", "a", false)}) == std::vector<std::string>{"a"});
}

TEST_CASE("that tasks vanished holds until a later save tells of the plan's items") {
  const auto event = [](EventKind kind, std::int64_t time) {
    Event made;
    made.kind = kind;
    made.time = Instant{time};
    return made;
  };
  State state;
  note_vanished(state, event(EventKind::task_completed, 1));
  CHECK_FALSE(state.vanished_at);
  note_vanished(state, event(EventKind::task_removed, 5));
  note_vanished(state, event(EventKind::phase_completed, 5));
  note_vanished(state, event(EventKind::task_completed, 3));  // told of an earlier time
  for (const EventKind kind : {EventKind::checkpoint_saved, EventKind::task_claimed, EventKind::note_saved,
                               EventKind::session_ended, EventKind::task_attributed, EventKind::rewound})
    note_vanished(state, event(kind, 9));
  Event proof = event(EventKind::acceptance_met, 9);
  proof.evidence.emplace();
  note_vanished(state, proof);
  CHECK(state.vanished_at == Instant{5});
  SECTION("another task is ticked") {
    note_vanished(state, event(EventKind::task_completed, 9));
    CHECK_FALSE(state.vanished_at);
  }
  SECTION("others vanish") {
    note_vanished(state, event(EventKind::task_removed, 9));
    CHECK(state.vanished_at == Instant{9});
  }
}
