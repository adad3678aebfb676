#include "rules/plan_rows.hpp"

#include <numeric>
#include <string_view>
#include <unordered_set>

#include "model/parents.hpp"

namespace plankeep::core {

Waiting::Waiting(const Plan& plan) {
  if (has_dependencies(plan)) done_.emplace(plan);
}

std::vector<TaskId> Waiting::of(const Phase& phase, const std::vector<std::size_t>& parents,
                                std::size_t task) const {
  std::vector<TaskId> open;
  if (!done_) return open;
  std::unordered_set<std::string_view> seen;
  for (; task != kNoParent; task = parents[task]) {
    for (const TaskId& id : phase.tasks[task].after) {
      if (!done_->contains(id) && seen.insert(id.text).second) open.push_back(id);
    }
  }
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

namespace {

TaskRow task_row(const Task& task) {
  TaskRow row;
  row.id = task.id;
  row.title = task.title;
  row.state = task.state;
  row.optional = task.optional;
  row.line = task.line;
  row.after = task.after;
  row.parent = task.parent;
  return row;
}

struct Children {
  std::int64_t total = 0;
  std::int64_t done = 0;
};

std::vector<Children> count_children(const Phase& phase, const std::vector<std::size_t>& parents) {
  std::vector<Children> counts(phase.tasks.size());
  for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
    if (parents[t] == kNoParent || phase.tasks[t].optional) continue;
    ++counts[parents[t]].total;
    if (phase.tasks[t].done()) ++counts[parents[t]].done;
  }
  return counts;
}

}  // namespace

std::vector<TaskRow> task_rows(const Phase& phase, const Waiting& waiting,
                               const std::vector<std::size_t>& places) {
  const std::vector<std::size_t> parents = parents_of(phase);
  const std::vector<Children> children = count_children(phase, parents);
  const std::vector<TaskWork> work = waiting.work(phase);
  std::vector<TaskRow> rows;
  rows.reserve(places.size());
  for (const std::size_t t : places) {
    TaskRow& row = rows.emplace_back(task_row(phase.tasks[t]));
    row.waiting_for = waiting.of(phase, parents, t);
    row.children = children[t].total;
    row.children_done = children[t].done;
    row.work = work[t];
  }
  return rows;
}

std::vector<TaskRow> task_rows(const Phase& phase, const Waiting& waiting) {
  std::vector<std::size_t> places(phase.tasks.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return task_rows(phase, waiting, places);
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
