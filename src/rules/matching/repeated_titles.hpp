#pragma once
// Titles that several tasks of a plan or a state have: they do not tell these tasks apart.

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace plankeep::core {

using Titles = std::unordered_set<std::string_view>;

template <class Phases>
Titles repeated_titles(const Phases& phases) {
  Titles seen;
  Titles repeated;
  for (const auto& phase : phases) {
    for (const auto& task : phase.tasks) {
      if (!seen.insert(task.title).second) repeated.insert(task.title);
    }
  }
  return repeated;
}

template <class Tasks>
bool holds_any(const Tasks& tasks, const Titles& titles) {
  return std::any_of(tasks.begin(), tasks.end(),
                     [&titles](const auto& task) { return titles.contains(task.title); });
}

}  // namespace plankeep::core
