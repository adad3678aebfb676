#pragma once
// What tasks and criteria are called. Unique names: "task:phase/id" and "criterion:phase/id". The prefix is
// needed because a task and a criterion of one phase may have the same id. Commands accept these names
// (editing/find_boxes).

#include <string>
#include <string_view>

#include "model/plan.hpp"

namespace plankeep::core {

inline constexpr std::string_view kTaskPrefix = "task:";
inline constexpr std::string_view kCriterionPrefix = "criterion:";

inline std::string key_of(const PhaseId& phase, const TaskId& task) {
  return std::string(kTaskPrefix) + phase.text + "/" + task.text;
}
inline std::string key_of(const PhaseId& phase, const CriterionId& criterion) {
  return std::string(kCriterionPrefix) + phase.text + "/" + criterion.text;
}

/// The title as it stands beside the id in a text: an id of capitals and digits that the title begins with
/// ("T004 Schema", "2. Ship it") is not said twice; a word that happens to be an id ("auth tokens") stays.
/// Empty when nothing else is left. Part of `title`.
std::string_view title_beside_id(std::string_view title, std::string_view id);

/// The number that a box was written with ("1.2", "T003", "2" of "2. Ship it"), and the words behind it.
struct WrittenNumber {
  std::string_view number;  // part of `id`; empty: none stands in the title
  std::string_view words;   // part of `title`; all of it without a number
};
/// `id`: the number, or what makes it unique behind it ("1.1-2" of the second "1.1 Ship it").
WrittenNumber written_number(std::string_view title, std::string_view id);

/// Whether both titles begin with the number that the id is, and say something else behind it: two tasks that
/// had the same number one after the other, unless one was reworded (rules/match tells).
bool took_the_number(std::string_view title, std::string_view earlier_title, const TaskId& id);

/// Whether `id` is `of` with what makes it unique (spec 7.7): "1.1-2" is a form of "1.1".
bool is_numbered_form(std::string_view id, std::string_view of);

}  // namespace plankeep::core
