#include "reports/task_report.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "editing/find_boxes.hpp"
#include "markdown/item_text.hpp"
#include "markdown/parse_plan.hpp"
#include "model/item_key.hpp"
#include "store/plan_file.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::Result;

// Of the plan's history as many as it takes to find a task's earlier titles.
constexpr std::size_t kEventsRead = 2000;
constexpr std::size_t kMostIds = 8;  // of one task, over time

// Which row of a table is asked for.
struct Place {
  std::size_t phase = 0;
  bool criterion = false;
  std::size_t index = 0;  // into the phase's tasks or acceptance
};

// The row itself: one of these.
struct Item {
  bool is_criterion = false;
  core::TableTask task;
  core::TableCriterion criterion;

  Item(const core::TablePhase& phase, const Place& place) : is_criterion(place.criterion) {
    if (is_criterion) {
      criterion = phase.acceptance.at(place.index);
    } else {
      task = phase.tasks.at(place.index);
    }
  }
  std::string_view parent() const { return is_criterion ? criterion.parent : task.parent; }
  std::int64_t line() const { return is_criterion ? criterion.line : task.line; }
  const std::vector<std::string_view>& section() const {
    return is_criterion ? criterion.section : task.section;
  }
};

RelatedTask related(const core::TablePhase& phase, const core::TableTask& task) {
  return {core::TaskId(std::string(task.id)), core::PhaseId(std::string(phase.id)), std::string(task.title),
          task.state, false};
}

std::optional<core::TableTask> task_in(const core::TablePhase& phase, std::string_view id) {
  for (const core::TableTask& task : phase.tasks) {
    if (task.id == id) return task;
  }
  return std::nullopt;
}

// By id: in the phase itself, else anywhere (as `after` is read).
RelatedTask related_by_id(const core::TaskTable& table, const core::TablePhase& home, std::string_view id) {
  if (const auto task = task_in(home, id)) return related(home, *task);
  for (const core::TablePhase& phase : table.phases) {
    if (const auto task = task_in(phase, id)) return related(phase, *task);
  }
  RelatedTask missing;
  missing.id = core::TaskId(std::string(id));
  missing.missing = true;
  return missing;
}

void add_parents(const core::TablePhase& phase, const Item& item, TaskReport& report) {
  std::string_view above = item.parent();
  std::set<std::string_view> seen{item.task.id};
  while (!above.empty() && seen.insert(above).second) {
    const auto parent = task_in(phase, above);
    if (!parent) break;
    report.parents.insert(report.parents.begin(), related(phase, *parent));
    above = parent->parent;
  }
}

void add_children_and_dependencies(const core::TaskTable& table, const core::TablePhase& home,
                                   const core::TableTask& task, TaskReport& report) {
  for (const std::string_view id : task.after) report.after.push_back(related_by_id(table, home, id));
  for (const core::TablePhase& phase : table.phases) {
    for (const core::TableTask& other : phase.tasks) {
      if (&phase == &home && other.parent == task.id) report.children.push_back(related(phase, other));
      if (std::find(other.after.begin(), other.after.end(), task.id) != other.after.end())
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
  bool lost_id = !until;
  for (auto line = lines->rbegin(); line != lines->rend(); ++line) {
    core::Event& event = line->event;
    // Later events of an earlier id belong to another task, or to this one once it had the id again.
    if (until && event.time > *until) continue;
    // In one save two tasks may exchange their ids: this one lost it before the other got it.
    lost_id = lost_id || event.time < *until || event.kind == core::EventKind::task_removed;
    if (!lost_id) continue;
    const bool moved =
        event.kind == core::EventKind::task_moved || event.kind == core::EventKind::acceptance_moved;
    const bool elsewhere = !event.phase.empty() && event.phase != phase;
    if (moved && elsewhere && event.from == phase.text) break;  // before this, another task stood here
    if (elsewhere) continue;
    const bool another = !events.empty() && events.back().kind == core::EventKind::task_added &&
                         event.kind == core::EventKind::task_removed &&
                         core::took_the_number(events.back().title, event.title, event.task);
    if (another) break;  // the number was another task's until then
    if (moved && !event.from.empty()) phase = core::PhaseId(event.from);
    events.push_back(std::move(event));
    if (events.back().kind == core::EventKind::task_added && !events.back().from.empty()) break;
  }
  return events;
}

void add_events(HistoryReader& reader, TaskReport& report) {
  const core::TaskRow* const task = report.task();
  const std::string& id = task != nullptr ? task->id.text : report.criterion_row()->id.text;
  const std::string& title = task != nullptr ? task->title : report.criterion_row()->title;
  ItemPast past = past_of(reader, report.phase_row().id, id, title);
  report.earlier_titles = std::move(past.earlier_titles);
  report.events = std::move(past.events);
  if (report.events.size() > kTaskEvents)
    report.events.erase(report.events.begin(),
                        report.events.end() - static_cast<std::ptrdiff_t>(kTaskEvents));
}

void add_records(HistoryReader& reader, TaskReport& report) {
  if (report.events.empty()) return;
  const core::PhaseId phase = report.phase_row().id;
  const base::Instant first = report.events.front().time;
  for (const char* const kind : {"checkpoint_saved", "checkpoint_complete"}) {
    HistoryFilter filter;
    filter.event = kind;
    filter.since = first;
    filter.parts = core::EventParts::without_inventories;
    auto lines = reader.newest(kTaskEvents, filter);
    if (!lines) continue;
    for (store::TailLine& line : *lines) {
      if (is_record(line.event, phase)) report.records.push_back(std::move(line.event));
    }
  }
  std::stable_sort(report.records.begin(), report.records.end(),
                   [](const core::Event& a, const core::Event& b) { return a.time < b.time; });
}

// `row`: of a criterion, with what its evidence proves.
TaskReport report_on(const Context& context, const PlanLocation& plan, const LoadedTable& loaded,
                     const Place& place, std::optional<core::CriterionRow> row, const std::string& text) {
  const core::TaskTable& table = loaded.table;
  TaskReport report;
  report.plan_id = table.plan_id;
  report.path = table.path;
  report.file = table.file;
  report.now = table.now;
  const core::TablePhase& phase = table.phases[place.phase];
  report.phase = core::phase_row(phase);
  report.proven_row = std::move(row);
  if (!place.criterion) report.task_row = core::task_row(table, place.phase, place.index);
  const Item item(phase, place);
  report.section.assign(item.section().begin(), item.section().end());
  add_parents(phase, item, report);
  if (!item.is_criterion) add_children_and_dependencies(table, phase, item.task, report);
  report.text = markdown::text_below_box(text, item.line());
  auto reader = HistoryReader::open(context, plan, loaded.history_end);
  if (!reader) return report;
  add_events(*reader, report);
  add_records(*reader, report);
  return report;
}

// For a task of a large plan that is named by its id: the cached table and the plan's text are enough.
std::optional<TaskReport> report_from_cache(const Context& context, const PlanLocation& plan,
                                            const std::string& wanted) {
  const auto known = known_table(context, plan);
  if (!known) return std::nullopt;
  const auto found = find_by_id(known->table, wanted);
  if (!found) return std::nullopt;
  const auto text = store::read_plan_file(context.files, plan.folder, plan.name);
  if (!text) return std::nullopt;
  return report_on(context, plan, *known, {found->phase, false, found->task}, std::nullopt, text->bytes);
}

}  // namespace

ItemPast past_of(HistoryReader& reader, const core::PhaseId& phase, const std::string& id,
                 const std::string& title) {
  ItemPast past;
  std::vector<core::Event> newest_first;
  std::string wanted = id;
  core::PhaseId stood_in = phase;
  for (std::size_t ids = 0; ids < kMostIds && !wanted.empty(); ++ids) {
    std::optional<base::Instant> until;
    if (!newest_first.empty()) until = newest_first.back().time;
    std::vector<core::Event> events = events_of(reader, wanted, until, stood_in);
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
  if (auto report = report_from_cache(context, plan, wanted)) return std::move(*report);
  TRY_ASSIGN(Shown shown, load_shown(context, plan, 0));
  const auto text = store::read_plan_file(context.files, plan.folder, plan.name);
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
  core::StatusView view = view_of(shown);
  std::optional<core::CriterionRow> row;
  if (found.criterion) row = view.phases[found.phase_index].acceptance[found.index];
  const LoadedTable table{core::make_table(std::move(view), std::move(shown.plan))};
  return report_on(context, plan, table, {found.phase_index, found.criterion, found.index}, std::move(row),
                   text->bytes);
}

}  // namespace plankeep::app
