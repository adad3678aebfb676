#pragma once
// `after` ids that name no task, and circles of them (spec 7.10). Private to this room.

#include <vector>

#include "model/plan.hpp"

namespace plankeep::markdown {

/// The marker that said a task's `after`, for the place of a diagnostic.
struct DependencySite {
  const core::Task* task = nullptr;
  std::int64_t line = 1;
  std::int64_t column = 1;
};

/// Adds unknown-dependency (once for each id a task names) and dependency-cycle (once a circle, at its first
/// task).
void check_dependencies(const std::vector<DependencySite>& tasks, std::vector<core::Diagnostic>& diagnostics);

}  // namespace plankeep::markdown
