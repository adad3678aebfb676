// Writing; state_json.cpp has the other half.
#include <optional>
#include <vector>

#include "base/json_writer.hpp"
#include "model/json/evidence_json.hpp"
#include "model/json/json_fields.hpp"
#include "model/json/removed_json.hpp"
#include "model/json/state_json.hpp"

namespace plankeep::core {
namespace {

using base::JsonWriter;

void write_unknown(JsonWriter& out, const UnknownFields& fields) {
  for (const UnknownField& field : fields) out.key(field.name).raw(field.json);
}

void write_time(JsonWriter& out, std::string_view name, const std::optional<base::Instant>& time) {
  if (time) out.key(name).value(base::to_iso8601(*time));
}

void write_task(JsonWriter& out, const TaskState& task) {
  out.key(task.id.text).begin_object();
  out.key("done").value(task.done);
  write_time(out, "completedAt", task.completed_at);
  if (!task.completed_by.empty()) out.key("completedBy").value(task.completed_by);
  out.key("title").value(task.title);
  if (task.optional) out.key("optional").value(true);
  if (!task.parent.empty()) out.key("parent").value(task.parent.text);
  write_unknown(out, task.unknown);
  out.end_object();
}

void write_criterion(JsonWriter& out, const CriterionState& criterion) {
  out.key(criterion.id.text).begin_object();
  out.key("met").value(criterion.met);
  write_time(out, "verifiedAt", criterion.verified_at);
  out.key("title").value(criterion.title);
  if (criterion.optional) out.key("optional").value(true);
  if (criterion.evidence) {
    out.key("evidence");
    write_evidence(out, *criterion.evidence);
  }
  write_unknown(out, criterion.unknown);
  out.end_object();
}

void write_phase(JsonWriter& out, const PhaseState& phase) {
  out.key(phase.id.text).begin_object();
  out.key("status").value(name_of(phase.status));
  write_time(out, "startedAt", phase.started_at);
  write_time(out, "completedAt", phase.completed_at);
  out.key("title").value(phase.title);
  out.key("tasks").begin_object();
  for (const TaskState& task : phase.tasks) write_task(out, task);
  out.end_object();
  out.key("acceptance").begin_object();
  for (const CriterionState& criterion : phase.acceptance) write_criterion(out, criterion);
  out.end_object();
  write_unknown(out, phase.unknown);
  out.end_object();
}

void write_decision(JsonWriter& out, const DecisionState& decision) {
  out.begin_object();
  out.key("time").value(base::to_iso8601(decision.time));
  out.key("decision").value(decision.decision);
  if (!decision.reason.empty()) out.key("reason").value(decision.reason);
  write_unknown(out, decision.unknown);
  out.end_object();
}

void write_ids(JsonWriter& out, std::string_view name, const std::vector<TaskId>& ids) {
  out.key(name).begin_array();
  for (const TaskId& id : ids) out.value(id.text);
  out.end_array();
}

void write_agent(JsonWriter& out, const AgentState& agent) {
  out.key(agent.id).begin_object();
  out.key("type").value(agent.type);
  write_ids(out, "assignedTasks", agent.assigned_tasks);
  write_ids(out, "completedTasks", agent.completed_tasks);
  out.key("lastActive").value(base::to_iso8601(agent.last_active));
  out.key("status").value(name_of(agent.status));
  if (!agent.session.empty()) out.key("sessionId").value(agent.session);
  if (agent.sent_back) out.key("sentBack").value(true);
  if (agent.assignment_known) out.key("assignmentKnown").value(true);
  if (!agent.assigned_plan.empty()) out.key("assignedPlan").value(agent.assigned_plan);
  write_unknown(out, agent.unknown);
  out.end_object();
}

void write_text(JsonWriter& out, std::string_view name, const std::string& text) {
  if (!text.empty()) out.key(name).value(text);
}

void write_flag(JsonWriter& out, std::string_view name, bool flag) {
  if (flag) out.key(name).value(true);
}

void write_session(JsonWriter& out, const SessionState& session) {
  out.key(session.id).begin_object();
  write_text(out, "client", session.client);
  out.key("startedAt").value(base::to_iso8601(session.started_at));
  write_time(out, "endedAt", session.ended_at);
  out.key("lastActive").value(base::to_iso8601(session.last_active));
  write_text(out, "process", session.process);
  write_text(out, "transcript", session.transcript);
  if (session.prompts > 0) out.key("prompts").value(session.prompts);
  if (session.context_percent) out.key("contextPercent").value(*session.context_percent);
  if (session.context_window) out.key("contextWindow").value(*session.context_window);
  write_flag(out, "contextFull", session.context_full);
  write_flag(out, "resumeDue", session.resume_due);
  write_text(out, "lastMessage", session.last_message);
  write_text(out, "lastAnswer", session.last_answer);
  if (session.last_answered.milliseconds != 0)
    out.key("lastAnswered").value(base::to_iso8601(session.last_answered));
  if (session.last_revision > 0) out.key("lastRevision").value(session.last_revision);
  write_text(out, "editedPrompt", session.edited_prompt);
  if (!session.assignments.empty()) {
    out.key("assignments").begin_array();
    for (const Assignment& assignment : session.assignments) {
      out.begin_object();
      write_text(out, "toolUse", assignment.tool_use);
      write_text(out, "type", assignment.type);
      write_ids(out, "tasks", assignment.tasks);
      write_text(out, "plan", assignment.plan);
      out.end_object();
    }
    out.end_array();
  }
  write_unknown(out, session.unknown);
  out.end_object();
}

void write_finding(JsonWriter& out, const AuditFinding& claim) {
  out.begin_object();
  out.key("agentId").value(claim.agent);
  write_text(out, "agentType", claim.agent_type);
  write_text(out, "sessionId", claim.session);
  out.key("time").value(base::to_iso8601(claim.time));
  write_flag(out, "background", claim.background);
  out.key("unverified").strings(claim.unverified);
  write_text(out, "plan", claim.plan);
  write_unknown(out, claim.unknown);
  out.end_object();
}

void write_unread(JsonWriter& out, const UnreadEdit& edit) {
  out.begin_object();
  out.key("by").value(edit.by);
  write_text(out, "agentId", edit.agent);
  out.key("time").value(base::to_iso8601(edit.time));
  write_text(out, "before", edit.before);
  out.key("after").value(edit.after);
  write_flag(out, "everywhere", edit.everywhere);
  out.end_object();
}

void write_lease(JsonWriter& out, const LeaseState& lease) {
  out.begin_object();
  out.key("taskId").value(lease.task.text);
  out.key("phaseId").value(lease.phase.text);
  out.key("by").value(lease.by);
  out.key("fence").value(lease.fence);
  out.key("claimedAt").value(base::to_iso8601(lease.since));
  out.key("renewedAt").value(base::to_iso8601(lease.renewed));
  out.key("until").value(base::to_iso8601(lease.until));
  write_text(out, "sessionId", lease.session);
  write_text(out, "host", lease.host);
  write_text(out, "process", lease.process);
  if (lease.fleet_fence > 0) out.key("fleetFence").value(lease.fleet_fence);
  write_unknown(out, lease.unknown);
  out.end_object();
}

void write_text_or_null(JsonWriter& out, std::string_view name, const std::string* text) {
  out.key(name);
  if (text != nullptr) {
    out.value(*text);
  } else {
    out.null();
  }
}

// About what the text will take. Memory that is asked for and not touched costs nothing, so rather too much.
std::size_t expected_size(const State& state) {
  constexpr std::size_t kPerEntry = 250;
  std::size_t entries =
      10 + state.decisions.size() + state.blockers.size() + 2 * state.leases.size() + state.removed.size();
  for (const PhaseState& phase : state.phases) entries += 1 + phase.tasks.size() + phase.acceptance.size();
  return entries * kPerEntry;
}

void write_state(JsonWriter& out, const State& state) {
  out.begin_object();
  out.key("version").value(kStateVersion);
  out.key("planId").value(state.plan_id);
  out.key("planPath").value(state.plan_path);
  out.key("lastCheckpoint").value(base::to_iso8601(state.last_saved));
  out.key("checksum").value(state.checksum);
  out.key("progress").begin_object();
  out.key("totalTasks").value(state.progress.total);
  out.key("completedTasks").value(state.progress.completed);
  out.key("percentage").tenths(state.progress.percent_tenths);
  if (state.progress.optional > 0) {
    out.key("optionalTasks").value(state.progress.optional);
    out.key("optionalOpen").value(state.progress.optional_open);
  }
  out.end_object();
  out.key("phases").begin_object();
  for (const PhaseState& phase : state.phases) write_phase(out, phase);
  out.end_object();
  write_text_or_null(out, "currentPhase", state.current_phase ? &state.current_phase->text : nullptr);
  write_text_or_null(out, "currentTask", state.current_task ? &state.current_task->text : nullptr);
  out.key("blockers").begin_array();
  for (const std::string& blocker : state.blockers) out.value(blocker);
  out.end_array();
  out.key("decisions").begin_array();
  for (const DecisionState& decision : state.decisions) write_decision(out, decision);
  out.end_array();
  write_text_or_null(out, "sessionNotes", state.session_notes ? &*state.session_notes : nullptr);
  out.key("agents").begin_object();
  for (const AgentState& agent : state.agents) write_agent(out, agent);
  out.end_object();
  if (state.note_is_automatic) out.key("noteIsAutomatic").value(true);
  if (!state.sessions.empty()) {
    out.key("sessions").begin_object();
    for (const SessionState& session : state.sessions) write_session(out, session);
    out.end_object();
  }
  if (!state.findings.empty()) {
    out.key("claims").begin_array();
    for (const AuditFinding& claim : state.findings) write_finding(out, claim);
    out.end_array();
  }
  if (!state.unread.empty()) {
    out.key("unreadEdits").begin_array();
    for (const UnreadEdit& edit : state.unread) write_unread(out, edit);
    out.end_array();
  }
  if (!state.leases.empty()) {
    out.key("leases").begin_array();
    for (const LeaseState& lease : state.leases) write_lease(out, lease);
    out.end_array();
  }
  if (state.skipped > 0) out.key("skipped").value(state.skipped);
  if (state.last_fence > 0) out.key("lastFence").value(state.last_fence);
  if (!state.removed.empty()) {
    out.key("removed").begin_array();
    for (const RemovedTask& removed : state.removed) write_removed(out, removed);
    out.end_array();
  }
  if (state.vanished_at) out.key("vanishedAt").value(base::to_iso8601(*state.vanished_at));
  if (state.archived_at) out.key("archivedAt").value(base::to_iso8601(*state.archived_at));
  if (state.replica) {
    out.key("replica_id").value(state.replica->id);
    out.key("replica_place").value(state.replica->place);
  }
  if (!state.lint_errors.empty()) out.key("lintErrors").strings(state.lint_errors);
  if (state.latest_checkpoint) {
    const SavedCheckpoint& newest = *state.latest_checkpoint;
    out.key("newestCheckpoint").begin_object();
    out.key("id").value(newest.id);
    out.key("type").value(newest.type);
    if (!newest.phase.empty()) out.key("phaseId").value(newest.phase.text);
    out.key("time").value(base::to_iso8601(newest.time));
    write_unknown(out, newest.unknown);
    out.end_object();
  }
  if (state.last_commit) {
    const SavedCommit& last = *state.last_commit;
    out.key("checkpoint_commit_sha").value(last.sha);
    out.key("checkpointCommit").begin_object();
    out.key("milestoneIndex").value(last.milestone);
    if (!last.phase.empty()) out.key("phaseId").value(last.phase.text);
    if (!last.tier.empty()) out.key("tier").value(last.tier);
    out.key("phaseComplete").value(last.phase_complete);
    out.key("time").value(base::to_iso8601(last.time));
    write_unknown(out, last.unknown);
    out.end_object();
  }
  if (!state.structure_hash.empty()) out.key("textShape").value(state.structure_hash);
  if (state.plan_seen) out.key("planSeen").value(base::to_iso8601(*state.plan_seen));
  if (state.plan_unreadable) out.key("planUnreadable").value(true);
  if (state.unsaid_since) out.key("unsaidSince").value(base::to_iso8601(*state.unsaid_since));
  if (state.every_box) out.key("everyBox").value(true);
  out.key("revision").value(state.revision);
  if (state.history_offset_known) out.key("historyOffset").value(state.history_offset);
  write_text(out, "historyChain", state.history_chain);
  if (state.plan_stamp) {
    out.key("planStamp").begin_object();
    out.key("mtimeNs").value(state.plan_stamp->mtime_ns);
    out.key("size").value(state.plan_stamp->size);
    out.key("inode").value(state.plan_stamp->inode);
    out.end_object();
  }
  write_unknown(out, state.unknown);
  out.end_object();
}

}  // namespace

std::string encode_state(const State& state) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.reserve(expected_size(state));
  write_state(out, state);
  return out.finish();
}

std::string encode_recovery(const Recovery& recovery) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.reserve(expected_size(recovery.state));
  out.begin_object();
  out.key("savedAt").value(base::to_iso8601(recovery.saved_at));
  out.key("reason").value(recovery.reason);
  out.key("state");
  write_state(out, recovery.state);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::core
