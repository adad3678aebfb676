#include "rules/recovery_policy.hpp"

#include <algorithm>

namespace plankeep::core {
namespace {

bool has_tasks(const State& state) {
  return std::any_of(state.phases.begin(), state.phases.end(),
                     [](const PhaseState& phase) { return !phase.tasks.empty(); });
}

}  // namespace

std::optional<std::string> recovery_reason(const State& state, std::span<const Event> events) {
  const bool phase_completed = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.kind == EventKind::phase_completed;
  });
  if (phase_completed) return "phase_completed";
  if (state.revision % kSavesPerRecovery == 0) return "every_5th_save";
  return std::nullopt;
}

bool may_replace(const State& kept, const State& candidate) {
  return has_tasks(candidate) || !has_tasks(kept);
}

}  // namespace plankeep::core
