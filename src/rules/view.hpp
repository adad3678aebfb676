#pragma once
// The one view model: plan and state turned into rows, from which text, JSON and the resume text are made.
//
//   StatusView view = make_view({.plan = &plan, .state = &state, .plan_id = "auth", ...});
//   write(status_text(view, style));
//
// The plan says what is done, the state when and by whom (spec 1). Either may be missing: without a state
// nothing was recorded yet; without a plan (its file is gone or unreadable, spec 6.5) the rows come from the
// state, have no line numbers (0) and know no active tasks, no `after` and no optional steps.
//
// All text stays as the plan has it; the renderers make it safe to print.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/evidence.hpp"
#include "model/plan.hpp"
#include "model/progress.hpp"
#include "model/sidecar.hpp"
#include "model/state.hpp"
#include "rules/lease.hpp"

namespace plankeep::core {

/// Who took a task (rules/lease), and whether that still counts.
struct LeaseRow {
  std::string by;
  std::int64_t fence = 0;
  base::Instant since;
  base::Instant until;
  std::string session;
  LeaseStatus status = LeaseStatus::held;
  bool own = false;  // the reader's (ViewInput::self)
};

struct TaskRow {
  TaskId id;
  std::string title;
  BoxState state = BoxState::open;
  bool optional = false;
  std::int64_t line = 0;  // 0: not known
  std::vector<TaskId> after;
  std::vector<TaskId>
      waiting_for;            // what its `after`, and those of the tasks around it, name and is not done
  TaskId parent;              // empty: none
  std::int64_t children = 0;  // right below it, those that count
  std::int64_t children_done = 0;
  TaskWork work;  // what can be done of it; nothing where only the state is known
  std::optional<base::Instant> completed_at;
  std::string completed_by;
  std::shared_ptr<const LeaseRow> lease;  // mostly none: tasks may be many

  bool below_held = false;  // somebody else than the reader holds a task around it
  bool elsewhere = false;   // somebody holds or did it, or a task around it, in another work tree

  bool held() const { return lease && lease->status == LeaseStatus::held; }
  bool held_by_other() const { return held() && !lease->own; }
  bool held_by_self() const { return held() && lease->own; }
};

struct CriterionRow {
  CriterionId id;
  std::string title;
  bool met = false;
  std::int64_t line = 0;
  std::string verify;
  Proof proof = Proof::no_command;
  bool failed_before = false;  // stale, and the command did not pass
  std::string why;             // why_not_fresh
};

struct PhaseRow {
  PhaseId id;
  std::string title;
  std::int64_t line = 0;
  PhaseStatus status = PhaseStatus::pending;
  std::int64_t total = 0;  // tasks that count
  std::int64_t done = 0;
  std::int64_t acceptance_total = 0;
  std::int64_t acceptance_met = 0;
  ProofCount proof;  // of the criteria that have commands
  std::vector<TaskRow> tasks;
  std::vector<CriterionRow> acceptance;
};

struct DecisionRow {
  std::optional<base::Instant> time;  // first seen; absent while not recorded
  std::string decision;
  std::string reason;
};

/// A task or criterion that was recorded and that the plan does not have any more.
struct VanishedTask {
  PhaseId phase;
  TaskId id;  // or the criterion's
  std::string title;
  bool done = false;
  bool recorded = false;  // a save has recorded it; false: no sync did yet
  bool criterion = false;
  bool operator==(const VanishedTask&) const = default;
};

struct StatusView {
  std::string plan_id;
  std::string title;  // the plan's; empty: none, or not known without the plan
  std::string path;   // absolute
  std::string file;   // the path that people see, as short as possible: "plan.md", "plans/auth/plan.md"
  StateSource source = StateSource::none;
  base::Instant now;
  /// Why the plan's file cannot be read as a plan: the rest is as it was last recorded, and nobody knows
  /// whether it still holds. Empty: it was read. Also among the warnings.
  std::string unreadable;
  Progress progress;
  std::int64_t skipped = 0;                  // boxes that SKIP markers leave out
  std::vector<VanishedTask> vanished;        // since the last save, and what no sync has recorded yet
  std::vector<PhaseRow> phases;              // document order
  std::optional<std::size_t> current_phase;  // index into phases
  std::optional<std::size_t> current_task;   // index into that phase's tasks
  std::vector<std::string> current_section;  // the headings around that task, as Task::section
  std::vector<std::string> blockers;
  std::vector<DecisionRow> decisions;
  std::vector<std::string> warnings;  // those of the input, then what the diagnostics come to
  std::optional<std::string> session_note;
  std::optional<base::Instant> last_saved;
  std::optional<base::Instant> archived_at;
  std::optional<SavedCheckpoint> latest_checkpoint;  // of the work
  /// The last checkpoint commit according to the history, and whether the plan has moved on since. What
  /// git has done to the commit since is not checked.
  std::optional<SavedCommit> last_commit;
  std::optional<Drift> drift;
  std::int64_t revision = 0;
  std::vector<Event> recent;  // oldest first

  const PhaseRow* phase() const { return current_phase ? &phases[*current_phase] : nullptr; }
  const TaskRow* task() const { return current_task ? &phase()->tasks[*current_task] : nullptr; }
};

struct ViewInput {
  const Plan* plan = nullptr;    // null: the file cannot be read as a plan
  const State* state = nullptr;  // null: nothing was recorded
  std::string plan_id;
  std::string path;
  std::string file;
  StateSource source = StateSource::none;
  std::vector<std::string> warnings;
  std::vector<Event> recent;  // the last events of the history, oldest first; may be empty
  /// Of the state's leases, in their order. Those it has no word of are judged by what the state knows.
  std::vector<LeaseStatus> statuses{};
  const Holder* self = nullptr;  // the reader as a holder of claims; null: not known
  base::Instant now;
  TreeNow tree{};  // what evidence is held against
  std::vector<VanishedTask> vanished{};
  std::string unreadable{};  // likewise
  /// False: the plan's phases have their counts and criteria but no rows of tasks, and there is no current
  /// task. For callers that only count: the rows of a large plan cost as much as reading it.
  bool tasks = true;
};

StatusView make_view(const ViewInput& input);

LeaseRow lease_row(const LeaseState& lease, LeaseStatus status);

/// What a plan's diagnostics come to, a line each: "1 error in the plan; for details: plankeep lint".
std::vector<std::string> summarise(const std::vector<Diagnostic>& diagnostics);

}  // namespace plankeep::core
