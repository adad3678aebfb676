#include "rules/reconcile.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/random_plan.hpp"
#include "model/random_state.hpp"
#include "rules/match.hpp"
#include "rules/replay.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

namespace {

Plan two_tasks(BoxState a, BoxState b) {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  for (const auto& [id, state] : {std::pair("a", a), std::pair("b", b)}) {
    Task task;
    task.id = TaskId(id);
    task.marked = true;
    task.title = id;
    task.state = state;
    plan.phases[0].tasks.push_back(task);
  }
  return plan;
}

State seen(const Plan& plan, std::int64_t at = 1) {
  return first_sight(plan, "id", "/plan.md", Instant{at}).state;
}

std::vector<std::string> names(const Reconciled& result) {
  std::vector<std::string> list;
  for (const Event& event : result.events) {
    std::string name(name_of(event.kind));
    if (!event.task.empty()) name += " " + event.task.text;
    list.push_back(name);
  }
  return list;
}

using Names = std::vector<std::string>;
constexpr auto kOpen = BoxState::open;
constexpr auto kDone = BoxState::done;

}  // namespace

TEST_CASE("what is done at first sight has no time and no actor") {
  const Reconciled result = first_sight(two_tasks(kDone, kOpen), "id", "/plan.md", Instant{7});
  const TaskState& task = result.state.phases.at(0).tasks.at(0);
  CHECK(task.done);
  CHECK_FALSE(task.completed_at.has_value());
  CHECK(task.completed_by.empty());
  CHECK(names(result) == Names{"checkpoint_created"});
  CHECK(result.events[0].total_tasks == 2);
}

TEST_CASE("first sight tells of decisions, blockers and skipped boxes, and names nobody") {
  Plan plan = two_tasks(kDone, kOpen);
  plan.decisions.push_back({"use git", "it is there"});
  plan.blockers.push_back({"no network"});
  plan.skipped = 3;
  const Reconciled result = first_sight(plan, "id", "/plan.md", Instant{7});
  CHECK(names(result) == Names{"checkpoint_created", "decision_recorded", "blocker_raised", "boxes_skipped"});
  CHECK(result.events.back().boxes == 3);
  for (const Event& event : result.events) {
    CHECK(event.by.empty());
    CHECK(event.time == Instant{7});
  }
  CHECK(result.notices.empty());
  CHECK(result.state.last_saved == Instant{7});
  const Reconciled again = reconcile(result.state, plan, "kim", Instant{8});
  CHECK(again.events.empty());
  CHECK(again.state == result.state);
}

TEST_CASE("a plan that says the same changes no field of the state") {
  CHECK(rc::check("same plan", [] {
    const Plan plan = random_marked_plan();
    State state = random_state();
    state.every_box = true;  // else it is taken over
    static_cast<FromPlan&>(state) = seen(plan);
    for (PhaseState& phase : state.phases) {
      fill(phase.unknown);
      for (TaskState& task : phase.tasks) fill(task.unknown);
      for (CriterionState& criterion : phase.acceptance) fill(criterion.unknown);
    }
    for (DecisionState& decision : state.decisions) fill(decision.unknown);
    const Reconciled again = reconcile(state, plan, "kim", Instant{2});
    RC_ASSERT(again.events.empty());
    RC_ASSERT(again.state == state);
  }));
}

TEST_CASE("a tick is recorded with its time and actor, once") {
  const State before = seen(two_tasks(kOpen, kOpen));
  const Plan plan = two_tasks(kDone, kOpen);
  const Reconciled result = reconcile(before, plan, "subagent:reviewer", Instant{5});
  CHECK(names(result) == Names{"task_completed a", "phase_started"});
  CHECK(result.state.phases[0].tasks[0].completed_at == Instant{5});
  CHECK(result.state.phases[0].tasks[0].completed_by == "subagent:reviewer");
  CHECK(result.state.last_saved == Instant{5});
  const Reconciled again = reconcile(result.state, plan, "main", Instant{9});
  CHECK(again.events.empty());
  CHECK(again.state == result.state);
}

TEST_CASE("reopening a task drops its time and tells") {
  const State done =
      reconcile(seen(two_tasks(kOpen, kDone)), two_tasks(kDone, kDone), "main", Instant{5}).state;
  const Reconciled result = reconcile(done, two_tasks(kOpen, kDone), "main", Instant{6});
  CHECK(names(result) == Names{"task_reopened a", "phase_reopened"});
  CHECK_FALSE(result.state.phases[0].tasks[0].completed_at.has_value());
  REQUIRE(result.notices.size() == 2);
  CHECK(result.notices[1].kind == NoticeKind::task_reopened);
  CHECK(result.notices[1].text == "task a was done and has been reopened");
}

TEST_CASE("completing everything says so") {
  const Reconciled result =
      reconcile(seen(two_tasks(kDone, kOpen)), two_tasks(kDone, kDone), "main", Instant{5});
  CHECK(names(result) == Names{"task_completed b", "phase_completed"});
  CHECK(result.notices.back().kind == NoticeKind::plan_completed);
  CHECK(result.state.progress.percent_tenths == 1000);
  CHECK_FALSE(result.state.current_phase.has_value());
}

TEST_CASE("a task that vanishes is named, one that appears is added") {
  Plan plan = two_tasks(kDone, kOpen);
  const State before = seen(plan);
  plan.phases[0].tasks[0].id = TaskId("c");
  plan.phases[0].tasks[0].title = "Something else";
  const Reconciled result = reconcile(before, plan, "main", Instant{5});
  CHECK(names(result) == Names{"task_added c", "task_removed a"});
  CHECK(result.events[0].done);
  CHECK(result.notices.at(0).kind == NoticeKind::task_removed);
  CHECK(result.notices.at(0).text == "task a is no longer in the plan");
}

TEST_CASE("a criterion that vanishes or is unticked is named, one that is reworded is not") {
  Plan plan = two_tasks(kDone, kOpen);
  for (const auto& [id, met] : {std::pair("fast", true), std::pair("safe", false)}) {
    Criterion& criterion = plan.phases[0].acceptance.emplace_back();
    criterion.id = CriterionId(id);
    criterion.title = id;
    criterion.met = met;
  }
  const State before = seen(plan);
  const auto told = [&before](const Plan& now) {
    Names texts;
    for (const Notice& notice : reconcile(before, now, "main", Instant{5}).notices)
      texts.push_back(notice.text);
    return texts;
  };
  Plan unticked = plan;
  unticked.phases[0].acceptance[0].met = false;
  CHECK(told(unticked) == Names{"criterion fast was met and has been unticked"});
  Plan shorter = plan;
  shorter.phases[0].acceptance.pop_back();
  CHECK(told(shorter) == Names{"criterion safe is no longer in the plan"});
  Plan empty = plan;
  empty.phases[0].acceptance.clear();
  CHECK(told(empty) == Names{"criteria fast, safe are no longer in the plan"});
  Plan reworded = plan;
  reworded.phases[0].acceptance[1].id = CriterionId("sound");
  reworded.phases[0].acceptance[1].title = "sound and proven";
  CHECK(told(reworded).empty());
}

TEST_CASE("a task that only got another id is said to have been renamed") {
  Plan plan = two_tasks(kDone, kOpen);
  const State before = seen(plan);
  plan.phases[0].tasks[0].id = TaskId("c");
  const Reconciled result = reconcile(before, plan, "main", Instant{5});
  REQUIRE(result.notices.size() == 1);
  CHECK(result.notices[0].kind == NoticeKind::task_renamed);
  CHECK(result.notices[0].text == "task a is called c now");
}

TEST_CASE("a task under another id keeps who finished it and when") {
  Plan plan = two_tasks(kOpen, kOpen);
  State before = seen(plan);
  plan.phases[0].tasks[0].state = kDone;
  before = reconcile(before, plan, "subagent:coder", Instant{5}).state;
  plan.phases[0].tasks[0].id = TaskId("c");
  const Reconciled result = reconcile(before, plan, "person", Instant{9});
  CHECK(names(result) == Names{"task_removed a", "task_added c"});
  CHECK(result.events[1].from == "a");
  const TaskState& task = result.state.phases.at(0).tasks.at(0);
  CHECK(task.completed_by == "subagent:coder");
  CHECK(task.completed_at == Instant{5});
  CHECK(result.state.removed.empty());

  SECTION("and is missed when its tick is gone as well") {
    plan.phases[0].tasks[0].id = TaskId("d");
    plan.phases[0].tasks[0].state = kOpen;
    const Reconciled reopened = reconcile(result.state, plan, "person", Instant{11});
    REQUIRE(reopened.notices.size() == 2);
    CHECK(reopened.notices[0].kind == NoticeKind::task_renamed);
    CHECK(reopened.notices[1].kind == NoticeKind::task_reopened);
  }
}

TEST_CASE("of two tasks with one title that are gone neither is the new one") {
  Plan plan = two_tasks(kDone, kDone);
  plan.phases[0].tasks[1].title = "a";
  const State before = seen(plan);
  plan.phases[0].tasks.pop_back();
  plan.phases[0].tasks[0].id = TaskId("c");
  const Reconciled result = reconcile(before, plan, "person", Instant{9});
  for (const Event& event : result.events) CHECK(event.from.empty());
}

TEST_CASE("a plan that lost more than half of its tasks was replaced") {
  Plan plan = two_tasks(kOpen, kOpen);
  for (const char* id : {"c", "d", "e"}) {
    Task& task = plan.phases[0].tasks.emplace_back(plan.phases[0].tasks[0]);
    task.id = TaskId(id);
    task.marked = true;
    task.title = id;
  }
  const State before = seen(plan);
  auto& tasks = plan.phases[0].tasks;
  tasks.erase(tasks.begin(), tasks.begin() + 2);
  CHECK(reconcile(before, plan, "main", Instant{5}).notices.at(0).text ==
        "tasks a, b are no longer in the plan");
  tasks.erase(tasks.begin());
  const Reconciled result = reconcile(before, plan, "main", Instant{5});
  REQUIRE(result.notices.size() == 1);
  CHECK(result.notices[0].kind == NoticeKind::plan_replaced);
  CHECK(result.notices[0].text == "the plan was replaced: 3 of its 5 tasks are missing");
}

TEST_CASE("a task that moves to another phase keeps who finished it and when") {
  const State done =
      reconcile(seen(two_tasks(kOpen, kOpen)), two_tasks(kDone, kOpen), "kim", Instant{5}).state;
  Plan moved = two_tasks(kDone, kOpen);
  moved.phases.push_back({PhaseId("q"), "Q", 9, {moved.phases[0].tasks[0]}, {}});
  moved.phases[0].tasks.erase(moved.phases[0].tasks.begin());
  const Reconciled result = reconcile(done, moved, "main", Instant{6});
  CHECK(result.state.phases[1].tasks[0].completed_by == "kim");
  CHECK(result.state.phases[1].tasks[0].completed_at == Instant{5});
  const Names list = names(result);
  CHECK(std::find(list.begin(), list.end(), "task_moved a") != list.end());
  CHECK(std::find(list.begin(), list.end(), "task_completed a") == list.end());
}

TEST_CASE("a phase under another id keeps when it was started and completed") {
  Plan plan = two_tasks(kOpen, kOpen);
  const State before = reconcile(seen(plan), two_tasks(kDone, kDone), "main", Instant{5}).state;
  Plan renamed = two_tasks(kDone, kDone);
  renamed.phases[0].id = PhaseId("q");
  const Reconciled result = reconcile(before, renamed, "main", Instant{9});
  CHECK(names(result) == Names{"phase_added", "task_moved a", "task_moved b", "phase_removed"});
  CHECK(result.events[0].from == "p");
  CHECK(result.state.phases.at(0).started_at == Instant{5});
  CHECK(result.state.phases.at(0).completed_at == Instant{5});
  Ledger ledger(before);
  for (const Event& event : result.events) ledger.apply(event);
  CHECK(ledger.state().phases.at(0).completed_at == Instant{5});
  // A task that is new in it reopens it.
  renamed.phases[0].tasks.push_back(renamed.phases[0].tasks[0]);
  renamed.phases[0].tasks.back().id = TaskId("c");
  renamed.phases[0].tasks.back().state = kOpen;
  const State reopened = reconcile(before, renamed, "main", Instant{9}).state;
  CHECK(reopened.phases.at(0).started_at == Instant{5});
  CHECK_FALSE(reopened.phases.at(0).completed_at.has_value());
}

TEST_CASE("a phase that took less than half of another is a new one") {
  Plan plan = two_tasks(kDone, kDone);
  const State before = reconcile(seen(two_tasks(kOpen, kOpen)), plan, "main", Instant{5}).state;
  plan.phases[0].id = PhaseId("q");
  plan.phases[0].tasks.pop_back();
  const Reconciled result = reconcile(before, plan, "main", Instant{9});
  CHECK_FALSE(result.state.phases.at(0).completed_at.has_value());
}

TEST_CASE("decisions keep when they were first seen, blockers come and go") {
  Plan plan = two_tasks(kOpen, kOpen);
  const State before = seen(plan);
  plan.decisions.push_back({"use SQLite", "one file", 3});
  plan.blockers.push_back({"no key", 4});
  const Reconciled first = reconcile(before, plan, "main", Instant{5});
  CHECK(names(first) == Names{"decision_recorded", "blocker_raised"});
  plan.decisions[0].reason = "a better reason";
  plan.blockers.clear();
  const Reconciled second = reconcile(first.state, plan, "main", Instant{6});
  CHECK(names(second) == Names{"blocker_resolved"});
  REQUIRE(second.state.decisions.size() == 1);
  CHECK(second.state.decisions[0].time == Instant{5});
  CHECK(second.state.decisions[0].reason == "a better reason");
}

TEST_CASE("fields of others survive") {
  State before = seen(two_tasks(kOpen, kOpen));
  before.unknown.push_back({"theirs", "{\"a\":1}"});
  before.phases[0].unknown.push_back({"note", "\"x\""});
  before.phases[0].tasks[0].unknown.push_back({"evidence", "{}"});
  const State after = reconcile(before, two_tasks(kDone, kOpen), "main", Instant{5}).state;
  CHECK(after.unknown == before.unknown);
  CHECK(after.phases[0].unknown == before.phases[0].unknown);
  CHECK(after.phases[0].tasks[0].unknown == before.phases[0].tasks[0].unknown);
}

TEST_CASE("a plan that loses all its tasks is told from one that never had any") {
  const State before = seen(two_tasks(kOpen, kOpen));
  CHECK(emptied(before, Plan{}));
  CHECK_FALSE(emptied(before, two_tasks(kDone, kDone)));
  CHECK_FALSE(emptied(State{}, Plan{}));
}

TEST_CASE("the same plan twice changes nothing") {
  CHECK(rc::check("idempotent", [] {
    const auto make = [] { return random_plan(); };
    State state = first_sight(make(), "id", "/plan.md", Instant{1}).state;
    const Plan fresh = make();
    Plan plan = fresh;
    keep_ids(state, plan);
    const Reconciled once = reconcile(state, plan, "main", Instant{2});
    Plan same = fresh;
    keep_ids(once.state, same);
    // That boxes had other ids before was told.
    plan.renumbered.clear();
    RC_ASSERT(same == plan);
    const Reconciled twice = reconcile(once.state, same, "other", Instant{3});
    RC_ASSERT(twice.events.empty());
    RC_ASSERT(twice.notices.empty());
    RC_ASSERT(twice.state == once.state);
  }));
}

TEST_CASE("a tick before what the task comes after is told once, at the edit that did it") {
  Plan plan = two_tasks(BoxState::open, BoxState::open);
  plan.phases[0].tasks[1].after = {TaskId("a")};
  const State before = seen(plan);
  plan.phases[0].tasks[1].state = BoxState::done;
  const Reconciled early = reconcile(before, plan, "main", Instant{2});
  REQUIRE(early.notices.size() == 1);
  CHECK(early.notices[0].kind == NoticeKind::done_before_dependency);
  CHECK(early.notices[0].text == "task b was ticked before the tasks it depends on: a");
  CHECK(reconcile(early.state, plan, "main", Instant{3}).notices.empty());
  // Both at once is in order.
  plan.phases[0].tasks[0].state = BoxState::done;
  for (const Notice& notice : reconcile(before, plan, "main", Instant{2}).notices)
    CHECK(notice.kind != NoticeKind::done_before_dependency);
  // Several are one line, and what they wait for is named once.
  Plan more = two_tasks(BoxState::open, BoxState::done);
  more.phases[0].tasks[1].after = {TaskId("a"), TaskId("nowhere")};
  more.phases[0].tasks.push_back(more.phases[0].tasks[1]);
  more.phases[0].tasks[2].id = TaskId("c");
  State open = seen(more);
  open.phases[0].tasks[1].done = open.phases[0].tasks[2].done = false;
  const Reconciled several = reconcile(open, more, "main", Instant{2});
  REQUIRE(several.notices.size() == 1);
  CHECK(several.notices[0].text == "tasks b, c (b) were ticked before the tasks they depend on: a, nowhere");
}

namespace {

Task box(std::string id, std::string title, BoxState state, std::string parent = {}) {
  Task task;
  task.id = TaskId(std::move(id));
  task.title = std::move(title);
  task.state = state;
  task.parent = TaskId(std::move(parent));
  return task;
}

// What an earlier version knew of a plan: boxes below a task as counts only.
State of_earlier_version(const Plan& plan) {
  Plan outer = plan;
  for (Phase& phase : outer.phases) {
    std::erase_if(phase.tasks, [](const Task& task) { return !task.parent.empty(); });
  }
  State state = first_sight(outer, "id", "/plan.md", base::Instant{1}).state;
  for (PhaseState& phase : state.phases) {
    for (TaskState& task : phase.tasks) {
      if (!task.done) continue;
      task.completed_at = base::Instant{5};
      task.completed_by = "kim";
    }
  }
  state.every_box = false;
  return state;
}

Plan parent_with_steps() {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  plan.phases[0].tasks = {box("api", "API", BoxState::done), box("schema", "Schema", BoxState::done, "api"),
                          box("routes", "Routes", BoxState::open, "api"),
                          box("ship", "Ship", BoxState::open)};
  plan.phases[0].tasks[0].marked = plan.phases[0].tasks[3].marked = true;
  return plan;
}

}  // namespace

TEST_CASE("boxes that an earlier version only counted are found in one event, and nobody loses a name") {
  const Plan plan = parent_with_steps();
  const State before = of_earlier_version(plan);
  const Reconciled after = reconcile(before, plan, "external", base::Instant{9});
  REQUIRE(after.events.size() == 1);
  const Event& found = after.events[0];
  CHECK(found.kind == EventKind::boxes_found);
  CHECK(found.boxes == 2);
  REQUIRE(found.ids.size() == 2);
  CHECK(found.ids[0] == GivenId{TaskId("schema"), "Schema", PhaseId("p"), TaskId("api"), true});
  CHECK(found.ids[1] == GivenId{TaskId("routes"), "Routes", PhaseId("p"), TaskId("api"), false});
  const std::vector<TaskState>& tasks = after.state.phases[0].tasks;
  CHECK(tasks[0].completed_by == "kim");
  CHECK(tasks[0].completed_at == base::Instant{5});
  CHECK(tasks[1].done);
  CHECK_FALSE(tasks[1].completed_at);
  CHECK(tasks[1].completed_by.empty());
  CHECK(tasks[1].parent == TaskId("api"));
  CHECK(after.state.every_box);
  REQUIRE(after.notices.size() == 1);
  CHECK(after.notices[0].kind == NoticeKind::boxes_found);

  const Reconciled again = reconcile(after.state, plan, "external", base::Instant{10});
  CHECK(again.events.empty());
  CHECK(again.notices.empty());
  CHECK(again.state == after.state);
}

TEST_CASE("a phase that an earlier version took for complete is not, and nobody reopened it") {
  Plan plan = parent_with_steps();
  plan.phases[0].tasks.pop_back();
  State before = of_earlier_version(plan);
  before.phases[0].started_at = base::Instant{2};
  before.phases[0].completed_at = base::Instant{5};
  REQUIRE(before.phases[0].status == PhaseStatus::completed);
  const Reconciled after = reconcile(before, plan, "external", base::Instant{9});
  REQUIRE(after.events.size() == 1);
  CHECK(after.events[0].kind == EventKind::boxes_found);
  REQUIRE(after.events[0].phases.size() == 1);
  CHECK(after.events[0].phases[0].status == PhaseStatus::in_progress);
  CHECK(after.state.phases[0].status == PhaseStatus::in_progress);
  CHECK(after.state.phases[0].started_at == base::Instant{2});
  CHECK_FALSE(after.state.phases[0].completed_at);
  CHECK(after.notices.size() == 1);
}

TEST_CASE("what the edit at hand ticked is recorded beside what is found") {
  Plan plan = parent_with_steps();
  const State before = of_earlier_version(plan);
  for (Task& task : plan.phases[0].tasks) task.state = BoxState::done;
  const Reconciled after = reconcile(before, plan, "ada", base::Instant{9});
  REQUIRE(after.events.size() == 3);
  CHECK(after.events[0].kind == EventKind::boxes_found);
  CHECK(after.events[1].kind == EventKind::task_completed);
  CHECK(after.events[1].task == TaskId("ship"));
  CHECK(after.events[2].kind == EventKind::phase_completed);
  CHECK(after.state.phases[0].completed_at == base::Instant{9});
}

TEST_CASE("a task that goes below another is moved, and keeps who finished it and when") {
  Plan plan = parent_with_steps();
  State state = first_sight(plan, "id", "/plan.md", base::Instant{1}).state;
  state.phases[0].tasks[1].completed_by = "kim";
  state.phases[0].tasks[1].completed_at = base::Instant{3};
  std::rotate(plan.phases[0].tasks.begin() + 1, plan.phases[0].tasks.begin() + 2, plan.phases[0].tasks.end());
  plan.phases[0].tasks[3].parent = TaskId("ship");
  const Reconciled after = reconcile(state, plan, "main", base::Instant{9});
  REQUIRE(after.events.size() == 1);
  CHECK(after.events[0].kind == EventKind::task_moved);
  CHECK(after.events[0].parent == TaskId("ship"));
  CHECK(after.events[0].from == "p");
  CHECK(after.state.phases[0].tasks[3].completed_by == "kim");
}

TEST_CASE("a take-over is told so that the history alone leads to the same state") {
  CHECK(rc::check("take-over", [] {
    const Plan plan = random_plan();
    Plan outer = plan;
    for (Phase& phase : outer.phases) {
      std::erase_if(phase.tasks, [](const Task& task) { return !task.parent.empty(); });
    }
    Reconciled seen = first_sight(outer, "id", "/plan.md", base::Instant{1});
    seen.state.every_box = false;
    seen.events[0].every_box = false;
    Ledger ledger;
    for (const Event& event : seen.events) ledger.apply(event);
    Plan kept = plan;
    keep_ids(seen.state, kept);
    const Reconciled after = reconcile(seen.state, kept, "external", base::Instant{2});
    for (const Event& event : after.events) {
      const bool found = event.kind == EventKind::boxes_found || event.kind == EventKind::tasks_ordered;
      RC_ASSERT(found);
    }
    Plan again = plan;
    const Reconciled rebuilt =
        reconcile(ledger.rebuild(again, "id", "/plan.md"), again, "external", base::Instant{2});
    RC_ASSERT(again == kept);
    RC_ASSERT(rebuilt.state == after.state);
    for (const Event& event : after.events) ledger.apply(event);
    Plan later = plan;
    const Reconciled nothing =
        reconcile(ledger.rebuild(later, "id", "/plan.md"), later, "external", base::Instant{3});
    RC_ASSERT(nothing.events.empty());
    RC_ASSERT(nothing.state == after.state);
  }));
}
