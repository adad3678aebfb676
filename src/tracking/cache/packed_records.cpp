#include "tracking/cache/packed_records.hpp"

#include <type_traits>
#include <utility>

#include "base/packing.hpp"

namespace plankeep::base::packing {

template <class A, class Kind>
void item(A& a, core::Id<Kind>& id) {
  item(a, id.text);
}
template <class A, class Kind>
void item(A& a, const core::Id<Kind>& id) {
  item(a, id.text);
}

// Each part as the list of its fields.
template <class A, IsA<core::Box> T>
void fields(A& a, T& v) {
  auto& [offset, length] = v;
  each(a, offset, length);
}
template <class A, IsA<core::Task> T>
void fields(A& a, T& v) {
  auto& [id, title, state, optional, line, after, parent, section, marked, boxes, id_in_text] = v;
  each(a, id, title, state, optional, line, after, parent, section, marked, boxes, id_in_text);
}
template <class A, IsA<core::Criterion> T>
void fields(A& a, T& v) {
  auto& [id, title, met, line, verify, boxes, optional, parent, section, active] = v;
  each(a, id, title, met, line, verify, boxes, optional, parent, section, active);
}
template <class A, IsA<core::Phase> T>
void fields(A& a, T& v) {
  auto& [id, title, line, tasks, acceptance] = v;
  each(a, id, title, line, tasks, acceptance);
}
template <class A, IsA<core::Decision> T>
void fields(A& a, T& v) {
  auto& [text, reason, line] = v;
  each(a, text, reason, line);
}
template <class A, IsA<core::Blocker> T>
void fields(A& a, T& v) {
  auto& [text, line] = v;
  each(a, text, line);
}
template <class A, IsA<core::Diagnostic> T>
void fields(A& a, T& v) {
  auto& [line, column, code, message, hint] = v;
  each(a, line, column, code, message, hint);
}
template <class A, IsA<core::SkippedBox> T>
void fields(A& a, T& v) {
  auto& [title, task, criterion] = v;
  each(a, title, task, criterion);
}
template <class A, IsA<core::Plan> T>
void fields(A& a, T& v) {
  // What was renumbered is told of a state that is older than the packed one.
  auto& [title, skipped, skipped_boxes, has_markers, phases, decisions, blockers, diagnostics, renumbered] =
      v;
  (void)renumbered;
  each(a, title, skipped, skipped_boxes, has_markers, phases, decisions, blockers, diagnostics);
}
template <class A, IsA<core::Progress> T>
void fields(A& a, T& v) {
  auto& [total, completed, percent_tenths, optional, optional_open] = v;
  each(a, total, completed, percent_tenths, optional, optional_open);
}
template <class A, IsA<core::UnknownField> T>
void fields(A& a, T& v) {
  auto& [name, json] = v;
  each(a, name, json);
}
template <class A, IsA<core::Evidence> T>
void fields(A& a, T& v) {
  auto& [command, status, timed_out, duration_ms, output_sha256, last_lines, head, dirty, tree, changed_files,
         time, unknown] = v;
  each(a, command, status, timed_out, duration_ms, output_sha256, last_lines, head, dirty, tree,
       changed_files, time, unknown);
}
template <class A, IsA<core::TaskState> T>
void fields(A& a, T& v) {
  auto& [id, title, done, optional, completed_at, completed_by, unknown, parent] = v;
  each(a, id, title, done, optional, completed_at, completed_by, unknown, parent);
}
template <class A, IsA<core::CriterionState> T>
void fields(A& a, T& v) {
  auto& [id, title, met, verified_at, evidence, unknown, optional] = v;
  each(a, id, title, met, verified_at, evidence, unknown, optional);
}
template <class A, IsA<core::PhaseState> T>
void fields(A& a, T& v) {
  auto& [id, title, status, started_at, completed_at, tasks, acceptance, unknown] = v;
  each(a, id, title, status, started_at, completed_at, tasks, acceptance, unknown);
}
template <class A, IsA<core::DecisionState> T>
void fields(A& a, T& v) {
  auto& [time, decision, reason, unknown] = v;
  each(a, time, decision, reason, unknown);
}
template <class A, IsA<core::AgentState> T>
void fields(A& a, T& v) {
  auto& [id, type, assigned_tasks, completed_tasks, last_active, status, session, sent_back, assignment_known,
         assigned_plan, unknown] = v;
  each(a, id, type, assigned_tasks, completed_tasks, last_active, status, session, sent_back,
       assignment_known, assigned_plan, unknown);
}
template <class A, IsA<core::Assignment> T>
void fields(A& a, T& v) {
  auto& [tool_use, type, tasks, plan] = v;
  each(a, tool_use, type, tasks, plan);
}
template <class A, IsA<core::SessionState> T>
void fields(A& a, T& v) {
  auto& [id, client, started_at, ended_at, last_active, process, transcript, prompts, context_percent,
         context_window, context_full, resume_due, last_message, last_answer, last_answered, last_revision,
         edited_prompt, assignments, unknown] = v;
  each(a, id, client, started_at, ended_at, last_active, process, transcript, prompts, context_percent,
       context_window, context_full, resume_due, last_message, last_answer, last_answered, last_revision,
       edited_prompt, assignments, unknown);
}
template <class A, IsA<core::AuditFinding> T>
void fields(A& a, T& v) {
  auto& [agent, agent_type, session, time, background, unverified, plan, unknown] = v;
  each(a, agent, agent_type, session, time, background, unverified, plan, unknown);
}
template <class A, IsA<core::UnreadEdit> T>
void fields(A& a, T& v) {
  auto& [by, agent, time, before, after, everywhere] = v;
  each(a, by, agent, time, before, after, everywhere);
}
template <class A, IsA<core::LeaseState> T>
void fields(A& a, T& v) {
  auto& [task, phase, by, fence, since, renewed, until, session, host, process, fleet_fence, unknown] = v;
  each(a, task, phase, by, fence, since, renewed, until, session, host, process, fleet_fence, unknown);
}
template <class A, IsA<core::RemovedTask> T>
void fields(A& a, T& v) {
  auto& [task, phase, title, completed_at, completed_by, removed_at] = v;
  each(a, task, phase, title, completed_at, completed_by, removed_at);
}
template <class A, IsA<core::SavedCheckpoint> T>
void fields(A& a, T& v) {
  auto& [id, type, phase, time, unknown] = v;
  each(a, id, type, phase, time, unknown);
}
template <class A, IsA<core::SavedCommit> T>
void fields(A& a, T& v) {
  auto& [sha, milestone, phase, tier, phase_complete, time, unknown] = v;
  each(a, sha, milestone, phase, tier, phase_complete, time, unknown);
}
template <class A, IsA<core::Replica> T>
void fields(A& a, T& v) {
  auto& [id, place] = v;
  each(a, id, place);
}
template <class A, IsA<core::PlanStamp> T>
void fields(A& a, T& v) {
  auto& [mtime_ns, size, inode] = v;
  each(a, mtime_ns, size, inode);
}
template <class A, IsA<core::FromPlan> T>
void fields(A& a, T& v) {
  auto& [progress, phases, current_phase, current_task, blockers, decisions, skipped] = v;
  each(a, progress, phases, current_phase, current_task, blockers, decisions, skipped);
}
template <class A, IsA<core::FromHistory> T>
void fields(A& a, T& v) {
  auto& [session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed, latest_checkpoint,
         last_commit, archived_at, replica, vanished_at] = v;
  each(a, session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed, latest_checkpoint,
       last_commit, archived_at, replica, vanished_at);
}
template <class A, IsA<core::Bookkeeping> T>
void fields(A& a, T& v) {
  auto& [findings, unread, structure_hash, plan_seen, plan_unreadable, unsaid_since] = v;
  each(a, findings, unread, structure_hash, plan_seen, plan_unreadable, unsaid_since);
}
template <class A, IsA<core::Stamp> T>
void fields(A& a, T& v) {
  auto& [plan_id, plan_path, last_saved, checksum, lint_errors, every_box, revision, history_offset,
         history_offset_known, history_chain, plan_stamp, unknown] = v;
  each(a, plan_id, plan_path, last_saved, checksum, lint_errors, every_box, revision, history_offset,
       history_offset_known, history_chain, plan_stamp, unknown);
}
template <class A, IsA<core::State> T>
void fields(A& a, T& v) {
  const auto part = [&a](auto& of) { fields(a, of); };
  using Const = std::is_const<T>;
  part(static_cast<std::conditional_t<Const::value, const core::FromPlan, core::FromPlan>&>(v));
  part(static_cast<std::conditional_t<Const::value, const core::FromHistory, core::FromHistory>&>(v));
  part(static_cast<std::conditional_t<Const::value, const core::Bookkeeping, core::Bookkeeping>&>(v));
  part(static_cast<std::conditional_t<Const::value, const core::Stamp, core::Stamp>&>(v));
}

}  // namespace plankeep::base::packing

namespace plankeep::app {

namespace packing = base::packing;

std::string pack(const core::Plan& plan, const core::State& state, std::string before) {
  packing::Packer to{std::move(before)};
  fields(to, plan);
  fields(to, state);
  return std::move(to.out);
}

base::Result<PackedRecords> unpack(std::string_view bytes) {
  PackedRecords records;
  packing::Unpacker from(bytes);
  fields(from, records.plan);
  fields(from, records.state);
  if (!from.good() || !from.at_end())
    return base::fail(base::ErrorKind::corrupt, "not the records of a plan");
  return records;
}

}  // namespace plankeep::app
