// Boxes that a SKIP marker leaves out from now on: they are told as such, and are not lost.

#include <catch2/catch.hpp>
#include <set>

#include "base/slug.hpp"
#include "model/removed.hpp"
#include "rules/matching/skipped_items.hpp"
#include "rules/matching/vanished.hpp"
#include "rules/tracked_plan.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

struct Row {
  std::string title;
  bool done = false;
  bool skipped = false;
  std::string marker{};  // "c:" in front: of a criterion
};

Plan plan_with(const std::vector<Row>& boxes) {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "p", 1, {}, {}});
  std::set<std::string> used;
  for (const Row& box : boxes) {
    const bool criterion = box.marker.starts_with("c:");
    const std::string marker = criterion ? box.marker.substr(2) : box.marker;
    if (box.skipped) {
      ++plan.skipped;
      plan.skipped_boxes.push_back(
          {box.title, TaskId(criterion ? "" : marker), CriterionId(criterion ? marker : "")});
      continue;
    }
    if (criterion) {
      Criterion& one = plan.phases[0].acceptance.emplace_back();
      one.id = CriterionId(marker);
      one.title = box.title;
      one.met = box.done;
      continue;
    }
    Task& task = plan.phases[0].tasks.emplace_back();
    task.marked = !marker.empty();
    const std::string word = box.title.substr(0, box.title.find(' '));
    task.id_in_text = !task.marked && word.size() == 4 && word[0] == 'T' && word[1] == '0';
    std::string id = task.marked ? marker : task.id_in_text ? word : base::slug(box.title, "task");
    for (int n = 2; !used.insert(id).second; ++n)
      id = base::slug(box.title, "task") + "-" + std::to_string(n);
    task.id = TaskId(id);
    task.title = box.title;
    task.state = box.done ? BoxState::done : BoxState::open;
  }
  return plan;
}

std::vector<std::string> vanished_ids(const TrackedPlan& plan) {
  std::vector<std::string> ids;
  for (const VanishedTask& one : vanished_by(plan.last.events, false)) ids.push_back(one.id.text);
  return ids;
}

std::vector<std::string> skipped_ids(const TrackedPlan& plan) {
  std::vector<std::string> ids;
  for (const Event& event : plan.last.events) {
    if (event.skipped) ids.push_back(event.task.empty() ? "c:" + event.criterion.text : event.task.text);
  }
  return ids;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("what a SKIP marker leaves out is told as left out, not as vanished") {
  struct Case {
    const char* what;
    std::vector<Row> before;
    std::vector<Row> after;
    Ids skipped;
    Ids vanished;
  };
  const std::vector<Case> cases{
      {"by its title", {{"Alpha"}, {"Beta"}}, {{"Alpha", false, true}, {"Beta"}}, {"alpha"}, {}},
      {"a done one", {{"Alpha", true}, {"Beta"}}, {{"Alpha", true, true}, {"Beta"}}, {"alpha"}, {}},
      {"a numbered one",
       {{"T001 Alpha"}, {"T002 Beta"}},
       {{"T001 Alpha"}, {"T002 Beta", false, true}},
       {"T002"},
       {}},
      {"by its marker, reworded",
       {{"Alpha", false, false, "a"}, {"Beta", false, false, "b"}},
       {{"Quite another", false, true, "a"}, {"Beta", false, false, "b"}},
       {"a"},
       {}},
      {"with a note behind it",
       {{"Alpha task"}, {"Beta"}},
       {{"Alpha task (waits for the vendor)", false, true}, {"Beta"}},
       {"alpha-task"},
       {}},
      {"beside one that is gone",
       {{"Alpha"}, {"Beta"}, {"Gamma"}},
       {{"Alpha", false, true}, {"Gamma"}},
       {"alpha"},
       {"beta"}},
      {"one of two with the same words",
       {{"Same"}, {"Same"}},
       {{"Same"}, {"Same", false, true}},
       {"same-2"},
       {}},
      {"a criterion",
       {{"Alpha"}, {"Fast", false, false, "c:fast"}},
       {{"Alpha"}, {"Fast", false, true, "c:fast"}},
       {"c:fast"},
       {}},
      {"a criterion beside a new one",
       {{"Alpha"}, {"Fast", false, false, "c:fast"}},
       {{"Alpha"}, {"Fast", false, true, "c:fast"}, {"Small", false, false, "c:small"}},
       {"c:fast"},
       {}},
      {"a template that was skipped before hides no loss",
       {{"Alpha"}, {"Beta"}, {"Alpha", false, true}},
       {{"Beta"}, {"Alpha", false, true}},
       {},
       {"alpha"}},
      {"more gone than skipped",
       {{"Alpha"}, {"Beta"}, {"Gamma"}},
       {{"Gamma"}, {"Beta", false, true}},
       {"beta"},
       {"alpha"}},
  };
  for (const Case& one : cases) {
    INFO(one.what);
    TrackedPlan plan(plan_with(one.before));
    plan.see(plan_with(one.after), "main");
    CHECK(skipped_ids(plan) == one.skipped);
    CHECK(vanished_ids(plan) == one.vanished);
    CHECK(plan.state.vanished_at.has_value() == !one.vanished.empty());
    const bool tells = std::any_of(plan.last.notices.begin(), plan.last.notices.end(), tells_of_loss);
    CHECK(tells == !one.vanished.empty());
  }
}

TEST_CASE("a notice names what is left out") {
  TrackedPlan plan(plan_with({{"T001 Alpha"}, {"T002 Beta"}, {"Fast", false, false, "c:fast"}}));
  plan.see(plan_with({{"T001 Alpha"}, {"T002 Beta", false, true}, {"Fast", false, true, "c:fast"}}), "main");
  CHECK(plan.notices(NoticeKind::task_skipped) == Ids{"task T002 (Beta) is left out of the plan now (SKIP)"});
  CHECK(plan.notices(NoticeKind::criterion_skipped) ==
        Ids{"criterion fast is left out of the plan now (SKIP)"});
}

TEST_CASE("a task that is counted again has its past, and what was left out is no other box") {
  TrackedPlan plan(plan_with({{"T001 Alpha"}, {"T002 Build the parser"}}));
  plan.see(plan_with({{"T001 Alpha"}, {"T002 Build the parser", true}}), "team:kim");
  plan.see(plan_with({{"T001 Alpha"}, {"T002 Build the parser", true, true}}), "main");
  plan.see(plan_with({{"T001 Alpha"}, {"T002 Build the parser", true}}), "external");
  REQUIRE(plan.state.phases.at(0).tasks.size() == 2);
  CHECK(plan.state.phases[0].tasks[1].completed_by == "team:kim");
  CHECK(plan.state.skipped == 0);

  SECTION("a box that is like it is new") {
    plan.see(
        plan_with({{"T001 Alpha"}, {"T002 Build the parser", true, true}, {"Build the parser again", true}}),
        "team:lee");
    CHECK(skipped_ids(plan) == Ids{"T002"});
    CHECK(plan.state.phases.at(0).tasks.at(1).completed_by != "team:kim");
  }
  SECTION("its number at other words is another task") {
    plan.see(plan_with({{"T001 Alpha"}, {"T002 Build the parser", true, true}, {"T002 Ship it"}}),
             "team:lee");
    CHECK(skipped_ids(plan) == Ids{"T002"});
    CHECK(plan.events(EventKind::task_reopened) == 0);
    CHECK(plan.state.phases.at(0).tasks.at(1).id == TaskId("T002"));
  }
}

TEST_CASE("rewording a task beside a template of its words keeps its past") {
  TrackedPlan plan(plan_with({{"Write the tests"}, {"Write the tests", false, true}}));
  plan.see(plan_with({{"Write the tests", true}, {"Write the tests", false, true}}), "team:kim");
  plan.see(plan_with({{"Write the tests first", true}, {"Write the tests", false, true}}), "external");
  CHECK(plan.state.phases.at(0).tasks.at(0).completed_by == "team:kim");
  CHECK(skipped_ids(plan).empty());
}

TEST_CASE("one box is one task and one criterion, and no more boxes count than are told") {
  const std::vector<SkippedBox> both{{"Both", TaskId("t"), CriterionId("c")}};
  CHECK(find_skipped({{"t", "Both", false}, {"c", "Both", true}, {"x", "Both", false}}, both, 1) ==
        std::vector<bool>{true, true, false});
  const std::vector<SkippedBox> plain{{"A", {}, {}}, {"B", {}, {}}};
  CHECK(find_skipped({{"a", "A", false}, {"b", "B", false}}, plain, 1) == std::vector<bool>{true, false});
  CHECK(find_skipped({{"a", "A", true}}, plain, 2) == std::vector<bool>{false});
  // An accent may be a character of its own.
  CHECK(find_skipped({{"a", "Caf\xC3\xA9", false}}, {{"Cafe\xCC\x81", {}, {}}}, 1) ==
        std::vector<bool>{true});
}
