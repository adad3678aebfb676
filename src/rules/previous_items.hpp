#pragma once
// Where the tasks and criteria of a plan were in the state before: the same id, in its own phase if it is
// there, else in any other. Ids are told apart before this (rules/match); of one that stands in several
// phases each is traced to another. Of boxes that were renumbered the plan says what they were, if it speaks
// of this state. Private to rules/reconcile.
//
// Keeps references into both, which must outlive it.

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::core {

class PreviousItems {
 public:
  /// Phase and place in it; only where known().
  struct Origin {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t phase = kNone;
    std::size_t item = kNone;
    bool known() const { return phase != kNone; }
  };

  PreviousItems(const State& previous, const Plan& plan);

  /// By phase and place in the plan.
  Origin task(std::size_t phase, std::size_t task) const { return task_origin_[phase][task]; }
  Origin criterion(std::size_t phase, std::size_t criterion) const {
    return criterion_origin_[phase][criterion];
  }
  /// By phase and place in the state before: whether something of the plan goes back to it.
  bool task_stays(std::size_t phase, std::size_t task) const { return tasks_[phase].claimed(task); }
  bool criterion_stays(std::size_t phase, std::size_t criterion) const {
    return criteria_[phase].claimed(criterion);
  }
  /// nullptr when the phase is new.
  const PhaseState* phase(const PhaseId& id) const {
    const auto known = phase_at_.find(id);
    return known == phase_at_.end() ? nullptr : &previous_.phases[known->second];
  }

 private:
  // Finds the items of one earlier phase by id. Plans mostly keep their order, so the next one is tried first
  // and the table is made only when that fails.
  template <class Item>
  class Finder {
   public:
    explicit Finder(const std::vector<Item>& items) : items_(&items), claimed_(items.size(), 0) {}

    template <class Name>
    std::size_t claim(const Name& id) {
      if (next_ < items_->size() && (*items_)[next_].id == id && claimed_[next_] == 0) {
        claimed_[next_] = 1;
        return next_++;
      }
      index();
      const auto found = index_.find(id.text);
      if (found == index_.end() || claimed_[found->second] != 0) return Origin::kNone;
      claimed_[found->second] = 1;
      next_ = found->second + 1;
      return found->second;
    }
    template <class Name>
    std::size_t find(const Name& id) {
      index();
      const auto found = index_.find(id.text);
      return found == index_.end() ? Origin::kNone : found->second;
    }
    void take(std::size_t i) { claimed_[i] = 1; }
    bool claimed(std::size_t i) const { return claimed_[i] != 0; }

   private:
    void index() {
      if (std::exchange(indexed_, true)) return;
      for (std::size_t i = 0; i < items_->size(); ++i) index_.emplace((*items_)[i].id.text, i);
    }

    const std::vector<Item>* items_;
    std::vector<char> claimed_;
    std::unordered_map<std::string_view, std::size_t> index_;
    std::size_t next_ = 0;
    bool indexed_ = false;
  };

  void take_renumbered(const Plan& plan);
  void trace_moved(const Plan& plan);

  const State& previous_;
  std::unordered_map<PhaseId, std::size_t> phase_at_;
  std::vector<Finder<TaskState>> tasks_;
  std::vector<Finder<CriterionState>> criteria_;
  std::vector<std::vector<Origin>> task_origin_;
  std::vector<std::vector<Origin>> criterion_origin_;
  std::vector<std::vector<char>> settled_;  // tasks of the plan whose ids say nothing of what they were
};

}  // namespace plankeep::core
