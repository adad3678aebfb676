#pragma once
// One line of history.jsonl (spec 4): what happened, when and by whom. The codec is model/json/event_json.
//
// Readers keep and skip what they do not know: an event of an unknown name decodes as EventKind::unknown.
//
// Beyond the table of spec 4, plankeep writes what the law state = fold(plan, history) needs, so that a
// rebuilt state knows what was believed before the file changed: `phases` in checkpoint_created (what stood
// there at first sight), the events task_renamed (title, from: the earlier title), task_moved and
// acceptance_moved (from: the earlier phase), task_attributed (by: whose it is after all, from: whose it was
// said to be, see rules/attribution), acceptance_added, acceptance_removed, phase_added,
// phase_removed, decision_removed; and the fields `done` (task_added: it came ticked), `met`
// (acceptance_added, likewise), `status` (phase_added, phase_reopened: what the phase is now) and `batch`;
// `agentId` in task_completed (which subagent, where one said so), `sessionId` in the events about subagents
// and crashes, `completedTasks` in subagent_stopped, and `reason` in note_saved (why it was taken down when
// nobody wrote it: "session_end"). About leases (rules/lease): `fence` in task_claimed and task_released, the
// holder's `sessionId`, `host` and `process` in task_claimed, `from` and `reason` in both where somebody else
// held the task before ("expired", "gone", "forced"; "renewed" for a renewal), and in a checkpoint_created
// that is told again the greatest `fence` so far and the `removed` tasks. A task_claimed with the fence of
// the lease that is there renews it.
//
// plan_moved {planId, from, to} when the plan's folder has another name than before: `planId` is the new one,
// `from` and `to` are the plan's absolute paths. The last line of a save also has `chain`, which is put in
// and checked as text (model/chain).
//
// About checkpoints of the work (model/checkpoint) and commits: checkpoint_saved {checkpointId, type,
// phaseId} when one was written; checkpoint_complete {milestone_index, commit_sha, tier, sidecar_written,
// phaseId} when a commit was bound to a phase, with `phaseComplete`: true where the phase was complete then,
// and `last`: false where the commit is not the last checkpoint of the plan's own run; rewound {from, to,
// what, by} when plan or files were taken back (`to` and `from`: checksums of the plan, or checkpoints' ids);
// drift_detected {plan, checkpoint, source} when the plan and the last commit's sidecar tell different
// things: which milestone each says, and where the second was found.
//
// `evidence` stands in acceptance_met and acceptance_unmet when a command was run for them. A criterion that
// was met before and is proven again (or was not, and fails again) gets such an event too: it is the evidence
// that is new.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  plan_moved,
};

/// The place of an event among those of one save, "2/3" in the file. A batch whose last event is missing at
/// the end of the file was never acknowledged and does not count. A save of one event has no such field.
struct Batch {
  std::int64_t index = 1;
  std::int64_t size = 1;
  bool operator==(const Batch&) const = default;
};

/// An id given to a box that has no marker.
struct GivenId {
  TaskId id;
  std::string title;
  PhaseId phase;
  bool operator==(const GivenId&) const = default;
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

struct Event {
  base::Instant time;
  EventKind kind = EventKind::unknown;
  std::string name;  // of an unknown event; empty otherwise
  TaskId task;
  CriterionId criterion;
  PhaseId phase;
  std::string by;
  std::string title;
  std::string from;  // ..._renamed, ..._moved: what it was before; session_recovered: the file; rewound
  std::string text;  // the decision, blocker or note; rewound, plan_moved: "to"; drift_detected: "plan"
  std::string
      reason;  // decision_recorded, parse_error, recovery_saved, session_ended, note_saved, task_claimed
  std::string
      detail;  // action / what / fallback / restored_from / source / lastKnownState / type / tier, as it has
  std::string plan_id;
  std::string session;                  // session_..., subagent_...
  std::string client;                   // session_started, session_ended: "claude-code"
  std::string agent;                    // subagent_..., task_completed, task_attributed
  std::string agent_type;               // subagent_...
  std::vector<TaskId> tasks;            // subagent_started: assigned; ..._stopped: completed
  std::vector<std::string> claimed;     // subagent_stopped: what it said was done
  std::vector<std::string> unverified;  // subagent_stopped: those of them that are not ticked
  /// checkpoint_created: tasks, -1 where the line does not say; session_recovered: restored;
  /// checkpoint_complete: milestone_index
  std::int64_t count = 0;
  std::vector<GivenId> ids;            // checkpoint_created of an unmarked plan
  std::vector<PhaseInventory> phases;  // checkpoint_created
  std::vector<RemovedTask> removed;    // checkpoint_created of a history that is told again
  bool done = false;  // task_added, acceptance_added ("met"), checkpoint_complete ("sidecar_written")
  PhaseStatus status = PhaseStatus::in_progress;  // phase_added, phase_reopened, checkpoint_complete
  std::optional<Evidence> evidence;               // acceptance_met, acceptance_unmet
  std::optional<base::Instant> until;             // task_claimed
  std::int64_t fence = 0;                         // task_claimed, task_released, checkpoint_created
  std::string host;                               // task_claimed
  std::string process;                            // likewise
  std::string checkpoint;                         // checkpoint_saved: its id; drift_detected: what it says
  std::string commit;                             // checkpoint_complete: the commit's full id
  bool passed_by = false;                         // checkpoint_complete ("last": false)
  Batch batch;

  bool operator==(const Event&) const = default;
};

/// The greatest fence that is read: what every reader of JSON can hold exactly.
inline constexpr std::int64_t kLargestFence = (std::int64_t{1} << 53) - 1;

/// "task_completed"; for EventKind::unknown an empty text.
std::string_view name_of(EventKind kind);
EventKind event_kind(std::string_view name);
/// Every name that this version writes, in the order of spec 4.
std::vector<std::string_view> event_names();

}  // namespace plankeep::core
