#pragma once
// Which task of a phase is around which (spec 7.3), by their places in the phase.

#include <cstddef>
#include <vector>

#include "model/plan.hpp"

namespace plankeep::core {

inline constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);

/// For each task of the phase the place of its parent, kNoParent for none. A parent stands before its
/// children: an id that names none of the tasks before counts as none, so that following parents always ends.
std::vector<std::size_t> parents_of(const Phase& phase);

/// The same for the criteria of the phase; the places are those of tasks.
std::vector<std::size_t> criterion_parents_of(const Phase& phase);

}  // namespace plankeep::core
