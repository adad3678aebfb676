#include "rules/todo_changes.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep;
using namespace plankeep::core;
using What = TodoChange::What;

namespace {

TodoItem task(const std::string& phase, const std::string& id, BoxState state = BoxState::open) {
  return {PhaseId(phase), TaskId(id), "Title", state, false};
}

std::vector<TodoItem> random_tasks() {
  std::vector<TodoItem> tasks;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
    tasks.push_back(task(*rc::gen::element<std::string>("p", "q"),
                         *rc::gen::element<std::string>("a", "b", "c"),
                         *rc::gen::element(BoxState::open, BoxState::active, BoxState::done)));
  }
  return tasks;
}

}  // namespace

TEST_CASE("what was ticked, unticked, begun, added and removed is told") {
  const std::vector<TodoItem> before{task("p", "a"), task("p", "b", BoxState::done), task("p", "c"),
                                     task("p", "d"), task("p", "e", BoxState::active)};
  const std::vector<TodoItem> after{task("p", "a", BoxState::done), task("p", "b"),
                                    task("p", "c", BoxState::active), task("p", "e"), task("p", "f")};
  const std::vector<TodoChange> changes = todo_changes(before, after);
  CHECK(changes == std::vector<TodoChange>{{What::ticked, after[0]},
                                           {What::unticked, after[1]},
                                           {What::started, after[2]},
                                           {What::stopped, after[3]},
                                           {What::added, after[4]},
                                           {What::removed, before[3]}});
}

TEST_CASE("a task that moved to another phase is the same, unless its id stands twice") {
  CHECK(todo_changes({task("p", "a")}, {task("q", "a")}).empty());
  CHECK(todo_changes({task("p", "a")}, {task("q", "a", BoxState::done)}) ==
        std::vector<TodoChange>{{What::ticked, task("q", "a", BoxState::done)}});
  CHECK(todo_changes({task("p", "a"), task("q", "a")}, {task("p", "a"), task("r", "a")}) ==
        std::vector<TodoChange>{{What::added, task("r", "a")}, {What::removed, task("q", "a")}});
}

TEST_CASE("a task that was numbered anew is the same, and the new one with its number is new") {
  const auto numbered = [](const std::string& id, const std::string& words, BoxState state = BoxState::open) {
    return TodoItem{PhaseId("p"), TaskId(id), id + " " + words, state, false};
  };
  const std::vector<TodoItem> before{numbered("T001", "one alpha", BoxState::done),
                                     numbered("T002", "two beta")};
  const std::vector<TodoItem> after{numbered("T001", "zero"), numbered("T002", "one alpha", BoxState::done),
                                    numbered("T003", "two beta")};
  CHECK(todo_changes(before, after) == std::vector<TodoChange>{{What::added, after[0]}});
  CHECK(todo_changes(after, before) == std::vector<TodoChange>{{What::removed, after[0]}});
  CHECK(todo_changes({before[0]}, {numbered("T001", "one alpha, reworded")}) ==
        std::vector<TodoChange>{{What::unticked, numbered("T001", "one alpha, reworded")}});
}

TEST_CASE("nothing differs from itself, and as many tasks come and go as the numbers say") {
  CHECK(rc::check("tasks", [] {
    const std::vector<TodoItem> before = random_tasks();
    const std::vector<TodoItem> after = random_tasks();
    std::int64_t balance = 0;
    for (const TodoChange& change : todo_changes(before, after)) {
      if (change.what == What::added) ++balance;
      if (change.what == What::removed) --balance;
    }
    RC_ASSERT(static_cast<std::int64_t>(before.size()) + balance == static_cast<std::int64_t>(after.size()));
  }));
  CHECK(todo_changes({task("p", "a")}, {task("p", "a")}).empty());
}
