// Markers that are put at other titles by hand: what was recorded of a task follows its title.

#include <catch2/catch.hpp>

#include "base/slug.hpp"
#include "rules/tracked_plan.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

struct Marked {
  std::string id;  // empty: without a marker, its id is made from the title
  std::string title;
  bool done = false;
};

Plan marked_plan(const std::vector<Marked>& boxes) {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "p", 1, {}, {}});
  for (const Marked& box : boxes) {
    Task& task = plan.phases[0].tasks.emplace_back();
    task.marked = !box.id.empty();
    task.id = TaskId(task.marked ? box.id : base::slug(box.title, "task"));
    task.title = box.title;
    task.state = box.done ? BoxState::done : BoxState::open;
  }
  return plan;
}

// The titles and who finished them, in the order of the plan.
using Rows = std::vector<std::string>;
Rows rows(const State& state) {
  Rows rows;
  for (const TaskState& task : state.phases.at(0).tasks)
    rows.push_back(task.id.text + ": " + task.title +
                   (task.done ? " by " + (task.completed_by.empty() ? "nobody" : task.completed_by) : ""));
  return rows;
}

// Two tasks, the first finished by one person.
TrackedPlan login_is_done() {
  TrackedPlan plan(marked_plan({{"a", "Build the login"}, {"b", "Write the docs"}}));
  plan.see(marked_plan({{"a", "Build the login", true}, {"b", "Write the docs"}}), "person:ann");
  return plan;
}

}  // namespace

TEST_CASE("two tasks whose markers are exchanged by hand keep what was recorded of them") {
  TrackedPlan plan = login_is_done();
  plan.see(marked_plan({{"b", "Build the login", true}, {"a", "Write the docs"}}), "external");
  CHECK(rows(plan.state) == Rows{"b: Build the login by person:ann", "a: Write the docs"});
  CHECK(plan.events(EventKind::task_completed) == 0);
  CHECK(plan.events(EventKind::task_reopened) == 0);
  CHECK(plan.notices(NoticeKind::tasks_renumbered) == Rows{"2 tasks have other ids now: a is b, b is a"});
}

TEST_CASE("markers that are moved on by one go to other tasks, and a new one takes no completion") {
  TrackedPlan plan = login_is_done();
  plan.claim("b", "person:bob");
  plan.see(
      marked_plan(
          {{"a", "Build the login page", true}, {"b", "Build the login", true}, {"c", "Write the docs"}}),
      "external");
  CHECK(rows(plan.state) ==
        Rows{"a: Build the login page by nobody", "b: Build the login by person:ann", "c: Write the docs"});
  CHECK(plan.holder("c") == "person:bob");
  CHECK(plan.holder("b").empty());
}

TEST_CASE("a task that gets the marker of a deleted one gets nothing of what that one was") {
  TrackedPlan plan = login_is_done();
  plan.see(marked_plan({{"a", "Write the docs", true}}), "external");
  CHECK(rows(plan.state) == Rows{"a: Write the docs by external"});
  CHECK(plan.notices(NoticeKind::task_removed) == Rows{"task a (Build the login) is no longer in the plan"});
  // The other way round it is unticked by nobody.
  TrackedPlan other = login_is_done();
  other.see(marked_plan({{"b", "Build the login", true}}), "external");
  CHECK(rows(other.state) == Rows{"b: Build the login by person:ann"});
}

TEST_CASE("a task that loses its marker to another one keeps what was recorded of it") {
  TrackedPlan plan = login_is_done();
  plan.see(
      marked_plan({{"", "Build the login", true}, {"a", "Send the mail", true}, {"b", "Write the docs"}}),
      "external");
  CHECK(rows(plan.state) == Rows{"build-the-login: Build the login by person:ann",
                                 "a: Send the mail by nobody", "b: Write the docs"});
}

TEST_CASE("a task whose marker went to another gets no id that is taken, also where its title stood twice") {
  TrackedPlan plan(marked_plan({{"a", "Commit", true}, {"b", "Commit", true}, {"c", "Ship it"}}));
  plan.see(marked_plan({{"", "Commit", true}, {"b", "Ship it"}}), "external");
  CHECK(rows(plan.state).size() == 2);
  CHECK(rows(plan.state).back() == "b: Ship it");
  CHECK(rows(plan.state).front() != "b: Commit by nobody");
}

TEST_CASE("an id that stands in several phases is several tasks, whatever their titles do") {
  const auto two_phases = [](const std::string& first, const std::string& second) {
    Plan plan = marked_plan({{"a", first, true}});
    Plan other = marked_plan({{"a", second}});
    other.phases[0].id = PhaseId("q");
    plan.phases.push_back(other.phases[0]);
    return plan;
  };
  TrackedPlan plan(two_phases("Build the login", "Write the docs"));
  plan.see(two_phases("Write the docs", "Build the login"), "external");
  CHECK(plan.events(EventKind::task_renamed) == 2);
  CHECK(plan.notices(NoticeKind::tasks_renumbered).empty());
}

TEST_CASE("a marked box that is reworded to what no box said is the same task") {
  TrackedPlan plan = login_is_done();
  plan.see(marked_plan({{"a", "Sign people in", true}, {"b", "Write the docs"}}), "external");
  CHECK(rows(plan.state) == Rows{"a: Sign people in by person:ann", "b: Write the docs"});
  CHECK(plan.events(EventKind::task_renamed) == 1);
}

TEST_CASE("an id is the same with an accent of its own and without") {
  const std::string one = "caf\xC3\xA9";
  const std::string two = "cafe\xCC\x81";
  const auto with_both = [](const std::string& id, bool done) {
    Plan plan = marked_plan({{id, "Brew", done}, {"b", "Serve"}});
    plan.phases[0].tasks[1].after = {TaskId(id)};
    plan.phases[0].tasks[1].parent = TaskId(id);
    Criterion& criterion = plan.phases[0].acceptance.emplace_back();
    criterion.id = CriterionId(id);
    criterion.met = done;
    criterion.parent = TaskId(id);
    return plan;
  };
  TrackedPlan plan(with_both(one, false));
  plan.see(with_both(one, true), "team:ann");
  plan.see(with_both(two, true), "external");
  CHECK(plan.last.events.empty());
  CHECK(rows(plan.state) == Rows{one + ": Brew by team:ann", "b: Serve"});
  CHECK(plan.state.phases[0].acceptance[0].id == CriterionId(one));
  Plan kept = with_both(two, true);
  keep_ids(plan.state, kept);
  CHECK(kept.phases[0].tasks[1].after == std::vector<TaskId>{TaskId(one)});
  CHECK(kept.phases[0].tasks[1].parent == TaskId(one));
  CHECK(kept.phases[0].acceptance[0].parent == TaskId(one));
}
