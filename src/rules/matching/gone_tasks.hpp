#pragma once
// The tasks of the previous state that the plan no longer has, and which new task continues one of them under
// another id (rules/reconcile). Pure.
//
//   GoneTasks gone(previous, items);
//   if (const GoneTask* before = gone.take(phase, title)) ...    // for each new task
//   for (const GoneTask& task : gone.left()) ...                 // what nothing continues

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/state.hpp"
#include "rules/previous_items.hpp"

namespace plankeep::core {

struct GoneTask {
  std::size_t phase = 0;  // index in the previous state
  std::size_t task = 0;   // index in that phase
  bool taken = false;
};

class GoneTasks {
 public:
  /// `previous` outlives it.
  GoneTasks(const State& previous, const PreviousItems& items);

  /// The task that a new one with this title in this phase continues: the only gone one there with the same
  /// title. nullptr if there is none, there are several, or it was taken already.
  const GoneTask* take(const PhaseId& phase, const std::string& title);

  /// The others, in the order of the previous state.
  std::vector<GoneTask> left() const;

 private:
  std::vector<GoneTask> tasks_;
  // Phase and title, and indices into tasks_.
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_title_;
};

}  // namespace plankeep::core
