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
constexpr std::size_t kRowBytes = 128;  // of most rows of a list

template <class Actor>
std::string done_words(const std::optional<base::Instant>& at, const Actor& by, base::Instant now) {
  std::string text = at ? base::ago(*at, now) : "";
  if (by.empty()) return text;
  text += text.empty() ? "by " : " by ";
  append_safe(text, by);
  return text;
}

// Of a row of a table or a view.
template <class Task>
std::string facts_of(const Task& task, const core::LeaseRow* lease, base::Instant now) {
  std::string text;
  if (task.optional) base::append_listed(text, "optional");
  if (task.state == core::BoxState::done) {
    const std::string words = done_words(task.completed_at, task.completed_by, now);
    if (!words.empty()) base::append_listed(text, words);
    return text;
  }
  if (!task.waiting_for.empty()) base::append_listed(text, "after " + safe_list(task.waiting_for));
  if (lease != nullptr) base::append_listed(text, claim_words(*lease, now));
  return text;
}

// A list as it grows. Lines are appended piece by piece, since a list may have thousands.
class ListPage {
 public:
  ListPage(const core::TaskTable& table, const Style& style) : table_(table), style_(style) {}

  void add(const core::TaskList& list) {
    text.reserve(list.of() * kRowBytes);  // what is not written to costs nothing
    std::optional<std::size_t> phase;
    list.each([&](const core::ListedTask& listed) {
      if (listed.phase != phase) add_heading(table_.phases[listed.phase]);
      phase = listed.phase;
      add_row(listed);
      ++tasks;
      if (listed.task.optional) ++optional;
    });
  }
  std::string text;
  std::size_t tasks = 0;     // listed so far
  std::size_t optional = 0;  // of these

 private:
  void add_heading(const core::TablePhase& phase) {
    if (!text.empty()) text += '\n';
    const std::string id = safe_line(phase.id);
    const std::string count = "  " + std::to_string(phase.done) + "/" + std::to_string(phase.total) + "\n";
    if (!phase.title.empty() && phase.title != phase.id) {
      const std::size_t used = base::display_width(id) + 2 + count.size() - 1;
      const std::string title = base::fit_to_width(safe_line(phase.title), room_beside(used));
      text += paint(style_, Paint::strong, title) + "  " + paint(style_, Paint::dim, id) + count;
    } else {
      text += paint(style_, Paint::strong, id) + count;
    }
  }

  void add_row(const core::ListedTask& listed) {
    const core::TableTask& task = listed.task;
    const std::size_t indent = kIndent * (1 + std::min<std::size_t>(listed.depth, 8));
    text.append(indent, ' ');
    text += glyph(task.state, style_);
    text += ' ';
    const std::size_t start = text.size();
    append_safe(text, task.id);
    const std::string_view id = std::string_view(text).substr(start);
    right_.clear();
    if (task.line > 0) right_.append(1, ':').append(std::to_string(task.line));
    const std::string facts = facts_of(task, table_.lease_of(listed.phase, listed.place).get(), table_.now);
    if (!facts.empty()) right_.append(right_.empty() ? "" : "  ").append(facts);
    add_title(core::title_beside_id(task.title, task.id), [&] {
      const std::size_t right = right_.empty() ? 0 : base::display_width(right_) + 2;
      return room_beside(indent + 2 + base::display_width(id) + right + 2);
    });
    if (!right_.empty()) {
      text += "  ";
      append_painted(text, style_, Paint::dim, right_);
    }
    text += '\n';
  }

  // `room` tells how wide the title may be; measuring takes time, so it is only asked where there is a limit.
  template <class Room>
  void add_title(std::string_view title, const Room& room) {
    if (style_.columns != kUnlimited) {
      const std::string clean = safe_line(title);
      if (!clean.empty()) text += "  " + base::fit_to_width(clean, room());
      return;
    }
    const std::size_t before = text.size();
    text += "  ";
    append_safe(text, title);
    if (text.size() == before + 2) text.resize(before);
  }

  std::size_t room_beside(std::size_t used) const {
    return std::max(style_.columns > used ? style_.columns - used : 0, kNarrowTitle);
  }

  const core::TaskTable& table_;
  const Style& style_;
  std::string right_;  // line and facts of a row
};

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
  const std::string facts = facts_of(task, task.lease.get(), report.now);
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
std::string totals_of(const core::TaskTable& table, const core::TaskList& list, const ListPage& page) {
  std::string totals = std::to_string(table.progress.completed) + " of " +
                       counted(table.progress.total, "task", "tasks") + " done" +
                       beside_the_totals(table.progress, table.skipped);
  if (page.tasks == list.of()) return totals;
  std::string text = counted(static_cast<std::int64_t>(page.tasks), "task", "tasks") + " listed";
  if (page.optional > 0) text += " (" + std::to_string(page.optional) + " optional)";
  return text + "; in the plan: " + totals;
}

}  // namespace

std::string list_text(const core::TaskTable& table, const core::TaskList& list, const Style& style) {
  ListPage page(table, style);
  page.add(list);
  if (!page.text.empty()) page.text += "\n";
  page.text += totals_of(table, list, page) + "\n";
  return std::move(page.text);
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
  text += labelled("at", safe_line(place(report.file, line)), style);
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
    append_painted(text, style, Paint::dim, safe_line(where) + ":");
    text += ' ';
    if (hit.recorded) {
      text += log_line(*hit.recorded, {style.colour, kUnlimited});
      continue;
    }
    text += hit.kind;
    std::string_view words = hit.text;
    if (!hit.id.empty()) {
      text += ' ';
      append_painted(text, style, Paint::strong, safe_line(hit.id));
      words = core::title_beside_id(hit.text, hit.id);
    }
    const std::size_t before = text.size();
    text += ": ";
    append_safe(text, words);
    if (text.size() == before + 2) text.resize(before);
    if (!hit.state.empty()) append_painted(text, style, Paint::dim, " (" + hit.state + ")");
    text += '\n';
  }
  if (result.cut) text += "… more than " + std::to_string(app::kMostHits) + " hits: give more words\n";
  return text;
}

}  // namespace plankeep::render
