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

namespace plankeep::render {

/// Where the state came from (spec 9, status --json).
enum class Source { state, recovery, history, none };
std::string_view name_of(Source source);

/// Who took a task (rules/lease), and whether that still counts.
struct LeaseRow {
  std::string by;
  std::int64_t fence = 0;
  base::Instant since;
  base::Instant until;
  std::string session;
  core::LeaseStatus status = core::LeaseStatus::held;
};

struct TaskRow {
  core::TaskId id;
  std::string title;
  core::BoxState state = core::BoxState::open;
  bool optional = false;
  std::int64_t line = 0;  // 0: not known
  std::vector<core::TaskId> after;
  std::vector<core::TaskId> waiting_for;  // those of `after` that are not done
  core::Steps steps;
  std::optional<base::Instant> completed_at;
  std::string completed_by;
  std::shared_ptr<const LeaseRow> lease;  // mostly none: tasks may be many

  bool held() const { return lease && lease->status == core::LeaseStatus::held; }
};

struct CriterionRow {
  core::CriterionId id;
  std::string title;
  bool met = false;
  std::int64_t line = 0;
  std::string verify;
  core::Proof proof = core::Proof::no_command;
  bool failed_before = false;  // stale, and the command did not pass
  std::string why;             // core::why_not_fresh
};

struct PhaseRow {
  core::PhaseId id;
  std::string title;
  std::int64_t line = 0;
  core::PhaseStatus status = core::PhaseStatus::pending;
  std::int64_t total = 0;  // tasks that count
  std::int64_t done = 0;
  std::int64_t acceptance_total = 0;
  std::int64_t acceptance_met = 0;
  core::ProofCount proof;  // of the criteria that have commands
  std::vector<TaskRow> tasks;
  std::vector<CriterionRow> acceptance;
};

struct DecisionRow {
  std::optional<base::Instant> time;  // first seen; absent while not recorded
  std::string decision;
  std::string reason;
};

struct StatusView {
  std::string plan_id;
  std::string path;  // absolute: what programs are told
  std::string file;  // what people are told, as short as it is right: "plan.md", "plans/auth/plan.md"
  Source source = Source::none;
  base::Instant now;
  core::Progress progress;
  std::vector<PhaseRow> phases;              // document order
  std::optional<std::size_t> current_phase;  // index into phases
  std::optional<std::size_t> current_task;   // index into that phase's tasks
  std::vector<std::string> blockers;
  std::vector<DecisionRow> decisions;
  std::vector<std::string> warnings;  // those of the input, then what the diagnostics come to
  std::optional<std::string> session_note;
  std::optional<base::Instant> last_saved;
  std::optional<core::SavedCheckpoint> latest_checkpoint;  // of the work
  /// The last checkpoint commit as the history tells of it, and whether the plan tells something else. What
  /// git has done to the commit since is not looked at.
  std::optional<core::SavedCommit> last_commit;
  std::optional<core::Drift> drift;
  std::int64_t revision = 0;
  std::vector<core::Event> recent;  // oldest first

  const PhaseRow* phase() const { return current_phase ? &phases[*current_phase] : nullptr; }
  const TaskRow* task() const { return current_task ? &phase()->tasks[*current_task] : nullptr; }
};

struct ViewInput {
  const core::Plan* plan = nullptr;    // null: the file cannot be read as a plan
  const core::State* state = nullptr;  // null: nothing was recorded
  std::string plan_id;
  std::string path;
  std::string file;
  Source source = Source::none;
  std::vector<std::string> warnings;
  std::vector<core::Event> recent;  // the last events of the history, oldest first; may be empty
  /// Of the state's leases, in their order. Those it has no word of are judged by what the state knows.
  std::vector<core::LeaseStatus> statuses{};
  base::Instant now;
  core::TreeNow tree{};  // what evidence is held against
};

StatusView make_view(const ViewInput& input);

/// What a plan's diagnostics come to, a line each: "2 unmarked boxes are not counted", "1 error: run plankeep
/// lint".
std::vector<std::string> summarise(const std::vector<core::Diagnostic>& diagnostics);

/// "file:line", or only the file where the line is not known. `line` from 1.
std::string place(std::string_view file, std::int64_t line);

/// The title as it stands beside the id in a text: an id of capitals and digits that the title begins with
/// ("T004 Schema", "2. Ship it") is not said twice; a word that happens to be an id ("auth tokens") stays.
/// Empty when nothing else is left.
std::string_view title_beside_id(std::string_view title, std::string_view id);

}  // namespace plankeep::render
