#include "board/plan_items.hpp"

#include <map>
#include <utility>

#include "base/text.hpp"
#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"
#include "board/cells.hpp"
#include "model/item_key.hpp"
#include "render/recorded/verify.hpp"
#include "render/style.hpp"

namespace plankeep::board {
namespace {

std::string facts_of(const core::TaskRow& task) {
  std::string text;
  if (task.children > 0) text = std::to_string(task.children_done) + "/" + std::to_string(task.children);
  if (task.optional) base::append_listed(text, "optional");
  if (task.state == core::BoxState::done) {
    if (!task.completed_by.empty()) base::append_listed(text, "by " + task.completed_by);
    return simple_title(text);
  }
  if (!task.waiting_for.empty())
    base::append_listed(text, "after " + base::joined(task.waiting_for, ", ", [](const core::TaskId& id) {
                                return std::string_view(id.text);
                              }));
  if (task.held()) base::append_listed(text, "claimed by " + task.lease->by);
  return simple_title(text);
}

core::BoxState state_of(core::PhaseStatus status) {
  if (status == core::PhaseStatus::completed) return core::BoxState::done;
  return status == core::PhaseStatus::in_progress ? core::BoxState::active : core::BoxState::open;
}

Item item_of(const core::PhaseRow& phase) {
  Item item;
  item.key = item.phase = item.id = phase.id.text;
  item.title = simple_title(core::title_or_id(phase));
  std::string facts = std::to_string(phase.done) + "/" + std::to_string(phase.total);
  if (phase.acceptance_total > 0) {
    facts += ", " + std::to_string(phase.acceptance_met) + "/" + std::to_string(phase.acceptance_total) +
             (phase.acceptance_total == 1 ? " criterion" : " criteria");
  }
  item.facts = std::move(facts);
  item.state = state_of(phase.status);
  item.has_below = !phase.tasks.empty() || !phase.acceptance.empty();
  return item;
}

Item item_of(const core::PhaseRow& phase, const core::TaskRow& task) {
  Item item;
  item.kind = ItemKind::task;
  item.key = core::key_of(phase.id, task.id);
  item.phase = phase.id.text;
  item.id = task.id.text;
  item.title = simple_title(core::title_beside_id(task.title, task.id.text));
  item.facts = facts_of(task);
  item.who = task.state == core::BoxState::done ? task.completed_by
             : task.held()                      ? task.lease->by
                                                : std::string();
  item.state = task.state;
  return item;
}

Item item_of(const core::PhaseRow& phase, const core::CriterionRow& criterion) {
  Item item;
  item.kind = ItemKind::criterion;
  item.key = core::key_of(phase.id, criterion.id);
  item.phase = phase.id.text;
  item.id = criterion.id.text;
  item.title = simple_title(core::title_beside_id(criterion.title, criterion.id.text));
  item.verify = criterion.verify;
  if (criterion.proof != core::Proof::no_command)
    item.who = item.facts = simple_title(render::proof_text(criterion.proof, criterion.failed_before));
  item.state = criterion.met ? core::BoxState::done : core::BoxState::open;
  item.depth = 1;
  return item;
}

bool has_text(const Item& item, const std::string& lower) {
  return base::search_text(item.id).find(lower) != std::string::npos ||
         base::search_text(item.title).find(lower) != std::string::npos;
}

// Calls `each` with everything that item `index` lies below, the nearest first.
template <class Each>
void for_each_above(const std::vector<Item>& items, std::size_t index, const Each& each) {
  for (auto above = items[index].parent; above; above = items[*above].parent) {
    if (!each(*above)) return;
  }
}

}  // namespace

std::vector<Item> items_of(const core::StatusView& view) {
  std::vector<Item> items;
  for (std::size_t p = 0; p < view.phases.size(); ++p) {
    const core::PhaseRow& phase = view.phases[p];
    const std::size_t phase_at = items.size();
    items.push_back(item_of(phase));
    std::map<std::string_view, std::size_t> places;  // of its tasks so far
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const core::TaskRow& task = phase.tasks[t];
      Item item = item_of(phase, task);
      const auto parent = task.parent.empty() ? places.end() : places.find(task.parent.text);
      item.parent = parent == places.end() ? phase_at : parent->second;
      item.depth = items[*item.parent].depth + 1;
      if (parent != places.end()) {
        items[*item.parent].has_below = true;
        item.parent_task = items[*item.parent].key;
      }
      item.current = view.current_phase == p && view.current_task == t;
      places.emplace(task.id.text, items.size());
      items.push_back(std::move(item));
    }
    for (const core::CriterionRow& criterion : phase.acceptance) {
      Item item = item_of(phase, criterion);
      item.parent = phase_at;
      items.push_back(std::move(item));
    }
  }
  return items;
}

std::set<std::string> folded_at_first(const std::vector<Item>& items) {
  std::size_t phases = 0;
  std::set<std::string> folded;
  for (const Item& item : items) {
    if (item.kind == ItemKind::phase) ++phases;
    if (!item.has_below) continue;
    if (item.kind == ItemKind::task || item.state == core::BoxState::done) folded.insert(item.key);
  }
  if (phases == 1) {
    for (const Item& item : items)
      if (item.kind == ItemKind::phase) folded.erase(item.key);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].current) continue;
    for_each_above(items, i, [&](std::size_t above) {
      folded.erase(items[above].key);
      return true;
    });
  }
  return folded;
}

std::vector<std::size_t> shown_items(const std::vector<Item>& items, const std::set<std::string>& folded,
                                     std::string_view filter) {
  std::vector<std::size_t> shown;
  if (filter.empty()) {
    std::vector<bool> hidden(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto& parent = items[i].parent;
      hidden[i] = parent && (hidden[*parent] || folded.contains(items[*parent].key));
      if (!hidden[i]) shown.push_back(i);
    }
    return shown;
  }
  const std::string lower = base::search_text(filter);
  std::vector<bool> wanted(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!has_text(items[i], lower)) continue;
    wanted[i] = true;
    for_each_above(items, i, [&](std::size_t above) {
      if (wanted[above]) return false;
      wanted[above] = true;
      return true;
    });
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (wanted[i]) shown.push_back(i);
  return shown;
}

}  // namespace plankeep::board
