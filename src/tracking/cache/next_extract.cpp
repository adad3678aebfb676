#include "tracking/cache/next_extract.hpp"

#include <optional>
#include <utility>

#include "model/progress.hpp"
#include "rules/next.hpp"
#include "rules/plan_rows.hpp"

namespace plankeep::app {
namespace {

using base::JsonReader;
using base::JsonWriter;
using base::Status;
using core::Phase;
using core::Task;

// The task of this phase that would be offered first.
std::optional<std::size_t> offered(const Phase& phase, const std::vector<core::TaskWork>& work) {
  return core::first_offered(
      work.size(), [&](std::size_t t) { return core::can_begin(work[t]); },
      [&](std::size_t t) { return phase.tasks[t].state == core::BoxState::active; },
      [&](std::size_t t) { return work[t].below_active; });
}

void take_current(const Phase& phase, std::size_t index, const core::Current& current,
                  const core::Waiting& waiting, core::StatusView& view) {
  view.current_phase = 0;
  core::PhaseRow& row = view.phases.emplace_back(core::phase_row(phase));
  const std::vector<core::TaskWork> work = waiting.work(phase);
  const std::optional<std::size_t> first = offered(phase, work);
  std::vector<std::size_t> shown;
  for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
    const bool is_current = current.phase == index && current.task == t;
    if (!is_current && t != first && !(work[t].workable && !work[t].ready)) continue;
    if (is_current) view.current_task = shown.size();
    shown.push_back(t);
  }
  row.tasks = core::task_rows(phase, waiting, shown);
  for (const core::Criterion& criterion : phase.acceptance) {
    if (criterion.met) {
      ++row.acceptance_met;
      continue;
    }
    row.acceptance.push_back(core::criterion_row(criterion));
  }
}

void take_later(const core::Plan& plan, std::size_t current, const core::Waiting& waiting,
                core::StatusView& view) {
  for (std::size_t p = current + 1; p < plan.phases.size(); ++p) {
    const std::optional<std::size_t> first = offered(plan.phases[p], waiting.work(plan.phases[p]));
    if (!first) continue;
    view.phases.push_back(core::phase_row(plan.phases[p]));
    view.phases.back().tasks = core::task_rows(plan.phases[p], waiting, {*first});
    return;
  }
}

void write_ids(JsonWriter& out, std::string_view key, const std::vector<core::TaskId>& ids) {
  out.key(key).begin_array();
  for (const core::TaskId& id : ids) out.value(id.text);
  out.end_array();
}

void write_task(JsonWriter& out, const core::TaskRow& task) {
  out.begin_object();
  out.key("id").value(task.id.text);
  out.key("title").value(task.title);
  out.key("state").value(core::name_of(task.state));
  out.key("line").value(task.line);
  write_ids(out, "after", task.after);
  write_ids(out, "waitingFor", task.waiting_for);
  if (!task.parent.empty()) out.key("parent").value(task.parent.text);
  out.key("children").begin_object();
  out.key("total").value(task.children);
  out.key("done").value(task.children_done);
  out.end_object();
  out.key("workable").value(task.work.workable);
  out.key("belowActive").value(task.work.below_active);
  out.end_object();
}

void write_phase(JsonWriter& out, const core::PhaseRow& phase) {
  out.begin_object();
  out.key("id").value(phase.id.text);
  out.key("title").value(phase.title);
  out.key("line").value(phase.line);
  out.key("status").value(core::name_of(phase.status));
  out.key("total").value(phase.total);
  out.key("done").value(phase.done);
  out.key("acceptanceTotal").value(phase.acceptance_total);
  out.key("tasks").begin_array();
  for (const core::TaskRow& task : phase.tasks) write_task(out, task);
  out.end_array();
  out.key("acceptance").begin_array();
  for (const core::CriterionRow& criterion : phase.acceptance) {
    out.begin_object();
    out.key("id").value(criterion.id.text);
    out.key("title").value(criterion.title);
    out.key("line").value(criterion.line);
    if (!criterion.verify.empty()) out.key("verify").value(criterion.verify);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

template <class Name, class NameOf>
Status read_word(JsonReader& in, Name& value, std::initializer_list<Name> known, NameOf name_of,
                 std::string_view expected) {
  std::string word;
  TRY(in.string(word));
  for (const Name one : known) {
    if (word != name_of(one)) continue;
    value = one;
    return {};
  }
  return in.error(expected);
}

Status read_state(JsonReader& in, core::BoxState& state) {
  using core::BoxState;
  return read_word(
      in, state, {BoxState::open, BoxState::active, BoxState::done},
      [](BoxState one) { return core::name_of(one); }, "open, active or done");
}

Status read_status(JsonReader& in, core::PhaseStatus& status) {
  using core::PhaseStatus;
  return read_word(
      in, status, {PhaseStatus::pending, PhaseStatus::in_progress, PhaseStatus::completed},
      [](PhaseStatus one) { return core::name_of(one); }, "pending, in_progress or completed");
}

Status read_ids(JsonReader& in, std::vector<core::TaskId>& ids) {
  ids.clear();
  return in.array([&]() -> Status { return in.string(ids.emplace_back().text); });
}

Status read_task(JsonReader& in, core::TaskRow& task) {
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "id") return in.string(task.id.text);
    if (key == "title") return in.string(task.title);
    if (key == "state") return read_state(in, task.state);
    if (key == "line") return in.integer(task.line);
    if (key == "after") return read_ids(in, task.after);
    if (key == "waitingFor") return read_ids(in, task.waiting_for);
    if (key == "parent") return in.string(task.parent.text);
    if (key == "children") {
      return in.object([&](std::string_view step) -> Status {
        if (step == "total") return in.integer(task.children);
        if (step == "done") return in.integer(task.children_done);
        return in.skip();
      });
    }
    if (key == "workable") return in.boolean(task.work.workable);
    if (key == "belowActive") return in.boolean(task.work.below_active);
    return in.skip();
  }));
  // Only tasks that count and are not done are there.
  task.work.open = true;
  task.work.ready = task.waiting_for.empty();
  return {};
}

Status read_criterion(JsonReader& in, core::CriterionRow& criterion) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "id") return in.string(criterion.id.text);
    if (key == "title") return in.string(criterion.title);
    if (key == "line") return in.integer(criterion.line);
    if (key == "verify") return in.string(criterion.verify);
    return in.skip();
  });
}

Status read_phase(JsonReader& in, core::PhaseRow& phase) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "id") return in.string(phase.id.text);
    if (key == "title") return in.string(phase.title);
    if (key == "line") return in.integer(phase.line);
    if (key == "status") return read_status(in, phase.status);
    if (key == "total") return in.integer(phase.total);
    if (key == "done") return in.integer(phase.done);
    if (key == "acceptanceTotal") return in.integer(phase.acceptance_total);
    if (key == "tasks") {
      phase.tasks.clear();
      return in.array([&]() -> Status { return read_task(in, phase.tasks.emplace_back()); });
    }
    if (key == "acceptance") {
      phase.acceptance.clear();
      return in.array([&]() -> Status { return read_criterion(in, phase.acceptance.emplace_back()); });
    }
    return in.skip();
  });
}

Status read_index(JsonReader& in, std::optional<std::size_t>& index) {
  std::uint64_t number = 0;
  TRY(in.integer(number));
  index = static_cast<std::size_t>(number);
  return {};
}

}  // namespace

core::StatusView extract_for_next(const core::Plan& plan) {
  core::StatusView view;
  view.progress = core::progress_of(plan);
  const core::Current current = core::current_of(plan);
  if (current.phase) {
    const core::Waiting waiting(plan);
    take_current(plan.phases[*current.phase], *current.phase, current, waiting, view);
    const Phase& phase = plan.phases[*current.phase];
    if (!offered(phase, waiting.work(phase))) take_later(plan, *current.phase, waiting, view);
  } else {
    // A plan that is done is told from one that has nothing to do by one completed phase.
    for (const Phase& phase : plan.phases) {
      if (core::status_of(phase) != core::PhaseStatus::completed) continue;
      view.phases.push_back(core::phase_row(phase));
      break;
    }
  }
  view.title = plan.title;
  for (const core::Blocker& blocker : plan.blockers) view.blockers.push_back(blocker.text);
  view.warnings = core::summarise(plan.diagnostics);
  return view;
}

void write_next_extract(JsonWriter& out, const core::StatusView& extract) {
  out.begin_object();
  out.key("progress").begin_object();
  out.key("total").value(extract.progress.total);
  out.key("completed").value(extract.progress.completed);
  if (extract.progress.optional_open > 0) out.key("optionalOpen").value(extract.progress.optional_open);
  out.end_object();
  if (!extract.title.empty()) out.key("title").value(extract.title);
  if (extract.current_phase) out.key("currentPhase").value(*extract.current_phase);
  if (extract.current_task) out.key("currentTask").value(*extract.current_task);
  out.key("phases").begin_array();
  for (const core::PhaseRow& phase : extract.phases) write_phase(out, phase);
  out.end_array();
  out.key("blockers").strings(extract.blockers);
  out.key("warnings").strings(extract.warnings);
  out.end_object();
}

Status read_next_extract(JsonReader& in, core::StatusView& extract) {
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "progress") {
      return in.object([&](std::string_view count) -> Status {
        if (count == "total") return in.integer(extract.progress.total);
        if (count == "completed") return in.integer(extract.progress.completed);
        if (count == "optionalOpen") return in.integer(extract.progress.optional_open);
        return in.skip();
      });
    }
    if (key == "title") return in.string(extract.title);
    if (key == "currentPhase") return read_index(in, extract.current_phase);
    if (key == "currentTask") return read_index(in, extract.current_task);
    if (key == "phases") {
      extract.phases.clear();
      return in.array([&]() -> Status { return read_phase(in, extract.phases.emplace_back()); });
    }
    if (key == "blockers") return in.strings(extract.blockers);
    if (key == "warnings") return in.strings(extract.warnings);
    return in.skip();
  }));
  core::Progress& progress = extract.progress;
  if (progress.total < 0 || progress.completed < 0 || progress.completed > progress.total ||
      progress.optional_open < 0)
    return in.error("a count of tasks");
  progress.percent_tenths = core::percent_tenths(progress.completed, progress.total);
  // An index that leads nowhere would be followed.
  const bool phase_ok = !extract.current_phase || *extract.current_phase < extract.phases.size();
  if (!phase_ok) return in.error("a current phase among the phases");
  const bool task_ok =
      !extract.current_task ||
      (extract.current_phase && *extract.current_task < extract.phases[*extract.current_phase].tasks.size());
  if (!task_ok) return in.error("a current task among its phase's tasks");
  return {};
}

}  // namespace plankeep::app
