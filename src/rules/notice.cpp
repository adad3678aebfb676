#include "rules/notice.hpp"

#include <algorithm>

#include "base/slug.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "model/state.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kNamesInNotice = 5;
constexpr std::size_t kReplacedAtLeast = 3;
// For the names in a notice: with the rest of it, less than a hook says of one thing (render/hook_words).
constexpr std::size_t kNamesCharacters = 200;
constexpr std::size_t kNamesOfTwoLists = 110;
constexpr std::size_t kTitleCharacters = 100;
constexpr std::size_t kShortestTitle = 8;  // of a title that is shortened: below that the id says more

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += base::decode_at(text, at).length) ++count;
  return count;
}

// At most `limit` characters and an ellipsis, cut between words if possible.
std::string shortened(std::string_view text, std::size_t limit) {
  std::size_t at = 0;
  std::size_t space = 0;
  for (std::size_t count = 0; at < text.size() && count < limit; ++count) {
    if (text[at] == ' ') space = at;
    at += base::decode_at(text, at).length;
  }
  if (at >= text.size()) return std::string(text);
  if (text[at] == ' ') space = at;
  return std::string(text.substr(0, space > 0 ? space : at)) + "…";
}

// A name (task_name) in at most `limit` characters: its title gives way before its id does.
std::string fitted(std::string_view name, std::size_t limit) {
  if (characters(name) <= limit) return std::string(name);
  constexpr std::string_view kOpen = " (";
  const std::size_t open = name.find(kOpen);
  const std::string_view id = name.substr(0, open);
  const std::size_t around = characters(id) + kOpen.size() + 2;  // with the ellipsis and the closing one
  if (open == std::string_view::npos || around + kShortestTitle > limit)
    return characters(id) <= limit ? std::string(id) : shortened(id, limit - 1);
  const std::string_view title = name.substr(open + kOpen.size(), name.size() - open - kOpen.size() - 1);
  return std::string(id) + std::string(kOpen) + shortened(title, limit - around) + ")";
}

// The first of the names in about `limit` characters, so that what a notice says of them is never cut off.
std::string names(const std::vector<std::string>& ids, std::size_t limit = kNamesCharacters) {
  const std::size_t shown = std::min(ids.size(), kNamesInNotice);
  const std::size_t fair = limit / shown;
  std::size_t room = limit;  // for those that are longer than that
  std::size_t longer = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t length = characters(ids[i]);
    if (length > fair) ++longer;
    if (length <= fair) room -= length;
  }
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : ", ") + fitted(ids[i], longer == 0 ? limit : room / longer);
  if (ids.size() > kNamesInNotice) text += " and " + std::to_string(ids.size() - kNamesInNotice) + " more";
  return text;
}

std::string list(std::string_view one, std::string_view several, const std::vector<std::string>& ids,
                 std::size_t limit = kNamesCharacters) {
  return (ids.size() == 1 ? "task " : "tasks ") + names(ids, limit) + " " +
         std::string(ids.size() == 1 ? one : several);
}

std::string list_of_criteria(std::string_view one, std::string_view several,
                             const std::vector<std::string>& ids) {
  return (ids.size() == 1 ? "criterion " : "criteria ") + names(ids) + " " +
         std::string(ids.size() == 1 ? one : several);
}

std::string phase_name(const PhaseId& phase, std::string_view title) {
  return shortened(title.empty() ? std::string_view(phase.text) : title, kTitleCharacters);
}

}  // namespace

bool tells_of_loss(const Notice& notice) {
  switch (notice.kind) {
    case NoticeKind::task_reopened:
    case NoticeKind::task_removed:
    case NoticeKind::criterion_unmet:
    case NoticeKind::criterion_removed:
    case NoticeKind::plan_replaced:
      return true;
    default:
      return false;
  }
}

std::string task_name(const TaskId& id, std::string_view title) {
  constexpr std::size_t kLongestTitle = 60;
  const std::string_view more = title_beside_id(title, id.text);
  const std::string made = base::slug(title, "task");
  const bool says_all = id.text == made || id.text.starts_with(made + "-");
  if (more.empty() || says_all) return id.text;
  return id.text + " (" + shortened(more, kLongestTitle) + ")";
}

std::string criterion_name(const CriterionId& id, std::string_view title) {
  return task_name(TaskId(id.text), title);
}

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

Notice criteria_unmet(const std::vector<std::string>& ids) {
  return {NoticeKind::criterion_unmet,
          list_of_criteria("was met and has been unticked", "were met and have been unticked", ids)};
}

Notice criteria_removed(const std::vector<std::string>& ids) {
  return {NoticeKind::criterion_removed,
          list_of_criteria("is no longer in the plan", "are no longer in the plan", ids)};
}

Notice tasks_skipped(const std::vector<std::string>& ids) {
  return {NoticeKind::task_skipped,
          list("is left out of the plan now (SKIP)", "are left out of the plan now (SKIP)", ids)};
}

Notice criteria_skipped(const std::vector<std::string>& ids) {
  return {NoticeKind::criterion_skipped,
          list_of_criteria("is left out of the plan now (SKIP)", "are left out of the plan now (SKIP)", ids)};
}

Notice task_renamed(const TaskId& from, std::string_view to) {
  return {NoticeKind::task_renamed, "task " + shortened(from.text, kTitleCharacters) + " is called " +
                                        shortened(to, kTitleCharacters) + " now"};
}

Notice tasks_renumbered(const std::vector<std::string>& changes) {
  return {NoticeKind::tasks_renumbered,
          base::counted(changes.size(), "task has another id", "tasks have other ids") +
              " now: " + names(changes)};
}

Notice phase_reopened(const PhaseId& phase, std::string_view title) {
  return {NoticeKind::phase_reopened, "phase \"" + phase_name(phase, title) + "\" is no longer complete"};
}

Notice phase_completed(const PhaseId& phase, std::string_view title) {
  return {NoticeKind::phase_completed, "phase \"" + phase_name(phase, title) + "\" is complete"};
}

std::string beside_done(const Progress& progress, std::int64_t skipped) {
  std::string text;
  if (progress.optional_open > 0)
    text = "; " + base::counted(progress.optional_open, "optional task is", "optional tasks are") + " open";
  if (skipped > 0)
    text += (text.empty() ? "; " : ", ") + base::counted(skipped, "box is", "boxes are") + " skipped";
  return text;
}

Notice plan_completed(const Progress& progress, std::int64_t skipped) {
  return {NoticeKind::plan_completed, "every task of the plan is done" + beside_done(progress, skipped)};
}

Notice done_before_dependency(const std::vector<std::string>& ids, const std::vector<std::string>& open) {
  return {NoticeKind::done_before_dependency,
          list("was ticked before the tasks it depends on: ", "were ticked before the tasks they depend on: ",
               ids, kNamesOfTwoLists) +
              names(open, kNamesOfTwoLists)};
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
