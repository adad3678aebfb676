#pragma once
// From what a person types to the boxes that are meant (spec 9.2). Pure. In this order, the first that has an
// answer counts:
//
//   id, phase/id      exactly; with "task:" or "criterion:" before it only one of that kind (model/item_key)
//   FILE:LINE, :LINE  the box on that line, as printed
//   title             in full, ignoring case, with its id in front or as lists show it, without
//   beginning         of an id, else of a title, likewise
//
// An id that the text gives (spec 7.7) may stand without its suffix: "frontend/1.1" for "1.1-2", and a bare
// "1.1" that several boxes begin with means the one in the current phase. Ids that the text alone gives are
// looked up where the recorded ones have no answer: that is what `parse` shows.
//
// Several answers are ambiguous: the error lists them as "phase/id", which always works. Unknown ones come
// with the nearest ids, for several words those of the nearest titles too.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "rules/listing/task_table.hpp"

namespace plankeep::app {

struct Found {
  std::string phase;
  std::string id;
  bool criterion = false;
  std::size_t phase_index = 0;
  std::size_t index = 0;  // into the phase's tasks or acceptance
  std::vector<core::Box> boxes;
};

/// The kind of item that a command works on. If a task and a criterion have the same id, the item of this
/// kind is found. If no item of this kind has the id, one of the other kind is found, so that the command can
/// explain why it refuses it.
enum class Takes { both, task, criterion };

/// `as_written` is the same plan as its text alone gives it. `file`: the plan's path, for FILE:LINE; if
/// empty, any file name fits.
[[nodiscard]] base::Result<Found> find_boxes(const core::Plan& plan, const core::Plan& as_written,
                                             std::string_view wanted, std::string_view file = {},
                                             Takes takes = Takes::both);

/// A task of a table.
struct FoundTask {
  std::size_t phase = 0;
  std::size_t task = 0;  // into the phase's tasks
};
/// The task that find_boxes() would find, if `wanted` is exactly the id of one task and matches nothing else.
/// nullopt: find_boxes() has to look.
std::optional<FoundTask> find_by_id(const core::TaskTable& table, std::string_view wanted);

/// At most three ids of the plan that look like `wanted`, the most similar first.
std::vector<std::string> nearest_ids(const core::Plan& plan, std::string_view wanted);

}  // namespace plankeep::app
