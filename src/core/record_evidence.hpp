#pragma once
// New evidence taken into the state, with the event that tells it (core/evidence). Pure.
//
// What follows from it for the phase is reconcile's, once the plan's box says the same.

#include <optional>
#include <string>

#include "base/instant.hpp"
#include "core/event.hpp"
#include "core/state.hpp"

namespace plankeep::core {

/// The criterion is met if its command passed, and not met otherwise, whatever it was. nullopt, and nothing
/// changed, when the state has no such criterion.
std::optional<Event> record_evidence(State& state, const PhaseId& phase, const CriterionId& criterion,
                                     const Evidence& evidence, const std::string& actor, base::Instant now);

}  // namespace plankeep::core
