#include "rules/view.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/record_evidence.hpp"
#include "rules/plan_rows.hpp"

namespace plankeep::core {
namespace {

using TaskIndex = std::unordered_map<std::string_view, const TaskState*>;

/// What evidence there is, and what it is held against.
struct Proven {
  KnownEvidence known;
  const TreeNow& tree;
};

void add_tasks(const Phase& phase, const PhaseState* known, const Waiting& waiting, PhaseRow& row) {
  const std::vector<TaskState> none;
  const std::vector<TaskState>& states = known != nullptr ? known->tasks : none;
  TaskIndex index;
  const auto state_of = [&](const Task& task, std::size_t t) -> const TaskState* {
    // Mostly they stand as they stood.
    if (t < states.size() && states[t].id == task.id) return &states[t];
    if (index.empty()) {
      for (const TaskState& state : states) index.emplace(state.id.text, &state);
    }
    const auto found = index.find(task.id.text);
    return found == index.end() ? nullptr : found->second;
  };
  row.tasks = task_rows(phase, waiting);
  for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
    const Task& task = phase.tasks[t];
    if (!task.done()) continue;
    // The state may be older than the plan: its times belong to a task only while the plan still calls it
    // done.
    if (const TaskState* const state = state_of(task, t); state != nullptr && state->done) {
      row.tasks[t].completed_at = state->completed_at;
      row.tasks[t].completed_by = state->completed_by;
    }
  }
}

// `waiting`: null for a row without its tasks.
PhaseRow row_of(const Phase& phase, const PhaseState* known, const Waiting* waiting, const Proven& proven) {
  PhaseRow row = phase_row(phase);
  if (waiting != nullptr) add_tasks(phase, known, *waiting, row);
  row.acceptance.reserve(phase.acceptance.size());
  for (const Criterion& criterion : phase.acceptance) {
    CriterionRow& entry = row.acceptance.emplace_back(criterion_row(criterion));
    if (criterion.met) ++row.acceptance_met;
    if (criterion.verify.empty()) continue;
    const std::optional<Evidence>& evidence = proven.known.find(phase.id, criterion.id);
    entry.proof = judge(evidence, criterion.verify, proven.tree);
    entry.failed_before = entry.proof == Proof::stale && !evidence->passed();
    entry.why = why_not_fresh(evidence, criterion.verify, proven.tree);
    row.proof.add(entry.proof);
  }
  return row;
}

// As far as a state tells, which knows nothing of `after`.
std::vector<TaskWork> work_of(const PhaseState& known) {
  Phase phase;
  for (const TaskState& task : known.tasks) {
    Task& entry = phase.tasks.emplace_back();
    entry.id = task.id;
    entry.parent = task.parent;
    entry.optional = task.optional;
    if (task.done) entry.state = BoxState::done;
  }
  return work_of(phase, nullptr);
}

PhaseRow row_of(const PhaseState& phase) {
  PhaseRow row;
  row.id = phase.id;
  row.title = phase.title;
  row.status = phase.status;
  const std::vector<TaskWork> work = work_of(phase);
  row.tasks.reserve(phase.tasks.size());
  for (const TaskState& task : phase.tasks) {
    TaskRow entry;
    entry.id = task.id;
    entry.title = task.title;
    entry.state = task.done ? BoxState::done : BoxState::open;
    entry.optional = task.optional;
    entry.parent = task.parent;
    entry.completed_at = task.completed_at;
    entry.completed_by = task.completed_by;
    entry.work = work[row.tasks.size()];
    if (!task.optional) {
      ++row.total;
      if (task.done) ++row.done;
    }
    row.tasks.push_back(std::move(entry));
  }
  for (const CriterionState& criterion : phase.acceptance) {
    CriterionRow& entry = row.acceptance.emplace_back();
    entry.id = criterion.id;
    entry.title = criterion.title;
    entry.met = criterion.met;
    ++row.acceptance_total;
    if (criterion.met) ++row.acceptance_met;
  }
  return row;
}

// "The last decision" is the one that was made last, wherever it stands in the plan. What is not recorded yet
// is the newest.
void oldest_first(std::vector<DecisionRow>& decisions) {
  std::stable_sort(decisions.begin(), decisions.end(), [](const DecisionRow& a, const DecisionRow& b) {
    return a.time && (!b.time || *a.time < *b.time);
  });
}

void fill_from_plan(StatusView& view, const Plan& plan, const State* state, const TreeNow& tree, bool tasks) {
  view.title = plan.title;
  view.skipped = plan.skipped;
  view.progress = progress_of(plan);
  std::optional<Waiting> waiting;
  if (tasks) waiting.emplace(plan);
  const Proven proven{KnownEvidence(state), tree};
  std::unordered_map<std::string_view, const PhaseState*> phases;
  std::unordered_map<std::string_view, base::Instant> decided;
  if (state != nullptr) {
    for (const PhaseState& phase : state->phases) phases.emplace(phase.id.text, &phase);
    for (const DecisionState& decision : state->decisions) decided.emplace(decision.decision, decision.time);
  }
  view.phases.reserve(plan.phases.size());
  for (const Phase& phase : plan.phases) {
    const auto known = phases.find(phase.id.text);
    view.phases.push_back(row_of(phase, known == phases.end() ? nullptr : known->second,
                                 waiting ? &*waiting : nullptr, proven));
  }
  const Current current = current_of(plan);
  view.current_phase = current.phase;
  if (tasks) view.current_task = current.task;
  if (current.phase && current.task)
    view.current_section = plan.phases[*current.phase].tasks[*current.task].section;
  for (const Blocker& blocker : plan.blockers) view.blockers.push_back(blocker.text);
  for (const Decision& decision : plan.decisions) {
    DecisionRow row{std::nullopt, decision.text, decision.reason};
    const auto known = decided.find(decision.text);
    if (known != decided.end()) row.time = known->second;
    view.decisions.push_back(std::move(row));
  }
  oldest_first(view.decisions);
  for (std::string& line : summarise(plan.diagnostics)) view.warnings.push_back(std::move(line));
}

void fill_from_state(StatusView& view, const State& state) {
  view.progress = state.progress;
  view.phases.reserve(state.phases.size());
  for (const PhaseState& phase : state.phases) view.phases.push_back(row_of(phase));
  for (std::size_t p = 0; state.current_phase && p < view.phases.size(); ++p) {
    if (view.phases[p].id != *state.current_phase) continue;
    view.current_phase = p;
    const std::vector<TaskRow>& tasks = view.phases[p].tasks;
    for (std::size_t t = 0; state.current_task && t < tasks.size() && !view.current_task; ++t) {
      if (tasks[t].id == *state.current_task) view.current_task = t;
    }
    break;
  }
  view.blockers = state.blockers;
  for (const DecisionState& decision : state.decisions) {
    view.decisions.push_back({decision.time, decision.decision, decision.reason});
  }
  oldest_first(view.decisions);
}

// Who holds a task holds what is below it.
void hand_down_leases(PhaseRow& phase) {
  std::unordered_set<std::string_view> held;
  for (TaskRow& task : phase.tasks) {  // parents first
    task.below_held = held.contains(task.parent.text);
    if (task.held_by_other() || task.below_held) held.insert(task.id.text);
  }
}

// Leases are few, tasks may be many.
void add_leases(StatusView& view, const ViewInput& input) {
  const std::vector<LeaseState>& leases = input.state->leases;
  if (leases.empty()) return;
  std::unordered_map<std::string_view, std::vector<std::size_t>> of_task;
  for (std::size_t i = 0; i < leases.size(); ++i) of_task[leases[i].task.text].push_back(i);
  for (PhaseRow& phase : view.phases) {
    for (TaskRow& task : phase.tasks) {
      const auto found = of_task.find(task.id.text);
      if (found == of_task.end() || task.state == BoxState::done) continue;
      for (const std::size_t i : found->second) {
        const LeaseState& lease = leases[i];
        if (lease.phase != phase.id) continue;
        const LeaseStatus status =
            i < input.statuses.size() ? input.statuses[i] : status_of(lease, *input.state, input.now, false);
        LeaseRow row = lease_row(lease, status);
        row.own = input.self != nullptr && same_holder(lease, *input.self);
        task.lease = std::make_shared<const LeaseRow>(std::move(row));
      }
    }
    hand_down_leases(phase);
  }
}

}  // namespace

LeaseRow lease_row(const LeaseState& lease, LeaseStatus status) {
  return {lease.by, lease.fence, lease.since, lease.until, lease.session, status, false};
}

StatusView make_view(const ViewInput& input) {
  StatusView view;
  view.plan_id = input.plan_id;
  view.path = input.path;
  view.file = input.file;
  view.source = input.source;
  view.now = input.now;
  view.warnings = input.warnings;
  view.recent = input.recent;
  view.vanished = input.vanished;
  view.unreadable = input.unreadable;
  if (input.plan != nullptr) {
    fill_from_plan(view, *input.plan, input.state, input.tree, input.tasks);
  } else if (input.state != nullptr) {
    fill_from_state(view, *input.state);
  }
  if (input.state != nullptr) {
    add_leases(view, input);
    view.session_note = input.state->session_notes;
    view.revision = input.state->revision;
    view.last_saved = input.state->last_saved;
    view.archived_at = input.state->archived_at;
    view.latest_checkpoint = input.state->latest_checkpoint;
    view.last_commit = input.state->last_commit;
    if (view.last_commit && input.plan != nullptr)
      view.drift = drift_between(*input.plan, checkpoint_of(*view.last_commit));
  }
  return view;
}

std::vector<std::string> summarise(const std::vector<Diagnostic>& diagnostics) {
  std::int64_t errors = 0;
  std::int64_t warnings = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    const Severity severity = severity_of(diagnostic.code);
    if (severity == Severity::error) ++errors;
    if (severity == Severity::warning) ++warnings;
  }
  std::vector<std::string> lines;
  std::string rest;
  if (errors > 0) rest = std::to_string(errors) + (errors == 1 ? " error" : " errors");
  if (warnings > 0) {
    if (!rest.empty()) rest += ", ";
    rest += std::to_string(warnings) + (warnings == 1 ? " warning" : " warnings");
  }
  if (!rest.empty()) lines.push_back(rest + " in the plan; for details: plankeep lint");
  return lines;
}

}  // namespace plankeep::core
