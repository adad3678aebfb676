#include "rules/matching/predecessor.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace plankeep::core {
namespace {

// Sorted. Equal titles stand as often as there are boxes that have them.
template <class Phases>
std::vector<std::string> box_titles(const Phases& phases) {
  std::vector<std::string> titles;
  for (const auto& phase : phases) {
    for (const auto& task : phase.tasks) titles.push_back(task.title);
    for (const auto& criterion : phase.acceptance) titles.push_back(criterion.title);
  }
  std::sort(titles.begin(), titles.end());
  return titles;
}

}  // namespace

std::vector<std::size_t> predecessors_of(const Plan& plan, const std::string& checksum,
                                         const std::vector<GonePlan>& gone) {
  const std::vector<std::string> now = box_titles(plan.phases);
  std::vector<std::size_t> best;
  std::pair<bool, std::size_t> most{false, 0};
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const State& state = gone[i].state;
    const std::vector<std::string> before = box_titles(state.phases);
    std::vector<std::string> common;
    std::set_intersection(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(common));
    const std::size_t longer = std::max(now.size(), before.size());
    if (common.empty() || common.size() * 2 < longer) continue;
    const std::pair<bool, std::size_t> likeness{state.checksum == checksum, common.size()};
    if (likeness < most) continue;
    if (likeness > most) best.clear();
    most = likeness;
    best.push_back(i);
  }
  return best;
}

}  // namespace plankeep::core
