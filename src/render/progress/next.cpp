#include "render/progress/next.hpp"

#include <algorithm>
#include <utility>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/glyphs.hpp"
#include "render/json_parts.hpp"
#include "render/progress/leases.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kRowsShown = 5;

bool open_and_counted(const TaskRow& task) {
  return !task.optional && task.state != core::BoxState::done;
}

std::string joined(const std::vector<core::TaskId>& ids) {
  std::string text;
  for (const core::TaskId& id : ids) {
    if (!text.empty()) text += ", ";
    text += safe_line(id.text);
  }
  return text;
}

bool can_begin(const TaskRow& task) {
  return open_and_counted(task) && task.waiting_for.empty() && !task.held();
}

std::optional<Choice> choose_in(const StatusView& view, std::size_t phase) {
  const std::vector<TaskRow>& tasks = view.phases[phase].tasks;
  std::optional<Choice> first;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (!can_begin(tasks[t])) continue;
    if (tasks[t].state == core::BoxState::active) return Choice{phase, t};
    if (!first) first = Choice{phase, t};
  }
  return first;
}

// What stands between the reader and the tasks ahead of the chosen one.
struct Ahead {
  bool held = false;
  bool waiting = false;
};

Ahead ahead_of(const PhaseRow& phase, std::size_t end) {
  Ahead ahead;
  for (std::size_t t = 0; t < end; ++t) {
    const TaskRow& task = phase.tasks[t];
    if (!open_and_counted(task)) continue;
    if (task.held()) ahead.held = true;
    if (!task.waiting_for.empty()) ahead.waiting = true;
  }
  return ahead;
}

void append_rows(std::string& text, std::size_t columns, const Style& style, std::string_view heading,
                 const std::vector<std::string>& rows, Paint colour) {
  if (rows.empty()) return;
  text += '\n';
  text += paint(style, colour, heading);
  text += '\n';
  for (std::size_t i = 0; i < rows.size() && i < kRowsShown; ++i) {
    text += "  " + base::fit_to_width(rows[i], columns - 2) + "\n";
  }
  if (rows.size() > kRowsShown) text += "  … and " + std::to_string(rows.size() - kRowsShown) + " more\n";
}

std::string id_and_title(const std::string& id, const std::string& title) {
  std::string text = safe_line(id);
  const std::string_view words = title_beside_id(title, id);
  if (!words.empty()) text += "  " + safe_line(words);
  return text;
}

void append_task(std::string& text, const StatusView& view, const Next& next, const Style& style,
                 std::size_t columns) {
  const TaskRow& task = *next.task;
  text += glyph(task.state, style);
  text += ' ';
  text +=
      paint(style, Paint::strong, base::fit_to_width(id_and_title(task.id.text, task.title), columns - 2));
  text += '\n';
  const auto detail = [&](std::string_view name, const std::string& value) {
    text += "  " + paint(style, Paint::dim, pad_right(std::string(name), 7));
    text += base::fit_to_width(value, columns - 9);
    text += '\n';
  };
  detail("where", safe_line(place(view.file, task.line)));
  detail("phase", id_and_title(next.phase->id.text, next.phase->title) + "  " +
                      std::to_string(next.phase->done) + "/" + std::to_string(next.phase->total));
  detail("why", next.why);
  if (!task.waiting_for.empty()) detail("waits", "for " + joined(task.waiting_for));
  if (next.claimed_now && task.lease) {
    detail("claim", claim_words(*task.lease) + ", fence " + std::to_string(task.lease->fence));
  }
  if (task.steps.total > 0) {
    detail("steps", std::to_string(task.steps.done) + " of " + std::to_string(task.steps.total) + " done");
  }
}

// What else there is in the current phase.
void add_rest(const PhaseRow& phase, Next& next) {
  for (const TaskRow& task : phase.tasks) {
    if (&task == next.task || !open_and_counted(task)) continue;
    if (task.held()) {
      next.held.push_back(&task);
    } else if (!task.waiting_for.empty()) {
      next.waiting.push_back(&task);
    }
  }
  for (const CriterionRow& criterion : phase.acceptance) {
    if (!criterion.met) next.criteria.push_back(&criterion);
  }
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
    case NextKind::empty:
      return "empty";
  }
  return "empty";
}

std::optional<Choice> choose(const StatusView& view) {
  if (!view.current_phase) return std::nullopt;
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
    const Ahead ahead = ahead_of(current, current.tasks.size());
    const std::string_view left = ahead.held && ahead.waiting ? "is claimed or waits for another task"
                                  : ahead.held                ? "is claimed"
                                  : ahead.waiting             ? "waits for another task"
                                                              : "is done";
    return "every open task of phase " + safe_line(current.id.text) + " " + std::string(left);
  }
  if (task.state == core::BoxState::active) return "it is marked as in progress";
  if (!task.after.empty()) return "the tasks it waited for are done: " + joined(task.after);
  const Ahead ahead = ahead_of(phase, choice.task);
  if (ahead.held)
    return "the open tasks before it are claimed" + std::string(ahead.waiting ? " or wait for others" : "");
  return "it is the first open task of the phase" +
         std::string(ahead.waiting ? " that does not wait for another" : "");
}

Next next_of(const StatusView& view) {
  Next next;
  next.phase = view.phase();
  if (next.phase == nullptr) {
    const bool any = std::any_of(view.phases.begin(), view.phases.end(), [](const PhaseRow& phase) {
      return phase.total > 0 || phase.acceptance_total > 0;
    });
    next.kind = any ? NextKind::done : NextKind::empty;
    next.why = any ? "every task is done and every criterion met" : "the plan has no tasks";
    return next;
  }
  const PhaseRow& current = *next.phase;
  const auto choice = view.task() == nullptr ? std::nullopt : choose(view);
  if (view.task() == nullptr) {
    next.kind = NextKind::criteria;
    next.why = "the phase's tasks are done, but its criteria are not met";
  } else if (choice) {
    next.kind = NextKind::task;
    next.phase = &view.phases[choice->phase];
    next.task = &next.phase->tasks[choice->task];
    next.why = why_chosen(view, *choice);
  } else {
    const bool held = ahead_of(current, current.tasks.size()).held;
    next.task = held ? nullptr : view.task();
    const bool active = next.task != nullptr && next.task->state == core::BoxState::active;
    next.kind = held ? NextKind::claimed : active ? NextKind::task : NextKind::blocked;
    next.why = held     ? "every open task of the phase is claimed or waits for another task"
               : active ? "it is marked as in progress"
                        : "every open task of the phase waits for another task";
  }
  add_rest(current, next);
  return next;
}

Next claimed_next(const StatusView& view, const core::PhaseId& phase, const core::TaskId& task,
                  std::string why) {
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

std::string next_text(const StatusView& view, const Next& next, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  switch (next.kind) {
    case NextKind::task:
    case NextKind::blocked:
      append_task(text, view, next, style, columns);
      break;
    case NextKind::claimed:
      text += paint(style, Paint::active, "◐") + " ";
      text += base::fit_to_width(
          "no task available in phase " + id_and_title(next.phase->id.text, next.phase->title), columns - 2);
      text += "\n  " + base::fit_to_width(next.why, columns - 2) + "\n";
      break;
    case NextKind::criteria:
      text += paint(style, Paint::active, "◐") + " ";
      text += base::fit_to_width("verify phase " + id_and_title(next.phase->id.text, next.phase->title),
                                 columns - 2);
      text += "\n  " + base::fit_to_width(next.why, columns - 2) + "\n";
      break;
    case NextKind::done:
      text += paint(style, Paint::good, "✓") + " " +
              base::fit_to_width("all done: " + next.why, columns - 2) + "\n";
      break;
    case NextKind::empty:
      text += "○ " + base::fit_to_width(next.why, columns - 2) + "\n";
      break;
  }
  std::vector<std::string> rows;
  for (const TaskRow* task : next.waiting) {
    rows.push_back(id_and_title(task->id.text, task->title) + "  (after " + joined(task->waiting_for) + ")");
  }
  append_rows(text, columns, style, "Waiting", rows, Paint::dim);
  rows.clear();
  for (const TaskRow* task : next.held) {
    rows.push_back(id_and_title(task->id.text, task->title) + "  (" + claim_words(*task->lease) + ")");
  }
  append_rows(text, columns, style, "Claimed", rows, Paint::dim);
  rows.clear();
  if (next.kind == NextKind::criteria) {
    for (const CriterionRow* criterion : next.criteria) {
      rows.push_back(id_and_title(criterion->id.text, criterion->title) + "  (" +
                     safe_line(place(view.file, criterion->line)) + ")");
    }
    append_rows(text, columns, style, "Not met", rows, Paint::active);
    rows.clear();
  }
  for (const std::string& blocker : view.blockers) rows.push_back(safe_line(blocker));
  append_rows(text, columns, style, "Blocked", rows, Paint::bad);
  return text;
}

std::string next_json(const StatusView& view, const Next& next) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, view.plan_id, view.path);
  out.key("result").value(name_of(next.kind));
  write_progress(out, view.progress);
  out.key("phase");
  if (next.phase == nullptr) {
    out.null();
  } else {
    out.begin_object();
    out.key("id").value(next.phase->id.text);
    out.key("title").value(next.phase->title);
    out.key("status").value(core::name_of(next.phase->status));
    write_line(out, next.phase->line);
    out.end_object();
  }
  out.key("task");
  if (next.task == nullptr) {
    out.null();
  } else {
    out.begin_object();
    out.key("id").value(next.task->id.text);
    out.key("title").value(next.task->title);
    out.key("state").value(core::name_of(next.task->state));
    write_line(out, next.task->line);
    out.key("after").begin_array();
    for (const core::TaskId& id : next.task->after) out.value(id.text);
    out.end_array();
    out.key("waitingFor").begin_array();
    for (const core::TaskId& id : next.task->waiting_for) out.value(id.text);
    out.end_array();
    out.key("steps").begin_object();
    out.key("total").value(next.task->steps.total);
    out.key("done").value(next.task->steps.done);
    out.end_object();
    out.end_object();
  }
  out.key("why").value(next.why);
  out.key("waiting").begin_array();
  for (const TaskRow* task : next.waiting) {
    out.begin_object();
    out.key("id").value(task->id.text);
    out.key("title").value(task->title);
    write_line(out, task->line);
    out.key("waitingFor").begin_array();
    for (const core::TaskId& id : task->waiting_for) out.value(id.text);
    out.end_array();
    out.end_object();
  }
  out.end_array();
  out.key("claimed").begin_array();
  for (const TaskRow* task : next.held) {
    out.begin_object();
    out.key("id").value(task->id.text);
    out.key("title").value(task->title);
    write_line(out, task->line);
    out.key("by").value(task->lease->by);
    out.key("fence").value(task->lease->fence);
    out.key("until").value(base::to_iso8601(task->lease->until));
    out.end_object();
  }
  out.end_array();
  out.key("criteria").begin_array();
  for (const CriterionRow* criterion : next.criteria) {
    out.begin_object();
    out.key("id").value(criterion->id.text);
    out.key("title").value(criterion->title);
    write_line(out, criterion->line);
    write_optional(out, "verify", criterion->verify);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "blockers", view.blockers);
  if (next.claimed_now && next.task != nullptr && next.task->lease) {
    out.key("lease");
    write_lease(out, *next.task->lease);
  }
  out.end_object();
  return out.finish();
}

std::string next_text(const StatusView& view, const Style& style) {
  return next_text(view, next_of(view), style);
}

std::string next_json(const StatusView& view) {
  return next_json(view, next_of(view));
}

}  // namespace plankeep::render
