#include "reports/task_report.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "editing/find_boxes.hpp"
#include "markdown/item_text.hpp"
#include "markdown/parse_plan.hpp"
#include "store/plan_file.hpp"
#include "tracking/history.hpp"
#include "tracking/project_tree.hpp"

namespace plankeep::app {
namespace {

using base::Result;

// Of the plan's history as many as it takes to find a task's earlier titles.
constexpr std::size_t kEventsRead = 2000;
constexpr std::size_t kMostIds = 8;  // of one task, over time

RelatedTask related(const core::PhaseRow& phase, const core::TaskRow& task) {
  return {task.id, phase.id, task.title, task.state, false};
}

// By id: in the phase itself, else anywhere (as `after` is read).
RelatedTask related_by_id(const core::StatusView& view, const core::PhaseRow& home, const core::TaskId& id) {
  const auto in = [&id](const core::PhaseRow& phase) -> const core::TaskRow* {
    for (const core::TaskRow& task : phase.tasks) {
      if (task.id == id) return &task;
    }
    return nullptr;
  };
  if (const core::TaskRow* task = in(home)) return related(home, *task);
  for (const core::PhaseRow& phase : view.phases) {
    if (const core::TaskRow* task = in(phase)) return related(phase, *task);
  }
  RelatedTask missing;
  missing.id = id;
  missing.missing = true;
  return missing;
}

void add_family(TaskReport& report, const core::Phase& phase) {
  const core::PhaseRow& row = report.phase_row();
  const core::TaskId self = report.criterion ? core::TaskId{} : phase.tasks[report.index].id;
  core::TaskId above =
      report.criterion ? phase.acceptance[report.index].parent : phase.tasks[report.index].parent;
  std::set<std::string> seen{self.text};
  while (!above.empty() && seen.insert(above.text).second) {
    const auto parent = std::find_if(phase.tasks.begin(), phase.tasks.end(),
                                     [&above](const core::Task& task) { return task.id == above; });
    if (parent == phase.tasks.end()) break;
    report.parents.insert(report.parents.begin(),
                          related(row, row.tasks[static_cast<std::size_t>(parent - phase.tasks.begin())]));
    above = parent->parent;
  }
  for (std::size_t t = 0; !self.empty() && t < phase.tasks.size(); ++t) {
    if (phase.tasks[t].parent == self) report.children.push_back(related(row, row.tasks[t]));
  }
}

void add_dependencies(TaskReport& report) {
  const core::TaskRow* const task = report.task();
  if (task == nullptr) return;
  for (const core::TaskId& id : task->after)
    report.after.push_back(related_by_id(report.view, report.phase_row(), id));
  for (const core::PhaseRow& phase : report.view.phases) {
    for (const core::TaskRow& other : phase.tasks) {
      if (std::find(other.after.begin(), other.after.end(), task->id) != other.after.end())
        report.needed_by.push_back(related(phase, other));
    }
  }
}

bool is_record(const core::Event& event, const core::PhaseId& phase) {
  const bool kind =
      event.kind == core::EventKind::checkpoint_saved || event.kind == core::EventKind::checkpoint_complete;
  return kind && event.phase == phase;
}

void add_title(std::vector<std::string>& titles, const std::string& earlier, const std::string& now) {
  if (earlier.empty() || earlier == now) return;
  if (std::find(titles.begin(), titles.end(), earlier) == titles.end()) titles.push_back(earlier);
}

// The events of one id that are no newer than `until`, newest first, up to the one that gave the task this
// id. `phase`: where the task stood after them; then where it stood before them. Another phase may have a
// task with the same id, and an event that moved this one here tells where to look further.
std::vector<core::Event> events_of(HistoryReader& reader, const std::string& id,
                                   const std::optional<base::Instant>& until, core::PhaseId& phase) {
  HistoryFilter filter;
  filter.task = id;
  filter.parts = core::EventParts::without_inventories;
  auto lines = reader.newest(kEventsRead, filter);
  std::vector<core::Event> events;
  if (!lines) return events;
  for (auto line = lines->rbegin(); line != lines->rend(); ++line) {
    core::Event& event = line->event;
    // Later events of an earlier id belong to another task, or to this one once it had the id again.
    if (until && event.time > *until) continue;
    const bool moved =
        event.kind == core::EventKind::task_moved || event.kind == core::EventKind::acceptance_moved;
    const bool elsewhere = !event.phase.empty() && event.phase != phase;
    if (moved && elsewhere && event.from == phase.text) break;  // before this, another task stood here
    if (elsewhere) continue;
    if (moved && !event.from.empty()) phase = core::PhaseId(event.from);
    events.push_back(std::move(event));
    if (events.back().kind == core::EventKind::task_added && !events.back().from.empty()) break;
  }
  return events;
}

void add_events(const Context& context, const PlanLocation& plan, TaskReport& report) {
  const std::string& id = report.criterion ? report.criterion_row()->id.text : report.task()->id.text;
  const std::string& title = report.criterion ? report.criterion_row()->title : report.task()->title;
  ItemPast past = past_of(context, plan, report.phase_row().id, id, title);
  report.earlier_titles = std::move(past.earlier_titles);
  report.events = std::move(past.events);
  if (report.events.size() > kTaskEvents)
    report.events.erase(report.events.begin(),
                        report.events.end() - static_cast<std::ptrdiff_t>(kTaskEvents));
}

void add_records(const Context& context, const PlanLocation& plan, TaskReport& report) {
  auto reader = HistoryReader::open(context, plan);
  if (!reader || report.events.empty()) return;
  const core::PhaseId phase = report.phase_row().id;
  const base::Instant first = report.events.front().time;
  for (const char* const kind : {"checkpoint_saved", "checkpoint_complete"}) {
    HistoryFilter filter;
    filter.event = kind;
    filter.since = first;
    auto lines = reader->newest(kTaskEvents, filter);
    if (!lines) continue;
    for (store::TailLine& line : *lines) {
      if (is_record(line.event, phase)) report.records.push_back(std::move(line.event));
    }
  }
  std::stable_sort(report.records.begin(), report.records.end(),
                   [](const core::Event& a, const core::Event& b) { return a.time < b.time; });
}

}  // namespace

ItemPast past_of(const Context& context, const PlanLocation& plan, const core::PhaseId& phase,
                 const std::string& id, const std::string& title) {
  ItemPast past;
  auto reader = HistoryReader::open(context, plan);
  if (!reader) return past;
  std::vector<core::Event> newest_first;
  std::string wanted = id;
  core::PhaseId stood_in = phase;
  for (std::size_t ids = 0; ids < kMostIds && !wanted.empty(); ++ids) {
    std::optional<base::Instant> until;
    if (!newest_first.empty()) until = newest_first.back().time;
    std::vector<core::Event> events = events_of(*reader, wanted, until, stood_in);
    const bool renamed = !events.empty() && events.back().kind == core::EventKind::task_added;
    wanted = renamed ? events.back().from : std::string();
    if (!wanted.empty()) past.earlier_ids.insert(past.earlier_ids.begin(), wanted);
    std::move(events.begin(), events.end(), std::back_inserter(newest_first));
  }
  for (auto event = newest_first.rbegin(); event != newest_first.rend(); ++event) {
    if (event->kind == core::EventKind::task_renamed) add_title(past.earlier_titles, event->from, title);
    add_title(past.earlier_titles, event->title, title);
    past.events.push_back(std::move(*event));
  }
  return past;
}

Result<TaskReport> report_task(const Context& context, const PlanLocation& plan, const std::string& wanted) {
  TRY_ASSIGN(Shown shown, load_shown(context, plan, 0));
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  const auto text = store::PlanFile(context.files, *folder, plan.name).read();
  // Where both are known to be the same, a large plan is not read for what its text alone gives.
  base::Result<core::Plan> as_written = core::Plan{};
  const bool same = shown.plan && shown.ids_as_written;
  if (text && !same) as_written = markdown::parse_plan(text->bytes);
  if (!shown.plan) return base::fail(without_plan(shown, "its tasks cannot be shown"));
  if (!text) return base::fail(text.error());
  if (!as_written) return base::fail(as_written.error());
  TRY_ASSIGN(const Found found,
             find_boxes(*shown.plan, same ? *shown.plan : *as_written, wanted, plan.path()));
  if (found.criterion) inspect_tree(context, shown);
  TaskReport report;
  report.view = view_of(shown);
  report.phase = found.phase_index;
  report.criterion = found.criterion;
  report.index = found.index;
  const core::Phase& phase = shown.plan->phases[found.phase_index];
  report.section = found.criterion ? phase.acceptance[found.index].section : phase.tasks[found.index].section;
  add_family(report, phase);
  add_dependencies(report);
  const std::int64_t line =
      found.criterion ? phase.acceptance[found.index].line : phase.tasks[found.index].line;
  report.text = markdown::text_below_box(text->bytes, line);
  add_events(context, plan, report);
  add_records(context, plan, report);
  return report;
}

}  // namespace plankeep::app
