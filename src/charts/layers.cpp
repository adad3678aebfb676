#include "charts/layers.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "charts/svg.hpp"

namespace plankeep::charts {
namespace {

constexpr double kColumn = 210;
constexpr double kBox = 170;  // the width of a box
constexpr double kHeight = 26;
constexpr double kRow = 36;
constexpr double kMargin = 10;
constexpr double kNarrowest = 960;
constexpr std::size_t kLabelWidth = 22;  // columns of text that fit into a box

}  // namespace

// Kahn's way: a node is placed when all that it waits for are. What is left over is part of a circle or
// behind one, and is placed by what of it is known.
std::vector<std::size_t> layers_of(const std::vector<LayerNode>& nodes) {
  std::vector<std::size_t> layer(nodes.size(), 0);
  std::vector<std::size_t> missing(nodes.size(), 0);
  std::vector<std::vector<std::size_t>> followers(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::size_t before : nodes[i].after) {
      if (before >= nodes.size() || before == i) continue;
      ++missing[i];
      followers[before].push_back(i);
    }
  }
  std::vector<char> placed(nodes.size(), 0);
  std::vector<std::size_t> queue;
  const auto place = [&](std::size_t start) {
    placed[start] = 1;
    queue.push_back(start);
    while (!queue.empty()) {
      const std::size_t at = queue.back();
      queue.pop_back();
      for (const std::size_t next : followers[at]) {
        if (placed[next] != 0) continue;
        layer[next] = std::max(layer[next], layer[at] + 1);
        if (--missing[next] > 0) continue;
        placed[next] = 1;
        queue.push_back(next);
      }
    }
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (placed[i] == 0 && missing[i] == 0) place(i);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (placed[i] == 0) place(i);
  }
  return layer;
}

std::string layers_svg(const LayerChart& chart) {
  const std::vector<std::size_t> layer = layers_of(chart.nodes);
  std::vector<Point> corners(chart.nodes.size());
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < chart.nodes.size(); ++i) {
    if (layer[i] >= used.size()) used.resize(layer[i] + 1, 0);
    corners[i] = {kMargin + kColumn * static_cast<double>(layer[i]),
                  kMargin + kRow * static_cast<double>(used[layer[i]]++)};
  }
  const std::size_t most = used.empty() ? 0 : *std::max_element(used.begin(), used.end());
  const Size size{std::max(kNarrowest, 2 * kMargin + kColumn * static_cast<double>(used.size())),
                  2 * kMargin + kRow * static_cast<double>(most)};
  Svg svg(size, chart.title, chart.description);
  for (std::size_t i = 0; i < chart.nodes.size(); ++i) {
    for (const std::size_t before : chart.nodes[i].after) {
      if (before >= chart.nodes.size()) continue;
      svg.line({corners[before].x + kBox, corners[before].y + kHeight / 2},
               {corners[i].x, corners[i].y + kHeight / 2}, "arrow");
    }
  }
  for (std::size_t i = 0; i < chart.nodes.size(); ++i) {
    const LayerNode& node = chart.nodes[i];
    svg.rectangle(corners[i], {kBox, kHeight}, node.style, node.hint);
    svg.text({corners[i].x + 8, corners[i].y + 17}, base::fit_to_width(node.label, kLabelWidth), "name");
  }
  return svg.finish();
}

}  // namespace plankeep::charts
