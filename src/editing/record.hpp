#pragma once
// Writing down what was decided, what is in the way, and a note for whoever comes next (spec 9).
//
// Decisions and blockers are markers in the plan, under the current phase; they are written as
// editing/complete writes boxes, with the same errors and the same behaviour beside editors and after a
// crash. The note lives in state and history only. What stands there already changes nothing.

#include <string>

#include "base/result.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// `reason` may be empty.
[[nodiscard]] base::Result<Outcome> record_decision(const Context& context, const PlanLocation& plan,
                                                    const std::string& text, const std::string& reason,
                                                    const std::string& actor);

[[nodiscard]] base::Result<Outcome> raise_blocker(const Context& context, const PlanLocation& plan,
                                                  const std::string& text, const std::string& actor);

/// `which` is a number as `status` shows it, from 1, the blocker's text, or a part of it that only one
/// blocker has.
[[nodiscard]] base::Result<Outcome> resolve_blocker(const Context& context, const PlanLocation& plan,
                                                    const std::string& which, const std::string& actor);

/// An empty text takes the note away. It needs no plan: one that cannot be read is only a warning of the
/// outcome.
[[nodiscard]] base::Result<Outcome> save_note(const Context& context, const PlanLocation& plan,
                                              const std::string& text, const std::string& actor);

}  // namespace plankeep::app
