#pragma once
// Giving every phase and box of a plan its marker (spec 9, annotate).
//
// Ids are those that the plan is read with (spec 7.7; `plan` may carry kept ids, rules/match), so an
// annotated plan has the same phases and tasks under the same names, and every count stays. A TASK marker
// goes to the end of the box's text; the CHECKPOINT marker of a heading that is a phase on a line of its own
// below it, for a heading of level 1 in its line. Boxes with a marker and those left out (SKIP) get none.
// Everything else stays byte for byte; annotating twice changes nothing.
//
// Refused as `conflict`: a plan that would not be read so with its markers.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

struct AddedMarker {
  std::int64_t line = 1;  // in the text before
  std::string kind;       // "TASK", "CHECKPOINT"
  std::string id;
  bool operator==(const AddedMarker&) const = default;
};

struct Annotated {
  std::string text;
  std::vector<AddedMarker> added;  // in document order; empty when nothing was missing
};

[[nodiscard]] base::Result<Annotated> annotate(std::string_view bytes, const core::Plan& plan);

}  // namespace plankeep::markdown
