#include "render/progress/plan_rows.hpp"

#include <algorithm>
#include <iterator>

namespace plankeep::render {

Waiting::Waiting(const core::Plan& plan) {
  if (core::has_dependencies(plan)) done_.emplace(plan);
}

bool Waiting::is(const core::Task& task) const {
  return std::any_of(task.after.begin(), task.after.end(),
                     [this](const core::TaskId& id) { return for_id(id); });
}

std::vector<core::TaskId> Waiting::of(const core::Task& task) const {
  std::vector<core::TaskId> open;
  std::copy_if(task.after.begin(), task.after.end(), std::back_inserter(open),
               [this](const core::TaskId& id) { return for_id(id); });
  return open;
}

PhaseRow phase_row(const core::Phase& phase) {
  PhaseRow row;
  row.id = phase.id;
  row.title = phase.title;
  row.line = phase.line;
  row.status = core::status_of(phase);
  const core::Progress progress = core::progress_of(phase);
  row.total = progress.total;
  row.done = progress.completed;
  row.acceptance_total = static_cast<std::int64_t>(phase.acceptance.size());
  return row;
}

TaskRow task_row(const core::Task& task, const Waiting& waiting) {
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

CriterionRow criterion_row(const core::Criterion& criterion) {
  CriterionRow row;
  row.id = criterion.id;
  row.title = criterion.title;
  row.met = criterion.met;
  row.line = criterion.line;
  row.verify = criterion.verify;
  return row;
}

}  // namespace plankeep::render
