#pragma once
// `after` ids that name no task, and circles of them (spec 7.10). Private to this room.

#include <string_view>
#include <unordered_set>
#include <vector>

#include "model/plan.hpp"

namespace plankeep::markdown {

/// A task with an `after`, and where its marker is, for diagnostics.
struct DependencySite {
  const core::Task* task = nullptr;
  std::int64_t line = 1;
  std::int64_t column = 1;
};

/// Adds unknown-dependency (once for each id a task names) and dependency-cycle (once a circle, at its first
/// task). `waiting`: all tasks with an `after`, in document order; no other task can be part of a circle.
/// `unknown`: the ids they name that no task of the plan has.
void check_dependencies(const std::vector<DependencySite>& waiting,
                        const std::unordered_set<std::string_view>& unknown,
                        std::vector<core::Diagnostic>& diagnostics);

}  // namespace plankeep::markdown
