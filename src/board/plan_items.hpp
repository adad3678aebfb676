#pragma once
// The rows of a plan: phases, the tasks in them with their steps, then the phase's criteria. In document
// order, so that what lies below an item comes right behind it.

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/view.hpp"

namespace plankeep::board {

enum class ItemKind { phase, task, criterion };

struct Item {
  ItemKind kind = ItemKind::phase;
  /// Names it among all, as the command line takes it: "build", "task:build/login", "criterion:build/tests".
  std::string key;
  std::string phase;  // id
  std::string id;
  std::string title;  // simple (board/cells); beside the id, so it may be empty
  std::string facts;  // simple: "2/5", "after login", "claimed by ada"
  std::string who;  // who finished it or holds it; of a criterion: its proof. Part of the facts, and its own:
                    // the rest of them follows from other items
  std::string verify;                           // of a criterion: its command
  core::BoxState state = core::BoxState::open;  // of a criterion: open or done; of a phase: how far it is
  std::size_t depth = 0;                        // 0: phase
  std::optional<std::size_t> parent;            // index; absent: a phase
  std::string parent_task;                      // the key of the task that this is a step of; empty: none
  bool has_below = false;                       // something can be folded
  bool current = false;                         // what `next` would name
  bool operator==(const Item&) const = default;
};

std::vector<Item> items_of(const core::StatusView& view);

/// What is folded before anybody said otherwise: completed phases where there are several, and tasks that
/// have steps, but for what is around the current task.
std::set<std::string> folded_at_first(const std::vector<Item>& items);

/// Indices of those that are shown, in their order. With a filter: what has it in its id or title, letter
/// case aside, and what that lies below; folding counts for nothing then.
std::vector<std::size_t> shown_items(const std::vector<Item>& items, const std::set<std::string>& folded,
                                     std::string_view filter);

}  // namespace plankeep::board
