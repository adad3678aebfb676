#pragma once
// In what the tasks of two moments differ. Pure.

#include <string_view>
#include <vector>

#include "model/checkpoint.hpp"

namespace plankeep::core {

struct TodoChange {
  enum class What { ticked, unticked, started, stopped, added, removed };
  What what = What::ticked;
  TodoItem item;  // as it is after the change; removed: as it was
  bool operator==(const TodoChange&) const = default;
};
/// "ticked", "unticked", "started", ...
std::string_view name_of(TodoChange::What what);

/// In the order of `after`, what was removed last. A task is known by its phase and id; one that moved to
/// another phase by its id, where that stands in each only once. Titles count only where tasks were numbered
/// anew (rules/match): the words behind a number tell which task it is.
std::vector<TodoChange> todo_changes(const std::vector<TodoItem>& before, const std::vector<TodoItem>& after);

}  // namespace plankeep::core
