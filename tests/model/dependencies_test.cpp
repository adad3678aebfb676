#include "model/dependencies.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "model/random_plan.hpp"

using namespace plankeep::core;

namespace {

struct Wait {
  const char* id;
  std::vector<const char*> after;
  BoxState state = BoxState::open;
};

Phase phase_of(const char* id, const std::vector<Wait>& waits) {
  Phase phase;
  phase.id = PhaseId(id);
  for (const Wait& wait : waits) {
    Task& task = phase.tasks.emplace_back();
    task.id = TaskId(wait.id);
    task.state = wait.state;
    for (const char* after : wait.after) task.after.emplace_back(after);
  }
  return phase;
}

Plan plan_of(std::vector<Phase> phases) {
  Plan plan;
  plan.phases = std::move(phases);
  return plan;
}

std::vector<std::string> names(const Dependencies& graph, const std::vector<std::size_t>& nodes) {
  std::vector<std::string> ids;
  for (const std::size_t node : nodes) ids.push_back(graph.task(node).id.text);
  return ids;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a task is ready when all that it comes after is done") {
  const Plan plan = plan_of({phase_of("p", {{"a", {}, BoxState::done},
                                            {"b", {"a"}},
                                            {"c", {"a", "b", "b", "nowhere"}},
                                            {"d", {}, BoxState::active}})});
  const Dependencies graph(plan);
  CHECK_FALSE(graph.ready(0));
  CHECK(graph.ready(1));
  CHECK_FALSE(graph.ready(2));
  CHECK(graph.ready(3));
  CHECK(graph.waiting_for(2) == std::vector<TaskId>{TaskId("b"), TaskId("nowhere")});
  CHECK(graph.called(TaskId("nowhere")).empty());
  CHECK_FALSE(graph.done(TaskId("nowhere")));
  CHECK(has_dependencies(plan));
  CHECK_FALSE(has_dependencies(plan_of({phase_of("p", {{"a", {}}})})));
}

TEST_CASE("an id that stands in two phases is done when both tasks are") {
  Plan plan = plan_of({phase_of("p", {{"a", {}, BoxState::done}}), phase_of("q", {{"a", {}}, {"b", {"a"}}})});
  CHECK_FALSE(Dependencies(plan).ready(2));
  CHECK_FALSE(DoneIds(plan).contains(TaskId("a")));
  plan.phases[1].tasks[0].state = BoxState::done;
  CHECK(Dependencies(plan).ready(2));
  CHECK(DoneIds(plan).contains(TaskId("a")));
  CHECK_FALSE(DoneIds(plan).contains(TaskId("nowhere")));
}

TEST_CASE("the order has everything behind what it comes after, otherwise that of the document") {
  const Plan plan =
      plan_of({phase_of("p", {{"a", {"d"}}, {"b", {}}, {"c", {"b"}}}), phase_of("q", {{"d", {"c"}}})});
  const Dependencies graph(plan);
  CHECK(names(graph, graph.order()) == Names{"b", "c", "d", "a"});
  CHECK(graph.cycles().empty());
}

TEST_CASE("circles are found: of one, of several, and across an id that stands twice") {
  const Plan plan =
      plan_of({phase_of("p", {{"self", {"self"}}, {"a", {"c"}}, {"b", {"a"}}, {"c", {"b"}}, {"free", {"a"}}}),
               phase_of("q", {{"twice", {}}, {"x", {"twice"}}}), phase_of("r", {{"twice", {"x"}}})});
  const Dependencies graph(plan);
  const auto circles = graph.cycles();
  REQUIRE(circles.size() == 3);
  CHECK(names(graph, circles[0]) == Names{"self"});
  CHECK(names(graph, circles[1]) == Names{"a", "b", "c"});
  CHECK(names(graph, circles[2]) == Names{"x", "twice"});
  CHECK(graph.order().size() == graph.size());
}

TEST_CASE("a chain of 100,000 tasks is no recursion, and one id for all of them no square") {
  Plan chain = plan_of({phase_of("p", {})});
  Plan crowd;
  constexpr int kTasks = 100'000;
  for (int i = 0; i < kTasks; ++i) {
    Task& link = chain.phases[0].tasks.emplace_back();
    link.id = TaskId("t" + std::to_string(i));
    link.after = {TaskId("t" + std::to_string((i + 1) % kTasks))};
    Phase& phase = crowd.phases.emplace_back();
    Task& one = phase.tasks.emplace_back();
    one.id = TaskId("same");
    one.after = {TaskId("same")};
  }
  REQUIRE(Dependencies(chain).cycles().size() == 1);
  CHECK(Dependencies(chain).cycles().front().size() == kTasks);
  chain.phases[0].tasks.back().after.clear();
  const Dependencies open(chain);
  CHECK(open.cycles().empty());
  CHECK(open.order().front() == kTasks - 1);
  CHECK(Dependencies(crowd).cycles().front().size() == kTasks);
}

namespace {

// What reaches what, the slow way.
std::vector<std::set<std::size_t>> reached(const Dependencies& graph) {
  std::vector<std::set<std::size_t>> from(graph.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t node = 0; node < graph.size(); ++node) {
      for (const TaskId& id : graph.task(node).after) {
        for (const std::size_t next : graph.called(id)) {
          const std::size_t before = from[node].size();
          from[node].insert(next);
          from[node].insert(from[next].begin(), from[next].end());
          more = more || from[node].size() != before;
        }
      }
    }
  }
  return from;
}

}  // namespace

TEST_CASE("order and circles are those of the closure, whatever waits for what") {
  CHECK(rc::check("closure", [] {
    Plan plan = random_marked_plan();
    for (Phase& phase : plan.phases) {
      for (Task& task : phase.tasks) {
        for (const char* id : {"a", "b", "c", "d", "nowhere"}) {
          if (*rc::gen::inRange(0, 5) == 0) task.after.emplace_back(id);
        }
      }
    }
    const Dependencies graph(plan);
    const auto from = reached(graph);
    std::set<std::size_t> in_circle;
    for (const std::vector<std::size_t>& circle : graph.cycles()) {
      RC_ASSERT(std::is_sorted(circle.begin(), circle.end()));
      for (const std::size_t node : circle) {
        RC_ASSERT(in_circle.insert(node).second);
        for (const std::size_t other : circle) RC_ASSERT(from[node].contains(other));
      }
    }
    const std::vector<std::size_t> order = graph.order();
    std::vector<std::size_t> place(graph.size(), graph.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (std::size_t node = 0; node < graph.size(); ++node) {
      RC_ASSERT(place[node] < graph.size());
      RC_ASSERT(from[node].contains(node) == in_circle.contains(node));
      for (const std::size_t before : from[node]) {
        if (!from[before].contains(node)) RC_ASSERT(place[before] < place[node]);
      }
      RC_ASSERT(graph.ready(node) == (!graph.task(node).done() && graph.waiting_for(node).empty()));
    }
    const DoneIds done(plan);
    for (const char* id : {"a", "b", "c", "d", "nowhere"}) {
      RC_ASSERT(done.contains(TaskId(id)) == graph.done(TaskId(id)));
    }
  }));
}
