#pragma once
// What waits for what, from left to right: each thing stands one layer behind the last that it waits for.

#include <cstddef>
#include <string>
#include <vector>

namespace plankeep::charts {

struct LayerNode {
  std::string label;
  std::string hint;
  std::string style;               // a class name of the page's
  std::vector<std::size_t> after;  // indices of nodes; those that are none are passed over
};

struct LayerChart {
  std::string title;
  std::string description;
  std::vector<LayerNode> nodes;
};

/// The layer of each node, from 0. Nodes that wait for each other stand where they are reached first.
std::vector<std::size_t> layers_of(const std::vector<LayerNode>& nodes);

/// An SVG element as wide as its layers, at least 960.
std::string layers_svg(const LayerChart& chart);

}  // namespace plankeep::charts
