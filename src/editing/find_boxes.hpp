#pragma once
// From what a person types to the boxes that are meant (spec 9.2). Pure. In this order, the first that has an
// answer counts:
//
//   id, phase/id      exactly; "task:id" and "criterion:id" tell a task and a criterion of one phase apart
//   (model/item_key) FILE:LINE, :LINE  the box on that line, as printed title             the whole of it,
//   letter case aside the beginning     of an id, else of a title, letter case aside
//
// An id that the text gives (spec 7.7) may stand without its suffix: "frontend/1.1" for "1.1-2", and a bare
// "1.1" that several boxes begin with means the one in the current phase. Ids that the text alone gives are
// looked up where the recorded ones have no answer: that is what `parse` shows.
//
// Several answers are ambiguous: the error lists them as "phase/id", which always works. Unknown ones come
// with the nearest ids.

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

/// `as_written` is the same plan as its text alone gives it. `file`: the plan's path, for FILE:LINE; empty:
/// any file is meant to be it.
[[nodiscard]] base::Result<Found> find_boxes(const core::Plan& plan, const core::Plan& as_written,
                                             std::string_view wanted, std::string_view file = {});

/// At most three ids of the plan that look like `wanted`, the most similar first.
std::vector<std::string> nearest_ids(const core::Plan& plan, std::string_view wanted);

}  // namespace plankeep::app
