#include "rules/matching/alignment.hpp"

#include <algorithm>

namespace plankeep::core {
namespace {

constexpr std::size_t kAligned = std::size_t{1} << 20;  // pairs that are weighed

// Which of them the longest rising sequence has.
std::vector<char> longest_rising(const std::vector<std::size_t>& places) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> ends;  // of the best row of each length
  std::vector<std::size_t> before(places.size(), kNone);
  for (std::size_t t = 0; t < places.size(); ++t) {
    const auto at = std::lower_bound(ends.begin(), ends.end(), t, [&places](std::size_t a, std::size_t b) {
      return places[a] < places[b];
    });
    if (at != ends.begin()) before[t] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(t);
    } else {
      *at = t;
    }
  }
  std::vector<char> in_row(places.size(), 0);
  for (std::size_t t = ends.empty() ? kNone : ends.back(); t != kNone; t = before[t]) in_row[t] = 1;
  return in_row;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> align(
    const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news,
    const std::function<int(std::size_t known, std::size_t fresh)>& score) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t columns = news.size() + 1;
  if (olds.size() >= kAligned / columns) {
    for (std::size_t i = 0; i < std::min(olds.size(), news.size()); ++i) pairs.emplace_back(olds[i], news[i]);
    return pairs;
  }
  // best[i][j]: of what is behind the first i and j.
  std::vector<int> best((olds.size() + 1) * columns, 0);
  for (std::size_t i = olds.size(); i-- > 0;) {
    for (std::size_t j = news.size(); j-- > 0;) {
      const int both = best[(i + 1) * columns + j + 1] + score(olds[i], news[j]);
      best[i * columns + j] = std::max({both, best[(i + 1) * columns + j], best[i * columns + j + 1]});
    }
  }
  for (std::size_t i = 0, j = 0; i < olds.size() && j < news.size();) {
    const int here = best[i * columns + j];
    if (here == best[(i + 1) * columns + j + 1] + score(olds[i], news[j])) {
      pairs.emplace_back(olds[i++], news[j++]);
    } else if (here == best[i * columns + j + 1]) {
      ++j;
    } else {
      ++i;
    }
  }
  return pairs;
}

std::vector<Run> misplaced(const std::vector<std::size_t>& places) {
  const std::vector<char> stays = longest_rising(places);
  std::vector<Run> runs;
  for (std::size_t t = 0; t < places.size(); ++t) {
    if (stays[t] != 0) continue;
    if (runs.empty() || runs.back().end != t) runs.push_back({t, t});
    runs.back().end = t + 1;
  }
  return runs;
}

}  // namespace plankeep::core
