#pragma once
// States made at random, each field of each part: the list of a structured binding is as long as its struct,
// so that a new field cannot be forgotten here.

#include <rapidcheck.h>

#include <optional>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/random_evidence.hpp"
#include "model/state.hpp"
#include "support/hostile_text.hpp"

namespace plankeep::core {

inline base::Instant random_time() {
  return {*rc::gen::inRange<std::int64_t>(0, 253402300800000)};
}

inline void fill(std::string& text) {
  text = test::hostile_text();
}
inline void fill(bool& truth) {
  truth = *rc::gen::arbitrary<bool>();
}
inline void fill(std::int64_t& number) {
  number = *rc::gen::inRange<std::int64_t>(0, kLargestFence + 1);
}
inline void fill(std::uint64_t& number) {
  number = *rc::gen::arbitrary<std::uint64_t>();
}
inline void fill(int& percent) {
  percent = *rc::gen::inRange(0, 1001);
}
inline void fill(base::Instant& time) {
  time = random_time();
}
inline void fill(PhaseStatus& status) {
  status = *rc::gen::element(PhaseStatus::pending, PhaseStatus::in_progress, PhaseStatus::completed);
}
inline void fill(AgentStatus& status) {
  status = *rc::gen::element(AgentStatus::running, AgentStatus::stopped, AgentStatus::lost);
}
inline void fill(Evidence& evidence) {
  evidence = random_evidence_of(test::hostile_text());
}
inline void fill(UnknownFields& fields) {
  fields.clear();
  const int count = *rc::gen::inRange(0, 3);
  for (int i = 0; i < count; ++i) {
    fields.push_back({"x" + std::to_string(i) + test::hostile_text(),
                      *rc::gen::element<std::string>("null", "1.50", "{\"a\" : [1,\n 2]}", "\"\\u00e9\"",
                                                     "[]", "-0", "18446744073709551616")});
  }
}

template <class Kind>
void fill(Id<Kind>& id) {
  id.text = test::hostile_text();
}

template <class Value>
void fill(std::optional<Value>& value);
template <class Value>
void fill(std::vector<Value>& values);
template <class First, class Second, class... More>
void fill(First& first, Second& second, More&... more);

inline void fill(TaskState& task) {
  auto& [id, title, done, optional, completed_at, completed_by, unknown, parent] = task;
  fill(id, title, done, optional, completed_at, completed_by, unknown);
  parent = {};  // it is not in the file
}

inline void fill(CriterionState& criterion) {
  auto& [id, title, met, verified_at, evidence, unknown, optional] = criterion;
  fill(id, title, met, verified_at, evidence, unknown);
  optional = false;  // likewise
}

inline void fill(PhaseState& phase) {
  auto& [id, title, status, started_at, completed_at, tasks, acceptance, unknown] = phase;
  fill(id, title, status, started_at, completed_at, tasks, acceptance, unknown);
}

inline void fill(DecisionState& made) {
  auto& [time, decision, reason, unknown] = made;
  fill(time, decision, reason, unknown);
}

inline void fill(AgentState& agent) {
  auto& [id, type, assigned_tasks, completed_tasks, last_active, status, session, sent_back, assignment_known,
         assigned_plan, unknown] = agent;
  fill(id, type, assigned_tasks, completed_tasks, last_active, status, session, sent_back, assignment_known,
       assigned_plan, unknown);
}

inline void fill(Assignment& assignment) {
  auto& [tool_use, type, tasks, plan] = assignment;
  fill(tool_use, type, tasks, plan);
}

inline void fill(SessionState& session) {
  auto& [id, client, started_at, ended_at, last_active, process, transcript, prompts, context_percent,
         context_window, context_full, resume_due, last_message, last_answer, last_answered, last_revision,
         edited_prompt, assignments, unknown] = session;
  fill(id, client, started_at, ended_at, last_active, process, transcript, prompts, context_percent,
       context_window, context_full, resume_due, last_message, last_answer, last_answered, last_revision,
       edited_prompt, assignments, unknown);
}

inline void fill(AuditFinding& finding) {
  auto& [agent, agent_type, session, time, background, unverified, plan, unknown] = finding;
  fill(agent, agent_type, session, time, background, unverified, plan, unknown);
}

inline void fill(UnreadEdit& edit) {
  auto& [by, agent, time, before, after, everywhere] = edit;
  fill(by, agent, time, before, after, everywhere);
}

inline void fill(LeaseState& lease) {
  auto& [task, phase, by, fence, since, renewed, until, session, host, process, fleet_fence, unknown] = lease;
  fill(task, phase, by, fence, since, renewed, until, session, host, process, fleet_fence, unknown);
}

inline void fill(RemovedTask& removed) {
  auto& [task, phase, title, completed_at, completed_by, removed_at] = removed;
  fill(task, phase, title, completed_at, completed_by, removed_at);
}

inline void fill(SavedCheckpoint& saved) {
  auto& [id, type, phase, time, unknown] = saved;
  fill(id, type, phase, time, unknown);
}

inline void fill(SavedCommit& commit) {
  auto& [sha, milestone, phase, tier, phase_complete, time, unknown] = commit;
  fill(milestone, phase, tier, phase_complete, time, unknown);
  sha = std::string(40, *rc::gen::element('a', '0'));
}

inline void fill(Replica& replica) {
  auto& [id, place] = replica;
  fill(id, place);
}

inline void fill(PlanStamp& stamp) {
  auto& [mtime_ns, size, inode] = stamp;
  fill(mtime_ns, size, inode);
}

inline void fill(Progress& progress) {
  auto& [total, completed, percent_tenths, optional, optional_open] = progress;
  fill(total, completed);
  optional = optional_open = 0;  // the plan alone says it
  percent_tenths = *rc::gen::inRange<std::int64_t>(0, 1001);
}

template <class Value>
void fill(std::optional<Value>& value) {
  value.reset();
  if (*rc::gen::arbitrary<bool>()) fill(value.emplace());
}

// Ids are unique where they must be: a number goes before the hostile part; falling, so that the order of the
// file is not that of the ids.
template <class Value>
void make_unique(Value& value, std::size_t number) {
  if constexpr (requires { value.id.text; }) {
    value.id.text.insert(0, std::to_string(number));
  } else if constexpr (requires { value.id; }) {
    value.id.insert(0, std::to_string(number));
  }
}

template <class Value>
void fill(std::vector<Value>& values) {
  values.clear();
  values.resize(*rc::gen::inRange<std::size_t>(0, 3));
  for (std::size_t i = 0; i < values.size(); ++i) {
    fill(values[i]);
    make_unique(values[i], values.size() - i);
  }
}

template <class First, class Second, class... More>
void fill(First& first, Second& second, More&... more) {
  fill(first);
  fill(second);
  (fill(more), ...);
}

inline void fill(FromPlan& part) {
  auto& [progress, phases, current_phase, current_task, blockers, decisions, skipped] = part;
  fill(progress, phases, current_phase, current_task, blockers, decisions, skipped);
}

inline void fill(FromHistory& part) {
  auto& [session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed, latest_checkpoint,
         last_commit, archived_at, replica, vanished_at] = part;
  fill(session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed, latest_checkpoint,
       last_commit, archived_at, replica, vanished_at);
}

inline void fill(Bookkeeping& part) {
  auto& [findings, unread, structure_hash, plan_seen, plan_unreadable, unsaid_since] = part;
  fill(findings, unread, structure_hash, plan_seen, plan_unreadable, unsaid_since);
}

inline void fill(Stamp& part) {
  auto& [plan_id, plan_path, last_saved, checksum, lint_errors, every_box, revision, history_offset,
         history_offset_known, history_chain, plan_stamp, unknown] = part;
  fill(plan_id, plan_path, last_saved, checksum, lint_errors, revision, history_offset, plan_stamp, unknown);
  every_box = *rc::gen::arbitrary<bool>();
  history_chain = *rc::gen::element<std::string>("", std::string(32, 'a'));
  history_offset_known = *rc::gen::arbitrary<bool>();
  if (!history_offset_known) history_offset = 0;
}

inline State random_state() {
  State state;
  fill(static_cast<FromPlan&>(state));
  fill(static_cast<FromHistory&>(state));
  fill(static_cast<Bookkeeping&>(state));
  fill(static_cast<Stamp&>(state));
  return state;
}

}  // namespace plankeep::core
