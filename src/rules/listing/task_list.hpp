#pragma once
// Which of a plan's tasks a list shows (`plankeep list`). Pure; the renderer lays the rows out.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "rules/listing/task_table.hpp"

namespace plankeep::core {

/// Every condition that is set must hold.
struct TaskFilter {
  std::optional<BoxState> state;  // open: neither done nor active
  bool unfinished = false;        // open or active
  bool optional = false;          // only optional tasks
  std::string phase;              // its id, exact title, or number from 1; empty: all
  std::string by;                 // who finished it, or has claimed it; "subagent" stands for every subagent
  std::string text;               // in its id or title, letter case aside
  /// Only unfinished tasks to which nothing happened since.
  std::optional<base::Instant> idle_since;
};

struct ListedTask {
  std::size_t phase = 0;  // index into the table's phases
  std::size_t place = 0;  // among that phase's tasks
  std::size_t depth = 0;  // of parents that the list shows as well
  const TableTask& task;  // valid during the call
};

/// The tasks that a filter lets through. They are looked for when each() is called, and kept nowhere.
class TaskList {
 public:
  /// `events`: the plan's history, asked only for idle_since; a task that it does not name counts from its
  /// beginning. not_found when there is no such phase. Table and events must outlive the list.
  [[nodiscard]] static base::Result<TaskList> make(const TaskTable& table, TaskFilter filter,
                                                   std::span<const Event> events);

  /// In document order.
  void each(const std::function<void(const ListedTask&)>& listed) const;
  /// So many tasks the plan has.
  std::size_t of() const;

 private:
  using Key = std::pair<std::string_view, std::string_view>;  // phase, task

  TaskList(const TaskTable& table, TaskFilter filter);
  bool passes(const ListedTask& row) const;
  bool is_idle(const ListedTask& row) const;

  const TaskTable* table_;
  TaskFilter filter_;
  std::optional<std::size_t> only_;  // of the phases
  std::string lower_;                // of the filter's text
  base::Instant beginning_;
  std::map<Key, base::Instant> last_changes_;
};

/// Whether `actor` is meant by `asked`: the same, or a name without its part behind the colon
/// ("subagent" for "subagent:coder").
bool is_actor(std::string_view actor, std::string_view asked);

}  // namespace plankeep::core
