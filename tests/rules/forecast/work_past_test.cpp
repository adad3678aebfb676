#include "rules/forecast/work_past.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "rules/replay.hpp"

namespace plankeep::core {
namespace {

constexpr std::int64_t kHour = std::int64_t{60} * 60 * 1000;
constexpr std::int64_t kDay = 24 * kHour;

Event made(EventKind kind, std::int64_t time, const std::string& task, const std::string& phase = "P1") {
  Event event;
  event.kind = kind;
  event.time = base::Instant{time};
  event.task = TaskId(task);
  event.phase = PhaseId(phase);
  return event;
}

Event first_sight(std::vector<TaskId> tasks, std::vector<TaskId> done = {}) {
  Event event = made(EventKind::checkpoint_created, 0, "");
  event.phases = {{PhaseId("P1"), PhaseStatus::pending, std::move(tasks), std::move(done), {}, {}}};
  return event;
}

WorkRecorder recorded(const std::vector<Event>& events, const State& state = {},
                      base::Instant now = {std::numeric_limits<std::int64_t>::max()}) {
  WorkRecorder recorder(state, now);
  for (const Event& event : events) recorder.apply(event);
  return recorder;
}

}  // namespace

TEST_CASE("each save that changes a number is a step, with what there is after it") {
  Event ticked = made(EventKind::task_added, 20, "D");
  ticked.done = true;
  const auto steps =
      recorded({first_sight({TaskId("A"), TaskId("B")}, {TaskId("B")}),
                made(EventKind::task_completed, 10, "A"), made(EventKind::task_added, 20, "C"), ticked,
                made(EventKind::task_reopened, 30, "B"), made(EventKind::task_removed, 40, "C"),
                made(EventKind::task_removed, 50, "A")})
          .steps();
  REQUIRE(steps.size() == 6);
  CHECK(steps[0] == WorkStep{{0}, 2, 1, 0, 0, 0, 0, false});
  CHECK(steps[1] == WorkStep{{10}, 2, 2, 1, 0, 0, 0, false});
  CHECK(steps[2] == WorkStep{{20}, 4, 3, 1, 0, 2, 0, false});
  CHECK(steps[3] == WorkStep{{30}, 4, 2, 0, 1, 0, 0, false});
  CHECK(steps[4] == WorkStep{{40}, 3, 2, 0, 0, 0, 1, false});
  CHECK(steps[5] == WorkStep{{50}, 2, 1, 0, 0, 0, 0, false});
}

TEST_CASE("what was done in a phase stays done in it under its new id, and one of the old id is another") {
  Event renamed = made(EventKind::phase_added, 20, "", "P2");
  renamed.from = "P1";
  Event moved = made(EventKind::task_moved, 20, "A", "P2");
  moved.from = "P1";
  const WorkRecorder work =
      recorded({first_sight({TaskId("A"), TaskId("B")}), made(EventKind::task_completed, 10, "A"), renamed,
                moved, made(EventKind::task_removed, 20, "B"), made(EventKind::phase_removed, 20, ""),
                made(EventKind::phase_added, 30, ""), made(EventKind::task_added, 30, "A"),
                made(EventKind::task_completed, 40, "A")});
  CHECK(work.phases() == std::vector<PhaseId>{PhaseId("P2"), PhaseId("P1")});
  std::vector<std::int64_t> done(2, 0);
  for (const PhaseChange& change : work.phase_changes()) done[change.phase] += change.done;
  CHECK(done == std::vector<std::int64_t>{1, 1});
}

TEST_CASE("a done task that moves to another phase counts there from that save on") {
  Event moved = made(EventKind::task_moved, 20, "A", "P2");
  moved.from = "P1";
  const WorkRecorder work =
      recorded({first_sight({TaskId("A")}), made(EventKind::task_completed, 10, "A"), moved});
  REQUIRE(work.steps().size() == 3);
  CHECK(work.steps()[2] == WorkStep{{20}, 1, 1, 0, 0, 0, 0, false});
}

TEST_CASE("a done task under another id was completed once") {
  Event added = made(EventKind::task_added, 20, "B");
  added.from = "A";
  added.done = true;
  const auto steps = recorded({first_sight({TaskId("A")}), made(EventKind::task_completed, 10, "A"),
                               made(EventKind::task_removed, 20, "A"), added})
                         .steps();
  REQUIRE(steps.size() == 3);
  CHECK(steps[2] == WorkStep{{20}, 1, 1, 0, 0, 0, 0, false});
}

TEST_CASE("what a branch took away and gave back was done once") {
  std::vector<Event> events{first_sight({TaskId("A"), TaskId("B"), TaskId("C")}),
                            made(EventKind::task_completed, 10, "A"),
                            made(EventKind::task_completed, 20, "B")};
  for (std::int64_t time = 100; time < 400; time += 100) {
    // "A" is open on the other branch, "B" is not in its plan.
    events.push_back(made(EventKind::task_reopened, time, "A"));
    events.back().via = kByGit;
    events.push_back(made(EventKind::task_removed, time, "B"));
    Event again = made(EventKind::task_completed, 10, "A");
    again.via = kGivenBack;
    events.push_back(again);
    Event back = made(EventKind::task_added, time + 50, "B");
    back.done = true;
    events.push_back(back);
    Event old = made(EventKind::task_completed, 20, "B");
    old.via = kGivenBack;
    events.push_back(old);
  }
  const auto steps = recorded(events).steps();
  std::int64_t completed = 0;
  for (const WorkStep& step : steps) {
    completed += step.completed;
    CHECK(step.reopened == 0);
    CHECK(step.added == 0);
    CHECK(step.removed == 0);
  }
  CHECK(completed == 2);
  CHECK(steps.back().done == 2);
  CHECK(steps.back().total == 3);
  CHECK(work_past(steps, {kDay}).completed == 2);
}

TEST_CASE("a done task that left the plan and comes back open is reopened, and done once if it is restored") {
  std::vector<Event> events{first_sight({TaskId("A")}), made(EventKind::task_completed, 10, "A"),
                            made(EventKind::task_removed, 20, "A"), made(EventKind::task_added, 30, "A")};
  auto steps = recorded(events).steps();
  CHECK(steps.back() == WorkStep{{30}, 1, 0, 0, 1, 0, 0, false});
  Event restored = made(EventKind::task_completed, 10, "A");
  restored.via = kGivenBack;
  events.push_back(restored);
  steps = recorded(events).steps();
  CHECK(steps.back() == WorkStep{{30}, 1, 1, 0, 0, 0, 0, false});
  CHECK(work_past(steps, {kDay}).completed == 1);
  // Somebody does it again: twice done, once taken back.
  events.back() = made(EventKind::task_completed, 40, "A");
  steps = recorded(events).steps();
  CHECK(steps.back() == WorkStep{{40}, 1, 1, 1, 0, 0, 0, false});
  CHECK(work_past(steps, {kDay}).days.back().done == 1);
}

TEST_CASE("another task with the id of one that left is new work") {
  // In the same save, and after the one that had it was given another.
  const std::vector<Event> begin{first_sight({TaskId("1")}), made(EventKind::task_completed, 10, "1"),
                                 made(EventKind::task_removed, 20, "1")};
  std::vector<Event> events = begin;
  events.push_back(made(EventKind::task_added, 20, "1"));
  CHECK(recorded(events).steps().back() == WorkStep{{20}, 1, 0, 0, 0, 1, 0, false});
  events = begin;
  events.push_back(made(EventKind::task_added, 20, "2"));
  events.back().from = "1";
  events.back().done = true;
  events.push_back(made(EventKind::task_added, 30, "1"));
  CHECK(recorded(events).steps().back() == WorkStep{{30}, 2, 1, 0, 0, 1, 0, false});
}

TEST_CASE("what was reopened and done again was done twice") {
  const auto steps =
      recorded({first_sight({TaskId("A")}), made(EventKind::task_completed, 10, "A"),
                made(EventKind::task_reopened, 20, "A"), made(EventKind::task_completed, 30, "A")})
          .steps();
  REQUIRE(steps.size() == 4);
  CHECK(steps[2].reopened == 1);
  CHECK(steps[3].completed == 1);
}

TEST_CASE("optional tasks do not count, and a task that is told of twice counts once") {
  State state;
  PhaseState phase;
  phase.id = PhaseId("P1");
  TaskState optional;
  optional.id = TaskId("O");
  optional.optional = true;
  phase.tasks.push_back(optional);
  state.phases.push_back(phase);
  const auto steps =
      recorded({first_sight({TaskId("A"), TaskId("O")}), made(EventKind::task_completed, 10, "O"),
                made(EventKind::task_completed, 20, "A"), made(EventKind::task_completed, 30, "A")},
               state)
          .steps();
  REQUIRE(steps.size() == 2);
  CHECK(steps.back() == WorkStep{{20}, 1, 1, 1, 0, 0, 0, false});
}

TEST_CASE("tasks of one id in two phases are two, and a task that moved is the same") {
  Event seen = first_sight({TaskId("A")});
  seen.phases.push_back({PhaseId("P2"), PhaseStatus::pending, {TaskId("A")}, {}, {}, {}});
  Event moved = made(EventKind::task_moved, 20, "A", "P3");
  moved.from = "P1";
  const auto steps = recorded({seen, made(EventKind::task_completed, 10, "A", "P1"), moved,
                               made(EventKind::task_completed, 30, "A", "P2"),
                               made(EventKind::task_reopened, 40, "A", "P3")})
                         .steps();
  CHECK(steps.back() == WorkStep{{40}, 2, 1, 0, 1, 0, 0, false});
}

TEST_CASE("a history that is told again is nobody's work") {
  Event again = first_sight({TaskId("A"), TaskId("B")}, {TaskId("A"), TaskId("B")});
  again.time = base::Instant{100};
  const auto steps = recorded({first_sight({TaskId("A"), TaskId("B")}), again}).steps();
  REQUIRE(steps.size() == 2);
  CHECK(steps.back() == WorkStep{{100}, 2, 2, 0, 0, 0, 0, false});
}

TEST_CASE("time never runs backwards") {
  const auto steps =
      recorded({first_sight({TaskId("A"), TaskId("B")}), made(EventKind::task_completed, 1000, "A"),
                made(EventKind::task_completed, 10, "B")})
          .steps();
  REQUIRE(steps.size() == 2);
  CHECK(steps.back() == WorkStep{{1000}, 2, 2, 2, 0, 0, 0, false});
}

TEST_CASE("days end now and begin with the first work") {
  const base::Instant now{10 * kDay};
  const WorkPast past = work_past(
      recorded({first_sight({TaskId("A"), TaskId("B"), TaskId("C")}), made(EventKind::task_added, kDay, "D"),
                made(EventKind::task_completed, 7 * kDay + kHour, "A"),
                made(EventKind::task_added, 8 * kDay + kHour, "E"),
                made(EventKind::task_completed, 9 * kDay + kHour + 1, "B"),
                made(EventKind::task_completed, 9 * kDay + kHour + 2, "C"),
                made(EventKind::task_reopened, 9 * kDay + 5 * kHour, "A")})
          .steps(),
      now);
  CHECK(past.days == std::vector<WorkSpan>{{1, 0, 1}, {0, 1, 0}, {1, 0, 2}});
  CHECK(past.hours == std::vector<WorkSpan>{{1, 1, 1}, {2, 0, 1}, {-1, 0, 1}});
  CHECK(past.completed == 3);
  CHECK(past.active_days == 2);
  CHECK(past.since == base::Instant{7 * kDay + kHour});
}

TEST_CASE("without work there is no past") {
  CHECK(work_past({}, {kDay}).days.empty());
  CHECK(
      work_past(recorded({first_sight({TaskId("A")}), made(EventKind::task_added, 10, "B")}).steps(), {kDay})
          .days.empty());
}

TEST_CASE("years of silence and clocks that are ahead are taken as they are") {
  const auto steps =
      recorded({first_sight({TaskId("A"), TaskId("B")}), made(EventKind::task_completed, 10, "A"),
                made(EventKind::task_completed, 90'000 * kDay, "B")})
          .steps();
  const WorkPast past = work_past(steps, {20'000 * kDay});
  CHECK(past.days.size() == kMostDays);
  CHECK(past.completed == 1);
  CHECK(past.days.back() == WorkSpan{1, 0, 1});
}

TEST_CASE("what a clock ahead told counts when it was told, and moves nothing else") {
  const std::vector<Event> events{
      first_sight({TaskId("A"), TaskId("B"), TaskId("C")}), made(EventKind::task_completed, 10, "A"),
      made(EventKind::task_completed, 1000 * kDay, "B"), made(EventKind::task_completed, 20, "C")};
  const auto steps = recorded(events, {}, {30}).steps();
  REQUIRE(steps.size() == 3);
  CHECK(steps[1].time == base::Instant{10});
  CHECK(steps[1].done == 2);
  CHECK(steps[2].time == base::Instant{20});
  CHECK(steps[2].done == 3);
  const auto only_ahead = recorded({made(EventKind::task_added, 50, "A")}, {}, {30}).steps();
  REQUIRE(only_ahead.size() == 1);
  CHECK(only_ahead.front().time == base::Instant{30});
}

TEST_CASE("what is done and open always adds up") {
  CHECK(rc::check([] {
    const auto moves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5 * 4 * 60));
    std::vector<Event> events{first_sight({TaskId("0"), TaskId("1")}, {TaskId("1")})};
    std::int64_t time = 0;
    for (const int move : moves) {
      const std::string task(1, static_cast<char>('0' + move % 5));
      constexpr EventKind kKinds[] = {EventKind::task_added, EventKind::task_removed,
                                      EventKind::task_completed, EventKind::task_reopened};
      time += move / 20 * kHour;
      events.push_back(made(kKinds[move / 5 % 4], time, task));
    }
    const std::vector<WorkStep> steps = recorded(events).steps();
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const WorkStep& step = steps[i];
      RC_ASSERT(step.time > steps[i - 1].time);
      RC_ASSERT(step.done >= 0);
      RC_ASSERT(step.done <= step.total);
    }
    const WorkPast past = work_past(steps, {time});
    std::int64_t done = 0;
    std::int64_t by_hours = 0;
    for (const WorkSpan& day : past.days) done += day.done;
    for (const WorkSpan& hour : past.hours) by_hours += hour.done;
    RC_ASSERT(done == by_hours);
  }));
}

}  // namespace plankeep::core
