#include "model/parents.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace plankeep::core {

std::vector<std::size_t> parents_of(const Phase& phase) {
  std::vector<std::size_t> parents(phase.tasks.size(), kNoParent);
  const bool any = std::any_of(phase.tasks.begin(), phase.tasks.end(),
                               [](const Task& task) { return !task.parent.empty(); });
  if (!any) return parents;
  std::unordered_map<std::string_view, std::size_t> place;
  place.reserve(phase.tasks.size());
  for (std::size_t i = 0; i < phase.tasks.size(); ++i) {
    if (!phase.tasks[i].parent.empty()) {
      const auto found = place.find(phase.tasks[i].parent.text);
      if (found != place.end()) parents[i] = found->second;
    }
    place.emplace(phase.tasks[i].id.text, i);
  }
  return parents;
}

std::vector<std::size_t> criterion_parents_of(const Phase& phase) {
  std::vector<std::size_t> parents(phase.acceptance.size(), kNoParent);
  const bool any = std::any_of(phase.acceptance.begin(), phase.acceptance.end(),
                               [](const Criterion& criterion) { return !criterion.parent.empty(); });
  if (!any) return parents;
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < phase.tasks.size(); ++i) place.emplace(phase.tasks[i].id.text, i);
  for (std::size_t i = 0; i < phase.acceptance.size(); ++i) {
    const auto found = place.find(phase.acceptance[i].parent.text);
    if (found != place.end()) parents[i] = found->second;
  }
  return parents;
}

}  // namespace plankeep::core
