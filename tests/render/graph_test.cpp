#include "render/graphs/graph.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"
#include "render/graphs/graph_arrows.hpp"
#include "render/samples.hpp"
#include "support/hostile_text.hpp"

namespace plankeep::render {
namespace {

core::Plan chain() {
  core::Plan plan = sample_plan();
  plan.phases[1].tasks[2].after = {core::TaskId("queries"), core::TaskId("queries"), core::TaskId("nowhere")};
  return plan;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("an arrow leads from what comes first to what waits, each once") {
  const core::Plan plan = chain();
  const StatusView view = view_of(plan);
  const Graph graph = make_graph(view, plan);
  const Arrows arrows = arrows_of(graph);
  CHECK(arrows.joints == 0);
  REQUIRE(arrows.all.size() == 2);
  CHECK(graph.nodes[arrows.all[1].from].task->id == core::TaskId("queries"));
  CHECK(graph.nodes[arrows.all[1].to].task->id == core::TaskId("interface"));
  REQUIRE(graph.unknown.size() == 1);
  CHECK(graph.unknown[0].second == core::TaskId("nowhere"));
  CHECK(count(graph_dot(graph), " -> ") == 2);
  CHECK(count(graph_mermaid(graph), " --> ") == 2);
}

TEST_CASE("an id that stands in many phases makes a joint, not an arrow for every pair") {
  core::Plan plan;
  for (int i = 0; i < 200; ++i) {
    core::Phase& phase = plan.phases.emplace_back();
    phase.id = core::PhaseId("p" + std::to_string(i));
    phase.tasks.push_back(task("same", "Same", core::BoxState::open, i + 1));
    phase.tasks.push_back(task("t" + std::to_string(i), "Other", core::BoxState::open, i + 2));
    phase.tasks.back().after = {core::TaskId("same")};
  }
  const StatusView view = view_of(plan);
  const Graph graph = make_graph(view, plan);
  CHECK(arrows_of(graph).joints == 1);
  CHECK(arrows_of(graph).all.size() == 400);
}

TEST_CASE("states are told apart, and a circle is red") {
  core::Plan plan = sample_plan();
  plan.phases[1].tasks[3].after = {core::TaskId("interface")};
  plan.phases[1].tasks[2].after = {core::TaskId("handbook")};
  const StatusView view = view_of(plan);
  const Graph graph = make_graph(view, plan);
  CHECK(graph.nodes[2].state == NodeState::done);
  CHECK(graph.nodes[3].state == NodeState::active);
  CHECK(graph.nodes[4].state == NodeState::waiting);
  CHECK(graph.nodes[6].state == NodeState::ready);
  REQUIRE(graph.circles.size() == 1);
  CHECK(count(graph_dot(graph), "#cc0000") == 2);
  CHECK(graph_mermaid(graph).find("linkStyle 1,2 stroke:#cc0000") != std::string::npos);
  CHECK(graph_text(graph, {false, 80}).find("wait for each other") != std::string::npos);
}

TEST_CASE("ids are never cut, however narrow the terminal is") {
  core::Plan plan;
  core::Phase& phase = plan.phases.emplace_back();
  phase.id = core::PhaseId("p");
  std::vector<core::TaskId> ids;
  for (int i = 0; i < 12; ++i) {
    ids.emplace_back("some-long-id-" + std::to_string(i));
    phase.tasks.push_back(task(ids.back().text, "A title", core::BoxState::open, i + 1));
  }
  phase.tasks.push_back(task("last", "The last one", core::BoxState::open, 20));
  phase.tasks.back().after = ids;
  const StatusView view = view_of(plan);
  for (const std::size_t columns : {std::size_t{40}, std::size_t{80}}) {
    const std::string text = graph_text(make_graph(view, plan), {false, columns});
    CAPTURE(text);
    const std::string after = text.substr(text.find("The last one"));
    for (const core::TaskId& id : ids) CHECK(after.find(id.text) != std::string::npos);
    for (const std::string& line : lines_of(text)) CHECK(base::display_width(line) <= columns);
  }
}

TEST_CASE("no title leaves its label") {
  CHECK(dot_string("a\"b\\n&lt;\n") == "\"a\\\"b\\\\n&amp;lt; \"");
  CHECK(mermaid_label("a \"]; %%{b}%% `c` <br/>") ==
        "a #34;#93;#59; #37;#37;#123;b#125;#37;#37; #96;c#96; #60;br/#62;");
  CHECK(rc::check("labels", [] {
    const std::string text = test::hostile_text();
    const std::string mermaid = mermaid_label(text);
    RC_ASSERT(mermaid.find_first_of("\"`<>[]{}|%:\\\n\r") == std::string::npos);
    const std::string dot = dot_string(text);
    RC_ASSERT(dot.size() >= 2);
    RC_ASSERT(dot.front() == '"');
    RC_ASSERT(dot.back() == '"');
    // Read as DOT reads it: the string ends at its last character and nowhere before.
    for (std::size_t at = 1; at + 1 < dot.size(); ++at) {
      RC_ASSERT(dot[at] != '"');
      RC_ASSERT(dot[at] != '\n');
      if (dot[at] == '\\') ++at;
    }
    RC_ASSERT(dot[dot.size() - 1] == '"');
  }));
}

TEST_CASE("a picture has one line for each task and arrow, whatever the plan says") {
  CHECK(rc::check("lines", [] {
    core::Plan plan;
    core::Phase& phase = plan.phases.emplace_back();
    phase.id = core::PhaseId("p");
    phase.title = test::hostile_text();
    for (const char* id : {"a", "b", "c"}) {
      phase.tasks.push_back(task(id, test::hostile_text(), core::BoxState::open, 1));
      if (*rc::gen::arbitrary<bool>()) phase.tasks.back().after = {core::TaskId("a")};
    }
    const StatusView view = view_of(plan);
    const Graph graph = make_graph(view, plan);
    const std::size_t arrows = arrows_of(graph).all.size();
    // digraph, two settings, frame and its label, tasks, two ends.
    RC_ASSERT(count(graph_dot(graph), "\n") == 3 + 2 + 3 + arrows + 2);
    const std::size_t red = graph.circles.empty() ? 0 : 1;
    RC_ASSERT(count(graph_mermaid(graph), "\n") == 2 + 3 + 1 + arrows + red + 5);
  }));
}

}  // namespace plankeep::render
