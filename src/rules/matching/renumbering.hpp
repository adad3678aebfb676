#pragma once
// What tasks keep whose id is changed: in one save each is removed under its old id, and then added under the
// new one with `from`, the id in the state before. Several at once may change ids with each other, so what
// belongs to a task is held from its task_removed to its task_added. Reconciling and the ledger
// (rules/replay) both go through here. Pure.
//
//   on task_removed:            held.keep(event, task, state);    // before its lease is dropped
//   on task_added with `from`:  if (auto task = held.take(event, state)) ...   // its leases are back
//
// Subagents that were given such a task have it under its new id too. What they completed stays as it was
// recorded: a task that one completes in the same save is added to it only behind all this.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

class Renumbering {
 public:
  void keep(const Event& removed, const TaskState& task, const State& state);

  /// The task that `added` goes on from, as it was removed at the same time in the same phase; it is no
  /// longer among State::removed, and the new id has its lease and its subagents. nullopt: there is none.
  std::optional<TaskState> take(const Event& added, State& state);

 private:
  // Where the id stands among those that a subagent was given.
  struct Place {
    std::string agent;
    std::size_t at = 0;
  };
  struct Held {
    TaskState task;
    std::vector<LeaseState> leases;
    std::vector<Place> places;
  };

  base::Instant time_;
  std::map<std::pair<PhaseId, TaskId>, Held> held_;
};

/// After a save: a subagent that was given two tasks, one of which is gone and whose id the other has now,
/// was given that one once.
void drop_repeated_tasks(State& state);

/// After a save that has told `events`: findings that wait to be told name these tasks as they are called
/// now, and no task that has the number of another one. A task that is gone stays named: it may come back.
void renumber_findings(const std::vector<Event>& events, State& state);

}  // namespace plankeep::core
