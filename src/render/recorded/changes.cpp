#include "render/recorded/changes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/enum_names.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/find_task.hpp"
#include "model/item_key.hpp"
#include "model/json/event_json.hpp"
#include "render/error.hpp"
#include "render/fitting.hpp"
#include "render/json_parts.hpp"
#include "render/recorded/log.hpp"

namespace plankeep::render {
namespace {

// One screen: who wants all of a great change asks the log.
constexpr std::size_t kChangedLinesShown = 40;

struct Mark {
  std::string_view glyph;
  Paint paint;
};

Mark mark_of(core::EventKind kind) {
  switch (kind) {
    case core::EventKind::task_completed:
    case core::EventKind::acceptance_met:
    case core::EventKind::phase_completed:
    case core::EventKind::blocker_resolved:
      return {"✓", Paint::good};
    case core::EventKind::task_added:
    case core::EventKind::acceptance_added:
    case core::EventKind::phase_added:
      return {"+", Paint::plain};
    case core::EventKind::task_removed:
    case core::EventKind::acceptance_removed:
    case core::EventKind::decision_removed:
    case core::EventKind::phase_removed:
      return {"-", Paint::warning};
    case core::EventKind::task_reopened:
    case core::EventKind::phase_reopened:
    case core::EventKind::acceptance_unmet:
    case core::EventKind::blocker_raised:
      return {"!", Paint::warning};
    case core::EventKind::parse_error:
    case core::EventKind::state_corrupted:
    case core::EventKind::full_recovery:
    case core::EventKind::session_crash:
      return {"!", Paint::bad};
    default:
      return {"·", Paint::dim};
  }
}

bool housekeeping(const core::Event& event) {
  return event.kind == core::EventKind::recovery_saved || event.kind == core::EventKind::checkpoint_saved ||
         event.kind == core::EventKind::tasks_ordered || event.kind == core::EventKind::boxes_skipped;
}

// So many of a kind are one line: a plan that was written anew is no news of each of its tasks.
constexpr std::ptrdiff_t kTooManyOfAKind = 8;
constexpr std::size_t kIdsOfKindShown = 5;

// Whether the kind is told in one line, and what that says: "30 tasks added: a, b, c, …".
class Summaries {
 public:
  explicit Summaries(const std::vector<core::Event>& events) : renamed_tasks_(core::given_new_ids(events)) {
    add(events, core::EventKind::task_added, Ids::same, "added");
    add(events, core::EventKind::task_removed, Ids::same, "removed");
    add(events, core::EventKind::task_removed, Ids::skipped, "left out (SKIP)");
    add(events, core::EventKind::task_added, Ids::other, "renumbered");
    for (const core::Event& event : events) {
      if (event.kind == core::EventKind::phase_added && !event.from.empty())
        renamed_.emplace(event.from, event.phase.text);
    }
  }

  /// nullopt: the event has a line of its own. Empty: another one tells of it.
  std::optional<std::string> of(const core::Event& event) {
    for (Summary& summary : all_) {
      if (summary.kind == event.kind && summary.ids == ids_of(event)) return std::exchange(summary.text, {});
    }
    return goes_with_phase(event) ? std::optional(std::string()) : std::nullopt;
  }

 private:
  // other: the event belongs to a task whose id was changed; skipped: to one that a SKIP marker leaves out
  enum class Ids { same, other, skipped };
  struct Summary {
    core::EventKind kind;
    Ids ids;
    std::string text;
  };

  Ids ids_of(const core::Event& event) const {
    const bool added = event.kind == core::EventKind::task_added && !event.from.empty();
    const bool removed =
        event.kind == core::EventKind::task_removed && renamed_tasks_.contains({event.phase, event.task});
    if (event.skipped) return Ids::skipped;
    return added || removed ? Ids::other : Ids::same;
  }

  // Of a phase whose heading was reworded: "phase b added (was: a)" says all of it.
  bool goes_with_phase(const core::Event& event) const {
    if (event.kind == core::EventKind::phase_removed) return renamed_.contains(event.phase.text);
    if (event.kind != core::EventKind::task_moved && event.kind != core::EventKind::acceptance_moved)
      return false;
    const auto now = renamed_.find(event.from);
    return now != renamed_.end() && now->second == event.phase.text;
  }

  void add(const std::vector<core::Event>& events, core::EventKind kind, Ids ids, std::string_view verb) {
    const auto is_one = [&](const core::Event& event) { return event.kind == kind && ids_of(event) == ids; };
    const auto count = std::count_if(events.begin(), events.end(), is_one);
    if (count <= kTooManyOfAKind) return;
    std::string text = counted(count, "task", "tasks") + " " + std::string(verb) + ": ";
    std::size_t named = 0;
    for (const core::Event& event : events) {
      if (!is_one(event) || named == kIdsOfKindShown) continue;
      text += safe_line(event.task.text) + ", ";
      ++named;
    }
    all_.push_back({kind, ids, text + "…"});
  }

  std::vector<Summary> all_;
  std::set<std::pair<core::PhaseId, core::TaskId>> renamed_tasks_;  // by their earlier ids
  std::map<std::string, std::string, std::less<>> renamed_;         // phases: earlier id -> id
};

void append_line(std::string& text, const Style& style, const Mark& mark, std::string_view what) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  text += paint(style, mark.paint, mark.glyph);
  text += ' ';
  text += wrapped(what, columns, 2);
}

void append_line(std::string& text, const Style& style, const core::Event& event) {
  const Mark mark = mark_of(event.kind);
  text += paint(style, mark.paint, mark.glyph);
  text += ' ';
  text += describe(event, std::max(style.columns, kNarrowest) - 2);
  text += '\n';
}

constexpr auto kNoticeKinds =
    base::enum_names<core::NoticeKind>({{core::NoticeKind::task_reopened, "task_reopened"},
                                        {core::NoticeKind::task_removed, "task_removed"},
                                        {core::NoticeKind::task_renamed, "task_renamed"},
                                        {core::NoticeKind::tasks_renumbered, "tasks_renumbered"},
                                        {core::NoticeKind::criterion_unmet, "criterion_unmet"},
                                        {core::NoticeKind::criterion_removed, "criterion_removed"},
                                        {core::NoticeKind::task_skipped, "task_skipped"},
                                        {core::NoticeKind::criterion_skipped, "criterion_skipped"},
                                        {core::NoticeKind::plan_replaced, "plan_replaced"},
                                        {core::NoticeKind::phase_reopened, "phase_reopened"},
                                        {core::NoticeKind::phase_completed, "phase_completed"},
                                        {core::NoticeKind::plan_completed, "plan_completed"},
                                        {core::NoticeKind::done_before_dependency, "done_before_dependency"},
                                        {core::NoticeKind::boxes_found, "boxes_found"},
                                        {core::NoticeKind::done_by_another, "done_by_another"}});

// Not another one under its number.
bool is_there(const core::State& state, const core::Event& removed) {
  const core::TaskState* const now = core::find_task(state, removed.phase, removed.task);
  return now != nullptr && !core::took_the_number(now->title, removed.title, removed.task);
}

bool has_criterion(const core::State& state, const core::PhaseId& phase, const core::CriterionId& id) {
  const core::PhaseState* const found = core::find_phase(state, phase);
  return found != nullptr && std::any_of(found->acceptance.begin(), found->acceptance.end(),
                                         [&id](const core::CriterionState& one) { return one.id == id; });
}

}  // namespace

std::string_view name_of(core::NoticeKind kind) {
  return kNoticeKinds.name_of(kind);
}

std::string changes_text(const Changes& changes, const Style& style) {
  const app::Outcome& outcome = changes.outcome;
  std::string text;
  for (const std::string& remark : changes.remarks) {
    append_line(text, style, {"·", Paint::dim}, safe_line(remark));
  }
  const std::size_t warnings = outcome.warnings.size() - (changes.last_warning_apart ? 1 : 0);
  // Why a plan could not be read is both recorded and warned of, and needs to be read once.
  const auto is_warned_of = [&](const core::Event& event) {
    const auto end = outcome.warnings.begin() + static_cast<std::ptrdiff_t>(warnings);
    return event.kind == core::EventKind::parse_error && !event.reason.empty() &&
           std::any_of(outcome.warnings.begin(), end,
                       [&event](const std::string& warning) { return warning.starts_with(event.reason); });
  };
  Summaries summaries(outcome.events);
  const auto renamed = core::given_new_ids(outcome.events);
  std::size_t wanted = 0;
  bool lost = false;
  bool lost_criteria = false;
  for (const core::Event& event : outcome.events) {
    const bool removed = event.kind == core::EventKind::task_removed;
    if (housekeeping(event) || is_warned_of(event) ||
        (removed && renamed.contains({event.phase, event.task})))
      continue;
    // What came back in the same change is not gone.
    const core::State& now = outcome.state;
    lost = lost || (removed && !event.skipped && !is_there(now, event));
    lost_criteria = lost_criteria || (event.kind == core::EventKind::acceptance_removed && !event.met &&
                                      !event.skipped && !has_criterion(now, event.phase, event.criterion));
    const auto summary = summaries.of(event);
    if (summary && summary->empty()) continue;
    if (wanted++ >= kChangedLinesShown) continue;
    if (summary) {
      append_line(text, style, mark_of(event.kind), *summary);
    } else {
      append_line(text, style, event);
    }
  }
  const std::int64_t left = static_cast<std::int64_t>(wanted) - static_cast<std::int64_t>(kChangedLinesShown);
  if (left > 0)
    append_line(text, style, {"·", Paint::dim}, "… and " + std::to_string(left) + " more: plankeep log");
  // A plan without any task is recorded only if somebody said that it is meant so (spec 6.5).
  const auto& phases = outcome.state.phases;
  const bool emptied = outcome.state.progress.total == 0 &&
                       std::all_of(phases.begin(), phases.end(),
                                   [](const core::PhaseState& phase) { return phase.tasks.empty(); });
  if ((lost || lost_criteria) && !emptied && outcome.readable)
    append_line(
        text, style, {"·", Paint::dim},
        std::string("to put removed ") + (lost ? "tasks" : "criteria") + " back: plankeep restore --lost");
  if (wanted == 0 && !outcome.edited && outcome.readable)
    append_line(text, style, {"·", Paint::dim}, "no changes");
  for (const core::Notice& notice : outcome.notices) {
    // The other kinds say what an event above says already; they are for hooks, which print no events.
    if (notice.kind == core::NoticeKind::plan_completed &&
        outcome.state.progress.completed == outcome.state.progress.total)
      append_line(text, style, {"✓", Paint::good}, safe_line(notice.text));
    if (notice.kind == core::NoticeKind::done_before_dependency ||
        notice.kind == core::NoticeKind::done_by_another)
      append_line(text, style, {"!", Paint::warning}, safe_line(notice.text));
  }
  for (std::size_t i = 0; i < warnings; ++i) {
    const std::string& warning = outcome.warnings[i];
    append_line(text, style, {"!", Paint::warning}, "warning: " + safe_line(warning));
  }
  const std::string counts = ": " + std::to_string(outcome.state.progress.completed) + " of " +
                             counted(outcome.state.progress.total, "task", "tasks") + ", " +
                             percent(outcome.state.progress.percent_tenths) + "%";
  text += safe_line(changes.plan_id.empty() ? outcome.plan.plan_id() : changes.plan_id) + counts;
  text += '\n';
  return text;
}

std::string changes_json(const Changes& changes, const base::Error* error, int exit) {
  const app::Outcome& outcome = changes.outcome;
  const std::size_t first = outcome.events.size() - std::min(outcome.events.size(), changes.newest);
  std::vector<std::string> warnings = changes.remarks;
  warnings.insert(warnings.end(), outcome.warnings.begin(), outcome.warnings.end());
  if (first > 0)
    warnings.push_back(std::to_string(first) +
                       " earlier events of this call omitted; to see all: plankeep log");
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, outcome.plan);
  out.key("changed").value(outcome.edited || !outcome.events.empty());
  out.key("revision").value(outcome.state.revision);
  write_progress(out, outcome.state.progress);
  out.key("events").begin_array();
  for (std::size_t i = first; i < outcome.events.size(); ++i) {
    std::string line = core::encode_event(outcome.events[i]);
    while (!line.empty() && line.back() == '\n') line.pop_back();
    out.raw(line);
  }
  out.end_array();
  out.key("notices").begin_array();
  for (const core::Notice& notice : outcome.notices) {
    out.begin_object();
    out.key("kind").value(name_of(notice.kind));
    out.key("text").value(notice.text);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "warnings", warnings);
  if (error != nullptr) write_error(out, *error, exit);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
