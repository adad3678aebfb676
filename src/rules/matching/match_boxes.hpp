#pragma once
// The boxes that rules/match pairs: the recorded ones and those of the plan, in groups of siblings. For
// rules/match only, which calls, in this order:
//
//   group();                 // after ids from markers were matched
//   match(fresh, known);     // for each pair that it finds
//   name_the_rest();         // new boxes get ids of their own
//   rename_parents();        // children refer to their parents by the final ids

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/matching/title_likeness.hpp"

namespace plankeep::core {

inline constexpr std::size_t kNoPartner = static_cast<std::size_t>(-1);

struct KnownBox {
  const PhaseState* phase = nullptr;
  const TaskState* task = nullptr;
  bool written = false;  // its id stands in its title
  bool taken = false;
  std::size_t group = 0;  // into MatchBoxes::known_groups_
  std::size_t place = 0;  // in its group
  CharacterPairs pairs;
};

struct FreshBox {
  const Phase* phase = nullptr;
  Task* task = nullptr;
  TaskId as_written;
  bool matched = false;             // or named by a marker, or known to be new
  std::size_t group = 0;            // into fresh_groups_
  std::size_t place = 0;            // in its group
  std::size_t before = kNoPartner;  // which known task it is
  CharacterPairs pairs;
  bool is_new = false;  // it was said to be none of before
};

/// The direct children of a task, or the boxes of a phase that have no parent, in document order.
struct BoxGroup {
  std::vector<std::size_t> members;
  std::size_t parent = kNoPartner;  // a box, else `phase` counts
  std::size_t phase = 0;
  const PhaseState* known = nullptr;  // of recorded boxes without a parent: their phase
};

/// The shorter first: "a", "a-2", ... "a-10", the order in which ids of one title are given.
bool given_before(const TaskId& a, const TaskId& b);

/// A tick is seldom taken back: a done task is rather one that is still ticked.
bool keeps_tick(const TaskState& known, const Task& fresh);

class MatchBoxes {
 protected:
  MatchBoxes(const State& previous, Plan& plan);

  void match(std::size_t fresh, std::size_t known) {
    fresh_[fresh].matched = true;
    fresh_[fresh].before = known;
    known_[known].taken = true;
    fresh_[fresh].task->id = known_[known].task->id;
  }
  bool free_pair(std::size_t fresh, std::size_t known) const {
    return !fresh_[fresh].matched && !known_[known].taken;
  }
  bool any_left() const;

  void group();
  /// The recorded group that this group of the plan corresponds to; nullptr: there is none.
  const BoxGroup* before(const BoxGroup& group) const;
  /// Maps each phase whose heading was reworded to the vanished phase that it was. Looks at no more than
  /// `candidates` phases for a title.
  void find_renamed_phases(std::size_t candidates);
  static std::size_t beside(const BoxGroup& group, std::size_t place, int step);

  void name_the_rest();
  void rename_parents();

  Plan& plan_;
  const State& previous_;
  std::vector<KnownBox> known_;  // by phase, in each in the order of the state
  std::vector<FreshBox> fresh_;  // document order
  std::vector<BoxGroup> known_groups_;
  std::vector<BoxGroup> fresh_groups_;
  std::unordered_map<std::string_view, std::size_t> top_known_;  // phase -> group
  std::unordered_map<std::size_t, std::size_t> below_known_;     // known task -> group
  std::unordered_map<std::size_t, std::size_t> renamed_;         // phase of the plan -> group

 private:
  void group_known();
  void group_fresh();
  void join(std::size_t group, std::size_t fresh);

  // What a new phase and a vanished one have in common (match_phases.cpp).
  struct SharedTitles {
    std::size_t phase = 0;  // of the plan
    std::size_t top = 0;    // group of the vanished phase
    std::size_t count = 0;
    bool telling = false;  // one of them stands once, then as now
  };
  std::vector<SharedTitles> shared_titles(std::size_t candidates) const;
  std::vector<std::pair<std::size_t, std::size_t>> same_places() const;
  void pair_phases(std::vector<SharedTitles>& left);
  const PhaseState& phase_of(std::size_t top) const { return *known_groups_[top].known; }
};

}  // namespace plankeep::core
