#pragma once
// One line of history.jsonl (spec 4): what happened, when and by whom. Which event holds what is told by the
// table in model/event_fields; the codec is model/json/event_json.
//
// Readers keep and skip what they do not know: an event of an unknown name decodes as EventKind::unknown.
//
// Beyond the table of spec 4, plankeep writes what the law state = fold(plan, history) needs, so that a
// rebuilt state knows what was believed before the file changed: `phases` in checkpoint_created (what stood
// there at first sight), the events task_renamed (title, from: the earlier title), task_moved and
// acceptance_moved (from: the earlier phase), task_attributed (by: whose it is after all, from: whose it was
// said to be, see rules/attribution), acceptance_added, acceptance_removed, phase_added,
// phase_removed, decision_removed; the fields `done` (task_added: it came ticked; task_removed: it was),
// `met` (of acceptance_ likewise), `skipped` (task_removed and acceptance_removed: a SKIP marker leaves it
// out), `status` (phase_added, phase_reopened: what the phase is now) and `batch`; `agentId` in
// task_completed (which subagent, where one said so), `sessionId` in the events about subagents and crashes,
// `completedTasks` in subagent_stopped, and `reason` in note_saved (why it was taken down when nobody wrote
// it: "session_end"). About leases (rules/lease): `fence` in task_claimed and task_released, the holder's
// `sessionId`, `host` and `process` in task_claimed, `from` and `reason` in both where somebody else held the
// task before ("expired", "gone", "forced"; "renewed" for a renewal), and in a checkpoint_created that is
// told again the greatest `fence` so far and the `removed` tasks. A task_claimed with the fence of the lease
// that is there renews it.
//
// `parent` stands in the events about a task that is nested below another. A task_moved whose `from` is its
// own phase has another parent than before. tasks_ordered {phaseId, tasks, before}: these tasks stand one
// behind the other in front of `before`, at the end of the phase where there is none; told of phases that
// hold a title which stands more than once in the plan, where neighbours tell boxes apart (rules/match).
// `marked` in checkpoint_created gives title and parent of boxes with a marker, as `ids` of those without.
// boxes_found {count, ids, placed, phases} is the take-over of a folder that an earlier version wrote, which
// knew nested boxes as counts only: `ids` are tasks from now on (`done`: it was ticked already, nobody saw
// when), `phases` says where phases stood with them (id, status), `placed` of tasks that were known what they
// stand below. `everyBox` in checkpoint_created: nothing needs to be taken over. boxes_skipped {count, by}:
// SKIP markers leave out so many boxes from now on; told whenever that is another number.
//
// plan_moved {planId, from, to} when the plan's folder has another name than before: `planId` is the new one,
// `from` and `to` are the plan's absolute paths. plan_archived {undo, by} when somebody said that the plan is
// over, with `undo`: true that it is not. replica_created {replica_id, place}: this tracking folder has this
// name among the machines of a fleet (src/fleet/replica), as long as it stands at this place (a digest). The
// last line of a save also has `chain`, which is put in and checked as text (model/chain). A task_claimed
// with `fleet`: true was granted by the fleet's server first, under the number `fleetFence`.
//
// About checkpoints of the work (model/checkpoint) and commits: checkpoint_saved {checkpointId, type,
// phaseId} when one was written; checkpoint_complete {milestone_index, commit_sha, tier, sidecar_written,
// phaseId} when a commit was bound to a phase, with `phaseComplete`: true where the phase was complete then,
// and `last`: false where the commit is not the last checkpoint of the plan's own run; rewound {from, to,
// what, by} when plan or files were taken back (`to` and `from`: checksums of the plan, or checkpoints' ids);
// drift_detected {plan, checkpoint, source} when the plan and the last commit's sidecar tell different
// things: which milestone each says, and where the second was found; checkpoint_linked {sha,
// entireCheckpoint, phaseId} when a commit that names a session checkpoint (model/session) changed the plan:
// `phaseId` is the one phase whose boxes it ticked.
//
// `evidence` stands in acceptance_met and acceptance_unmet when a command was run for them. A criterion that
// was met before and is proven again (or was not, and fails again) gets such an event too: it is the evidence
// that is new.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "model/evidence.hpp"
#include "model/ids.hpp"
#include "model/plan.hpp"
#include "model/removed_task.hpp"

namespace plankeep::core {

enum class EventKind {
  unknown,
  checkpoint_created,
  task_completed,
  task_reopened,
  task_started,
  task_added,
  task_removed,
  task_renamed,
  task_moved,
  task_attributed,
  tasks_ordered,
  boxes_found,
  boxes_skipped,
  acceptance_met,
  acceptance_unmet,
  acceptance_added,
  acceptance_removed,
  acceptance_moved,
  phase_started,
  phase_completed,
  phase_reopened,
  phase_added,
  phase_removed,
  decision_recorded,
  decision_removed,
  blocker_raised,
  blocker_resolved,
  session_started,
  session_ended,
  session_crash,
  session_recovered,
  subagent_started,
  subagent_stopped,
  note_saved,
  task_claimed,
  task_released,
  checksum_mismatch,
  parse_error,
  state_corrupted,
  full_recovery,
  recovery_saved,
  checkpoint_saved,
  checkpoint_complete,
  rewound,
  drift_detected,
  checkpoint_linked,
  plan_archived,
  plan_moved,
  replica_created,
};

/// The place of an event among those of one save, "2/3" in the file. A batch whose last event is missing at
/// the end of the file was never acknowledged and does not count. A save of one event has no such field.
struct Batch {
  std::int64_t index = 1;
  std::int64_t size = 1;
  bool operator==(const Batch&) const = default;
};

/// An id given to a box that has no marker, or what is known of one that has.
struct GivenId {
  TaskId id;
  std::string title;
  PhaseId phase;
  TaskId parent{};    // empty: none
  bool done = false;  // boxes_found: it was ticked already
  bool operator==(const GivenId&) const = default;
};

/// Where a task that was known stands.
struct PlacedTask {
  TaskId id;
  PhaseId phase;
  TaskId parent;
  bool operator==(const PlacedTask&) const = default;
};

/// What a phase held at first sight.
struct PhaseInventory {
  PhaseId id;
  PhaseStatus status = PhaseStatus::pending;
  std::vector<TaskId> tasks;
  std::vector<TaskId> done;
  std::vector<CriterionId> criteria;
  std::vector<CriterionId> met;
  bool operator==(const PhaseInventory&) const = default;
};

/// One member for each thing that an event can say; model/event_fields tells which event says what.
struct Event {
  base::Instant time;
  EventKind kind = EventKind::unknown;
  std::string name;  // of an unknown event; empty otherwise
  Batch batch;

  // What it is about and whose doing it was.
  TaskId task;
  CriterionId criterion;
  PhaseId phase;
  std::string by;
  std::string title;
  TaskId parent;         // of a task that is nested below another
  std::string from;      // what or whose it was before: the title, phase, actor, path, checksum or file
  std::string to;        // what or where it is now: a path, checksum or checkpoint
  std::string via;       // "shell": seen while the actor's command ran; empty: seen in an edit
  std::string reason;    // why; of a lease's takeover also "renewed"
  bool done = false;     // a new task came ticked
  bool met = false;      // likewise a new criterion
  bool skipped = false;  // it still stands in the text, left out by a SKIP marker
  PhaseStatus status = PhaseStatus::in_progress;  // of the phase from now on
  std::optional<Evidence> evidence;
  std::string decision;
  std::string blocker;
  std::string note;

  // The plan at first sight, and when its folder moved.
  std::string plan_id;
  std::optional<std::int64_t> total_tasks;
  bool undo = false;               // it is not over after all
  bool every_box = false;          // read as this version reads: nothing needs to be taken over
  std::int64_t boxes = 0;          // found when a folder was taken over, or left out by SKIP markers
  std::vector<GivenId> ids;        // of boxes without a marker, or found
  std::vector<GivenId> marked;     // of boxes with a marker
  std::vector<PlacedTask> placed;  // tasks that were known when a folder was taken over
  TaskId before;                   // tasks_ordered: the task behind them; empty: none
  std::vector<PhaseInventory> phases;
  std::vector<RemovedTask> removed;  // of a history that is told again

  // Sessions and subagents.
  std::string session;
  std::string client;  // "claude-code"
  std::string agent;
  std::string agent_type;
  std::vector<TaskId> tasks;            // assigned to it, or completed when it stopped
  std::vector<std::string> claimed;     // what it said was done
  std::vector<std::string> unverified;  // those of them that are not ticked; and what it was sent back for

  // Leases.
  std::optional<base::Instant> until;
  std::int64_t fence = 0;  // at first sight of a plan: the greatest so far
  std::string host;
  std::string process;
  bool fleet = false;            // granted by the fleet's server
  std::int64_t fleet_fence = 0;  // its number there

  // A tracking folder among those of a fleet.
  std::string replica;
  std::string place;

  // Checkpoints and commits.
  std::string checkpoint;          // its id
  std::string checkpoint_type;     // as model/checkpoint names it
  std::string what;                // was taken back: "plan", "lost_tasks", "files", "all", "head", ...
  std::int64_t milestone = 0;      // the phase's place in the plan, from 0
  std::string commit;              // full id
  std::string session_checkpoint;  // its id, as the commit names it
  std::string tier;                // as model/sidecar names it
  bool sidecar_written = false;
  bool phase_complete = false;  // in the plan as it was committed
  bool last = true;             // the commit is the last checkpoint of the plan's own run
  std::string plan_says;        // which milestone, where plan and sidecar drifted apart
  std::string checkpoint_says;  // likewise

  // What went wrong, and what was done about it.
  std::string action;            // about a plan that changed outside
  std::string fallback;          // used in place of an unreadable plan
  std::string restored_from;     // the file that took the state's place
  std::string source;            // of a rebuilt state or a drift; how a session began
  std::string last_known_state;  // the file that a crashed session left
  std::int64_t tasks_restored = 0;

  bool operator==(const Event&) const = default;
};

/// The greatest fence that is read: what every reader of JSON can hold exactly.
inline constexpr std::int64_t kLargestFence = (std::int64_t{1} << 53) - 1;

/// "task_completed"; for EventKind::unknown an empty text.
std::string_view name_of(EventKind kind);
EventKind event_kind(std::string_view name);
/// Every name that this version writes, in the order of spec 4.
std::vector<std::string_view> event_names();

/// The tasks, by phase and old id, whose id was changed by these events. Their task_removed removes no work.
std::set<std::pair<PhaseId, TaskId>> given_new_ids(const std::vector<Event>& events);

}  // namespace plankeep::core
