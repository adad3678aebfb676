#include "rules/todo_changes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "model/item_key.hpp"
#include "rules/match.hpp"

namespace plankeep::core {
namespace {

using What = TodoChange::What;

bool has_number(const TodoItem& item) {
  return !written_number(item.title, item.id.text).number.empty();
}

// Whether a number stands before other words than then.
bool numbered_anew(const std::vector<TodoItem>& before, const std::vector<TodoItem>& after) {
  std::map<std::string_view, const TodoItem*> then;
  for (const TodoItem& item : before) then.emplace(item.id.text, &item);
  return std::any_of(after.begin(), after.end(), [&then](const TodoItem& item) {
    const auto known = then.find(item.id.text);
    return known != then.end() && took_the_number(item.title, known->second->title, item.id);
  });
}

// Phases as the matching takes them, their tasks in the order of `items`.
template <class AnyPhase>
AnyPhase& phase_of(std::vector<AnyPhase>& phases, const PhaseId& id) {
  const auto known =
      std::find_if(phases.rbegin(), phases.rend(), [&id](const AnyPhase& phase) { return phase.id == id; });
  if (known != phases.rend()) return *known;
  phases.emplace_back().id = id;
  return phases.back();
}

// `after`, each numbered task with the number it had then: the words behind it tell which it is.
std::vector<TodoItem> numbered_as(const std::vector<TodoItem>& before, const std::vector<TodoItem>& after) {
  std::vector<TodoItem> called = after;
  if (!numbered_anew(before, after)) return called;
  State then;
  then.every_box = true;
  for (const TodoItem& item : before) {
    TaskState& task = phase_of(then.phases, item.phase).tasks.emplace_back();
    task.id = item.id;
    task.title = item.title;
    task.done = item.state == BoxState::done;
  }
  Plan now;
  for (std::size_t i = 0; i < after.size(); ++i) {
    Task& task = phase_of(now.phases, after[i].phase).tasks.emplace_back();
    task.id = after[i].id;
    task.title = after[i].title;
    task.state = after[i].state;
    task.line = static_cast<std::int64_t>(i);
    task.id_in_text = has_number(after[i]);
  }
  keep_identities(then, now);
  for (const Phase& phase : now.phases) {
    for (const Task& task : phase.tasks)
      if (task.id_in_text) called[static_cast<std::size_t>(task.line)].id = task.id;
  }
  return called;
}

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
  const std::vector<TodoItem> called = numbered_as(before, after);
  const KnownTasks now(called);
  std::vector<TodoChange> changes;
  std::set<const TodoItem*> found;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const TodoItem& item = called[i];
    const TodoItem* was = then.at_place(item);
    // Moved, if neither moment has another of that id.
    if (was == nullptr && now.alone(item) == &item) was = then.alone(item);
    if (was == nullptr || !found.insert(was).second) {
      changes.push_back({What::added, after[i]});
      continue;
    }
    if (const auto what = change_of(was->state, item.state)) changes.push_back({*what, after[i]});
  }
  for (const TodoItem& item : before) {
    if (!found.contains(&item)) changes.push_back({What::removed, item});
  }
  return changes;
}

}  // namespace plankeep::core
