#pragma once
// Which box is which task of before (spec 7.7): once given, an id stays with its box through rewording,
// moving and re-ordering. Ids from markers are never changed.
//
// A marker that is put at another title by hand is one of two things. A title that nobody had before is the
// task reworded. A title that stands once, then as now, is still the task that it was, and the marker is its
// new id: a completion never goes to another task because the two changed ids. Not where plans are merged
// (keep_identities): there an id that is written down is the box.
//
// Order of the rules, each over what the earlier ones left: the id of a marker; a number written in the text
// with the words behind it, see below; the id that the text gives, for tasks whose title is not known; the
// same title below the same task (of a phase whose heading was reworded, below the same phase:
// rules/matching/match_phases); the same title anywhere, if it stands once; for done boxes the title of a
// done task that left the phase within 30 days; the most similar title below the same task; the same title
// elsewhere in the phase, then in the plan; the most similar in the phase, then anywhere. A title that goes
// on where the old one ended ("Deliver" -> "Deliver, sent on Tuesday") is as good as equal.
//
// A number in front ("2.", "1.3", "T003") is what a box is called, and its owner numbers anew after
// inserting, deleting or swapping one. So the words behind the numbers are compared first: words that stand
// once, then as now; the same number and words in the same place; the same words below the same task, in the
// order of the numbers. Only then the number alone tells: a box that is reworded keeps its past, however it
// is reworded, unless boxes beside it have other numbers than before, or its words, a little reworded, stand
// behind another number beside it. Then the words must be alike
// (kSameTask), and what is left may be a reworded one with another number (kSameTaskElsewhere). Such a box
// gets the number that is written now as its id: a change of id of the same task. A new box may get the
// number of another one. Any other box that carries another written id than the task did is another task.
//
// Boxes of one title below one task (thirty times "Commit") are told apart by their ticks and neighbours: as
// many as there were, and none unticked, are the same in their order; else a done one is rather one that is
// done still, with the same boxes beside it. Elsewhere such boxes are those of before only with their ticks
// as they were, and only if as many are new as are missing. A done one among others of its title that stayed
// must have gone to a phase of before, or where boxes of its phase went: a completion never goes to another
// box with the same words.
//
// Ids of boxes that are new are made unique against those in use. `parent` of tasks and criteria follows.
//
// Similarity is Dice's coefficient over the pairs of neighbouring characters of the lower-case titles: 1 for
// equal, 0 for nothing in common. kSameTask = 0.5: half of the pairs kept. Below it rewordings of unlike
// tasks of one plan ("Write parser tests" / "Write lexer tests" have 0.6, but "Write tests" / "Ship it" 0.1)
// begin to be taken for each other; above 0.6 an added clause ("Add login" -> "Add login with OAuth and
// tests") is taken for a new task. Outside of its phase, or to have lost its tick, a box must be more alike:
// kSameTaskElsewhere = 0.7.
//
// Time: linear but for similarity, which compares a box with at most 64 candidates that share its rarest
// pairs.

#include <cstdint>
#include <string_view>

#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::core {

inline constexpr double kSameTask = 0.5;
inline constexpr double kSameTaskElsewhere = 0.7;

/// 0..1, see above.
double similarity(std::string_view a, std::string_view b);

/// Whether nothing but ticks has changed, which is what most edits do: the same phases with the same boxes in
/// the same order, and no unticked box shares its title with another. Then keep_ids() changes no id.
bool same_boxes(const State& previous, const Plan& plan);

/// Gives the boxes without a marker the ids that `previous` knows them by, and those that are numbered anew
/// their numbers; `plan.renumbered` says which tasks these are. `new_box`: the line of one that is known to
/// be new, whatever its title; 0: none.
void keep_ids(const State& previous, Plan& plan, std::int64_t new_box = 0);

/// The same, but a box that is numbered anew has the id of before: for whoever compares plans by their ids.
void keep_identities(const State& previous, Plan& plan);

}  // namespace plankeep::core
