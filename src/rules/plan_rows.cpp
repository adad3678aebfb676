#include "rules/plan_rows.hpp"

#include <algorithm>
#include <iterator>

namespace plankeep::core {

Waiting::Waiting(const Plan& plan) {
  if (has_dependencies(plan)) done_.emplace(plan);
}

bool Waiting::is(const Task& task) const {
  return std::any_of(task.after.begin(), task.after.end(), [this](const TaskId& id) { return for_id(id); });
}

std::vector<TaskId> Waiting::of(const Task& task) const {
  std::vector<TaskId> open;
  std::copy_if(task.after.begin(), task.after.end(), std::back_inserter(open),
               [this](const TaskId& id) { return for_id(id); });
  return open;
}

PhaseRow phase_row(const Phase& phase) {
  PhaseRow row;
  row.id = phase.id;
  row.title = phase.title;
  row.line = phase.line;
  row.status = status_of(phase);
  const Progress progress = progress_of(phase);
  row.total = progress.total;
  row.done = progress.completed;
  row.acceptance_total = static_cast<std::int64_t>(phase.acceptance.size());
  return row;
}

TaskRow task_row(const Task& task, const Waiting& waiting) {
  TaskRow row;
  row.id = task.id;
  row.title = task.title;
  row.state = task.state;
  row.optional = task.optional;
  row.line = task.line;
  row.after = task.after;
  row.waiting_for = waiting.of(task);
  row.steps = task.steps;
  return row;
}

CriterionRow criterion_row(const Criterion& criterion) {
  CriterionRow row;
  row.id = criterion.id;
  row.title = criterion.title;
  row.met = criterion.met;
  row.line = criterion.line;
  row.verify = criterion.verify;
  return row;
}

}  // namespace plankeep::core
