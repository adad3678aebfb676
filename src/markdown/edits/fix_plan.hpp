#pragma once
// Mending what has one right answer (lint --fix): no space behind a box, a box that only looks like one, a
// marker's kind in other letter case or without its colon. Not a byte of anything else changes.
//
// Nothing is believed: the new text is read again. Each mending must take away what it is for and bring no
// new error. Behind a space all else reads the same. A new box is there, open where it was open and ticked
// where it was ticked, beside all the others as they were. What does not hold is left, and keeps nothing
// else.
//
// Running it twice changes nothing. A text is read a few times more for each mending that does not hold, up
// to a limit in bytes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/diagnostics.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

struct Fix {
  core::DiagnosticCode code = core::DiagnosticCode::checkbox_missing_space;
  std::int64_t line = 1;
  bool operator==(const Fix&) const = default;
};

struct Fixed {
  std::string text;
  std::vector<Fix> fixes;  // in document order; empty when nothing was changed
  std::vector<Fix> left;   // likewise: those that do not hold
};

/// `plan` is what `bytes` read as.
[[nodiscard]] base::Result<Fixed> fix_plan(std::string_view bytes, const core::Plan& plan);

/// The same for one of the plan's diagnostics: no fixes where it has no right answer.
[[nodiscard]] base::Result<Fixed> fix_one(std::string_view bytes, const core::Plan& plan,
                                          const core::Diagnostic& only);

}  // namespace plankeep::markdown
