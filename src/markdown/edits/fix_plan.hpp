#pragma once
// Mending what has one right answer (lint --fix): no space behind a box, a marker's kind in other letter case
// or without its colon. Not a byte of anything else changes.
//
// Nothing is believed: the new text is read again. Markers are mended only if the plan then has no more
// errors, spaces only if all else reads the same.
// Running it twice changes nothing. Linear in the text.

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
};

/// `plan` is what `bytes` read as.
[[nodiscard]] base::Result<Fixed> fix_plan(std::string_view bytes, const core::Plan& plan);

/// The same for one of the plan's diagnostics: no fixes where it has no right answer.
[[nodiscard]] base::Result<Fixed> fix_one(std::string_view bytes, const core::Plan& plan,
                                          const core::Diagnostic& only);

}  // namespace plankeep::markdown
