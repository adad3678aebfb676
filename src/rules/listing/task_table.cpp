#include "rules/listing/task_table.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace plankeep::core {
namespace {

struct Source {
  StatusView view;
  std::optional<Plan> plan;
};

template <class Ids>
std::vector<std::string_view> texts_of(const Ids& ids) {
  std::vector<std::string_view> texts;
  texts.reserve(ids.size());
  for (const auto& id : ids) texts.push_back(id.text);
  return texts;
}

template <class Kind>
std::vector<Id<Kind>> ids_of(const std::vector<std::string_view>& texts) {
  std::vector<Id<Kind>> ids;
  ids.reserve(texts.size());
  for (const std::string_view text : texts) ids.emplace_back(std::string(text));
  return ids;
}

// `written`: null without the plan.
TableTask table_task(const TaskRow& row, const Task* written) {
  TableTask task;
  task.id = row.id.text;
  task.title = row.title;
  task.state = row.state;
  task.optional = row.optional;
  task.line = row.line;
  task.parent = row.parent.text;
  task.after = texts_of(row.after);
  task.waiting_for = texts_of(row.waiting_for);
  task.completed_at = row.completed_at;
  task.completed_by = row.completed_by;
  if (written != nullptr) {
    task.id_in_text = written->id_in_text;
    task.section.assign(written->section.begin(), written->section.end());
  }
  return task;
}

void place_parents(TablePhase& phase) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t t = 0; t < phase.tasks.size(); ++t) places.emplace(phase.tasks[t].id, t + 1);
  for (TableTask& task : phase.tasks) {
    if (task.parent.empty()) continue;
    const auto parent = places.find(task.parent);
    if (parent != places.end()) task.parent_place = parent->second;
  }
}

// The view and the plan have the same phases, tasks and criteria in the same order.
TablePhase table_phase(const PhaseRow& row, const Phase* written) {
  TablePhase phase{row.id.text, row.title, row.line, row.total, row.done, {}, {}};
  phase.tasks.reserve(row.tasks.size());
  for (std::size_t t = 0; t < row.tasks.size(); ++t)
    phase.tasks.push_back(table_task(row.tasks[t], written != nullptr ? &written->tasks[t] : nullptr));
  place_parents(phase);
  phase.acceptance.reserve(row.acceptance.size());
  for (std::size_t c = 0; c < row.acceptance.size(); ++c) {
    const CriterionRow& one = row.acceptance[c];
    TableCriterion& criterion =
        phase.acceptance.emplace_back(TableCriterion{one.id.text, one.title, one.met, one.line, {}, {}});
    if (written == nullptr) continue;
    criterion.parent = written->acceptance[c].parent.text;
    criterion.section.assign(written->acceptance[c].section.begin(), written->acceptance[c].section.end());
  }
  return phase;
}

void add_leases(TaskTable& table, const StatusView& view) {
  for (std::size_t p = 0; p < view.phases.size(); ++p) {
    for (std::size_t t = 0; t < view.phases[p].tasks.size(); ++t) {
      if (const auto& lease = view.phases[p].tasks[t].lease) table.leases.push_back({p, t, lease});
    }
  }
}

}  // namespace

std::shared_ptr<const LeaseRow> TaskTable::lease_of(std::size_t phase, std::size_t task) const {
  for (const TableLease& one : leases) {
    if (one.phase == phase && one.task == task) return one.lease;
  }
  return nullptr;
}

TaskTable make_table(StatusView made, std::optional<Plan> read) {
  const auto source = std::make_shared<const Source>(Source{std::move(made), std::move(read)});
  const StatusView& view = source->view;
  TaskTable table;
  table.plan_id = view.plan_id;
  table.path = view.path;
  table.file = view.file;
  table.now = view.now;
  table.unreadable = view.unreadable;
  table.progress = view.progress;
  table.skipped = view.skipped;
  table.phases.reserve(view.phases.size());
  for (std::size_t p = 0; p < view.phases.size(); ++p)
    table.phases.push_back(table_phase(view.phases[p], source->plan ? &source->plan->phases[p] : nullptr));
  if (source->plan) {
    for (const Decision& one : source->plan->decisions)
      table.decisions.push_back({one.text, one.reason, one.line});
    for (const Blocker& one : source->plan->blockers) table.blockers.push_back({one.text, {}, one.line});
  }
  if (view.session_note) table.note = *view.session_note;
  add_leases(table, view);
  table.source = source;
  return table;
}

void put_leases(TaskTable& table, const State& state, const std::vector<LeaseStatus>& statuses) {
  table.leases.clear();
  for (std::size_t i = 0; i < state.leases.size(); ++i) {
    const LeaseState& lease = state.leases[i];
    for (std::size_t p = 0; p < table.phases.size(); ++p) {
      const std::vector<TableTask>& tasks = table.phases[p].tasks;
      if (table.phases[p].id != lease.phase.text) continue;
      const auto task = std::find_if(tasks.begin(), tasks.end(),
                                     [&lease](const TableTask& one) { return one.id == lease.task.text; });
      if (task == tasks.end() || task->state == BoxState::done) continue;
      table.leases.push_back({p, static_cast<std::size_t>(task - tasks.begin()),
                              std::make_shared<const LeaseRow>(lease_row(lease, statuses[i]))});
    }
  }
}

TaskRow task_row(const TaskTable& table, std::size_t phase, std::size_t task) {
  const TableTask& one = table.phases[phase].tasks[task];
  TaskRow row;
  row.id = TaskId(std::string(one.id));
  row.title = one.title;
  row.state = one.state;
  row.optional = one.optional;
  row.line = one.line;
  row.after = ids_of<TaskKind>(one.after);
  row.waiting_for = ids_of<TaskKind>(one.waiting_for);
  row.parent = TaskId(std::string(one.parent));
  row.completed_at = one.completed_at;
  row.completed_by = one.completed_by;
  row.lease = table.lease_of(phase, task);
  return row;
}

PhaseRow phase_row(const TablePhase& phase) {
  PhaseRow row;
  row.id = PhaseId(std::string(phase.id));
  row.title = phase.title;
  row.line = phase.line;
  row.total = phase.total;
  row.done = phase.done;
  return row;
}

}  // namespace plankeep::core
