#pragma once
// From what a person types to the boxes that are meant: a task's id, a criterion's id, or "phase/id". Pure.
//
// An id that stands in several phases (spec 7.8), or names a task and a criterion of different phases, is
// ambiguous: the error lists the "phase/id" forms. A task and a criterion of one phase under one id are
// ambiguous too ("task:id", "criterion:id" tell them apart). In an unmarked plan the ids that the text alone
// gives are looked up where the kept ones have no answer: that is what `parse` shows. Unknown ids come with
// the nearest ones.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"

namespace plankeep::app {

struct Found {
  std::string phase;
  std::string id;
  bool criterion = false;
  std::size_t phase_index = 0;
  std::size_t index = 0;  // into the phase's tasks or acceptance
  std::vector<core::Box> boxes;
};

/// `as_written` is the same plan as its text alone gives it (equal to `plan` for a marked one).
[[nodiscard]] base::Result<Found> find_boxes(const core::Plan& plan, const core::Plan& as_written,
                                             std::string_view wanted);

/// At most three ids of the plan that look like `wanted`, the most similar first.
std::vector<std::string> nearest_ids(const core::Plan& plan, std::string_view wanted);

}  // namespace plankeep::app
