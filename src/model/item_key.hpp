#pragma once
// Names of tasks and criteria that cannot mean anything else in the plan: "phase/id", and where a task and a
// criterion of one phase have the same id, "task:phase/id" and "criterion:phase/id". Every use case takes
// them (editing/find_boxes).

#include <string>
#include <string_view>

#include "model/plan.hpp"

namespace plankeep::core {

inline constexpr std::string_view kTaskPrefix = "task:";
inline constexpr std::string_view kCriterionPrefix = "criterion:";

/// With the prefix, whatever else the phase has.
inline std::string key_of(const PhaseId& phase, const TaskId& task) {
  return std::string(kTaskPrefix) + phase.text + "/" + task.text;
}
inline std::string key_of(const PhaseId& phase, const CriterionId& criterion) {
  return std::string(kCriterionPrefix) + phase.text + "/" + criterion.text;
}

}  // namespace plankeep::core
