#include <algorithm>
#include <array>
#include <limits>

#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/fitting.hpp"
#include "render/glyphs.hpp"
#include "render/progress/leases.hpp"
#include "render/progress/status.hpp"
#include "render/progress/status_columns.hpp"
#include "render/progress/vanished.hpp"
#include "render/recorded/log.hpp"
#include "render/recorded/verify.hpp"
#include "rules/next.hpp"
#include "rules/sessions.hpp"

namespace plankeep::render {
namespace {

// That sessions come and go says nothing of the plan, and how many boxes are left out is said above.
bool changes_something(const core::Event& event) {
  return event.kind != core::EventKind::unknown && event.kind != core::EventKind::recovery_saved &&
         event.kind != core::EventKind::checkpoint_saved && event.kind != core::EventKind::boxes_skipped &&
         !core::is_session_event(event.kind);
}

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// How many are shown of what may be many. The first room in which the page fits is taken.
struct Room {
  std::size_t tasks;
  std::size_t criteria;
  std::size_t phases;
};
constexpr std::array kRooms{Room{12, 6, kAll}, Room{12, 6, 8}, Room{8, 4, 6},
                            Room{6, 3, 4},     Room{4, 2, 3},  Room{3, 1, 1}};
constexpr Room kWhole{kAll, kAll, kAll};  // for a pipe, where nothing is cut

constexpr std::size_t kNotesShown = 5;   // blockers, warnings
constexpr std::size_t kLabel = 10;       // "Decisions" and a blank
constexpr std::size_t kTasksBefore = 3;  // done ones that stay in sight above the current task

/// Lays lines out for one width. Only an id or a path makes a line wider: neither is ever cut.
class StatusPage {
 public:
  StatusPage(const core::StatusView& view, const Style& style, const StatusDetail& detail, const Room& room)
      : view_(view),
        style_(style),
        detail_(detail),
        room_(room),
        columns_(std::max(style.columns, kNarrowest)) {}

  std::string make() {
    header();
    if (detail_.brief) {
      now();
      if (!view_.unreadable.empty()) note("Warning", Paint::warning, view_.unreadable, 3);
      return std::move(text_);
    }
    text_ += '\n';
    phases();
    footer();
    return std::move(text_);
  }

 private:
  void header() {
    const std::string id = safe_line(view_.plan_id);
    text_ += paint(style_, Paint::strong, id);
    std::size_t used = base::display_width(id) + 2;
    const std::string file = safe_line(view_.file);
    // A cut file name helps nobody: it gets the line of its own, or goes.
    const bool file_fits = used + base::display_width(file) <= columns_;
    const std::size_t left =
        columns_ - std::min(columns_, used + (file_fits ? base::display_width(file) + 2 : 0));
    constexpr std::size_t kShortestTitle = 12;  // fewer columns say nothing
    if (!view_.title.empty() && view_.title != view_.plan_id && left >= kShortestTitle) {
      text_ += "  " + safe_line(view_.title, left);
    }
    if (file_fits) text_ += "  " + paint(style_, Paint::dim, file);
    text_ += '\n';
    const std::size_t wide = std::clamp<std::size_t>(layout_columns(style_) / 3, 16, 48);
    const bool all = core::is_complete(view_);
    text_ += paint(style_, all ? Paint::good : Paint::active, bar(view_.progress.percent_tenths, wide));
    const std::string counts = "  " + percent(view_.progress.percent_tenths) + "%  " +
                               std::to_string(view_.progress.completed) + " of " +
                               counted(view_.progress.total, "task", "tasks");
    text_ += base::fit_to_width(counts, columns_ - wide);
    // What no total counts: on this line, or on one of its own.
    std::string beside = beside_the_totals(view_.progress, view_.skipped);
    if (wide + base::display_width(counts + beside) > columns_) beside.replace(0, 1, "\n ");
    text_ += beside + "\n";
    vanished();
  }

  // Never without a word: a task that is gone raises the percentage.
  void vanished() {
    const std::vector<core::VanishedTask>& gone = view_.vanished;
    if (gone.empty()) return;
    // Where nothing is cut, neither are these.
    const std::string what = vanished_words(gone, columns_ < kUnlimited ? 60 : kUnlimited);
    for (const std::string& line : wrap(what, columns_, 3))
      text_ += paint(style_, Paint::warning, line) + "\n";
    text_ += "To put " + std::string(them(gone)) + " back: plankeep restore --lost\n";
  }

  void all_done() {
    if (core::is_complete(view_)) {
      text_ += paint(style_, Paint::good, "everything is done") + "\n";
    } else if (view_.unreadable.empty() && core::was_complete(view_)) {
      text_ += paint(style_, Paint::warning, "every box that is left is done") + "\n";
    } else if (core::was_complete(view_)) {
      text_ += paint(style_, Paint::warning, "everything was done when it was last recorded") + "\n";
    }
  }

  // The current task in one line.
  void now() {
    if (!view_.current_phase) return all_done();
    if (core::is_archived_unfinished(view_)) return archived();
    if (!view_.current_task) {
      const std::string open = "  " + criteria_of(*view_.phase());
      const std::string verify = "verify phase " + safe_line(title_of(*view_.phase()));
      text_ += paint(style_, Paint::active, "◐") + " " +
               base::fit_to_width(verify, columns_ - std::min(columns_, 2 + open.size())) + open + "\n";
      return;
    }
    const core::TaskRow& task = view_.phases[*view_.current_phase].tasks[*view_.current_task];
    const std::string id = safe_line(task.id.text);
    const std::string where = safe_line(place(view_.file, task.line));
    const std::size_t used = 4 + base::display_width(id) + 4 + base::display_width(where);
    text_ += paint(style_, Paint::active, "▸") + " " + glyph(task.state, style_) + " " +
             paint(style_, Paint::strong, id);
    const std::string title =
        safe_line(core::title_beside_id(task.title, task.id.text), columns_ - std::min(columns_, used));
    if (!title.empty()) text_ += "  " + title;
    text_ += "  " + paint(style_, Paint::dim, where) + "\n";
  }

  static std::string counts_of(const core::PhaseRow& phase) {
    return std::to_string(phase.done) + "/" + std::to_string(phase.total);
  }
  // Of an open criterion whose command nobody ran it says enough that it is open.
  static bool worth_telling(const core::CriterionRow& criterion) {
    return criterion.proof != core::Proof::no_command &&
           (criterion.met || criterion.proof != core::Proof::unproven);
  }
  static std::string criteria_of(const core::PhaseRow& phase) {
    if (phase.acceptance_total == 0) return {};
    std::string text =
        "criteria " + std::to_string(phase.acceptance_met) + "/" + std::to_string(phase.acceptance_total);
    // Beside what is ticked, never instead of it.
    const core::ProofCount& proof = phase.proof;
    if (proof.all_proven()) return text + ", proven";
    const bool said = std::any_of(phase.acceptance.begin(), phase.acceptance.end(), worth_telling);
    if (said) {
      text += ", proven " + std::to_string(proof.proven) + "/" + std::to_string(proof.commands);
    }
    return text;
  }
  static std::string title_of(const core::PhaseRow& phase) { return core::title_or_id(phase); }

  void phases() {
    std::size_t counts = 0;
    std::size_t criteria = 0;
    std::size_t titles = 0;
    for (const core::PhaseRow& phase : view_.phases) {
      counts = std::max(counts, counts_of(phase).size());
      criteria = std::max(criteria, criteria_of(phase).size());
      titles = std::max(titles, base::display_width(safe_line(title_of(phase), columns_)));
    }
    const std::size_t wide = std::clamp<std::size_t>(layout_columns(style_) / 8, 6, 20);
    const std::size_t fixed = 2 + 2 + wide + 2 + counts;
    const bool show_criteria = criteria > 0 && fixed + 2 + criteria + 16 <= columns_;
    const std::size_t right = fixed + (show_criteria ? 2 + criteria : 0);
    const std::size_t title_columns = std::min(titles, columns_ > right + 8 ? columns_ - right : 8);
    const auto [first, last] = phases_in_sight();
    if (first > 0 && !detail_.phase) other_phases("… ", first, " above");
    for (std::size_t p = first; p < last; ++p) {
      const core::PhaseRow& phase = view_.phases[p];
      const bool current = view_.current_phase == p;
      std::string title = pad_right(safe_line(title_of(phase), title_columns), title_columns);
      if (current) title = paint(style_, Paint::strong, title);
      std::string line = glyph(phase.status, style_) + " " + title + "  ";
      line += phase_bar(phase, wide);
      line += "  " + pad_left(counts_of(phase), counts);
      const std::string met = criteria_of(phase);
      if (show_criteria && !met.empty()) {
        const bool proven = phase.acceptance_met == phase.acceptance_total &&
                            (phase.proof.commands == 0 || phase.proof.all_proven());
        line += "  " + paint(style_, proven ? Paint::good : Paint::dim, met);
      }
      text_ += line + "\n";
      if (current || detail_.all_tasks || detail_.phase) tasks(phase, current);
    }
    if (last < view_.phases.size() && !detail_.phase)
      other_phases("… ", view_.phases.size() - last, " below");
    if (view_.phases.empty()) {
      text_ += base::fit_to_width("no phases and no tasks yet", columns_) + "\n";
    } else if (core::was_complete(view_)) {
      text_ += "\n";
      all_done();
    }
  }

  // The one that was asked for, else as many around the current one as there is room for.
  std::pair<std::size_t, std::size_t> phases_in_sight() const {
    const std::size_t count = view_.phases.size();
    if (detail_.phase) return {*detail_.phase, *detail_.phase + 1};
    if (count <= room_.phases) return {0, count};
    const std::size_t middle = view_.current_phase.value_or(count - 1);
    const std::size_t before = std::min(middle, room_.phases / 2);
    const std::size_t first = std::min(middle - before, count - room_.phases);
    return {first, first + room_.phases};
  }

  void other_phases(std::string_view in_front, std::size_t count, std::string_view where) {
    std::string what(in_front);
    what += counted(static_cast<std::int64_t>(count), "phase", "phases");
    what += where;
    text_ += paint(style_, Paint::dim, what) + "\n";
  }

  std::string phase_bar(const core::PhaseRow& phase, std::size_t wide) const {
    // A phase may have criteria only; its bar shows them then, or it would look untouched for ever.
    const bool tasks = phase.total > 0;
    const std::int64_t tenths = tasks ? core::percent_tenths(phase.done, phase.total)
                                      : core::percent_tenths(phase.acceptance_met, phase.acceptance_total);
    const Paint colour = phase.status == core::PhaseStatus::completed     ? Paint::good
                         : phase.status == core::PhaseStatus::in_progress ? Paint::active
                                                                          : Paint::dim;
    return paint(style_, colour, bar(tenths, wide));
  }

  std::string info_of(const core::TaskRow& task) const {
    std::string info;
    const auto add = [&info](const std::string& part) { base::append_listed(info, part); };
    if (task.optional) add("optional");
    if (task.state == core::BoxState::done) {
      if (task.completed_at) add(base::ago(*task.completed_at, view_.now));
      if (task.completed_by.empty()) return info;
      if (!task.completed_at) {
        add("by " + task.completed_by);
      } else {
        info += " by " + task.completed_by;
      }
      return info;
    }
    if (task.children > 0) {
      add(std::to_string(task.children_done) + "/" + std::to_string(task.children) + " steps");
    }
    if (!task.waiting_for.empty()) {
      const std::string ids =
          base::joined(task.waiting_for, " ", [](const core::TaskId& id) { return id.text; });
      add("after " + ids);
    }
    if (task.lease) add(claim_words(*task.lease, view_.now));
    return info;
  }

  bool whole() const { return detail_.all_tasks || detail_.phase.has_value(); }

  void tasks(const core::PhaseRow& phase, bool is_current) {
    const std::size_t current = is_current ? view_.current_task.value_or(0) : 0;
    const std::size_t count = phase.tasks.size();
    const std::size_t shown = whole() ? count : std::min(count, room_.tasks);
    const std::size_t before = std::min(kTasksBefore, shown / 3);
    const std::size_t first = std::min(current > before ? current - before : 0, count - shown);
    const std::size_t last = first + shown;
    std::vector<StatusItem> items;
    for (std::size_t t = first; t < last; ++t) {
      const core::TaskRow& task = phase.tasks[t];
      const bool here = is_current && view_.current_task == t;
      items.push_back({glyph(task.state, style_), task.id.text, task.title, info_of(task), task.line, here,
                       task.state == core::BoxState::done});
    }
    const std::size_t task_items = items.size();
    std::int64_t criteria_left = 0;
    add_criteria(phase, items, criteria_left);

    const StatusColumns laid_out(items, style_, columns_, view_.file);
    if (first > 0) more("… " + counted(first, "task", "tasks") + " above");
    for (std::size_t i = 0; i < items.size(); ++i) {
      text_ += laid_out.row(items[i]);
      if (i + 1 == task_items && last < count) more("… " + std::to_string(count - last) + " more");
    }
    if (criteria_left > 0) more("… " + counted(criteria_left, "more criterion", "more criteria"));
  }

  static std::string info_of(const core::CriterionRow& criterion) {
    std::string info = criterion.met ? "met" : "not met";
    if (worth_telling(criterion)) info += ", " + proof_text(criterion.proof, criterion.failed_before);
    return info;
  }

  static void add_to(std::vector<StatusItem>& items, const core::CriterionRow& criterion,
                     const Style& style) {
    items.push_back({criterion_glyph(criterion.met, style), criterion.id.text, criterion.title,
                     info_of(criterion), criterion.line, false, criterion.met});
  }

  /// Those that are not met first: they are what is left to do.
  void add_criteria(const core::PhaseRow& phase, std::vector<StatusItem>& items, std::int64_t& left) const {
    std::size_t shown = 0;
    for (const bool met : {false, true}) {
      for (const core::CriterionRow& criterion : phase.acceptance) {
        if (criterion.met != met || (shown == room_.criteria && !whole())) continue;
        add_to(items, criterion, style_);
        ++shown;
      }
    }
    left = static_cast<std::int64_t>(phase.acceptance.size() - shown);
  }

  void more(const std::string& what) {
    text_ += "    " + paint(style_, Paint::dim, base::fit_to_width(what, columns_ - 4)) + "\n";
  }

  /// "Label     text", further lines under the text.
  void note(std::string_view label, Paint colour, const std::string& what, std::size_t lines) {
    bool first = true;
    for (const std::string& line : wrap(safe_line(what), columns_ - kLabel, lines)) {
      text_ += joined_cells(style_, {{pad_right(std::string(first ? label : ""), kLabel), colour},
                                     {line, Paint::plain}}) +
               "\n";
      first = false;
    }
  }

  void notes(std::string_view label, Paint colour, const std::vector<std::string>& items) {
    const std::size_t most = columns_ < kUnlimited ? kNotesShown : kAll;
    for (std::size_t i = 0; i < items.size() && i < most; ++i) note(i == 0 ? label : "", colour, items[i], 3);
    if (items.size() > most) note("", colour, "… and " + std::to_string(items.size() - most) + " more", 1);
  }

  // Of several blockers, unblock takes the number.
  static std::vector<std::string> numbered(std::vector<std::string> blockers) {
    for (std::size_t i = 0; i < blockers.size() && blockers.size() > 1; ++i)
      blockers[i] = std::to_string(i + 1) + " " + blockers[i];
    return blockers;
  }

  void archived() {
    const std::string when = base::ago(*view_.archived_at, view_.now);
    note("Archived", Paint::dim, when + "; undo: plankeep archive --undo", 1);
  }

  void footer() {
    text_ += '\n';
    if (view_.archived_at) archived();
    notes("Blocked", Paint::bad, numbered(view_.blockers));
    if (!view_.decisions.empty()) {
      const core::DecisionRow& last = view_.decisions.back();
      std::string what = last.decision;
      if (!last.reason.empty()) what += " (" + last.reason + ")";
      if (view_.decisions.size() > 1) what = std::to_string(view_.decisions.size()) + ", the latest: " + what;
      note("Decided", Paint::strong, what, 2);
    }
    if (view_.session_note && !view_.session_note->empty())
      note("Note", Paint::strong, *view_.session_note, 2);
    notes("Stale", Paint::warning, stale_criteria());
    notes("Warning", Paint::warning, view_.warnings);
    if (view_.drift) note("Drift", Paint::warning, drift_words(*view_.drift), 2);
    if (view_.source == core::StateSource::recovery)
      note("State", Paint::warning, "restored from a recovery copy", 1);
    if (view_.source == core::StateSource::history)
      note("State", Paint::warning, "rebuilt from plan and history", 1);
    if (view_.latest_checkpoint) {
      const core::SavedCheckpoint& newest = *view_.latest_checkpoint;
      std::string what = "checkpoint " + newest.id;
      if (!newest.type.empty()) what += " (" + newest.type + ")";
      note("Saved", Paint::dim, what + " " + base::ago(newest.time, view_.now), 1);
    }
    if (view_.last_commit)
      note("Commit", Paint::dim,
           last_commit_words(*view_.last_commit) + ", " + base::ago(view_.last_commit->time, view_.now), 1);
    last_change();
  }

  // "builds: src/a.c, b.txt (new)", for those that are ticked.
  std::vector<std::string> stale_criteria() const {
    std::vector<std::string> lines;
    for (const core::PhaseRow& phase : view_.phases) {
      for (const core::CriterionRow& criterion : phase.acceptance) {
        if (criterion.met && criterion.proof == core::Proof::stale && !criterion.why.empty())
          lines.push_back(criterion.id.text + ": " + criterion.why);
      }
    }
    return lines;
  }

  // On two lines, or as many as its ids and paths take: only titles are cut.
  void last_event(const std::string& when, const core::Event& event) {
    const std::size_t wide = columns_ - kLabel;
    std::string what = when + describe(event);
    if (columns_ < kUnlimited && base::display_width(what) > 2 * wide) {
      // A line that ends between words is not filled.
      const std::size_t used = base::display_width(when) + wide / 4;
      what = when + describe(event, 2 * wide - std::min(2 * wide, used));
    }
    const std::string ids = describe(event, 0);
    const std::vector<std::string> words = base::parts_of(ids, ' ');
    const bool too_wide = std::any_of(words.begin(), words.end(), [wide](const std::string& word) {
      return base::display_width(word) > wide;
    });
    if (!too_wide) return note("Last", Paint::dim, what, kAll);
    // One that is wider than a line is not broken either.
    text_ += joined_cells(style_, {{pad_right("Last", kLabel), Paint::dim}, {when + ids, Paint::plain}});
    text_ += '\n';
  }

  void last_change() {
    if (view_.source == core::StateSource::none && !view_.last_saved)
      return note("Last", Paint::dim, "nothing recorded yet: plankeep init", 1);
    for (std::size_t i = view_.recent.size(); i-- > 0;) {
      const core::Event& event = view_.recent[i];
      const bool in_warning = event.kind == core::EventKind::parse_error && !view_.unreadable.empty();
      if (in_warning || !changes_something(event)) continue;
      std::string what = base::ago(event.time, view_.now);
      if (!event.by.empty()) what += " by " + event.by;
      return last_event(what + ": ", event);
    }
    if (view_.last_saved) note("Last", Paint::dim, "saved " + base::ago(*view_.last_saved, view_.now), 1);
  }

  const core::StatusView& view_;
  const Style& style_;
  const StatusDetail& detail_;
  const Room room_;
  const std::size_t columns_;
  std::string text_;
};

}  // namespace

std::string status_text(const core::StatusView& view, const Style& style, const StatusDetail& detail) {
  if (style.columns >= kUnlimited) return StatusPage(view, style, detail, kWhole).make();
  std::string text;
  for (const Room& room : kRooms) {
    text = StatusPage(view, style, detail, room).make();
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (detail.rows == 0 || detail.all_tasks || detail.phase || lines < detail.rows) break;
  }
  return text;
}

}  // namespace plankeep::render
