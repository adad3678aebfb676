#pragma once
// Looks up phases and tasks by their ids, in a plan or in a state. Each call walks the list: for many ids at
// once build an index instead.

#include <algorithm>

#include "model/ids.hpp"

namespace plankeep::core {

/// `whole`: a Plan, a State or anything else with `phases`. nullptr: no phase has this id.
template <class Whole>
const auto* find_phase(const Whole& whole, const PhaseId& id) {
  const auto place =
      std::find_if(whole.phases.begin(), whole.phases.end(), [&id](const auto& one) { return one.id == id; });
  return place == whole.phases.end() ? nullptr : &*place;
}

/// In one phase, where task ids are unique. nullptr: no task has this id.
template <class Phase>
const auto* find_task_in(const Phase& phase, const TaskId& id) {
  const auto place =
      std::find_if(phase.tasks.begin(), phase.tasks.end(), [&id](const auto& one) { return one.id == id; });
  return place == phase.tasks.end() ? nullptr : &*place;
}

/// Of all phases the first task with this id; nullptr: there is none.
template <class Whole>
auto find_task(const Whole& whole, const TaskId& id) -> decltype(find_task_in(whole.phases.front(), id)) {
  for (const auto& phase : whole.phases) {
    if (const auto* task = find_task_in(phase, id)) return task;
  }
  return nullptr;
}

/// nullptr: there is no such phase, or no such task in it.
template <class Whole>
auto find_task(const Whole& whole, const PhaseId& phase, const TaskId& id)
    -> decltype(find_task_in(whole.phases.front(), id)) {
  const auto* found = find_phase(whole, phase);
  return found == nullptr ? nullptr : find_task_in(*found, id);
}

}  // namespace plankeep::core
