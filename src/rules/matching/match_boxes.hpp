#pragma once
// The boxes that rules/match pairs: the recorded ones and those of the plan, in groups of siblings. For
// rules/match only, which calls, in this order:
//
//   group();                 // after ids from markers were matched
//   find_renamed_phases();
//   by_number();             // boxes with a number in front (match_numbers.cpp)
//   match(fresh, known);     // for each pair that it finds
//   name_the_rest();         // new boxes get ids of their own, renumbered ones their numbers
//   rename_parents();        // children refer to their parents by the final ids

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/item_key.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/matching/title_likeness.hpp"

namespace plankeep::core {

/// What a box is called that has another number than before: by that, or as before.
enum class Numbers { as_written, as_before };

inline constexpr std::size_t kCandidates = 64;  // compared with a box beyond kAllPairs
/// Comparisons made without looking for candidates first, in all groups together.
inline constexpr std::size_t kAllPairs = std::size_t{1} << 20;

inline constexpr std::size_t kNoPartner = static_cast<std::size_t>(-1);

struct KnownBox {
  const PhaseState* phase = nullptr;
  const TaskState* task = nullptr;
  bool written = false;  // its id stands in its title
  WrittenNumber number;
  bool taken = false;
  bool skipped = false;      // a SKIP marker leaves it out: taken by no box
  bool lost_number = false;  // its id is another box's now
  bool id_went = false;      // a marker gives its id to another box
  std::size_t group = 0;     // into MatchBoxes::known_groups_
  std::size_t place = 0;     // in its group
  CharacterPairs pairs;
};

struct FreshBox {
  const Phase* phase = nullptr;
  Task* task = nullptr;
  TaskId as_written;
  WrittenNumber number;
  bool matched = false;             // or named by a marker, or known to be new
  std::size_t group = 0;            // into fresh_groups_
  std::size_t place = 0;            // in its group
  std::size_t before = kNoPartner;  // which known task it is
  CharacterPairs pairs;
  bool is_new = false;      // it was said to be none of before
  bool renumbered = false;  // it is one of before, and gets the id that is written now
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
  MatchBoxes(const State& previous, Plan& plan, Numbers numbers);

  /// Of two numbers the box gets the one that is written now (name_the_rest), unless it is called as before.
  void match(std::size_t fresh, std::size_t known);
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
  void by_number();
  /// Boxes with one title in one place: the tick and the neighbours decide which is which.
  void pair_twins(std::vector<std::size_t> olds, std::vector<std::size_t> news);
  /// Pairs the most similar of them. `numbered`: boxes of two numbers, too.
  void alike(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news, bool same_phase,
             double threshold, bool numbered = false);
  void count_then();
  static std::size_t beside(const BoxGroup& group, std::size_t place, int step);

  void name_the_rest();
  void rename_parents();

  Plan& plan_;
  const State& previous_;
  const Numbers numbers_;
  std::vector<KnownBox> known_;  // by phase, in each in the order of the state
  std::vector<FreshBox> fresh_;  // document order
  std::vector<BoxGroup> known_groups_;
  std::vector<BoxGroup> fresh_groups_;
  std::unordered_map<std::string_view, std::size_t> top_known_;  // phase -> group
  std::unordered_map<std::size_t, std::size_t> below_known_;     // known task -> group
  std::unordered_map<std::size_t, std::size_t> renamed_;         // phase of the plan -> group
  // Title -> how often it stood there, and which box has it.
  std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> then_;

 private:
  struct Candidate;

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

  std::size_t then_count(std::string_view title);
  int twin_score(std::size_t known, std::size_t fresh, bool several) const;
  bool same_beside(std::size_t known, std::size_t fresh, int step) const;

  bool may_be(const FreshBox& fresh, const KnownBox& known, bool same_phase, bool numbered) const;
  double likeness(std::size_t known, std::size_t fresh);
  void rank(std::vector<Candidate>& candidates) const;
  template <class Consider>
  void consider_sharers(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news,
                        const Consider& consider);

  void words_that_stand_once();
  void same_number_and_words(const BoxGroup& known, const BoxGroup& group);
  void same_words(const BoxGroup& known, const BoxGroup& group);
  void alike_in_shifted(const BoxGroup& known, std::size_t group);
  void number_in_place(std::size_t group);
  void number_anywhere();
  void by_id(std::size_t fresh, std::size_t known);
  void note_shift(std::size_t group);
  void note_reworded_shift(std::size_t group);
  bool shifted(std::size_t group) const { return fresh_shifted_[group] != 0; }
  void list_renumbered();

  std::vector<char> fresh_shifted_;  // groups with other numbers than before
  std::vector<char> known_shifted_;  // groups that held one
  std::unordered_map<std::string_view, std::size_t> known_ids_;
  std::size_t pairs_left_ = kAllPairs;
};

}  // namespace plankeep::core
