#include "render/progress/plans.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/fitting.hpp"
#include "render/json_parts.hpp"
#include "render/progress/vanished.hpp"
#include "rules/next.hpp"
#include "rules/notice.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kBar = 10;
constexpr std::size_t kUntrackedShown = 10;
constexpr std::size_t kFewestOfTitle = 8;  // columns; less says nothing

// Below a plan, on as many lines as it takes.
std::string below(std::string_view words, std::size_t columns, const Style& style, Paint colour,
                  Begins begins) {
  std::string text;
  for (const std::string& line : base::parts_of(wrapped(words, columns - 2, 0, begins), '\n'))
    text += "  " + paint(style, colour, line) + "\n";
  return text;
}

std::string facts(const app::PlanOverview& row, base::Instant now) {
  std::string text = safe_line(row.id);
  const auto add = [&text](const std::string& part) { base::append_listed(text, part); };
  if (row.archived) add("archived");
  if (row.lost) {
    add("the file and its records are missing, to restore them: plankeep restore --memory --plan " +
        safe_line(row.shown));
  } else if (row.missing) {
    add("the file is missing");
  }
  if (row.finished && !row.archived) add("finished");
  if (!row.problem.empty()) add("cannot be read: " + safe_line(row.problem));
  if (row.agents > 0) add(counted(row.agents, "subagent", "subagents") + " working");
  if (row.sessions > 0) add(counted(row.sessions, "session", "sessions") + " open");
  if (row.blockers > 0) add(counted(row.blockers, "blocker", "blockers"));
  if (row.stale) add("stale");
  if (row.unrecorded) add("unrecorded changes");
  if (row.last_activity) {
    add("last " + base::ago(*row.last_activity, now) +
        (row.last_by.empty() ? "" : " by " + safe_line(row.last_by)));
  }
  return text;
}

std::string_view what_vanished(const std::vector<core::VanishedTask>& gone) {
  const bool any = std::any_of(gone.begin(), gone.end(), [](const auto& one) { return !one.criterion; });
  return any ? "tasks" : "criteria";
}

void write_or_null(base::JsonWriter& out, std::string_view key, const std::string& value) {
  out.key(key);
  if (value.empty()) {
    out.null();
  } else {
    out.value(value);
  }
}

}  // namespace

std::string plans_text(const app::Workspace& view, base::Instant now, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::size_t widest = 0;
  for (const app::PlanOverview& row : view.plans)
    widest = std::max(widest, base::display_width(safe_line(row.shown)));
  widest = std::min(widest, columns < 1000 ? columns / 2 : std::size_t{60});
  std::string text;
  for (const app::PlanOverview& row : view.plans) {
    const Paint paint_of_row = row.archived || row.missing ? Paint::dim
                               : row.complete()            ? Paint::good
                               : row.stale                 ? Paint::dim
                                                           : Paint::strong;
    const std::string name = pad_right(safe_line(row.shown), widest);
    const std::string counts =
        std::to_string(row.progress.completed) + "/" + std::to_string(row.progress.total);
    const bool lost = core::lost_open_tasks(row.vanished);
    const bool unknown = row.was_complete && !row.complete();
    const bool over = row.archived && !row.was_complete;  // nothing of it is offered
    std::string where = over               ? std::string()
                        : unknown && lost  ? std::string(what_vanished(row.vanished)) + " vanished"
                        : unknown          ? "was complete"
                        : row.complete()   ? "complete" + core::beside_done(row.progress, 0)
                        : row.task.empty() ? safe_line(row.phase)
                                           : safe_line(row.task);
    const std::size_t uncut = base::display_width(where);
    const std::string title = safe_line(core::title_beside_id(row.task_title, row.task));
    const bool titled = !over && !row.complete() && !row.task.empty() && !title.empty();
    if (titled) where += "  " + title;
    const std::string rest =
        "  " + bar(row.progress.percent_tenths, kBar) + "  " + pad_left(counts, 7) + "  ";
    const std::size_t used = base::display_width(name) + base::display_width(rest);
    const std::size_t room = columns - std::min(columns, used);
    // Only a title is cut, never an id.
    const bool fits = base::display_width(where) <= room || (titled && uncut + 2 + kFewestOfTitle <= room);
    text += paint(style, paint_of_row, name);
    text += over   ? rest.substr(0, rest.find_last_not_of(' ') + 1) + "\n"
            : fits ? rest + base::fit_to_width(where, room) + "\n"
                   : rest.substr(0, rest.size() - 2) + "\n" +
                         below(where, columns, style, Paint::plain,
                               row.complete() || row.task.empty() ? Begins::with_words : Begins::with_id);
    if (const std::string more = facts(row, now); !more.empty())
      text += below(more, columns, style, Paint::dim, Begins::with_id);
    // With commands in them, so never cut.
    if (!row.unreadable.empty())
      text += "  " + paint(style, Paint::warning, safe_line(row.unreadable)) + "\n";
    if (!row.vanished.empty())
      text += "  " + paint(style, Paint::warning, vanished_line(row.vanished, 60, safe_line(row.id))) + "\n";
  }
  if (view.plans.empty()) text = "no tracked plan below " + safe_line(view.folder) + "\n";
  if (view.untracked.empty()) return text;
  text += "Not tracked; to track one: plankeep init FILE\n";
  const std::size_t shown =
      columns < kUnlimited ? std::min(view.untracked.size(), kUntrackedShown) : view.untracked.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const app::UntrackedPlan& plan = view.untracked[i];
    text += "  " + safe_line(plan.shown) + "  " + std::to_string(plan.progress.completed) + " of " +
            counted(plan.progress.total, "task", "tasks") + "\n";
  }
  if (view.untracked.size() > shown)
    text += "  … and " + std::to_string(view.untracked.size() - shown) + " more\n";
  return text;
}

std::string plans_json(const app::Workspace& view) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("folder").value(view.folder);
  out.key("plans").begin_array();
  for (const app::PlanOverview& row : view.plans) {
    out.begin_object();
    write_plan_reference(out, row.id, row.plan.path());
    write_progress(out, row.progress);
    write_or_null(out, "currentPhase", row.phase);
    write_or_null(out, "currentTask", row.task);
    write_or_null(out, "currentTaskTitle", row.task_title);
    write_or_null(out, "lastActivity",
                  row.last_activity ? base::to_iso8601(*row.last_activity) : std::string());
    write_or_null(out, "lastBy", row.last_by);
    out.key("blockers").value(row.blockers);
    out.key("agents").value(row.agents);
    out.key("sessions").value(row.sessions);
    out.key("inFlight").value(row.agents > 0 || row.sessions > 0);
    out.key("stale").value(row.stale);
    out.key("archived").value(row.archived);
    out.key("finished").value(row.finished);
    out.key("missing").value(row.missing);
    out.key("unrecorded").value(row.unrecorded);
    write_vanished(out, row.vanished);
    const std::string& cause = row.problem.empty() ? row.unreadable : row.problem;
    if (!cause.empty()) out.key("trouble").value(cause);
    out.end_object();
  }
  out.end_array();
  out.key("untracked").begin_array();
  for (const app::UntrackedPlan& plan : view.untracked) {
    out.begin_object();
    out.key("path").value(plan.path);
    write_progress(out, plan.progress);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "warnings", view.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
