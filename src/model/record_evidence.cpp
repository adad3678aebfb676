#include "model/record_evidence.hpp"

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

KnownEvidence::KnownEvidence(const State* state) {
  if (state == nullptr) return;
  for (const PhaseState& phase : state->phases) {
    for (const CriterionState& criterion : phase.acceptance) {
      if (criterion.evidence) of_phase_[phase.id.text][criterion.id.text] = &criterion.evidence;
    }
  }
}

const std::optional<Evidence>& KnownEvidence::find(const PhaseId& phase, const CriterionId& criterion) const {
  static const std::optional<Evidence> kNone;
  const auto of_phase = of_phase_.find(phase.text);
  if (of_phase == of_phase_.end()) return kNone;
  const auto found = of_phase->second.find(criterion.text);
  return found == of_phase->second.end() ? kNone : *found->second;
}

}  // namespace plankeep::core
