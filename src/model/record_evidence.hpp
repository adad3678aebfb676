#pragma once
// New evidence taken into the state, with the event that tells it (model/evidence), and finding it there.
// Pure.
//
// What follows from it for the phase is reconcile's, once the plan's box says the same.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// The criterion is met if its command passed, and not met otherwise, whatever it was. nullopt, and nothing
/// changed, when the state has no such criterion.
std::optional<Event> record_evidence(State& state, const PhaseId& phase, const CriterionId& criterion,
                                     const Evidence& evidence, const std::string& actor, base::Instant now);

/// The evidence that a state holds, by criterion, whatever their number. The state outlives it.
class KnownEvidence {
 public:
  /// `state` may be null: nothing is recorded about the plan.
  explicit KnownEvidence(const State* state);

  bool empty() const { return of_phase_.empty(); }
  /// Empty where there is none.
  const std::optional<Evidence>& find(const PhaseId& phase, const CriterionId& criterion) const;

 private:
  using OfPhase = std::unordered_map<std::string_view, const std::optional<Evidence>*>;
  std::unordered_map<std::string_view, OfPhase> of_phase_;
};

}  // namespace plankeep::core
