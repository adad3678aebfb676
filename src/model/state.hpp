#pragma once
// What the tracker believes (spec 3): the content of state.json, version 2.
//
// A cache: state = fold(plan, history), see rules/replay. It knows no JSON; the codec is
// model/json/state_json. Fields of the file that this version does not know are kept as their JSON text in
// `unknown` and written back.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/evidence.hpp"
#include "model/ids.hpp"
#include "model/plan.hpp"
#include "model/progress.hpp"
#include "model/removed_task.hpp"
#include "model/unknown_fields.hpp"

namespace plankeep::core {

struct TaskState {
  TaskId id;
  std::string title;
  bool done = false;
  bool optional = false;
  std::optional<base::Instant> completed_at;  // absent when nobody saw it happen
  std::string completed_by;                   // likewise empty
  UnknownFields unknown;
  TaskId parent{};  // empty: none
  bool operator==(const TaskState&) const = default;
};

struct CriterionState {
  CriterionId id;
  std::string title;
  bool met = false;
  std::optional<base::Instant> verified_at;  // when it came to be met, or was last proven
  std::optional<Evidence> evidence;          // what its command showed when it ran last
  UnknownFields unknown;
  bool optional = false;
  bool operator==(const CriterionState&) const = default;
};

struct PhaseState {
  PhaseId id;
  std::string title;
  PhaseStatus status = PhaseStatus::pending;
  std::optional<base::Instant> started_at;
  std::optional<base::Instant> completed_at;
  std::vector<TaskState> tasks;            // document order
  std::vector<CriterionState> acceptance;  // document order
  UnknownFields unknown;
  bool operator==(const PhaseState&) const = default;
};

/// A phase that is no longer complete was not completed, one that is pending was not begun.
void take_back_times(PhaseState& phase);

struct DecisionState {
  base::Instant time;  // first seen
  std::string decision;
  std::string reason;
  UnknownFields unknown;
  bool operator==(const DecisionState&) const = default;
};

/// `lost`: its session ended or died while it worked, and nobody said how it ended.
enum class AgentStatus { running, stopped, lost };
std::string_view name_of(AgentStatus status);

struct AgentState {
  std::string id;
  std::string type;
  std::vector<TaskId> assigned_tasks;
  std::vector<TaskId> completed_tasks;
  base::Instant last_active;
  AgentStatus status = AgentStatus::running;
  std::string session;  // the session that it works for
  // Bookkeeping:
  bool sent_back = false;         // its claims were held back to it once
  bool assignment_known = false;  // assigned_tasks is all that its prompt names
  std::string assigned_plan;      // absolute; the plan that its prompt is about, where it is not this one
  UnknownFields unknown;
  bool operator==(const AgentState&) const = default;
};

/// A subagent that is about to be started, and what its prompt names.
struct Assignment {
  std::string tool_use;  // the call that starts it
  std::string type;      // empty: the client's default
  std::vector<TaskId> tasks;
  std::string plan;  // absolute; the plan that the prompt and the tasks are of, where it is not this one
  bool operator==(const Assignment&) const = default;
};

/// A client's session. Client, started_at and ended_at come from the history; the rest is bookkeeping of the
/// moment, which no history holds and a lost state loses (the exemption of spec 1).
struct SessionState {
  std::string id;
  std::string client;
  base::Instant started_at;
  std::optional<base::Instant> ended_at;  // also when it was found dead

  base::Instant last_active;
  std::string process;       // names the client's process for its lifetime (system/process); empty: not known
  std::string transcript;    // its transcript's path; empty: not known
  std::int64_t prompts = 0;  // of a person
  std::optional<int> context_percent;
  std::optional<std::int64_t> context_window;  // tokens, where the client said it
  bool context_full = false;                   // told once that the window fills up
  bool resume_due = false;                     // the resume text has not been said yet
  std::string last_message;  // of the assistant, at most 500 characters: a note for the next session
  std::string last_answer;   // what was answered last ("session_start startup"), against saying it twice
  base::Instant last_answered;
  std::int64_t last_revision = 0;  // of the state after that answer
  std::string edited_prompt;       // the edited prompt that was reported last, by its message id
  std::vector<Assignment> assignments;
  UnknownFields unknown;
  bool operator==(const SessionState&) const = default;
};

/// An edit that was announced while the plan could not be read: whose it is when it can.
struct UnreadEdit {
  std::string by;
  std::string agent;  // the subagent's id; empty: none, or not known which
  base::Instant time;
  std::string before;
  std::string after;
  bool everywhere = false;
  bool operator==(const UnreadEdit&) const = default;
};

/// What a subagent's audit left for its parent to be told.
struct AuditFinding {
  std::string agent;
  std::string agent_type;
  std::string session;
  base::Instant time;
  bool background = false;
  std::vector<std::string> unverified;  // claimed and not ticked
  std::string plan;                     // absolute; the plan that was asked, where it is not this one
  UnknownFields unknown;
  bool operator==(const AuditFinding&) const = default;
};

/// Who works on a task for a while (rules/lease). Comes from the history: `until` of one that is over stays
/// as it was, until somebody takes the task over, releases or ticks it.
struct LeaseState {
  TaskId task;
  PhaseId phase;
  std::string by;          // the actor
  std::int64_t fence = 0;  // from 1; greater than that of every earlier lease of this plan
  base::Instant since;     // claimed
  base::Instant renewed;   // claimed or last renewed; its length is `until` less this
  base::Instant until;
  std::string session;  // the client's session that it belongs to; empty: none, or not known
  std::string host;     // where `process` runs (system/processes); empty: not known
  std::string process;  // names the holder's process for its lifetime; empty: only the time counts
  /// Not 0: the fleet's server granted it too, under this number (spec 29.7).
  std::int64_t fleet_fence = 0;
  UnknownFields unknown;
  bool operator==(const LeaseState&) const = default;
};

/// A checkpoint of the work as the history tells of it (rules/latest_checkpoint).
struct SavedCheckpoint {
  std::string id;
  std::string type;  // as model/checkpoint names it
  PhaseId phase;     // empty: none
  base::Instant time;
  UnknownFields unknown;
  bool operator==(const SavedCheckpoint&) const = default;
};

/// The commit that is the last checkpoint of the plan's own run (spec 13), as the history tells of it
/// (rules/latest_checkpoint). What git has done to it since, only git knows.
struct SavedCommit {
  std::string sha;              // full id
  std::int64_t milestone = 0;   // the phase's place in the plan, from 0
  PhaseId phase;                // empty: not said
  std::string tier;             // as model/sidecar names it; empty: not said
  bool phase_complete = false;  // whether the phase was, in the plan as it was committed
  base::Instant time;           // of its event
  UnknownFields unknown;
  bool operator==(const SavedCommit&) const = default;
};

/// The name of this tracking folder among those of a fleet (spec 29.3).
struct Replica {
  std::string id;     // 32 hexadecimal digits
  std::string place;  // a digest of where the folder stood when it got the name
  bool operator==(const Replica&) const = default;
};

/// Enough to say "this is the file I read" without reading it.
struct PlanStamp {
  std::int64_t mtime_ns = 0;
  std::uint64_t size = 0;
  std::uint64_t inode = 0;
  bool operator==(const PlanStamp&) const = default;
};

/// Where the state came from (spec 6; `source` of status --json).
enum class StateSource { state, recovery, history, none };
std::string_view name_of(StateSource source);

// A state has four parts, by who keeps them. A new field belongs to one of them, and then reconciling,
// replaying and rebuilding do the right thing with it.

/// What the plan says, with what is remembered of each thing in it. Reconciling makes it anew.
struct FromPlan {
  Progress progress;
  std::vector<PhaseState> phases;  // document order
  std::optional<PhaseId> current_phase;
  std::optional<TaskId> current_task;
  std::vector<std::string> blockers;
  std::vector<DecisionState> decisions;
  std::int64_t skipped = 0;  // boxes that SKIP markers leave out
  bool operator==(const FromPlan&) const = default;
};

/// What only the history tells. It begins anew with each checkpoint_created that says what stood there.
struct FromHistory {
  std::optional<std::string> session_notes;
  bool note_is_automatic = false;      // nobody wrote it: it may be replaced by the next of its kind
  std::vector<AgentState> agents;      // oldest first
  std::vector<SessionState> sessions;  // oldest first
  std::vector<LeaseState> leases;      // in the order of their fences
  std::int64_t last_fence = 0;         // the greatest fence given out so far
  std::vector<RemovedTask> removed;    // those that were done (model/removed), the longest gone first
  std::optional<SavedCheckpoint> latest_checkpoint;
  std::optional<SavedCommit> last_commit;
  std::optional<base::Instant> archived_at;  // somebody said that the plan is over
  std::optional<Replica> replica;            // nullopt: it never met a fleet
  /// Of the newest save that told of the plan's items, if some vanished (model/removed).
  std::optional<base::Instant> vanished_at;
  bool operator==(const FromHistory&) const = default;
};

/// What no history holds and a lost state loses (the exemption of spec 1).
struct Bookkeeping {
  std::vector<AuditFinding> findings;
  std::vector<UnreadEdit> unread;  // oldest first
  std::string structure_hash;      // of the newest text that was kept (rules/structure_hash); empty: none was
  std::optional<base::Instant> plan_seen;     // the last look at the plan's text; nullopt: the newest save's
  bool plan_unreadable = false;               // it could not be read at the last look, and an event says so
  std::optional<base::Instant> unsaid_since;  // from when on losses were recorded that no agent was told of
  bool operator==(const Bookkeeping&) const = default;
};

/// Which plan and which bytes of which files the rest was taken from.
struct Stamp {
  std::string plan_id;
  std::string plan_path;     // absolute
  base::Instant last_saved;  // time of the newest event
  std::string checksum;      // of the plan's bytes, base::short_checksum
  /// The errors of the plan's diagnostics as "code id-or-message", so that an edit's new ones can be told.
  std::vector<std::string> lint_errors;
  /// Every box of the plan is an item here. False in what an earlier version wrote, which knew some of them
  /// as counts only: those are found (boxes_found), not added.
  bool every_box = true;
  std::int64_t revision = 0;         // saves so far
  std::uint64_t history_offset = 0;  // bytes of history.jsonl folded in
  /// Whether the file says it. Other tools need not: then everything up to the save's time, last_checkpoint,
  /// is folded in (tracking/loaded_state), never nothing.
  bool history_offset_known = true;
  std::string history_chain;  // the newest in those bytes (model/chain); empty: none, or not known
  std::optional<PlanStamp> plan_stamp;
  UnknownFields unknown;
  bool operator==(const Stamp&) const = default;
};

struct State : FromPlan, FromHistory, Bookkeeping, Stamp {
  bool operator==(const State&) const = default;
};

}  // namespace plankeep::core
