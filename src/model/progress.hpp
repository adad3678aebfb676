#pragma once
// Counts and "where are we" (spec 3, 7.9), the same for a plan and for a state.

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/plan.hpp"

namespace plankeep::core {

struct Progress {
  std::int64_t total = 0;  // tasks that are not optional
  std::int64_t completed = 0;
  std::int64_t percent_tenths = 0;  // 0..1000
  std::int64_t optional = 0;        // optional tasks
  std::int64_t optional_open = 0;   // of these, not done
  bool operator==(const Progress&) const = default;
};

/// One decimal, half up; 1000 only when all are done, 0 only when none is or there are none.
std::int64_t percent_tenths(std::int64_t completed, std::int64_t total);

Progress progress_of(const Plan& plan);
Progress progress_of(const Phase& phase);
struct State;
Progress progress_of(const State& state);

PhaseStatus status_of(const Phase& phase);
/// Neither a task that counts nor a criterion.
bool is_empty(const Phase& phase);

std::string_view name_of(PhaseStatus status);  // "pending", "in_progress", "completed"
std::string_view name_of(BoxState state);      // "open", "active", "done"

/// Indices into the plan: the first phase that is neither completed nor empty, and in it the first active
/// task, else the first open one whose `after` ids are all done (anywhere in the plan; an id that names no
/// task is not done), else the first open one. Optional tasks that are open are never chosen.
struct Current {
  std::optional<std::size_t> phase;
  std::optional<std::size_t> task;
  bool operator==(const Current&) const = default;
};
Current current_of(const Plan& plan);

}  // namespace plankeep::core
