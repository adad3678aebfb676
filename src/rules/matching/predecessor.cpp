#include "rules/matching/predecessor.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace plankeep::core {
namespace {

// Sorted. Equal titles stand as often as there are boxes that have them.
template <class Phases>
std::vector<std::string> box_titles(const Phases& phases) {
  std::vector<std::string> titles;
  for (const auto& phase : phases) {
    for (const auto& task : phase.tasks) titles.push_back(task.title);
    for (const auto& criterion : phase.acceptance) titles.push_back(criterion.title);
  }
  std::sort(titles.begin(), titles.end());
  return titles;
}

bool is_done(const Task& task) {
  return task.done();
}

bool is_done(const TaskState& task) {
  return task.done;
}

// Sorted titles of the tasks that are done.
template <class Phases>
std::vector<std::string> done_titles(const Phases& phases) {
  std::vector<std::string> titles;
  for (const auto& phase : phases) {
    for (const auto& task : phase.tasks) {
      if (is_done(task)) titles.push_back(task.title);
    }
  }
  std::sort(titles.begin(), titles.end());
  return titles;
}

std::size_t in_both(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  std::vector<std::string> common;
  std::set_intersection(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(common));
  return common.size();
}

// A plan that is over may have been deleted for good, and a new one been made from the same template. Only
// one that has most of its ticks is that plan again.
bool has_its_ticks(const Plan& plan, const State& state) {
  const std::vector<std::string> before = done_titles(state.phases);
  return !before.empty() && in_both(done_titles(plan.phases), before) * 2 > before.size();
}

}  // namespace

std::vector<std::size_t> predecessors_of(const Plan& plan, const std::string& checksum,
                                         const std::vector<GonePlan>& gone) {
  if (gone.empty()) return {};
  const std::vector<std::string> now = box_titles(plan.phases);
  std::vector<std::size_t> best;
  std::tuple<bool, std::size_t, bool> most{false, 0, false};  // same text, boxes in both, not archived
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const State& state = gone[i].state;
    const std::vector<std::string> before = box_titles(state.phases);
    const std::size_t common = in_both(now, before);
    const std::size_t longer = std::max(now.size(), before.size());
    if (common == 0 || common * 2 < longer) continue;
    const bool same = state.checksum == checksum;
    if (state.archived_at && !same && !has_its_ticks(plan, state)) continue;
    const std::tuple likeness{same, common, !state.archived_at};
    if (likeness < most) continue;
    if (likeness > most) best.clear();
    most = likeness;
    best.push_back(i);
  }
  // Which of several archived ones it was cannot be asked for: they are over already.
  if (best.size() > 1 && gone[best.front()].state.archived_at) best.clear();
  return best;
}

}  // namespace plankeep::core
