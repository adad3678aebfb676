#include "rules/notice.hpp"

#include "model/state.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kNamesInNotice = 5;
constexpr std::size_t kReplacedAtLeast = 3;

std::string names(const std::vector<std::string>& ids) {
  std::string text;
  for (std::size_t i = 0; i < ids.size() && i < kNamesInNotice; ++i) text += (i == 0 ? "" : ", ") + ids[i];
  if (ids.size() > kNamesInNotice) text += " and " + std::to_string(ids.size() - kNamesInNotice) + " more";
  return text;
}

std::string list(std::string_view one, std::string_view several, const std::vector<std::string>& ids) {
  return (ids.size() == 1 ? "task " : "tasks ") + names(ids) + " " +
         std::string(ids.size() == 1 ? one : several);
}

}  // namespace

Notice tasks_reopened(const std::vector<std::string>& ids) {
  return {NoticeKind::task_reopened,
          list("was done and has been reopened", "were done and have been reopened", ids)};
}

Notice tasks_removed(const std::vector<std::string>& ids, std::size_t of) {
  if (ids.size() >= kReplacedAtLeast && ids.size() * 2 > of) {
    return {NoticeKind::plan_replaced, "the plan was replaced: " + std::to_string(ids.size()) + " of its " +
                                           std::to_string(of) + " tasks are missing"};
  }
  return {NoticeKind::task_removed, list("is no longer in the plan", "are no longer in the plan", ids)};
}

Notice task_renamed(const TaskId& from, std::string_view to) {
  return {NoticeKind::task_renamed, "task " + from.text + " is called " + std::string(to) + " now"};
}

Notice phase_reopened(const PhaseId& phase) {
  return {NoticeKind::phase_reopened, "phase \"" + phase.text + "\" is no longer complete"};
}

Notice phase_completed(const PhaseId& phase) {
  return {NoticeKind::phase_completed, "phase \"" + phase.text + "\" is complete"};
}

Notice plan_completed() {
  return {NoticeKind::plan_completed, "every task of the plan is done"};
}

Notice done_before_dependency(const std::vector<std::string>& ids, const std::vector<std::string>& open) {
  return {NoticeKind::done_before_dependency, list("was ticked before the tasks it depends on: ",
                                                   "were ticked before the tasks they depend on: ", ids) +
                                                  names(open)};
}

Notice boxes_found(std::size_t count) {
  return {NoticeKind::boxes_found,
          count == 1 ? "1 more box counts as a task: every box of a plan does since this version"
                     : std::to_string(count) +
                           " more boxes count as tasks: every box of a plan does since this version"};
}

Notice done_by_another(const TaskId& task, std::string_view by, const LeaseState& lease) {
  return {NoticeKind::done_by_another, "task " + task.text + " was ticked by " + std::string(by) + " while " +
                                           lease.by + " holds it (fence " + std::to_string(lease.fence) +
                                           ")"};
}

}  // namespace plankeep::core
