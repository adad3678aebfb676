#pragma once
// Which phases of the plan are phases of the state before under another id: a heading was reworded, phases
// were renumbered, a marker's id was changed (rules/reconcile). Pure.
//
// A vanished phase is the new one that holds more than half of its tasks and criteria. If several went into
// one new phase, it is the one that most items come from.

#include <cstddef>
#include <unordered_map>

#include "rules/previous_items.hpp"

namespace plankeep::core {

class RenamedPhases {
 public:
  /// `previous` outlives it.
  RenamedPhases(const State& previous, const Plan& plan, const PreviousItems& items);

  /// What the phase at this place of the plan was; nullptr: it has its old id, or is new.
  const PhaseState* before(std::size_t phase) const {
    const auto found = before_.find(phase);
    return found == before_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::size_t, const PhaseState*> before_;
};

}  // namespace plankeep::core
