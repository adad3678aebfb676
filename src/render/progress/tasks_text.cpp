#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/glyphs.hpp"
#include "render/progress/leases.hpp"
#include "render/progress/tasks.hpp"
#include "render/recorded/log.hpp"
#include "render/recorded/verify.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kLabelColumns = 11;

std::string done_words(const std::optional<base::Instant>& at, const std::string& by, base::Instant now) {
  std::string text = at ? base::ago(*at, now) : "";
  if (!by.empty()) text += (text.empty() ? "by " : " by ") + safe_line(by);
  return text;
}

std::string facts_of(const core::TaskRow& task, base::Instant now) {
  std::string text;
  if (task.optional) base::append_listed(text, "optional");
  if (task.state == core::BoxState::done) {
    const std::string words = done_words(task.completed_at, task.completed_by, now);
    if (!words.empty()) base::append_listed(text, words);
    return text;
  }
  if (!task.waiting_for.empty())
    base::append_listed(text, "after " + base::joined(task.waiting_for, ", ", [](const core::TaskId& id) {
                                return safe_line(id.text);
                              }));
  if (task.lease) base::append_listed(text, claim_words(*task.lease, now));
  return text;
}

std::string heading_of(const core::PhaseRow& phase, const Style& style) {
  const std::string title = core::title_or_id(phase);
  const std::string id = safe_line(phase.id.text);
  const std::string count = "  " + std::to_string(phase.done) + "/" + std::to_string(phase.total) + "\n";
  if (title == phase.id.text) return paint(style, Paint::strong, id) + count;
  const std::size_t used = base::display_width(id) + 2 + count.size() - 1;
  const std::size_t room = style.columns > used ? style.columns - used : 0;
  return paint(style, Paint::strong, base::fit_to_width(safe_line(title), std::max(room, kNarrowTitle))) +
         "  " + paint(style, Paint::dim, id) + count;
}

struct ListRow {
  std::string before;  // indentation and glyph, painted
  std::size_t before_width = 0;
  std::string id;
  std::string title;
  std::string after;  // line and facts
};

ListRow row_of(const core::ListedTask& listed, const core::StatusView& view, const Style& style) {
  const core::TaskRow& task = *listed.task;
  ListRow row;
  const std::size_t indent = kIndent * (1 + std::min<std::size_t>(listed.depth, 8));
  row.before = std::string(indent, ' ') + glyph(task.state, style) + " ";
  row.before_width = indent + 2;
  row.id = safe_line(task.id.text);
  row.title = safe_line(core::title_beside_id(task.title, task.id.text));
  if (task.line > 0) row.after = ":" + std::to_string(task.line);
  const std::string facts = facts_of(task, view.now);
  if (!facts.empty()) row.after += (row.after.empty() ? "" : "  ") + facts;
  return row;
}

std::string lay_out(const ListRow& row, const Style& style) {
  std::string line = row.before + row.id;
  const std::size_t used = row.before_width + base::display_width(row.id);
  const std::size_t right = row.after.empty() ? 0 : base::display_width(row.after) + 2;
  if (!row.title.empty()) {
    const std::size_t room = style.columns > used + right + 2 ? style.columns - used - right - 2 : 0;
    line += "  " + base::fit_to_width(row.title, std::max(room, kNarrowTitle));
  }
  if (!row.after.empty()) line += "  " + paint(style, Paint::dim, row.after);
  return line + "\n";
}

// "label      text"
std::string labelled(std::string_view label, const std::string& text, const Style& style) {
  if (text.empty()) return {};
  return paint(style, Paint::dim, pad_right(std::string(label), kLabelColumns)) + text + "\n";
}

std::string phase_and_section(const app::TaskReport& report) {
  const core::PhaseRow& phase = report.phase_row();
  std::string text = safe_line(core::title_or_id(phase));
  if (!phase.title.empty() && phase.title != phase.id.text) text += " (" + safe_line(phase.id.text) + ")";
  for (const std::string& heading : report.section) text += " / " + safe_line(heading);
  return text;
}

std::string related_line(const app::RelatedTask& task, const app::TaskReport& report, const Style& style) {
  std::string text = task.missing ? "?" : glyph(task.state, style);
  text += " " + safe_line(task.id.text);
  if (task.missing) return text + "  not in the plan";
  const std::string title = safe_line(core::title_beside_id(task.title, task.id.text));
  if (!title.empty()) text += "  " + title;
  if (task.phase != report.phase_row().id) text += "  (" + safe_line(task.phase.text) + ")";
  return text;
}

std::string related_lines(std::string_view label, const std::vector<app::RelatedTask>& tasks,
                          const app::TaskReport& report, const Style& style) {
  std::string text;
  for (const app::RelatedTask& task : tasks) {
    text += labelled(text.empty() ? label : std::string_view(""), related_line(task, report, style), style);
  }
  return text;
}

std::string state_of(const app::TaskReport& report) {
  if (const core::CriterionRow* criterion = report.criterion_row()) {
    std::string text = criterion->met ? "met" : "not met";
    if (criterion->proof != core::Proof::no_command)
      text += ", " + proof_text(criterion->proof, criterion->failed_before, criterion->why);
    return text;
  }
  const core::TaskRow& task = *report.task();
  std::string text = task.state == core::BoxState::done     ? "done"
                     : task.state == core::BoxState::active ? "in progress"
                                                            : "open";
  const std::string facts = facts_of(task, report.view.now);
  if (!facts.empty()) base::append_listed(text, facts);
  return text;
}

std::string event_lines(std::string_view label, const std::vector<core::Event>& events, const Style& style) {
  if (events.empty()) return {};
  std::string text = "\n" + paint(style, Paint::strong, label) + "\n";
  std::size_t actors = kActorColumns;
  for (const core::Event& event : events) actors = actor_columns(event, actors);
  for (const core::Event& event : events) text += "  " + log_line(event, {style.colour, kUnlimited}, actors);
  return text;
}

// "2 tasks listed; in the plan: 3 of 6 tasks done, 1 of 1 optional task open"; the totals alone where all are
// listed. What a condition lets through must not look like what the plan has done.
std::string totals_of(const core::StatusView& view, const core::TaskList& list) {
  std::string totals = std::to_string(view.progress.completed) + " of " +
                       counted(view.progress.total, "task", "tasks") + " done" +
                       beside_the_totals(view.progress, view.skipped);
  if (list.tasks.size() == list.of) return totals;
  std::string text = counted(static_cast<std::int64_t>(list.tasks.size()), "task", "tasks") + " listed";
  const auto optional = std::count_if(list.tasks.begin(), list.tasks.end(),
                                      [](const core::ListedTask& one) { return one.task->optional; });
  if (optional > 0) text += " (" + std::to_string(optional) + " optional)";
  return text + "; in the plan: " + totals;
}

}  // namespace

std::string list_text(const core::StatusView& view, const core::TaskList& list, const Style& style) {
  std::string text;
  const core::PhaseRow* phase = nullptr;
  for (const core::ListedTask& listed : list.tasks) {
    if (listed.phase != phase) text += (text.empty() ? "" : "\n") + heading_of(*listed.phase, style);
    phase = listed.phase;
    text += lay_out(row_of(listed, view, style), style);
  }
  if (!text.empty()) text += "\n";
  return text + totals_of(view, list) + "\n";
}

std::string task_text(const app::TaskReport& report, const Style& style) {
  const core::TaskRow* const task = report.task();
  const core::CriterionRow* const criterion = report.criterion_row();
  const std::string& id = task != nullptr ? task->id.text : criterion->id.text;
  const std::string& title = task != nullptr ? task->title : criterion->title;
  const std::int64_t line = task != nullptr ? task->line : criterion->line;
  std::string text = paint(style, Paint::strong, safe_line(id));
  const std::string words = safe_line(core::title_beside_id(title, id));
  if (!words.empty()) text += "  " + words;
  text += "\n";
  text += labelled("at", safe_line(place(report.view.file, line)), style);
  text += labelled("phase", phase_and_section(report), style);
  text += labelled("state", state_of(report), style);
  if (criterion != nullptr) text += labelled("verify", safe_line(criterion->verify), style);
  text += related_lines("part of", report.parents, report, style);
  text += related_lines("steps", report.children, report, style);
  text += related_lines("after", report.after, report, style);
  text += related_lines("needed by", report.needed_by, report, style);
  for (const std::string& earlier : report.earlier_titles)
    text += labelled("earlier", safe_line(earlier), style);
  if (!report.text.empty()) {
    text += "\n";
    std::string_view rest = report.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      // Indentation of code below a box is part of it.
      const std::size_t blanks = std::min(rest.find_first_not_of(' '), end);
      text += "  " + std::string(blanks, ' ') + safe_line(rest.substr(0, end));
      while (text.ends_with(' ')) text.pop_back();
      text += "\n";
      rest.remove_prefix(end + 1);
    }
  }
  text += event_lines("History", report.events, style);
  text += event_lines("Checkpoints and commits of its phase", report.records, style);
  return text;
}

std::string search_text(const app::SearchResult& result, const Style& style) {
  std::string text;
  for (const app::SearchHit& hit : result.hits) {
    const std::string where = hit.line > 0 ? place(hit.file, hit.line) : hit.file;
    text += paint(style, Paint::dim, safe_line(where) + ":") + " ";
    if (hit.kind == "history") {
      text += log_line(hit.recorded, {style.colour, kUnlimited});
      continue;
    }
    text += hit.kind;
    if (!hit.id.empty()) text += " " + paint(style, Paint::strong, safe_line(hit.id));
    const std::string words =
        hit.id.empty() ? safe_line(hit.text) : safe_line(core::title_beside_id(hit.text, hit.id));
    if (!words.empty()) text += ": " + words;
    if (!hit.state.empty()) text += paint(style, Paint::dim, " (" + hit.state + ")");
    text += "\n";
  }
  if (result.cut) text += "… more than " + std::to_string(app::kMostHits) + " hits: give more words\n";
  return text;
}

}  // namespace plankeep::render
