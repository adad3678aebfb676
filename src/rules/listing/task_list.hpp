#pragma once
// Which of a plan's tasks a list shows (`plankeep list`). Pure; the renderer lays the rows out.

#include <optional>
#include <span>
#include <string>
#include <vector>

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
  std::size_t task = 0;   // into that phase's tasks
  std::size_t depth = 0;  // of parents that the list shows as well
};

struct TaskList {
  std::vector<ListedTask> tasks;  // document order
  std::size_t of = 0;             // so many the plan has
};

/// `events`: the plan's history, asked only for idle_since; a task that it does not name counts from
/// its beginning. not_found when there is no such phase.
[[nodiscard]] base::Result<TaskList> list_tasks(const TaskTable& table, const TaskFilter& filter,
                                                std::span<const Event> events);

/// Whether `actor` is meant by `asked`: the same, or a name without its part behind the colon
/// ("subagent" for "subagent:coder").
bool is_actor(std::string_view actor, std::string_view asked);

}  // namespace plankeep::core
