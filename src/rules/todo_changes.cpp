#include "rules/todo_changes.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace plankeep::core {
namespace {

using What = TodoChange::What;

// By phase and id, and by the id alone where only one task has it.
class KnownTasks {
 public:
  explicit KnownTasks(const std::vector<TodoItem>& items) {
    for (const TodoItem& item : items) {
      by_place_.emplace(std::pair(item.phase.text, item.id.text), &item);
      const auto [known, fresh] = by_id_.emplace(item.id.text, &item);
      if (!fresh) known->second = nullptr;
    }
  }
  const TodoItem* at_place(const TodoItem& item) const {
    const auto found = by_place_.find({item.phase.text, item.id.text});
    return found == by_place_.end() ? nullptr : found->second;
  }
  const TodoItem* alone(const TodoItem& item) const {
    const auto found = by_id_.find(item.id.text);
    return found == by_id_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::pair<std::string, std::string>, const TodoItem*> by_place_;
  std::map<std::string, const TodoItem*> by_id_;
};

std::optional<What> change_of(BoxState before, BoxState after) {
  if (before == after) return std::nullopt;
  if (after == BoxState::done) return What::ticked;
  if (before == BoxState::done) return What::unticked;
  return after == BoxState::active ? What::started : What::stopped;
}

}  // namespace

std::string_view name_of(What what) {
  switch (what) {
    case What::ticked:
      return "ticked";
    case What::unticked:
      return "unticked";
    case What::started:
      return "started";
    case What::stopped:
      return "stopped";
    case What::added:
      return "added";
    case What::removed:
      return "removed";
  }
  return "ticked";
}

std::vector<TodoChange> todo_changes(const std::vector<TodoItem>& before,
                                     const std::vector<TodoItem>& after) {
  const KnownTasks then(before);
  const KnownTasks now(after);
  std::vector<TodoChange> changes;
  std::set<const TodoItem*> found;
  for (const TodoItem& item : after) {
    const TodoItem* was = then.at_place(item);
    // Moved, if neither moment has another of that id.
    if (was == nullptr && now.alone(item) == &item) was = then.alone(item);
    if (was == nullptr || !found.insert(was).second) {
      changes.push_back({What::added, item});
      continue;
    }
    if (const auto what = change_of(was->state, item.state)) changes.push_back({*what, item});
  }
  for (const TodoItem& item : before) {
    if (!found.contains(&item)) changes.push_back({What::removed, item});
  }
  return changes;
}

}  // namespace plankeep::core
