#include "rules/listing/task_list.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

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

base::Instant last_change(const std::map<Key, base::Instant>& last, const PhaseRow& phase,
                          const TaskRow& task, base::Instant otherwise) {
  for (const std::string_view name : {std::string_view(phase.id.text), std::string_view()}) {
    const auto found = last.find({name, task.id.text});
    if (found != last.end()) return found->second;
  }
  return otherwise;
}

bool contains_text(const TaskRow& task, const std::string& lower) {
  return base::to_lower(task.id.text).find(lower) != std::string::npos ||
         base::to_lower(task.title).find(lower) != std::string::npos;
}

bool has_actor(const TaskRow& task, std::string_view asked) {
  if (is_actor(task.completed_by, asked)) return true;
  return task.held() && is_actor(task.lease->by, asked);
}

bool is_in_state(const TaskRow& task, const TaskFilter& filter) {
  if (filter.state && task.state != *filter.state) return false;
  if (filter.unfinished && task.state == BoxState::done) return false;
  return !filter.optional || task.optional;
}

}  // namespace

bool is_actor(std::string_view actor, std::string_view asked) {
  if (!actor.starts_with(asked)) return false;
  return actor.size() == asked.size() || actor[asked.size()] == ':';
}

base::Result<TaskList> list_tasks(const StatusView& view, const Plan* plan, const TaskFilter& filter,
                                  std::span<const Event> events) {
  std::optional<std::size_t> only;
  if (!filter.phase.empty()) {
    TRY_ASSIGN(only, find_phase(names_of_phases(view.phases), filter.phase));
  }
  const std::string lower = base::to_lower(filter.text);
  const std::map<Key, base::Instant> last =
      filter.idle_since ? last_changes(events) : std::map<Key, base::Instant>{};
  const base::Instant beginning = events.empty() ? view.now : events.front().time;
  TaskList list;
  for (std::size_t p = 0; p < view.phases.size(); ++p) {
    const PhaseRow& phase = view.phases[p];
    list.of += phase.tasks.size();
    if (only && p != *only) continue;
    const std::vector<Task>* const written =
        plan != nullptr && p < plan->phases.size() ? &plan->phases[p].tasks : nullptr;
    std::unordered_map<std::string_view, std::size_t> depths;
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const TaskRow& task = phase.tasks[t];
      if (!is_in_state(task, filter)) continue;
      if (!filter.by.empty() && !has_actor(task, filter.by)) continue;
      if (!lower.empty() && !contains_text(task, lower)) continue;
      if (filter.idle_since) {
        if (task.state == BoxState::done) continue;
        if (last_change(last, phase, task, beginning) >= *filter.idle_since) continue;
      }
      ListedTask row{&phase, &task, {}, {}, 0};
      if (written != nullptr && t < written->size()) {
        row.parent = (*written)[t].parent;
        row.section = (*written)[t].section;
      }
      const auto above = depths.find(row.parent.text);
      if (!row.parent.empty() && above != depths.end()) row.depth = above->second + 1;
      depths[task.id.text] = row.depth;
      list.tasks.push_back(std::move(row));
    }
  }
  return list;
}

}  // namespace plankeep::core
