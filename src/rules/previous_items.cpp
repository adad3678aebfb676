#include "rules/previous_items.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace plankeep::core {

// First every item in its own phase, then those left over by id in any other.
PreviousItems::PreviousItems(const State& previous, const Plan& plan) : previous_(previous) {
  for (std::size_t i = 0; i < previous_.phases.size(); ++i) {
    phase_at_.emplace(previous_.phases[i].id, i);
    tasks_.emplace_back(previous_.phases[i].tasks);
    criteria_.emplace_back(previous_.phases[i].acceptance);
  }
  task_origin_.resize(plan.phases.size());
  criterion_origin_.resize(plan.phases.size());
  settled_.resize(plan.phases.size());
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    task_origin_[p].resize(plan.phases[p].tasks.size());
    criterion_origin_[p].resize(plan.phases[p].acceptance.size());
    settled_[p].resize(plan.phases[p].tasks.size());
  }
  take_renumbered(plan);
  bool all = true;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const Phase& phase = plan.phases[p];
    const auto known = phase_at_.find(phase.id);
    if (known == phase_at_.end()) {
      all = all && phase.tasks.empty() && phase.acceptance.empty();
      continue;
    }
    const std::size_t before = known->second;
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      if (settled_[p][t] != 0) continue;
      const std::size_t found = tasks_[before].claim(phase.tasks[t].id);
      if (found != Origin::kNone) task_origin_[p][t] = {before, found};
      all = all && found != Origin::kNone;
    }
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
      const std::size_t found = criteria_[before].claim(phase.acceptance[c].id);
      if (found != Origin::kNone) criterion_origin_[p][c] = {before, found};
      all = all && found != Origin::kNone;
    }
  }
  if (!all) trace_moved(plan);
}

void PreviousItems::take_renumbered(const Plan& plan) {
  if (plan.renumbered.empty()) return;
  using Name = std::pair<std::string_view, std::string_view>;  // phase and id
  std::map<Name, Origin> places;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    for (std::size_t t = 0; t < plan.phases[p].tasks.size(); ++t)
      places.emplace(Name(plan.phases[p].id.text, plan.phases[p].tasks[t].id.text), Origin{p, t});
  }
  struct Found {
    Origin now;
    Origin before;
  };
  std::vector<Found> all;
  for (const Renumbered& one : plan.renumbered) {
    const auto place = places.find({one.phase.text, one.id.text});
    const auto phase = phase_at_.find(one.before_phase);
    if (place == places.end() || phase == phase_at_.end()) return;
    const std::size_t task = tasks_[phase->second].find(one.before);
    if (task == Origin::kNone) return;
    const TaskState& before = previous_.phases[phase->second].tasks[task];
    if (before.title != one.title || before.done != one.done) return;
    all.push_back({place->second, {phase->second, task}});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [now, before] = all[i];
    settled_[now.phase][now.item] = 1;
    if (!plan.renumbered[i].continues || tasks_[before.phase].claimed(before.item)) continue;
    tasks_[before.phase].take(before.item);
    task_origin_[now.phase][now.item] = before;
  }
}

void PreviousItems::trace_moved(const Plan& plan) {
  std::unordered_map<std::string_view, std::vector<Origin>> tasks;
  std::unordered_map<std::string_view, std::vector<Origin>> criteria;
  // Of several the one in the phase with the smallest id, whatever the order of the state: one that was
  // rebuilt from the history has another. From the back, so that it is taken first.
  std::vector<std::size_t> order(previous_.phases.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return previous_.phases[a].id > previous_.phases[b].id; });
  for (const std::size_t p : order) {
    const PhaseState& phase = previous_.phases[p];
    for (std::size_t t = phase.tasks.size(); t-- > 0;) {
      if (!tasks_[p].claimed(t)) tasks[phase.tasks[t].id.text].push_back({p, t});
    }
    for (std::size_t c = phase.acceptance.size(); c-- > 0;) {
      if (!criteria_[p].claimed(c)) criteria[phase.acceptance[c].id.text].push_back({p, c});
    }
  }
  const auto take = [](auto& left, std::string_view id, auto& finders) {
    const auto found = left.find(id);
    if (found == left.end() || found->second.empty()) return Origin{};
    const Origin origin = found->second.back();
    found->second.pop_back();
    finders[origin.phase].take(origin.item);
    return origin;
  };
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    for (std::size_t t = 0; t < task_origin_[p].size(); ++t) {
      if (settled_[p][t] == 0 && !task_origin_[p][t].known())
        task_origin_[p][t] = take(tasks, plan.phases[p].tasks[t].id.text, tasks_);
    }
    for (std::size_t c = 0; c < criterion_origin_[p].size(); ++c) {
      if (!criterion_origin_[p][c].known()) {
        criterion_origin_[p][c] = take(criteria, plan.phases[p].acceptance[c].id.text, criteria_);
      }
    }
  }
}

}  // namespace plankeep::core
