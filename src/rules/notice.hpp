#pragma once
// What a person should be told at once of an edit of the plan, and the words for it. rules/reconcile decides
// which; where they are shown is the client's matter (render/recorded/changes, render/progress/hook_words).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.hpp"
#include "model/progress.hpp"

namespace plankeep::core {

struct LeaseState;

enum class NoticeKind {
  task_reopened,
  task_removed,
  task_renamed,
  tasks_renumbered,  // their written numbers changed, as when one was inserted before them
  criterion_unmet,
  criterion_removed,
  task_skipped,  // a SKIP marker leaves it out from now on
  criterion_skipped,
  plan_replaced,
  phase_reopened,
  phase_completed,
  plan_completed,
  done_before_dependency,  // ticked by this edit while what it comes after (`after:`) is open
  boxes_found,             // the take-over of what an earlier version wrote
  done_by_another,         // ticked by this edit while somebody else holds the task (rules/lease)
};

/// `text` is one plain line.
struct Notice {
  NoticeKind kind = NoticeKind::task_reopened;
  std::string text;
  bool operator==(const Notice&) const = default;
};

/// Whether something is lost: a task or criterion was undone or is gone. Such news waits until it can be
/// said.
bool tells_of_loss(const Notice& notice);

/// "T006 (End-to-end test)": the id and the rest of the title. Only the id, if it was made from the whole
/// title.
std::string task_name(const TaskId& id, std::string_view title);

/// The same of a criterion.
std::string criterion_name(const CriterionId& id, std::string_view title);

// A notice about several tasks names the first five (task_name); `names` is not empty. Where they are long,
// their titles are shortened, so that a notice has at most about 300 characters and says to its end what
// became of them.

Notice tasks_reopened(const std::vector<std::string>& names);
/// `of`: how many tasks the plan had. More than half of them gone, and three at least, is plan_replaced: in
/// the smallest plans that is any edit.
Notice tasks_removed(const std::vector<std::string>& names, std::size_t of);
/// `names`: of criteria, likewise.
Notice criteria_unmet(const std::vector<std::string>& names);
Notice criteria_removed(const std::vector<std::string>& names);
Notice tasks_skipped(const std::vector<std::string>& names);
Notice criteria_skipped(const std::vector<std::string>& names);
Notice task_renamed(const TaskId& from, std::string_view to);
/// `changes`: "2 is 3" of each.
Notice tasks_renumbered(const std::vector<std::string>& changes);
/// Named by its title, or by its id if it has none.
Notice phase_reopened(const PhaseId& phase, std::string_view title);
Notice phase_completed(const PhaseId& phase, std::string_view title);
/// `skipped`: boxes that SKIP markers leave out.
Notice plan_completed(const Progress& progress, std::int64_t skipped);
/// What does not count and is said beside "done" (spec 9.5): "; 1 optional task is open, 2 boxes are
/// skipped". Empty: nothing.
std::string beside_done(const Progress& progress, std::int64_t skipped);
/// `open`: what the tasks come after.
Notice done_before_dependency(const std::vector<std::string>& names, const std::vector<std::string>& open);
/// `count` > 0.
Notice boxes_found(std::size_t count);
Notice done_by_another(const TaskId& task, std::string_view by, const LeaseState& lease);

}  // namespace plankeep::core
