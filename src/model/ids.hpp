#pragma once
// The ids that appear in plans. Each is its own type, so that a phase's id is never taken for a task's.
//
// The text is what a marker may hold (spec 7.1): letters, marks and digits of any script, "_", "-", ".";
// never empty where a plan gave it. Task ids are unique within a phase, not within a plan (spec 7.8).

#include <compare>
#include <functional>
#include <string>

namespace plankeep::core {

template <class Kind>
struct Id {
  std::string text;

  Id() = default;
  explicit Id(std::string id) : text(std::move(id)) {}
  auto operator<=>(const Id&) const = default;
  bool empty() const { return text.empty(); }
};

using TaskId = Id<struct TaskKind>;
using CriterionId = Id<struct CriterionKind>;
using PhaseId = Id<struct PhaseKind>;

/// What people call a phase, a task or a criterion. Not empty where the plan gave it an id.
template <class Item>
const std::string& title_or_id(const Item& item) {
  return item.title.empty() ? item.id.text : item.title;
}

}  // namespace plankeep::core

template <class Kind>
struct std::hash<plankeep::core::Id<Kind>> {
  std::size_t operator()(const plankeep::core::Id<Kind>& id) const noexcept {
    return std::hash<std::string>{}(id.text);
  }
};
