#include "rules/listing/completion.hpp"

#include <algorithm>

namespace plankeep::core {

bool is_complete(const Progress& progress, bool current, bool completed) {
  return !current && progress.completed >= progress.total && (progress.total > 0 || completed);
}

bool is_complete(const Plan& plan) {
  const bool completed = std::any_of(plan.phases.begin(), plan.phases.end(), [](const Phase& phase) {
    return status_of(phase) == PhaseStatus::completed;
  });
  return is_complete(progress_of(plan), current_of(plan).phase.has_value(), completed);
}

bool is_complete(const State& state) {
  const bool completed = std::any_of(state.phases.begin(), state.phases.end(), [](const PhaseState& phase) {
    return phase.status == PhaseStatus::completed;
  });
  return is_complete(state.progress, state.current_phase.has_value(), completed);
}

}  // namespace plankeep::core
