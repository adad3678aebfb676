#include "charts/layers.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

namespace plankeep::charts {
namespace {

LayerNode node(std::vector<std::size_t> after) {
  return {"n", "", "node", std::move(after)};
}

}  // namespace

TEST_CASE("a node stands one layer behind the last that it waits for") {
  CHECK(layers_of({node({}), node({0}), node({0, 1}), node({}), node({2, 3})}) ==
        std::vector<std::size_t>{0, 1, 2, 0, 3});
  CHECK(layers_of({}).empty());
}

TEST_CASE("circles, nodes that wait for themselves and for nobody known end") {
  CHECK(layers_of({node({1}), node({0}), node({0})}).size() == 3);
  CHECK(layers_of({node({0}), node({99})}) == std::vector<std::size_t>{0, 0});
}

TEST_CASE("without circles every node stands behind all that it waits for") {
  CHECK(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 30);
    std::vector<LayerNode> nodes(count);
    for (std::size_t i = 1; i < count; ++i)
      nodes[i].after = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, i));
    const auto layers = layers_of(nodes);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t lowest = 0;
      for (const std::size_t before : nodes[i].after) lowest = std::max(lowest, layers[before] + 1);
      RC_ASSERT(layers[i] == lowest);
    }
  }));
}

}  // namespace plankeep::charts
