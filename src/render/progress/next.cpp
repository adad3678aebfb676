#include "render/progress/next.hpp"

#include <algorithm>
#include <utility>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/fitting.hpp"
#include "render/glyphs.hpp"
#include "render/json_parts.hpp"
#include "render/progress/leases.hpp"
#include "render/progress/vanished.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kRowsShown = 5;

void append_rows(std::string& text, std::size_t columns, const Style& style, std::string_view heading,
                 const std::vector<std::string>& rows, Paint colour, Begins begins = Begins::with_id) {
  if (rows.empty()) return;
  text += '\n';
  text += paint(style, colour, heading);
  text += '\n';
  const std::size_t shown = columns < kUnlimited ? std::min(rows.size(), kRowsShown) : rows.size();
  for (std::size_t i = 0; i < shown; ++i) {
    text += "  ";
    text += wrapped(rows[i], columns, 4, begins);
  }
  if (rows.size() > shown) text += "  … and " + std::to_string(rows.size() - shown) + " more\n";
}

std::string id_and_title(const std::string& id, const std::string& title) {
  std::string text = safe_line(id);
  const std::string_view words = core::title_beside_id(title, id);
  if (!words.empty()) text += "  " + safe_line(words);
  return text;
}

void append_task(std::string& text, const core::StatusView& view, const core::Next& next, const Style& style,
                 std::size_t columns) {
  const core::TaskRow& task = *next.task;
  text += glyph(task.state, style);
  text += ' ';
  const std::string title = safe_line(core::title_beside_id(task.title, task.id.text));
  text += paint(style, Paint::strong, with_title(safe_line(task.id.text), title, columns - 2));
  text += '\n';
  const auto detail = [&](std::string_view name, const std::string& value,
                          Begins begins = Begins::with_words) {
    text += "  " + paint(style, Paint::dim, pad_right(std::string(name), 7));
    text += wrapped(value, columns, 9, begins);
  };
  // Never cut: a person copies it.
  text +=
      "  " + paint(style, Paint::dim, pad_right("where", 7)) + safe_line(place(view.file, task.line)) + "\n";
  detail("phase",
         id_and_title(next.phase->id.text, next.phase->title) + "  " + std::to_string(next.phase->done) +
             "/" + std::to_string(next.phase->total),
         Begins::with_id);
  detail("why", safe_line(next.why));
  if (!task.waiting_for.empty()) detail("waits", "for " + safe_list(task.waiting_for));
  if (next.claimed_now && task.lease) {
    detail("claim", claim_words(*task.lease) + ", fence " + std::to_string(task.lease->fence));
  }
  if (task.children > 0)
    detail("steps", std::to_string(task.children_done) + " of " + std::to_string(task.children) + " done");
  if (core::only_to_tick(task)) detail("do", "plankeep done " + safe_line(task.id.text));
}

}  // namespace

std::string next_text(const core::StatusView& view, const core::Next& next, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  if (!view.vanished.empty()) {
    const std::size_t longest = style.columns < kUnlimited ? 60 : kUnlimited;
    text += paint(style, Paint::warning, "!") + " " + vanished_line(view.vanished, longest) + "\n";
  }
  switch (next.kind) {
    case core::NextKind::task:
    case core::NextKind::blocked:
      append_task(text, view, next, style, columns);
      break;
    case core::NextKind::claimed:
      text += paint(style, Paint::active, "◐") + " ";
      text += wrapped("no task available in phase " + id_and_title(next.phase->id.text, next.phase->title),
                      columns, 2);
      text += "  ";
      text += wrapped(safe_line(next.why), columns, 2);
      break;
    case core::NextKind::criteria:
      text += paint(style, Paint::active, "◐") + " ";
      text += wrapped("verify phase " + id_and_title(next.phase->id.text, next.phase->title), columns, 2);
      text += "  ";
      text += wrapped(safe_line(next.why), columns, 2);
      break;
    case core::NextKind::done:
      text += paint(style, Paint::good, "✓") + " ";
      text += wrapped("all done: " + safe_line(next.why), columns, 2);
      break;
    case core::NextKind::vanished:
      text += paint(style, Paint::warning, "!") + " ";
      text += wrapped(safe_line(next.why), columns, 2);
      break;
    case core::NextKind::archived:
      text += wrapped("nothing to do: " + safe_line(next.why), columns, 2);
      break;
    case core::NextKind::unreadable:
      text += paint(style, Paint::warning, "!") + " ";
      text += wrapped("not known: " + safe_line(next.why), columns, 2);
      break;
    case core::NextKind::empty:
      text += "○ ";
      text += wrapped(safe_line(next.why), columns, 2);
      break;
  }
  std::vector<std::string> rows;
  for (const core::TaskRow* task : next.waiting) {
    rows.push_back(id_and_title(task->id.text, task->title) + "  (after " + safe_list(task->waiting_for) +
                   ")");
  }
  append_rows(text, columns, style, "Waiting", rows, Paint::dim);
  rows.clear();
  for (const core::TaskRow* task : next.held) {
    rows.push_back(id_and_title(task->id.text, task->title) + "  (" + claim_words(*task->lease) + ")");
  }
  append_rows(text, columns, style, "Claimed", rows, Paint::dim);
  rows.clear();
  const bool criteria_left = next.kind == core::NextKind::criteria || view.task() == nullptr;
  if (criteria_left) {
    for (const core::CriterionRow* criterion : next.criteria) {
      rows.push_back(id_and_title(criterion->id.text, criterion->title) + "  (" +
                     safe_line(place(view.file, criterion->line)) + ")");
    }
    append_rows(text, columns, style, "Not met", rows, Paint::active);
    rows.clear();
  }
  for (const std::string& blocker : view.blockers) rows.push_back(safe_line(blocker));
  append_rows(text, columns, style, "Blocked", rows, Paint::bad, Begins::with_words);
  return text;
}

std::string next_json(const core::StatusView& view, const core::Next& next) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, view.plan_id, view.path, view.title);
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
    out.key("total").value(next.task->children);
    out.key("done").value(next.task->children_done);
    out.end_object();
    out.end_object();
  }
  out.key("why").value(next.why);
  out.key("waiting").begin_array();
  for (const core::TaskRow* task : next.waiting) {
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
  for (const core::TaskRow* task : next.held) {
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
  for (const core::CriterionRow* criterion : next.criteria) {
    out.begin_object();
    out.key("id").value(criterion->id.text);
    out.key("title").value(criterion->title);
    write_line(out, criterion->line);
    write_optional(out, "verify", criterion->verify);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "blockers", view.blockers);
  write_vanished(out, view.vanished);
  if (next.claimed_now && next.task != nullptr && next.task->lease) {
    out.key("lease");
    write_lease(out, *next.task->lease);
  }
  out.end_object();
  return out.finish();
}

std::string next_text(const core::StatusView& view, const Style& style) {
  return next_text(view, core::next_of(view), style);
}

std::string next_json(const core::StatusView& view) {
  return next_json(view, core::next_of(view));
}

}  // namespace plankeep::render
