#pragma once
// Counts and "where are we" (spec 3, 7.9), the same for a plan and for a state.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

/// completed: every task and criterion that is not optional is done or met, and there is one; where all are
/// optional, all of them. in_progress: else, anything done, met or active.
PhaseStatus status_of(const Phase& phase);
/// Neither a task nor a criterion that counts: nothing, or nothing but optional ones. Never current.
bool is_empty(const Phase& phase);
/// Whether there is any task or criterion, optional ones too.
bool has_boxes(const Plan& plan);

std::string_view name_of(PhaseStatus status);  // "pending", "in_progress", "completed"
std::string_view name_of(BoxState state);      // "open", "active", "done"

/// What can be said of the tasks of a phase, in their order.
struct TaskWork {
  bool open = false;          // neither done nor optional
  bool workable = false;      // open, and no task below it is
  bool ready = false;         // what its `after` and those of the tasks around it name is done
  bool below_active = false;  // a task around it is active
};
class DoneIds;
/// `done`: of the plan that the phase is of; null when no task of the phase comes after another.
std::vector<TaskWork> work_of(const Phase& phase, const DoneIds* done);

/// Indices into the plan: the first phase that is neither completed nor empty, and among its workable tasks
/// the first that is active, else the first ready one below an active one, else the first ready one, else the
/// first (spec 7.9; an `after` that names no task is not done). No task: only criteria are left.
struct Current {
  std::optional<std::size_t> phase;
  std::optional<std::size_t> task;
  bool operator==(const Current&) const = default;
};
Current current_of(const Plan& plan);

}  // namespace plankeep::core
