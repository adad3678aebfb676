#pragma once
// Which box of an unmarked plan is which task of before (spec 7.7): once given, an id stays with its box
// through rewording, moving and re-ordering.
//
// Order of the rules, each over what the earlier ones left: an id written in the text; the id that the text
// gives, for tasks whose title is not known; the same title in the
// same phase (the n-th of several to the n-th); the same title anywhere; the most similar title in the same
// phase; the most similar anywhere. A box that carries another written id than the task did is another task.
// Ids of boxes that are new are made unique against those in use.
//
// Similarity is Dice's coefficient over the pairs of neighbouring characters of the lower-case titles: 1 for
// equal, 0 for nothing in common. kSameTask = 0.5: half of the pairs kept. Below it rewordings of unlike
// tasks of one plan ("Write parser tests" / "Write lexer tests" have 0.6, but "Write tests" / "Ship it" 0.1)
// begin to be taken for each other; above 0.6 an added clause ("Add login" -> "Add login with OAuth and
// tests") is taken for a new task. Anywhere outside its phase a box must be more alike: kSameTaskElsewhere =
// 0.7.
//
// Time: linear but for similarity, which compares a box with at most 64 candidates that share its rarest
// pairs.

#include <string_view>

#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::core {

inline constexpr double kSameTask = 0.5;
inline constexpr double kSameTaskElsewhere = 0.7;

/// 0..1, see above.
double similarity(std::string_view a, std::string_view b);

/// Gives the boxes of an unmarked plan the ids that `previous` knows them by. A marked plan is left as it is.
void keep_ids(const State& previous, Plan& plan);

}  // namespace plankeep::core
