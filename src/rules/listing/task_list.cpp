#include "rules/listing/task_list.hpp"

#include <vector>

#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"
#include "rules/listing/phase_name.hpp"

namespace plankeep::core {
namespace {

bool contains_text(const TableTask& task, const std::string& lower) {
  return base::search_text(task.id).find(lower) != std::string::npos ||
         base::search_text(task.title).find(lower) != std::string::npos;
}

bool has_actor(const TableTask& task, const LeaseRow* lease, std::string_view asked) {
  if (is_actor(task.completed_by, asked)) return true;
  return lease != nullptr && lease->status == LeaseStatus::held && is_actor(lease->by, asked);
}

bool is_in_state(const TableTask& task, const TaskFilter& filter) {
  if (filter.state && task.state != *filter.state) return false;
  if (filter.unfinished && task.state == BoxState::done) return false;
  return !filter.optional || task.optional;
}

}  // namespace

bool is_actor(std::string_view actor, std::string_view asked) {
  if (!actor.starts_with(asked)) return false;
  return actor.size() == asked.size() || actor[asked.size()] == ':';
}

TaskList::TaskList(const TaskTable& table, TaskFilter filter)
    : table_(&table), filter_(std::move(filter)), lower_(base::search_text(filter_.text)) {}

base::Result<TaskList> TaskList::make(const TaskTable& table, TaskFilter filter,
                                      std::span<const Event> events) {
  TaskList list(table, std::move(filter));
  if (!list.filter_.phase.empty()) {
    std::vector<PhaseName> names;
    for (const TablePhase& phase : table.phases) names.push_back({phase.id, phase.title});
    TRY_ASSIGN(list.only_, find_phase(names, list.filter_.phase));
  }
  if (!list.filter_.idle_since) return list;
  list.beginning_ = events.empty() ? table.now : events.front().time;
  for (const Event& event : events) {
    if (event.task.empty()) continue;
    list.last_changes_[{event.phase.text, event.task.text}] = event.time;
    // Some events of other versions name no phase.
    list.last_changes_[{"", event.task.text}] = event.time;
  }
  return list;
}

std::size_t TaskList::of() const {
  std::size_t all = 0;
  for (const TablePhase& phase : table_->phases) all += phase.tasks.size();
  return all;
}

bool TaskList::is_idle(const ListedTask& row) const {
  if (row.task.state == BoxState::done) return false;
  for (const std::string_view phase : {table_->phases[row.phase].id, std::string_view()}) {
    const auto last = last_changes_.find({phase, row.task.id});
    if (last != last_changes_.end()) return last->second < *filter_.idle_since;
  }
  return beginning_ < *filter_.idle_since;
}

bool TaskList::passes(const ListedTask& row) const {
  return is_in_state(row.task, filter_) &&
         (filter_.by.empty() ||
          has_actor(row.task, table_->lease_of(row.phase, row.place).get(), filter_.by)) &&
         (lower_.empty() || contains_text(row.task, lower_)) && (!filter_.idle_since || is_idle(row));
}

void TaskList::each(const std::function<void(const ListedTask&)>& listed) const {
  std::vector<std::size_t> levels;  // of the phase's tasks: 1 + depth; 0: not listed
  for (std::size_t p = 0; p < table_->phases.size(); ++p) {
    if (only_ && p != *only_) continue;
    const TablePhase& phase = table_->phases[p];
    levels.assign(phase.tasks.size() + 1, 0);
    std::size_t place = 0;
    for (const TableTask& task : phase.tasks) {
      const ListedTask row{p, place++, levels[task.parent_place], task};
      if (!passes(row)) continue;
      levels[place] = row.depth + 1;
      listed(row);
    }
  }
}

}  // namespace plankeep::core
