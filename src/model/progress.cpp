#include "model/progress.hpp"

#include <algorithm>

#include "model/dependencies.hpp"
#include "model/parents.hpp"
#include "model/state.hpp"

namespace plankeep::core {
namespace {

void count(Progress& progress, bool optional, bool done) {
  if (optional) {
    ++progress.optional;
    if (!done) ++progress.optional_open;
    return;
  }
  ++progress.total;
  if (done) ++progress.completed;
}

bool comes_after_any(const Task& task) {
  return !task.after.empty();
}

// Where the four rules for the current task stand, the best first; behind them: not to be worked on.
enum class Claim { active, ready_below_active, ready, open, none };

Claim claim_of(const Task& task, const TaskWork& work) {
  if (!work.workable) return Claim::none;
  if (task.state == BoxState::active) return Claim::active;
  if (!work.ready) return Claim::open;
  return work.below_active ? Claim::ready_below_active : Claim::ready;
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
  for (const Task& task : phase.tasks) count(progress, task.optional, task.done());
  progress.percent_tenths = percent_tenths(progress.completed, progress.total);
  return progress;
}

Progress progress_of(const Plan& plan) {
  Progress sum;
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) count(sum, task.optional, task.done());
  }
  sum.percent_tenths = percent_tenths(sum.completed, sum.total);
  return sum;
}

Progress progress_of(const State& state) {
  Progress progress;
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) count(progress, task.optional, task.done);
  }
  progress.percent_tenths = percent_tenths(progress.completed, progress.total);
  return progress;
}

bool is_empty(const Phase& phase) {
  return std::all_of(phase.tasks.begin(), phase.tasks.end(),
                     [](const Task& task) { return task.optional; }) &&
         std::all_of(phase.acceptance.begin(), phase.acceptance.end(),
                     [](const Criterion& criterion) { return criterion.optional; });
}

bool has_boxes(const Plan& plan) {
  return std::any_of(plan.phases.begin(), plan.phases.end(),
                     [](const Phase& phase) { return !phase.tasks.empty() || !phase.acceptance.empty(); });
}

PhaseStatus status_of(const Phase& phase) {
  const bool optional_counts = is_empty(phase);
  bool all = !phase.tasks.empty() || !phase.acceptance.empty();
  bool any = false;
  for (const Task& task : phase.tasks) {
    if (task.state != BoxState::open) any = true;
    if ((optional_counts || !task.optional) && !task.done()) all = false;
  }
  for (const Criterion& criterion : phase.acceptance) {
    if (criterion.met || criterion.active) any = true;
    if ((optional_counts || !criterion.optional) && !criterion.met) all = false;
  }
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

std::vector<TaskWork> work_of(const Phase& phase, const DoneIds* done) {
  const std::vector<std::size_t> parents = parents_of(phase);
  std::vector<TaskWork> work(phase.tasks.size());
  for (std::size_t i = 0; i < work.size(); ++i) {  // parents first
    const Task& task = phase.tasks[i];
    work[i].open = !task.done() && !task.optional;
    work[i].ready = std::all_of(task.after.begin(), task.after.end(),
                                [&](const TaskId& id) { return done != nullptr && done->contains(id); });
    if (parents[i] == kNoParent) continue;
    const TaskWork& around = work[parents[i]];
    work[i].ready = work[i].ready && around.ready;
    work[i].below_active = around.below_active || phase.tasks[parents[i]].state == BoxState::active;
  }
  std::vector<bool> open_below(work.size());
  for (std::size_t i = work.size(); i-- > 0;) {  // children first
    work[i].workable = work[i].open && !open_below[i];
    if (parents[i] != kNoParent && (work[i].open || open_below[i])) open_below[parents[i]] = true;
  }
  return work;
}

Current current_of(const Plan& plan) {
  Current current;
  for (std::size_t p = 0; p < plan.phases.size() && !current.phase; ++p) {
    const Phase& phase = plan.phases[p];
    if (!is_empty(phase) && status_of(phase) != PhaseStatus::completed) current.phase = p;
  }
  if (!current.phase) return current;
  const Phase& phase = plan.phases[*current.phase];
  const bool any_after = std::any_of(phase.tasks.begin(), phase.tasks.end(), comes_after_any);
  const std::optional<DoneIds> done = any_after ? std::optional<DoneIds>(plan) : std::nullopt;
  const std::vector<TaskWork> work = work_of(phase, done ? &*done : nullptr);
  Claim best = Claim::none;
  for (std::size_t t = 0; t < work.size(); ++t) {
    const Claim claim = claim_of(phase.tasks[t], work[t]);
    if (claim >= best) continue;
    best = claim;
    current.task = t;
  }
  return current;
}

}  // namespace plankeep::core
