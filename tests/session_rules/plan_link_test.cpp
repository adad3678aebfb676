#include "session_rules/plan_link.hpp"

#include <catch2/catch.hpp>

#include "model/json/session_json.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

Event event(EventKind kind, std::int64_t seconds, const std::string& task = "",
            const std::string& phase = "build") {
  Event made;
  made.kind = kind;
  made.time = {seconds * 1000};
  made.phase = PhaseId(phase);
  made.task = TaskId(task);
  return made;
}

Event criterion(EventKind kind, std::int64_t seconds, const std::string& id) {
  Event made = event(kind, seconds);
  made.criterion = CriterionId(id);
  return made;
}

PlanLink link_of(const std::vector<Event>& events, std::optional<std::int64_t> parent, std::int64_t commit,
                 const Sidecar* sidecar = nullptr) {
  CommitSpan span;
  if (parent) span.parent = base::Instant{*parent * 1000};
  span.commit = {commit * 1000};
  return plan_link_of({"auth", "plankeep 0.1.0"}, sidecar, events, span);
}

}  // namespace

TEST_CASE("a commit did what was done with it and not before") {
  Event first = event(EventKind::checkpoint_created, 1);
  first.phases = {
      {PhaseId("build"), PhaseStatus::in_progress, {TaskId("old"), TaskId("a")}, {TaskId("old")}, {}, {}}};
  const std::vector<Event> events = {first,
                                     event(EventKind::task_completed, 5, "a"),
                                     criterion(EventKind::acceptance_met, 6, "tests"),
                                     event(EventKind::task_completed, 14, "z"),
                                     event(EventKind::task_completed, 15, "b"),
                                     event(EventKind::task_completed, 16, "c"),
                                     event(EventKind::task_reopened, 17, "c"),
                                     criterion(EventKind::acceptance_met, 18, "tests"),
                                     criterion(EventKind::acceptance_met, 19, "lint"),
                                     event(EventKind::task_completed, 30, "later")};
  const PlanLink one = link_of(events, std::nullopt, 10);
  CHECK(one.tasks_done == Strings{"a"});
  CHECK(one.criteria_met == Strings{"tests"});
  CHECK(one.history_events == 3);
  const PlanLink two = link_of(events, 10, 20);
  CHECK(two.tasks_done == Strings{"z", "b"});
  CHECK(two.criteria_met == Strings{"lint"});
  CHECK(two.history_events == 9);
}

TEST_CASE("a task that was done and only moved is no work, and one of the same id in another phase is") {
  Event moved = event(EventKind::task_moved, 15, "a", "ship");
  moved.from = "build";
  const PlanLink link = link_of(
      {event(EventKind::task_completed, 5, "a"), moved, event(EventKind::task_completed, 16, "a", "build")},
      10, 20);
  CHECK(link.tasks_done == Strings{"a"});
  CHECK(link_of({event(EventKind::task_completed, 5, "a"), moved}, 10, 20).tasks_done == Strings{});
}

TEST_CASE("an event whose clock was ahead hides none that follow it") {
  const PlanLink link = link_of(
      {event(EventKind::task_completed, 30, "later"), event(EventKind::task_completed, 15, "a")}, 10, 20);
  CHECK(link.tasks_done == Strings{"a"});
  CHECK(link.history_events == 1);
}

TEST_CASE("a task done again after it was taken back before is the commit's") {
  const std::vector<Event> events = {event(EventKind::task_completed, 5, "a"),
                                     event(EventKind::task_reopened, 6, "a"),
                                     event(EventKind::task_completed, 12, "a")};
  CHECK(link_of(events, 10, 20).tasks_done == Strings{"a"});
  // In the second of the commit: with it.
  CHECK(link_of({event(EventKind::task_completed, 20, "a")}, 10, 20).tasks_done == Strings{"a"});
  CHECK(link_of({event(EventKind::task_completed, 10, "a")}, 10, 20).tasks_done == Strings{});
}

TEST_CASE("the sidecar names phase and tier") {
  Sidecar sidecar;
  sidecar.phase = PhaseId("build");
  sidecar.title = "Build";
  sidecar.tier = Tier::tier1;
  CHECK(encode_plan_link(link_of({}, 10, 20, &sidecar)) == R"({
  "schema_version": "1.0.0",
  "plan_id": "auth",
  "phase_id": "build",
  "phase_title": "Build",
  "tasks_done": [],
  "criteria_met": [],
  "tier": "tier1",
  "history_events": 0,
  "written_by": "plankeep 0.1.0"
}
)");
}

TEST_CASE("without a sidecar the phase is the only one of which something was done") {
  const Event build = event(EventKind::task_completed, 15, "a", "build");
  const Event ship = event(EventKind::task_completed, 16, "z", "ship");
  CHECK(link_of({build}, 10, 20).phase_id == "build");
  CHECK_FALSE(link_of({build, ship}, 10, 20).phase_id);
  CHECK_FALSE(link_of({}, 10, 20).phase_id);
  Sidecar sidecar;
  sidecar.phase = PhaseId("ship");
  CHECK(link_of({build}, 10, 20, &sidecar).phase_id == "ship");
}

TEST_CASE("what is told of the commit itself is not counted, so that a second export says the same") {
  const Event done = event(EventKind::task_completed, 20, "a");
  for (const EventKind kind : {EventKind::checkpoint_linked, EventKind::checkpoint_complete}) {
    CHECK(link_of({done}, 10, 20) == link_of({done, event(kind, 20)}, 10, 20));
    CHECK(link_of({event(kind, 19), done}, 10, 20).history_events == 2);
  }
}
