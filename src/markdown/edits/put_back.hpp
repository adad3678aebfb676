#pragma once
// Tasks of an earlier text that a plan has lost, put back where they belong. Byte-exact for everything else,
// and checked like every edit (markdown/edits/edit_plan).

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

/// A task of `earlier` by its place in it.
struct LostTask {
  std::size_t phase = 0;
  std::size_t task = 0;
};

/// The tasks of `earlier` that `now` does not have: neither with that id in that phase, nor with that id in a
/// phase where `earlier` has none (it was moved), nor with that title under an id new to `earlier` (it was
/// renamed).
std::vector<LostTask> lost_tasks(const core::Plan& earlier, const core::Plan& now);

/// `bytes` with those tasks again, each with the lines that belonged to it: after the nearest earlier task
/// that is still there, else at the beginning of its phase, or below the heading of a phase that has no boxes
/// left. A phase without its heading is put at the end, with a new heading. Lines get the line end of the
/// plan. conflict if the new text would not contain the tasks: then the earlier text has to be put back
/// whole. Both plans are parse_plan of their texts, ids may have been kept.
[[nodiscard]] base::Result<std::string> put_back(std::string_view bytes, const core::Plan& now,
                                                 std::string_view earlier_bytes, const core::Plan& earlier,
                                                 const std::vector<LostTask>& lost);

}  // namespace plankeep::markdown
