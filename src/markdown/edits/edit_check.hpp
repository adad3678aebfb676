#pragma once
// Whether an edit changed what it should and nothing else. Private to this room.

#include "model/plan.hpp"

namespace plankeep::markdown {

/// Equal in everything but places (lines, offsets) and diagnostics. Of tasks without a marker the ids are not
/// compared, since kept ids and fresh ones may differ; those of phases in one form
/// of their accents (base/unicode/composed); parents are compared by their places.
bool same_phases(const core::Plan& a, const core::Plan& b);
bool same_decisions(const core::Plan& a, const core::Plan& b);
bool same_blockers(const core::Plan& a, const core::Plan& b);

}  // namespace plankeep::markdown
