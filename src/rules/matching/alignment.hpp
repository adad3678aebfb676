#pragma once
// Two rows of the same things: what of them goes together, and what changed its place. Pure; indices only.

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace plankeep::core {

/// Pairs (old, new) with the greatest sum of scores in which the order of both rows stays. `score` is above
/// 0. Rows whose lengths multiply to more than a million are paired in their order.
std::vector<std::pair<std::size_t, std::size_t>> align(
    const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news,
    const std::function<int(std::size_t known, std::size_t fresh)>& score);

struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind its last
};

/// `places`: of each thing in the row the place where it stood, all different. The longest rising sequence of
/// them stays; the result is the runs of all others.
std::vector<Run> misplaced(const std::vector<std::size_t>& places);

}  // namespace plankeep::core
