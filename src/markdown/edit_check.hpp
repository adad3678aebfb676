#pragma once
// Whether an edit changed what it should and nothing else. Private to this room.

#include "model/plan.hpp"

namespace plankeep::markdown {

/// Equal in everything but places (lines, offsets) and diagnostics; ids are not compared when either plan is
/// unmarked, since kept ids and fresh ones may differ.
bool same_phases(const core::Plan& a, const core::Plan& b);
bool same_decisions(const core::Plan& a, const core::Plan& b);
bool same_blockers(const core::Plan& a, const core::Plan& b);

}  // namespace plankeep::markdown
