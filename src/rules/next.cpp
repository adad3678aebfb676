#include "rules/next.hpp"

#include <algorithm>
#include <utility>

#include "model/item_key.hpp"
#include "rules/listing/completion.hpp"
#include "rules/notice.hpp"

namespace plankeep::core {
namespace {

bool can_begin(const TaskRow& task) {
  return can_begin(task.work) && !task.held_by_other() && !task.below_held && !task.elsewhere;
}

std::optional<Choice> choose_in(const StatusView& view, std::size_t phase) {
  const std::vector<TaskRow>& tasks = view.phases[phase].tasks;
  const auto first = first_offered(
      tasks.size(), [&tasks](std::size_t t) { return can_begin(tasks[t]); },
      [&tasks](std::size_t t) { return tasks[t].state == BoxState::active || tasks[t].held_by_self(); },
      [&tasks](std::size_t t) { return tasks[t].work.below_active; });
  return first ? std::optional(Choice{phase, *first}) : std::nullopt;
}

// What stands between the reader and the tasks ahead of the chosen one.
struct Ahead {
  bool held = false;
  bool elsewhere = false;  // held or done in another work tree
  bool waiting = false;

  bool taken() const { return held || elsewhere; }
  std::string how_taken() const { return elsewhere ? "claimed or done in another work tree" : "claimed"; }
};

Ahead ahead_of(const PhaseRow& phase, std::size_t end) {
  Ahead ahead;
  for (std::size_t t = 0; t < end; ++t) {
    const TaskRow& task = phase.tasks[t];
    if (!task.work.workable) continue;
    if (task.held_by_other() || task.below_held) ahead.held = true;
    if (task.elsewhere) ahead.elsewhere = true;
    if (!task.waiting_for.empty()) ahead.waiting = true;
  }
  return ahead;
}

// What else there is in the current phase.
void add_rest(const PhaseRow& phase, Next& next) {
  for (const TaskRow& task : phase.tasks) {
    if (&task == next.task || !task.work.open) continue;
    if (task.held_by_other()) {
      next.held.push_back(&task);
    } else if (task.work.workable && !task.below_held && !task.elsewhere && !task.waiting_for.empty()) {
      next.waiting.push_back(&task);
    }
  }
  for (const CriterionRow& criterion : phase.acceptance) {
    if (!criterion.met) next.criteria.push_back(&criterion);
  }
}

std::string joined(const std::vector<TaskId>& ids) {
  std::string text;
  for (const TaskId& id : ids) {
    if (!text.empty()) text += ", ";
    text += id.text;
  }
  return text;
}

}  // namespace

std::string_view name_of(NextKind kind) {
  switch (kind) {
    case NextKind::task:
      return "task";
    case NextKind::claimed:
      return "claimed";
    case NextKind::blocked:
      return "blocked";
    case NextKind::criteria:
      return "criteria";
    case NextKind::done:
      return "done";
    case NextKind::vanished:
      return "vanished";
    case NextKind::archived:
      return "archived";
    case NextKind::unreadable:
      return "unreadable";
    case NextKind::empty:
      return "empty";
  }
  return "empty";
}

std::optional<Choice> choose(const StatusView& view) {
  if (!view.current_phase || view.archived_at) return std::nullopt;
  for (std::size_t p = *view.current_phase; p < view.phases.size(); ++p) {
    if (const auto choice = choose_in(view, p)) return choice;
  }
  return std::nullopt;
}

std::string why_chosen(const StatusView& view, const Choice& choice) {
  const PhaseRow& phase = view.phases[choice.phase];
  const TaskRow& task = phase.tasks[choice.task];
  if (view.current_phase && choice.phase != *view.current_phase) {
    const PhaseRow& current = *view.phase();
    if (view.task() == nullptr)
      return "the tasks of phase " + current.id.text + " are done, though its criteria are not met";
    const Ahead ahead = ahead_of(current, current.tasks.size());
    std::string left = ahead.taken() ? "is " + ahead.how_taken() : "";
    if (ahead.waiting) left += ahead.taken() ? " or waits for another task" : "waits for another task";
    return "every open task of phase " + current.id.text + " " + (left.empty() ? "is done" : left);
  }
  if (only_to_tick(task)) return "all its steps are done: tick it";
  if (task.held_by_self()) return "you have claimed it";
  if (task.state == BoxState::active) return "it is marked as in progress";
  if (task.work.below_active) return "the task it is a step of is marked as in progress";
  if (!task.after.empty()) return "the tasks it waited for are done: " + joined(task.after);
  const Ahead ahead = ahead_of(phase, choice.task);
  if (ahead.taken()) {
    return "the open tasks before it are " + ahead.how_taken() +
           std::string(ahead.waiting ? " or wait for others" : "");
  }
  return "it is the first open task of the phase" +
         std::string(ahead.waiting ? " that does not wait for another" : "");
}

bool is_complete(const StatusView& view) {
  return view.unreadable.empty() && !lost_open_tasks(view.vanished) && was_complete(view);
}

bool lost_open_tasks(const std::vector<VanishedTask>& vanished) {
  return std::any_of(vanished.begin(), vanished.end(),
                     [](const VanishedTask& task) { return !task.done && !task.recorded; });
}

bool is_archived_unfinished(const StatusView& view) {
  return view.archived_at && view.current_phase;
}

bool was_complete(const StatusView& view) {
  const bool completed = std::any_of(view.phases.begin(), view.phases.end(), [](const PhaseRow& phase) {
    return phase.status == PhaseStatus::completed;
  });
  return is_complete(view.progress, view.current_phase.has_value(), completed);
}

std::string why_done(const StatusView& view) {
  return "every task is done and every criterion met" + beside_done(view.progress, view.skipped);
}

std::string why_vanished(const std::vector<VanishedTask>& vanished) {
  const auto any = [&vanished](bool criterion) {
    return std::any_of(vanished.begin(), vanished.end(), [criterion](const VanishedTask& one) {
      return one.criterion == criterion && !one.done && !one.recorded;
    });
  };
  const std::string what =
      any(false) ? any(true) ? "open tasks and unmet criteria" : "open tasks" : "unmet criteria";
  return "every box in the plan is done, but " + what + " are no longer in it";
}

std::string name_for_command(const StatusView& view, const PhaseRow& phase, const TaskRow& task) {
  for (const PhaseRow& other : view.phases) {
    for (const TaskRow& row : other.tasks) {
      const bool same = &other != &phase && row.id == task.id;
      // An id in the text, which another box of the phase began with too.
      const bool began = &other == &phase && is_numbered_form(row.id.text, task.id.text);
      if (same || began) return phase.id.text + "/" + task.id.text;
    }
  }
  return task.id.text;
}

Next next_of(const StatusView& view) {
  Next next;
  next.phase = view.phase();
  if (next.phase == nullptr) {
    if (!was_complete(view)) {
      next.kind = NextKind::empty;
      next.why = "the plan has no tasks";
    } else if (!view.unreadable.empty()) {
      next.kind = NextKind::unreadable;
      next.why = "everything was done when it was last recorded";
    } else if (lost_open_tasks(view.vanished)) {
      next.kind = NextKind::vanished;
      next.why = why_vanished(view.vanished);
    } else {
      next.kind = NextKind::done;
      next.why = why_done(view);
    }
    return next;
  }
  if (is_archived_unfinished(view)) {
    next.kind = NextKind::archived;
    next.phase = nullptr;
    next.why = kWhyArchived;
    return next;
  }
  const PhaseRow& current = *next.phase;
  const auto choice = choose(view);
  if (!choice && view.task() == nullptr) {
    next.kind = NextKind::criteria;
    next.why = "the phase's tasks are done, but its criteria are not met";
  } else if (choice) {
    next.kind = NextKind::task;
    next.phase = &view.phases[choice->phase];
    next.task = &next.phase->tasks[choice->task];
    next.why = why_chosen(view, *choice);
  } else {
    const Ahead all = ahead_of(current, current.tasks.size());
    next.task = all.taken() ? nullptr : view.task();
    const bool active = next.task != nullptr && next.task->state == BoxState::active;
    next.kind = all.taken() ? NextKind::claimed : active ? NextKind::task : NextKind::blocked;
    next.why = all.taken()
                   ? "every open task of the phase is " + all.how_taken() + " or waits for another task"
               : active ? "it is marked as in progress"
                        : "every open task of the phase waits for another task";
  }
  add_rest(current, next);
  return next;
}

Next claimed_next(const StatusView& view, const PhaseId& phase, const TaskId& task, std::string why) {
  Next next;
  next.kind = NextKind::task;
  next.why = std::move(why);
  next.claimed_now = true;
  for (const PhaseRow& row : view.phases) {
    if (row.id != phase) continue;
    next.phase = &row;
    for (const TaskRow& candidate : row.tasks) {
      if (candidate.id == task) next.task = &candidate;
    }
  }
  if (view.phase() != nullptr) add_rest(*view.phase(), next);
  return next;
}

}  // namespace plankeep::core
