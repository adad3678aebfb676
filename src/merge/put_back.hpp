#pragma once
// Tasks and criteria of an earlier text that a plan has lost, put back where they belong. Byte-exact for
// everything else, and checked like every edit (markdown/edits/edit_plan).

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

/// A task or criterion of `earlier` by its place in it.
struct LostTask {
  std::size_t phase = 0;
  std::size_t task = 0;  // or among the phase's criteria
  bool criterion = false;
};

/// Its id in the file.
const std::string& id_of(const core::Plan& earlier, const LostTask& lost);

/// The tasks of `earlier` that `now` does not have: neither with that id in that phase, nor with that id in a
/// phase where `earlier` has none (it was moved), nor with that title under an id new to `earlier` (it was
/// renamed). A number in front is not what a task is (rules/match). Behind them the criteria, by id in their
/// phase; but one whose id is changed is not lost, so as many are not as the phase has unmet ones that
/// `earlier` does not know. What a SKIP marker leaves out now, and did not then, is not lost either.
std::vector<LostTask> lost_tasks(const core::Plan& earlier, const core::Plan& now);

/// `bytes` with those tasks again, between the lines of the earlier text that still stand around them
/// (merge/plan_lines). Where nothing new was written since, the whole piece that was taken out comes back
/// with them: headings, criteria, blockers, code, text. Beside new text only the lines of the tasks
/// themselves do, and headings and text of a phase that is gone. Lines get the line end of the plan.
///
/// conflict, with the task and what would happen to it, if a task put back would not be what it was, or if
/// anything else would get another title, phase, order or parent than it has, unless it is the one of then.
/// Both plans are parse_plan of their texts, ids may have been kept.
[[nodiscard]] base::Result<std::string> put_back(std::string_view bytes, const core::Plan& now,
                                                 std::string_view earlier_bytes, const core::Plan& earlier,
                                                 const std::vector<LostTask>& lost);

}  // namespace plankeep::markdown
