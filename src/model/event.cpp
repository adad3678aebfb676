#include "model/event.hpp"

#include <array>

#include "model/event_fields.hpp"

namespace plankeep::core {
namespace {

constexpr auto kAlways = EventField::Presence::always;

// The same name may mean different things in different events ("tasks" is a count here and a list there), and
// what one event must say another may leave out: then there are two entries.
constexpr EventField kAction{"action", &Event::action, kAlways};
constexpr EventField kAgentId{"agentId", &Event::agent};
constexpr EventField kAgentIdAlways{"agentId", &Event::agent, kAlways};
constexpr EventField kAgentType{"agentType", &Event::agent_type, kAlways};
constexpr EventField kAssigned{"tasks", &Event::tasks, kAlways};
constexpr EventField kBefore{"before", &Event::before};
constexpr EventField kBlocker{"blocker", &Event::blocker, kAlways};
constexpr EventField kBoxes{"count", &Event::boxes, kAlways};
constexpr EventField kBy{"by", &Event::by, kAlways};
constexpr EventField kByKnown{"by", &Event::by};
constexpr EventField kCheckpointId{"checkpointId", &Event::checkpoint, kAlways};
constexpr EventField kCheckpointSays{"checkpoint", &Event::checkpoint_says, kAlways};
constexpr EventField kClaimed{"claimed", &Event::claimed};
constexpr EventField kClient{"client", &Event::client};
constexpr EventField kCommit{"commit_sha", &Event::commit, kAlways};
constexpr EventField kCompletedCount{"completed", &Event::tasks, EventField::Presence::as_count};
constexpr EventField kCompletedTasks{"completedTasks", &Event::tasks};
constexpr EventField kCriteriaId{"criteriaId", &Event::criterion, kAlways};
constexpr EventField kDecision{"decision", &Event::decision, kAlways};
constexpr EventField kDone{"done", &Event::done};
constexpr EventField kEveryBox{"everyBox", &Event::every_box};
constexpr EventField kEntireCheckpoint{"entireCheckpoint", &Event::session_checkpoint, kAlways};
constexpr EventField kEvidence{"evidence", &Event::evidence};
constexpr EventField kFallback{"fallback", &Event::fallback, kAlways};
constexpr EventField kFence{"fence", &Event::fence, kAlways};
constexpr EventField kFleet{"fleet", &Event::fleet};
constexpr EventField kFleetFence{"fleetFence", &Event::fleet_fence};
constexpr EventField kFrom{"from", &Event::from, kAlways};
constexpr EventField kEarlierId{"from", &Event::from};
constexpr EventField kFromSomebody{"from", &Event::from};
constexpr EventField kGreatestFence{"fence", &Event::fence};
constexpr EventField kHost{"host", &Event::host};
constexpr EventField kIds{"ids", &Event::ids};
constexpr EventField kLast{"last", &Event::last, EventField::Presence::when_false};
constexpr EventField kLastKnownState{"lastKnownState", &Event::last_known_state, kAlways};
constexpr EventField kMarked{"marked", &Event::marked};
constexpr EventField kMet{"met", &Event::met};
constexpr EventField kMilestone{"milestone_index", &Event::milestone, kAlways};
constexpr EventField kNote{"note", &Event::note, kAlways};
constexpr EventField kParent{"parent", &Event::parent};
constexpr EventField kPhaseComplete{"phaseComplete", &Event::phase_complete};
constexpr EventField kPhaseId{"phaseId", &Event::phase};
constexpr EventField kPhaseIdAlways{"phaseId", &Event::phase, kAlways};
constexpr EventField kPhases{"phases", &Event::phases};
constexpr EventField kPlaced{"placed", &Event::placed};
constexpr EventField kPlanId{"planId", &Event::plan_id, kAlways};
constexpr EventField kPlanSays{"plan", &Event::plan_says, kAlways};
constexpr EventField kPlace{"place", &Event::place, kAlways};
constexpr EventField kProcess{"process", &Event::process};
constexpr EventField kReason{"reason", &Event::reason};
constexpr EventField kReasonAlways{"reason", &Event::reason, kAlways};
constexpr EventField kRemoved{"removed", &Event::removed};
constexpr EventField kReplicaId{"replica_id", &Event::replica, kAlways};
constexpr EventField kRestoredFrom{"restored_from", &Event::restored_from, kAlways};
constexpr EventField kSessionId{"sessionId", &Event::session};
constexpr EventField kSha{"sha", &Event::commit, kAlways};
constexpr EventField kSidecarWritten{"sidecar_written", &Event::sidecar_written, kAlways};
constexpr EventField kSkipped{"skipped", &Event::skipped};
constexpr EventField kSource{"source", &Event::source, kAlways};
constexpr EventField kSourceKnown{"source", &Event::source};  // not every client says how a session began
constexpr EventField kStatus{"status", &Event::status, kAlways};
constexpr EventField kTaskId{"taskId", &Event::task, kAlways};
constexpr EventField kTasksRestored{"tasksRestored", &Event::tasks_restored, kAlways};
constexpr EventField kTier{"tier", &Event::tier, kAlways};
constexpr EventField kTitle{"title", &Event::title};
constexpr EventField kTo{"to", &Event::to, kAlways};
constexpr EventField kTotalTasks{"tasks", &Event::total_tasks};
constexpr EventField kType{"type", &Event::checkpoint_type, kAlways};
constexpr EventField kUndo{"undo", &Event::undo};
constexpr EventField kUntil{"until", &Event::until};
constexpr EventField kVia{"via", &Event::via};
constexpr EventField kUnverified{"unverified", &Event::unverified};
constexpr EventField kWhat{"what", &Event::what, kAlways};

template <const EventField&... kFields>
constexpr std::array<const EventField*, sizeof...(kFields)> kList{&kFields...};

struct Row {
  EventKind kind;
  std::string_view name;
  std::span<const EventField* const> fields;
};

using Kind = EventKind;
constexpr std::array kRows{
    Row{Kind::unknown, "", {}},
    Row{Kind::checkpoint_created, "checkpoint_created",
        kList<kPlanId, kTotalTasks, kEveryBox, kIds, kMarked, kGreatestFence, kRemoved, kPhases>},
    Row{Kind::task_completed, "task_completed",
        kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kVia, kAgentId>},
    Row{Kind::task_reopened, "task_reopened", kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kVia>},
    Row{Kind::task_started, "task_started", kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kVia>},
    Row{Kind::task_added, "task_added",
        kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kVia, kDone, kEarlierId>},
    Row{Kind::task_removed, "task_removed",
        kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kVia, kDone, kSkipped>},
    Row{Kind::task_renamed, "task_renamed", kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kFrom>},
    Row{Kind::task_moved, "task_moved", kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kFrom>},
    Row{Kind::task_attributed, "task_attributed",
        kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kAgentId, kFrom>},
    Row{Kind::tasks_ordered, "tasks_ordered", kList<kPhaseId, kAssigned, kBefore>},
    Row{Kind::boxes_found, "boxes_found", kList<kBoxes, kIds, kPlaced, kPhases>},
    Row{Kind::boxes_skipped, "boxes_skipped", kList<kBoxes, kByKnown>},
    Row{Kind::acceptance_met, "acceptance_met", kList<kCriteriaId, kPhaseId, kBy, kEvidence, kVia>},
    Row{Kind::acceptance_unmet, "acceptance_unmet", kList<kCriteriaId, kPhaseId, kBy, kEvidence, kVia>},
    Row{Kind::acceptance_added, "acceptance_added", kList<kCriteriaId, kPhaseId, kBy, kMet>},
    Row{Kind::acceptance_removed, "acceptance_removed",
        kList<kCriteriaId, kPhaseId, kBy, kTitle, kMet, kSkipped>},
    Row{Kind::acceptance_moved, "acceptance_moved", kList<kCriteriaId, kPhaseId, kBy, kFrom>},
    Row{Kind::phase_started, "phase_started", kList<kPhaseIdAlways, kVia>},
    Row{Kind::phase_completed, "phase_completed", kList<kPhaseIdAlways, kVia>},
    Row{Kind::phase_reopened, "phase_reopened", kList<kPhaseIdAlways, kStatus, kVia>},
    Row{Kind::phase_added, "phase_added", kList<kPhaseIdAlways, kStatus, kEarlierId>},
    Row{Kind::phase_removed, "phase_removed", kList<kPhaseIdAlways>},
    Row{Kind::decision_recorded, "decision_recorded", kList<kByKnown, kDecision, kReason, kVia>},
    Row{Kind::decision_removed, "decision_removed", kList<kByKnown, kDecision, kVia>},
    Row{Kind::blocker_raised, "blocker_raised", kList<kByKnown, kBlocker, kVia>},
    Row{Kind::blocker_resolved, "blocker_resolved", kList<kByKnown, kBlocker, kVia>},
    Row{Kind::session_started, "session_started", kList<kSessionId, kClient, kSourceKnown>},
    Row{Kind::session_ended, "session_ended", kList<kSessionId, kClient, kReason>},
    Row{Kind::session_crash, "session_crash", kList<kSessionId, kLastKnownState>},
    Row{Kind::session_recovered, "session_recovered", kList<kSessionId, kTasksRestored, kFrom>},
    Row{Kind::subagent_started, "subagent_started", kList<kAgentType, kAgentIdAlways, kAssigned, kSessionId>},
    Row{Kind::subagent_stopped, "subagent_stopped",
        kList<kAgentType, kAgentIdAlways, kCompletedCount, kCompletedTasks, kClaimed, kUnverified,
              kSessionId>},
    Row{Kind::note_saved, "note_saved", kList<kByKnown, kNote, kReason>},
    Row{Kind::task_claimed, "task_claimed",
        kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kSessionId, kUntil, kFence, kHost, kProcess,
              kFromSomebody, kReason, kFleet, kFleetFence>},
    Row{Kind::task_released, "task_released",
        kList<kTaskId, kPhaseId, kBy, kTitle, kParent, kUntil, kFence, kHost, kProcess, kFromSomebody,
              kReason>},
    Row{Kind::checksum_mismatch, "checksum_mismatch", kList<kAction>},
    Row{Kind::parse_error, "parse_error", kList<kFallback, kReason>},
    Row{Kind::state_corrupted, "state_corrupted", kList<kRestoredFrom>},
    Row{Kind::full_recovery, "full_recovery", kList<kSource>},
    Row{Kind::recovery_saved, "recovery_saved", kList<kReasonAlways>},
    Row{Kind::checkpoint_saved, "checkpoint_saved", kList<kPhaseId, kCheckpointId, kType>},
    Row{Kind::checkpoint_complete, "checkpoint_complete",
        kList<kPhaseId, kMilestone, kCommit, kSidecarWritten, kPhaseComplete, kLast, kTier>},
    Row{Kind::rewound, "rewound", kList<kBy, kFrom, kTo, kWhat>},
    Row{Kind::drift_detected, "drift_detected", kList<kCheckpointSays, kPlanSays, kSource>},
    Row{Kind::checkpoint_linked, "checkpoint_linked", kList<kPhaseId, kEntireCheckpoint, kSha>},
    Row{Kind::plan_archived, "plan_archived", kList<kByKnown, kUndo>},
    Row{Kind::plan_moved, "plan_moved", kList<kPlanId, kFrom, kTo>},
    Row{Kind::replica_created, "replica_created", kList<kReplicaId, kPlace>},
};

constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].kind) != i) return false;
  }
  return true;
}
static_assert(rows_in_order(), "the rows stand in the order of the enumeration, which is that of spec 4");
static_assert(kRows.back().kind == EventKind::replica_created);

}  // namespace

std::string_view name_of(EventKind kind) {
  return kRows[static_cast<std::size_t>(kind)].name;
}

EventKind event_kind(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.kind;
  }
  return EventKind::unknown;
}

std::vector<std::string_view> event_names() {
  std::vector<std::string_view> names;
  names.reserve(kRows.size() - 1);
  for (const Row& row : kRows) {
    if (row.kind != EventKind::unknown) names.push_back(row.name);
  }
  return names;
}

std::span<const EventField* const> fields_of(EventKind kind) {
  return kRows[static_cast<std::size_t>(kind)].fields;
}

std::set<std::pair<PhaseId, TaskId>> given_new_ids(const std::vector<Event>& events) {
  std::set<std::pair<PhaseId, TaskId>> ids;
  for (const Event& event : events) {
    if (event.kind == EventKind::task_added && !event.from.empty())
      ids.emplace(event.phase, TaskId(event.from));
  }
  return ids;
}

}  // namespace plankeep::core
