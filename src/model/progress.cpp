#include "model/progress.hpp"

#include <algorithm>

#include "model/dependencies.hpp"
#include "model/state.hpp"

namespace plankeep::core {
namespace {

bool counts(const Task& task) {
  return !task.optional;
}

}  // namespace

std::int64_t percent_tenths(std::int64_t completed, std::int64_t total) {
  if (total <= 0 || completed <= 0) return 0;
  if (completed >= total) return 1000;
  const std::int64_t rounded = (2000 * completed + total) / (2 * total);
  return std::clamp<std::int64_t>(rounded, 1, 999);
}

Progress progress_of(const Phase& phase) {
  Progress progress;
  for (const Task& task : phase.tasks) {
    if (!counts(task)) continue;
    ++progress.total;
    if (task.done()) ++progress.completed;
  }
  progress.percent_tenths = percent_tenths(progress.completed, progress.total);
  return progress;
}

Progress progress_of(const Plan& plan) {
  Progress sum;
  for (const Phase& phase : plan.phases) {
    const Progress part = progress_of(phase);
    sum.total += part.total;
    sum.completed += part.completed;
  }
  sum.percent_tenths = percent_tenths(sum.completed, sum.total);
  return sum;
}

Progress progress_of(const State& state) {
  Progress progress;
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) {
      if (task.optional) continue;
      ++progress.total;
      if (task.done) ++progress.completed;
    }
  }
  progress.percent_tenths = percent_tenths(progress.completed, progress.total);
  return progress;
}

bool is_empty(const Phase& phase) {
  return phase.acceptance.empty() && std::none_of(phase.tasks.begin(), phase.tasks.end(), counts);
}

PhaseStatus status_of(const Phase& phase) {
  bool all = !is_empty(phase);
  bool any = false;
  for (const Task& task : phase.tasks) {
    if (task.state != BoxState::open) any = true;
    if (counts(task) && !task.done()) all = false;
  }
  for (const Criterion& criterion : phase.acceptance) (criterion.met ? any : all) = criterion.met;
  if (all) return PhaseStatus::completed;
  return any ? PhaseStatus::in_progress : PhaseStatus::pending;
}

std::string_view name_of(PhaseStatus status) {
  switch (status) {
    case PhaseStatus::pending:
      return "pending";
    case PhaseStatus::in_progress:
      return "in_progress";
    case PhaseStatus::completed:
      return "completed";
  }
  return "pending";
}

std::string_view name_of(BoxState state) {
  switch (state) {
    case BoxState::open:
      return "open";
    case BoxState::active:
      return "active";
    case BoxState::done:
      return "done";
  }
  return "open";
}

Current current_of(const Plan& plan) {
  Current current;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const Phase& phase = plan.phases[p];
    if (is_empty(phase) || status_of(phase) == PhaseStatus::completed) continue;
    current.phase = p;
    break;
  }
  if (!current.phase) return current;
  const std::vector<Task>& tasks = plan.phases[*current.phase].tasks;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (counts(tasks[t]) && tasks[t].state == BoxState::active) {
      current.task = t;
      return current;
    }
  }
  const bool any_after =
      std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return !task.after.empty(); });
  const std::optional<DoneIds> done = any_after ? std::optional<DoneIds>(plan) : std::nullopt;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Task& task = tasks[t];
    if (!counts(task) || task.done()) continue;
    if (!current.task) current.task = t;  // the first open one, unless one that need not wait follows
    const bool ready = std::all_of(task.after.begin(), task.after.end(),
                                   [&](const TaskId& id) { return done->contains(id); });
    if (ready) {
      current.task = t;
      return current;
    }
  }
  return current;
}

}  // namespace plankeep::core
