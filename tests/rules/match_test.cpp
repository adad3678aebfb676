#include "rules/match.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "model/random_plan.hpp"
#include "rules/reconcile.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

Plan plan_of(
    const std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>& phases) {
  Plan plan;
  for (const auto& [name, tasks] : phases) {
    plan.phases.push_back({PhaseId(name), name, 1, {}, {}});
    for (const auto& [id, title] : tasks) {
      Task task;
      task.id = TaskId(id);
      task.title = title;
      task.id_in_text = title.starts_with(id + " ");
      plan.phases.back().tasks.push_back(std::move(task));
    }
  }
  return plan;
}

State seen(const Plan& plan) {
  return first_sight(plan, "id", "/plan.md", "main", base::Instant{1}).state;
}

std::vector<std::string> ids(const Plan& plan) {
  std::vector<std::string> result;
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) result.push_back(task.id.text);
  }
  return result;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("a reworded box keeps its id") {
  Plan plan = plan_of({{"p", {{"add-login-page", "Add login page"}, {"ship-it", "Ship it"}}}});
  Plan later = plan_of({{"p", {{"add-the-login-page", "Add the login page"}, {"ship-it", "Ship it"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"add-login-page", "ship-it"});
}

TEST_CASE("a box that moves to another phase keeps its id, reworded or not") {
  Plan plan = plan_of(
      {{"a", {{"write-the-parser-tests", "Write the parser tests"}, {"x", "X"}}}, {"b", {{"y", "Y"}}}});
  Plan later = plan_of({{"a", {{"x", "X"}}},
                        {"b", {{"y", "Y"}, {"write-all-the-parser-tests", "Write all the parser tests"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"x", "y", "write-the-parser-tests"});
}

TEST_CASE("boxes of one title keep their ids when their phases change places") {
  Plan plan = plan_of({{"a", {{"write-tests", "Write tests"}}}, {"b", {{"write-tests-2", "Write tests"}}}});
  Plan later = plan_of({{"b", {{"write-tests", "Write tests"}}}, {"a", {{"write-tests-2", "Write tests"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"write-tests-2", "write-tests"});
}

TEST_CASE("another written id is another task, however alike the text") {
  Plan plan = plan_of({{"p", {{"T001", "T001 Create the project"}}}});
  Plan later = plan_of({{"p", {{"T002", "T002 Create the project"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"T002"});
}

TEST_CASE("a written id holds on to its task whatever the text becomes") {
  Plan plan = plan_of({{"p", {{"T001", "T001 Create"}, {"T002", "T002 Test"}}}});
  Plan later = plan_of({{"p", {{"T002", "T002 Something else entirely"}, {"T001", "T001 Test"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"T002", "T001"});
}

TEST_CASE("a new box does not take the name of one that has just gone") {
  Plan plan = plan_of({{"p", {{"alpha", "Alpha!"}, {"x", "X"}}}});
  Plan later = plan_of({{"p", {{"alpha", "Entirely different words"}, {"x", "X"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"alpha-2", "x"});
}

TEST_CASE("similarity is 1 for equal titles, 0 for nothing in common, and looks past letter case") {
  CHECK(similarity("Add login", "Add login") == 1);
  CHECK(similarity("ADD LOGIN", "add login") == 1);
  CHECK(similarity("abc", "xyz") == 0);
  CHECK(similarity("", "abc") == 0);
  CHECK(similarity("Add login page", "Add the login page") > kSameTask);
  CHECK(similarity("Write tests", "Ship it") < kSameTask);
}

TEST_CASE("reordering a plan keeps every id") {
  CHECK(rc::check("reorder", [] {
    Plan plan = random_unmarked_plan();
    // Titles that differ, so that "its box" has a meaning.
    std::set<std::string> titles;
    for (Phase& phase : plan.phases) {
      std::erase_if(phase.tasks, [&](const Task& task) { return !titles.insert(task.title).second; });
    }
    std::map<std::string, std::string> before;
    for (const Phase& phase : plan.phases) {
      for (const Task& task : phase.tasks) before[task.title] = task.id.text;
    }
    const State state = seen(plan);
    Plan later = plan;
    std::vector<Task> all;
    for (Phase& phase : later.phases) {
      all.insert(all.end(), phase.tasks.begin(), phase.tasks.end());
      phase.tasks.clear();
    }
    while (!all.empty()) {
      const auto i = *rc::gen::inRange<std::size_t>(0, all.size());
      auto& phase = later.phases[*rc::gen::inRange<std::size_t>(0, later.phases.size())];
      phase.tasks.push_back(all[i]);
      if (!phase.tasks.back().id_in_text)
        phase.tasks.back().id = TaskId("fresh-" + std::to_string(all.size()));
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
    keep_ids(state, later);
    for (const Phase& phase : later.phases) {
      for (const Task& task : phase.tasks) RC_ASSERT(before.at(task.title) == task.id.text);
    }
  }));
}

TEST_CASE("renaming one task loses no other") {
  CHECK(rc::check("rename one", [] {
    Plan plan = random_unmarked_plan();
    std::set<std::string> titles;
    std::size_t count = 0;
    for (Phase& phase : plan.phases) {
      std::erase_if(phase.tasks, [&](const Task& task) { return !titles.insert(task.title).second; });
      count += phase.tasks.size();
    }
    RC_PRE(count > 0);
    const State state = seen(plan);
    const Ids before = ids(plan);
    Plan later = plan;
    auto chosen = *rc::gen::inRange<std::size_t>(0, count);
    std::size_t n = 0;
    for (Phase& phase : later.phases) {
      for (Task& task : phase.tasks) {
        if (n++ != chosen) continue;
        task.title = *rc::gen::container<std::string>(rc::gen::inRange('a', 'z'));
        task.id_in_text = false;
        task.id = TaskId("renamed");
      }
    }
    keep_ids(state, later);
    const Ids after = ids(later);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (i != chosen) RC_ASSERT(after[i] == before[i]);
    }
    RC_ASSERT(std::set<std::string>(after.begin(), after.end()).size() == after.size());
  }));
}

TEST_CASE("a thousand reworded boxes find their tasks among a thousand") {
  // Beyond the size where all pairs are compared: candidates come from shared pairs of characters.
  std::vector<std::pair<std::string, std::string>> before;
  std::vector<std::pair<std::string, std::string>> after;
  for (int i = 0; i < 1'500; ++i) {
    const std::string number = std::to_string(i * 7919 % 100'003);
    before.emplace_back("task-" + number, "Part " + number + " of " + number + number);
    after.emplace_back("fresh-" + number, "Parts " + number + " of " + number + number);
  }
  Plan plan = plan_of({{"p", before}});
  Plan later = plan_of({{"p", after}});
  keep_ids(seen(plan), later);
  std::size_t kept = 0;
  const Ids now = ids(later);
  for (std::size_t i = 0; i < now.size(); ++i) kept += now[i] == before[i].first ? 1 : 0;
  // Not every one: a box is compared with those that share its rarest pairs only.
  CHECK(kept * 100 >= now.size() * 99);
}
