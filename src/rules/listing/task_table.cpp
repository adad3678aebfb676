#include "rules/listing/task_table.hpp"

#include <algorithm>
#include <deque>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace plankeep::base::packing {

template <class A, IsA<core::TableTask> T>
void fields(A& a, T& v) {
  auto& [id, title, state, optional, id_in_text, line, parent, parent_place, after, waiting_for, section,
         completed_at, completed_by] = v;
  each(a, id, title, state, optional, id_in_text, line, parent, parent_place, after, waiting_for, section,
       completed_at, completed_by);
}
template <class A, IsA<core::TableCriterion> T>
void fields(A& a, T& v) {
  auto& [id, title, met, line, parent, section] = v;
  each(a, id, title, met, line, parent, section);
}

}  // namespace plankeep::base::packing

namespace plankeep::core {
namespace {

struct Source {
  StatusView view;
  std::shared_ptr<const Plan> plan;
  std::deque<std::string> rows;  // of the phases: their addresses stay
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

void place_parents(std::vector<TableTask>& tasks) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t t = 0; t < tasks.size(); ++t) places.emplace(tasks[t].id, t + 1);
  for (TableTask& task : tasks) {
    if (task.parent.empty()) continue;
    const auto parent = places.find(task.parent);
    if (parent != places.end()) task.parent_place = parent->second;
  }
}

// The view and the plan have the same phases, tasks and criteria in the same order.
std::vector<TableTask> table_tasks(const PhaseRow& row, const Phase* written) {
  std::vector<TableTask> tasks;
  tasks.reserve(row.tasks.size());
  for (std::size_t t = 0; t < row.tasks.size(); ++t)
    tasks.push_back(table_task(row.tasks[t], written != nullptr ? &written->tasks[t] : nullptr));
  place_parents(tasks);
  return tasks;
}

std::vector<TableCriterion> table_criteria(const PhaseRow& row, const Phase* written) {
  std::vector<TableCriterion> criteria;
  criteria.reserve(row.acceptance.size());
  for (std::size_t c = 0; c < row.acceptance.size(); ++c) {
    const CriterionRow& one = row.acceptance[c];
    TableCriterion& criterion =
        criteria.emplace_back(TableCriterion{one.id.text, one.title, one.met, one.line, {}, {}});
    if (written == nullptr) continue;
    criterion.parent = written->acceptance[c].parent.text;
    criterion.section.assign(written->acceptance[c].section.begin(), written->acceptance[c].section.end());
  }
  return criteria;
}

template <class Row>
PackedRows<Row> packed_in(Source& source, const std::vector<Row>& rows) {
  return {rows.size(), source.rows.emplace_back(pack_rows(rows))};
}

void add_leases(TaskTable& table, const StatusView& view) {
  for (std::size_t p = 0; p < view.phases.size(); ++p) {
    for (std::size_t t = 0; t < view.phases[p].tasks.size(); ++t) {
      if (const auto& lease = view.phases[p].tasks[t].lease) table.leases.push_back({p, t, lease});
    }
  }
}

}  // namespace

template <class Row>
PackedRows<Row>::Iterator::Iterator(const PackedRows& rows)
    : from_(rows.bytes_), size_(rows.size_), left_(rows.size_) {
  if (left_ > 0) read();
}

template <class Row>
typename PackedRows<Row>::Iterator& PackedRows<Row>::Iterator::operator++() {
  if (--left_ > 0) read();
  return *this;
}

template <class Row>
void PackedRows<Row>::Iterator::read() {
  row_ = Row();
  fields(from_, row_);
  bool good = from_.good();
  if constexpr (std::is_same_v<Row, TableTask>) good = good && row_.parent_place <= size_;
  if (!good) left_ = 0;
}

template <class Row>
Row PackedRows<Row>::at(std::size_t place) const {
  for (const Row& row : *this) {
    if (place-- == 0) return row;
  }
  return Row();
}

template <class Row>
std::string pack_rows(const std::vector<Row>& rows) {
  base::packing::Packer to;
  for (const Row& row : rows) fields(to, row);
  return std::move(to.out);
}

template class PackedRows<TableTask>;
template class PackedRows<TableCriterion>;
template std::string pack_rows(const std::vector<TableTask>& rows);
template std::string pack_rows(const std::vector<TableCriterion>& rows);

std::shared_ptr<const LeaseRow> TaskTable::lease_of(std::size_t phase, std::size_t task) const {
  for (const TableLease& one : leases) {
    if (one.phase == phase && one.task == task) return one.lease;
  }
  return nullptr;
}

TaskTable make_table(StatusView made, std::optional<Plan> read) {
  std::shared_ptr<const Plan> plan;
  if (read) plan = std::make_shared<const Plan>(std::move(*read));
  return make_table(std::move(made), std::move(plan));
}

TaskTable make_table(StatusView made, std::shared_ptr<const Plan> read) {
  const auto source = std::make_shared<Source>(Source{std::move(made), std::move(read), {}});
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
  for (std::size_t p = 0; p < view.phases.size(); ++p) {
    const PhaseRow& row = view.phases[p];
    const Phase* const written = source->plan ? &source->plan->phases[p] : nullptr;
    table.phases.push_back({row.id.text, row.title, row.line, row.total, row.done,
                            packed_in(*source, table_tasks(row, written)),
                            packed_in(*source, table_criteria(row, written))});
  }
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
      if (table.phases[p].id != lease.phase.text) continue;
      std::size_t place = 0;
      for (const TableTask& task : table.phases[p].tasks) {
        if (task.id == lease.task.text) {
          if (task.state != BoxState::done)
            table.leases.push_back(
                {p, place, std::make_shared<const LeaseRow>(lease_row(lease, statuses[i]))});
          break;
        }
        ++place;
      }
    }
  }
}

TaskRow task_row(const TaskTable& table, std::size_t phase, std::size_t task) {
  const TableTask one = table.phases[phase].tasks.at(task);
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
