#pragma once
// The arrows of a drawn graph. Private to this room.

#include <cstddef>
#include <vector>

#include "render/graphs/graph.hpp"

namespace plankeep::render {

/// From what comes first to what waits. Joints are counted behind the tasks: joint j is node
/// nodes.size() + j.
struct Arrow {
  std::size_t from = 0;
  std::size_t to = 0;
  bool circle = false;
};

struct Arrows {
  std::vector<Arrow> all;
  std::size_t joints = 0;
};

Arrows arrows_of(const Graph& graph);

/// The lines of a task's label, not yet escaped: state and id, title, who holds it.
std::vector<std::string> label_lines(const GraphNode& node);

}  // namespace plankeep::render
