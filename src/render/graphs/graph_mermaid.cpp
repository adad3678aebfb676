// Mermaid flowcharts: https://mermaid.js.org/syntax/flowchart.html. Before its grammar sees a text, Mermaid
// looks through it with patterns of its own for directives (%%{...}%%), comments and styles, quoted or not;
// so a label keeps letters, digits and few signs, and all others become its numeric entities (#35;).
#include "base/utf8.hpp"
#include "render/graphs/graph.hpp"
#include "render/graphs/graph_arrows.hpp"

namespace plankeep::render {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80) return true;
  const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return word || std::string_view(" .,_-/()").find(c) != std::string_view::npos;
}

}  // namespace

std::string mermaid_label(std::string_view text) {
  std::string out;
  for (const char c : base::printable(text)) {
    if (is_plain(c)) {
      out += c;
    } else {
      out += "#" + std::to_string(static_cast<int>(c)) + ";";
    }
  }
  return out;
}

std::string graph_mermaid(const Graph& graph) {
  const Arrows arrows = arrows_of(graph);
  std::string text = "flowchart LR\n";
  const core::PhaseRow* phase = nullptr;
  std::size_t frames = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const GraphNode& node = graph.nodes[n];
    if (node.phase != phase) {
      if (phase != nullptr) text += "  end\n";
      phase = node.phase;
      text += "  subgraph p" + std::to_string(frames++) + "[\"" +
              mermaid_label(safe_line(core::title_or_id(*phase))) + "\"]\n";
    }
    std::string label;
    for (const std::string& line : label_lines(node))
      label += (label.empty() ? "" : "<br/>") + mermaid_label(line);
    text += "    t" + std::to_string(n) + "[\"" + label + "\"]:::" + std::string(name_of(node.state)) + "\n";
  }
  if (phase != nullptr) text += "  end\n";
  const auto name = [&graph](std::size_t node) {
    const std::size_t tasks = graph.nodes.size();
    return node < tasks ? "t" + std::to_string(node) : "j" + std::to_string(node - tasks);
  };
  for (std::size_t j = 0; j < arrows.joints; ++j) text += "  j" + std::to_string(j) + "((\" \"))\n";
  std::string red;
  for (std::size_t a = 0; a < arrows.all.size(); ++a) {
    const Arrow& arrow = arrows.all[a];
    text += "  " + name(arrow.from) + " --> " + name(arrow.to) + "\n";
    if (arrow.circle) red += (red.empty() ? "" : ",") + std::to_string(a);
  }
  if (!red.empty()) text += "  linkStyle " + red + " stroke:#cc0000,stroke-width:2px\n";
  text +=
      "  classDef done fill:#d5ead5,stroke:#4c8f4c,color:#1b3d1b\n"
      "  classDef held fill:#dfe7fd,stroke:#4a66c9,color:#1c2b66,stroke-width:2px\n"
      "  classDef active fill:#fff1cc,stroke:#b98900,color:#4d3a00,stroke-width:2px\n"
      "  classDef ready fill:#ffffff,stroke:#333333,color:#222222,stroke-width:2px\n"
      "  classDef waiting fill:#f0f0f0,stroke:#999999,color:#555555\n";
  return text;
}

}  // namespace plankeep::render
