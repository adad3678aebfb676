#pragma once
// Which tasks and criteria that a plan no longer has still stand in its text, where a SKIP marker leaves them
// out (spec 7.12). Such a one is not lost: whoever put the marker there took it out on purpose. Pure.
//
// A skipped box is the task that had the id of its marker, else the one with its title; then the one whose
// title it begins with, or is much like (kSameTaskElsewhere; kSameTask behind the same number): who leaves a
// task out may write into it why. Each box is one task and one criterion at most.
//
// A template may hold the words of a real task and be skipped all along. So no more boxes count than are
// skipped now and were not before: who deletes the task lost it. If one is taken back in and another left out
// in the same edit, the second is told as vanished.

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/previous_items.hpp"

namespace plankeep::core {

struct GoneItem {
  std::string_view id;
  std::string_view title;
  bool criterion = false;
};

enum class SkippedTitles { equal, alike };

/// For each of `gone` whether one of `boxes` is it. `most`: so many boxes count. Linear; titles that are only
/// alike are looked for where few are left.
std::vector<bool> find_skipped(const std::vector<GoneItem>& gone, const std::vector<SkippedBox>& boxes,
                               std::size_t most, SkippedTitles titles = SkippedTitles::alike);

/// How many more boxes are skipped now than at the last save. An earlier version did not record that.
std::size_t newly_skipped(const State& previous, const Plan& plan);

/// The skipped ones among the items of a state that its next plan no longer has.
class SkippedItems {
 public:
  SkippedItems(const State& previous, const Plan& plan, const PreviousItems& items);

  /// By phase and place in the state before.
  bool has_task(std::size_t phase, std::size_t task) const { return holds(tasks_, phase, task); }
  bool has_criterion(std::size_t phase, std::size_t criterion) const {
    return holds(criteria_, phase, criterion);
  }

 private:
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;  // sorted
  static bool holds(const Places& places, std::size_t phase, std::size_t item);

  Places tasks_;
  Places criteria_;
};

}  // namespace plankeep::core
