// Graphviz. The language: https://graphviz.org/doc/info/lang.html; labels are escStrings, in which a
// backslash begins an escape and "&" an HTML entity.
#include "base/utf8.hpp"
#include "render/graphs/graph.hpp"
#include "render/graphs/graph_arrows.hpp"

namespace plankeep::render {
namespace {

std::string_view look_of(NodeState state) {
  switch (state) {
    case NodeState::done:
      return "fillcolor=\"#d5ead5\", color=\"#4c8f4c\"";
    case NodeState::held:
      return "fillcolor=\"#dfe7fd\", color=\"#4a66c9\", penwidth=2";
    case NodeState::active:
      return "fillcolor=\"#fff1cc\", color=\"#b98900\", penwidth=2";
    case NodeState::ready:
      return "fillcolor=\"#ffffff\", color=\"#333333\", penwidth=2";
    case NodeState::waiting:
      return "fillcolor=\"#f0f0f0\", color=\"#999999\", fontcolor=\"#555555\"";
  }
  return {};
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
}

}  // namespace

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  append_escaped(out, base::printable(text));
  return out + "\"";
}

std::string graph_dot(const Graph& graph) {
  const Arrows arrows = arrows_of(graph);
  std::string text = "digraph " + dot_string(graph.view->plan_id) + " {\n";
  text +=
      "  rankdir=LR;\n"
      "  node [shape=box, style=\"filled,rounded\", fontname=\"sans-serif\"];\n";
  const core::PhaseRow* phase = nullptr;
  std::size_t frames = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const GraphNode& node = graph.nodes[n];
    if (node.phase != phase) {
      if (phase != nullptr) text += "  }\n";
      phase = node.phase;
      text += "  subgraph cluster_" + std::to_string(frames++) +
              " {\n    label=" + dot_string(safe_line(core::title_or_id(*phase))) + ";\n";
    }
    std::string label;
    for (const std::string& line : label_lines(node)) {
      if (!label.empty()) label += "\\n";
      append_escaped(label, line);
    }
    text += "    t" + std::to_string(n) + " [label=\"" + label + "\", tooltip=\"" +
            std::string(name_of(node.state)) + "\", " + std::string(look_of(node.state)) + "];\n";
  }
  if (phase != nullptr) text += "  }\n";
  const auto name = [&graph](std::size_t node) {
    const std::size_t tasks = graph.nodes.size();
    return node < tasks ? "t" + std::to_string(node) : "j" + std::to_string(node - tasks);
  };
  for (std::size_t j = 0; j < arrows.joints; ++j) text += "  j" + std::to_string(j) + " [shape=point];\n";
  for (const Arrow& arrow : arrows.all) {
    text += "  " + name(arrow.from) + " -> " + name(arrow.to) +
            (arrow.circle ? " [color=\"#cc0000\", penwidth=2]" : "") + ";\n";
  }
  return text + "}\n";
}

}  // namespace plankeep::render
