#pragma once
// `plankeep graph`: what waits for what, as text, JSON, Mermaid (flowchart) or DOT (Graphviz).
//
//   Graph graph = make_graph(view, plan);        // both outlive it
//   write(graph_dot(graph));
//
// Phases are frames, tasks are boxes that show their state, an arrow leads from what comes first to what
// waits for it. An id that stands in several phases is drawn as a small joint that all of its tasks lead to;
// so a picture is never larger than the plan. Arrows within a circle are red. Titles are data from strangers:
// each format gets them so that they are nothing but text there.
//
// JSON: { plan {id, path}, progress, tasks [ {key, id, phaseId, title, state, optional, ready, line?,
// after[], waitingFor[], claimedBy?} ], order [key], cycles [ [key] ], unknown [ {task: key, id} ] }. `key`
// is "phase/id", which `done` and `claim` take. `order` has everything behind what it comes after.
//
// Limits: Mermaid's own defaults stop at 50,000 characters and 500 arrows; larger plans are for DOT.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/dependencies.hpp"
#include "model/plan.hpp"
#include "render/style.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// What a task is to whoever looks for work. held: open, and somebody has claimed it.
enum class NodeState { done, held, active, ready, waiting };
std::string_view name_of(NodeState state);

struct GraphNode {
  const core::PhaseRow* phase = nullptr;
  const core::TaskRow* task = nullptr;
  NodeState state = NodeState::ready;
  std::optional<std::size_t> circle;  // index into Graph::circles
};

struct Graph {
  const core::StatusView* view = nullptr;
  std::vector<GraphNode> nodes;                               // document order
  std::vector<std::size_t> order;                             // indices of nodes
  std::vector<std::vector<std::size_t>> circles;              // likewise
  std::vector<std::pair<std::size_t, core::TaskId>> unknown;  // a node, and an id it names that no task has
  std::optional<core::Dependencies> dependencies;             // its nodes are `nodes`
};

/// `view` was made from `plan`.
Graph make_graph(const core::StatusView& view, const core::Plan& plan);

std::string graph_text(const Graph& graph, const Style& style);
std::string graph_json(const Graph& graph);
std::string graph_mermaid(const Graph& graph);
std::string graph_dot(const Graph& graph);

/// Text as the label of a Mermaid node, without the quotes around it, and as a DOT string, with them.
std::string mermaid_label(std::string_view text);
std::string dot_string(std::string_view text);

}  // namespace plankeep::render
