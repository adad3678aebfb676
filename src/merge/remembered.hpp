#pragma once
// A plan as records would know it, and another text of it by the ids of that one. Pure. Private to this room.

#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::markdown {

/// As much of a state as keeping ids asks for.
core::State remembered(const core::Plan& plan);

/// `now`, in which boxes with a number in front have the ids of the tasks that they are in `earlier`,
/// whatever their numbers are now (rules/match). All other ids are those of `now`.
core::Plan numbered_as(const core::Plan& earlier, const core::Plan& now);

}  // namespace plankeep::markdown
