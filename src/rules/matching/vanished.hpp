#pragma once
// Which tasks and criteria a save took out of the plan, and which of them are back. Pure.

#include <algorithm>
#include <vector>

#include "model/event.hpp"
#include "model/item_key.hpp"
#include "model/state.hpp"
#include "rules/notice.hpp"
#include "rules/view.hpp"

namespace plankeep::core {

/// `events`: of one save. What only has another id now did not vanish, and neither did what a SKIP marker
/// leaves out.
std::vector<VanishedTask> vanished_by(const std::vector<Event>& events, bool recorded);

/// What is to be told at once of what `events` took out; `previous`: the state before them.
std::vector<Notice> removal_notices(const std::vector<Event>& events, const State& previous);

/// Whether the phases of a plan or state have it again, in its phase. A task that got its number since is
/// another one.
template <class Phases>
bool is_back(const Phases& phases, const VanishedTask& one) {
  for (const auto& phase : phases) {
    if (phase.id != one.phase) continue;
    const auto same = [&one](const auto& item) {
      return item.id.text == one.id.text &&
             (one.criterion || !took_the_number(item.title, one.title, one.id));
    };
    if (one.criterion ? std::any_of(phase.acceptance.begin(), phase.acceptance.end(), same)
                      : std::any_of(phase.tasks.begin(), phase.tasks.end(), same))
      return true;
  }
  return false;
}

}  // namespace plankeep::core
