#pragma once
// Unique names of tasks and criteria: "task:phase/id" and "criterion:phase/id". The prefix is needed because
// a task and a criterion of one phase may have the same id. Commands accept these names (editing/find_boxes).

#include <string>
#include <string_view>

#include "model/plan.hpp"

namespace plankeep::core {

inline constexpr std::string_view kTaskPrefix = "task:";
inline constexpr std::string_view kCriterionPrefix = "criterion:";

inline std::string key_of(const PhaseId& phase, const TaskId& task) {
  return std::string(kTaskPrefix) + phase.text + "/" + task.text;
}
inline std::string key_of(const PhaseId& phase, const CriterionId& criterion) {
  return std::string(kCriterionPrefix) + phase.text + "/" + criterion.text;
}

}  // namespace plankeep::core
