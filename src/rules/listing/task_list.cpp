#include "rules/listing/task_list.hpp"

#include <algorithm>
#include <map>

#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"
#include "rules/listing/phase_name.hpp"

namespace plankeep::core {
namespace {

using Key = std::pair<std::string_view, std::string_view>;  // phase, task

std::map<Key, base::Instant> last_changes(std::span<const Event> events) {
  std::map<Key, base::Instant> last;
  for (const Event& event : events) {
    if (event.task.empty()) continue;
    last[{event.phase.text, event.task.text}] = event.time;
    // Some events of other versions name no phase.
    last[{"", event.task.text}] = event.time;
  }
  return last;
}

base::Instant last_change(const std::map<Key, base::Instant>& last, std::string_view phase,
                          std::string_view task, base::Instant otherwise) {
  for (const std::string_view name : {phase, std::string_view()}) {
    const auto found = last.find({name, task});
    if (found != last.end()) return found->second;
  }
  return otherwise;
}

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

// The condition about time, of one query.
class Idle {
 public:
  Idle(const std::optional<base::Instant>& since, std::span<const Event> events, base::Instant now)
      : since_(since), beginning_(events.empty() ? now : events.front().time) {
    if (since_) last_ = last_changes(events);
  }
  bool passes(std::string_view phase, const TableTask& task) const {
    if (!since_) return true;
    return task.state != BoxState::done && last_change(last_, phase, task.id, beginning_) < *since_;
  }

 private:
  std::optional<base::Instant> since_;
  base::Instant beginning_;
  std::map<Key, base::Instant> last_;
};

}  // namespace

bool is_actor(std::string_view actor, std::string_view asked) {
  if (!actor.starts_with(asked)) return false;
  return actor.size() == asked.size() || actor[asked.size()] == ':';
}

base::Result<TaskList> list_tasks(const TaskTable& table, const TaskFilter& filter,
                                  std::span<const Event> events) {
  std::optional<std::size_t> only;
  if (!filter.phase.empty()) {
    std::vector<PhaseName> names;
    for (const TablePhase& phase : table.phases) names.push_back({phase.id, phase.title});
    TRY_ASSIGN(only, find_phase(names, filter.phase));
  }
  const std::string lower = base::search_text(filter.text);
  const Idle idle(filter.idle_since, events, table.now);
  TaskList list;
  std::vector<std::size_t> levels;  // of the phase's tasks: 1 + depth; 0: not listed
  for (std::size_t p = 0; p < table.phases.size(); ++p) {
    const TablePhase& phase = table.phases[p];
    list.of += phase.tasks.size();
    if (only && p != *only) continue;
    levels.assign(phase.tasks.size() + 1, 0);
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const TableTask& task = phase.tasks[t];
      if (!is_in_state(task, filter)) continue;
      if (!filter.by.empty() && !has_actor(task, table.lease_of(p, t).get(), filter.by)) continue;
      if (!lower.empty() && !contains_text(task, lower)) continue;
      if (!idle.passes(phase.id, task)) continue;
      const std::size_t level = levels[task.parent_place] + 1;
      levels[t + 1] = level;
      list.tasks.push_back({p, t, level - 1});
    }
  }
  return list;
}

}  // namespace plankeep::core
