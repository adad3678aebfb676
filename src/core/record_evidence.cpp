#include "core/record_evidence.hpp"

namespace plankeep::core {

std::optional<Event> record_evidence(State& state, const PhaseId& phase, const CriterionId& criterion,
                                     const Evidence& evidence, const std::string& actor, base::Instant now) {
  for (PhaseState& known : state.phases) {
    if (known.id != phase) continue;
    for (CriterionState& entry : known.acceptance) {
      if (entry.id != criterion) continue;
      Event event;
      event.time = now;
      event.kind = evidence.passed() ? EventKind::acceptance_met : EventKind::acceptance_unmet;
      event.phase = phase;
      event.criterion = criterion;
      event.by = actor;
      event.evidence = evidence;
      entry.met = evidence.passed();
      entry.verified_at = entry.met ? std::optional(now) : std::nullopt;
      entry.evidence = evidence;
      return event;
    }
  }
  return std::nullopt;
}

}  // namespace plankeep::core
