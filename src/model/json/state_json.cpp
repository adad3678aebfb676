// Reading; state_json_write.cpp has the other half.
#include "model/json/state_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/json_reader.hpp"
#include "model/chain.hpp"
#include "model/event.hpp"
#include "model/json/evidence_json.hpp"
#include "model/json/json_fields.hpp"
#include "model/json/removed_json.hpp"
#include "model/sidecar.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::Status;

// The keys that an object must have.
class Required {
 public:
  explicit Required(std::span<const std::string_view> names) : names_(names) {}
  void note(std::string_view key) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == key) seen_ |= 1U << i;
    }
  }
  Status complete(const JsonReader& in) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if ((seen_ >> i & 1U) == 0) return in.error("a \"" + std::string(names_[i]) + "\" in this object");
    }
    return {};
  }

 private:
  std::span<const std::string_view> names_;
  unsigned seen_ = 0;
};

// Reads an object whose keys `names` must all be there, each value through `field`.
template <std::size_t kCount, class Field>
Status read_object(JsonReader& in, const std::array<std::string_view, kCount>& names, const Field& field) {
  Required required(names);
  struct {
    Required& required;
    const Field& field;
  } both{required, field};
  // One reference, so that the callback needs no memory of its own.
  TRY(in.object([&both](std::string_view key) -> Status {
    both.required.note(key);
    return both.field(key);
  }));
  return required.complete(in);
}

Status keep(JsonReader& in, std::string_view key, UnknownFields& fields) {
  std::string name(key);
  std::string_view json;
  TRY(in.raw(json));
  fields.push_back({std::move(name), std::string(json)});
  return {};
}

Status read_optional_time(JsonReader& in, std::optional<base::Instant>& time) {
  return read_time(in, time.emplace());
}

// The id's text, of a task as of an agent.
template <class Entry>
auto& id_of(Entry& entry) {
  if constexpr (requires { entry.id.text; }) {
    return entry.id.text;
  } else {
    return entry.id;
  }
}

// Two entries of one id cannot both be believed.
template <class Entry>
Status check_unique(const JsonReader& in, const std::vector<Entry>& entries) {
  const auto less = [](const Entry* a, const Entry* b) { return id_of(*a) < id_of(*b); };
  std::vector<const Entry*> sorted;
  sorted.reserve(entries.size());
  for (const Entry& entry : entries) sorted.push_back(&entry);
  if (!std::is_sorted(sorted.begin(), sorted.end(), less)) std::sort(sorted.begin(), sorted.end(), less);
  const auto twice = std::adjacent_find(
      sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) { return id_of(*a) == id_of(*b); });
  if (twice == sorted.end()) return {};
  return in.error("every id once, \"" + id_of(**twice) + "\" appears again");
}

// An object whose keys are ids, in the order of the file.
template <class Entry, class Read>
Status read_entries(JsonReader& in, std::vector<Entry>& entries, const Read& read) {
  entries.clear();
  TRY(in.object([&](std::string_view id) -> Status {
    Entry& entry = entries.emplace_back();
    id_of(entry) = id;
    return read(in, entry);
  }));
  return check_unique(in, entries);
}

Status read_task(JsonReader& in, TaskState& task) {
  static constexpr std::array<std::string_view, 1> kRequired{"done"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "done") return in.boolean(task.done);
    if (key == "completedAt") return read_optional_time(in, task.completed_at);
    if (key == "completedBy") return in.string(task.completed_by);
    if (key == "title") return in.string(task.title);
    if (key == "optional") return in.boolean(task.optional);
    if (key == "parent") return in.string(task.parent.text);
    return keep(in, key, task.unknown);
  });
}

Status read_criterion(JsonReader& in, CriterionState& criterion) {
  static constexpr std::array<std::string_view, 1> kRequired{"met"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "met") return in.boolean(criterion.met);
    if (key == "verifiedAt") return read_optional_time(in, criterion.verified_at);
    if (key == "title") return in.string(criterion.title);
    if (key == "optional") return in.boolean(criterion.optional);
    if (key == "evidence") return read_evidence(in, criterion.evidence.emplace());
    return keep(in, key, criterion.unknown);
  });
}

Status read_phase(JsonReader& in, PhaseState& phase) {
  static constexpr std::array<std::string_view, 3> kRequired{"status", "tasks", "acceptance"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "status") return read_status(in, phase.status);
    if (key == "startedAt") return read_optional_time(in, phase.started_at);
    if (key == "completedAt") return read_optional_time(in, phase.completed_at);
    if (key == "title") return in.string(phase.title);
    if (key == "tasks") return read_entries(in, phase.tasks, read_task);
    if (key == "acceptance") return read_entries(in, phase.acceptance, read_criterion);
    return keep(in, key, phase.unknown);
  });
}

Status read_percentage(JsonReader& in, std::int64_t& tenths) {
  double percentage = 0;
  TRY(in.number(percentage));
  if (percentage < 0 || percentage > 100) return in.error("a number from 0 to 100");
  tenths = std::llround(percentage * 10);
  return {};
}

Status read_progress(JsonReader& in, Progress& progress) {
  static constexpr std::array<std::string_view, 3> kRequired{"totalTasks", "completedTasks", "percentage"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "totalTasks") return read_count(in, progress.total);
    if (key == "completedTasks") return read_count(in, progress.completed);
    if (key == "percentage") return read_percentage(in, progress.percent_tenths);
    if (key == "optionalTasks") return read_count(in, progress.optional);
    if (key == "optionalOpen") return read_count(in, progress.optional_open);
    return in.skip();
  });
}

Status read_decision(JsonReader& in, DecisionState& decision) {
  static constexpr std::array<std::string_view, 2> kRequired{"time", "decision"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "time") return read_time(in, decision.time);
    if (key == "decision") return in.string(decision.decision);
    if (key == "reason") return in.string(decision.reason);
    return keep(in, key, decision.unknown);
  });
}

Status read_ids(JsonReader& in, std::vector<TaskId>& ids) {
  ids.clear();
  return in.array([&]() -> Status { return in.string(ids.emplace_back().text); });
}

Status read_agent_status(JsonReader& in, AgentStatus& status) {
  std::string name;
  TRY(in.string(name));
  for (const AgentStatus known : {AgentStatus::running, AgentStatus::stopped, AgentStatus::lost}) {
    if (name != name_of(known)) continue;
    status = known;
    return {};
  }
  return in.error("running, stopped or lost");
}

Status read_agent(JsonReader& in, AgentState& agent) {
  static constexpr std::array<std::string_view, 4> kRequired{"type", "assignedTasks", "completedTasks",
                                                             "lastActive"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "type") return in.string(agent.type);
    if (key == "assignedTasks") return read_ids(in, agent.assigned_tasks);
    if (key == "completedTasks") return read_ids(in, agent.completed_tasks);
    if (key == "lastActive") return read_time(in, agent.last_active);
    if (key == "status") return read_agent_status(in, agent.status);
    if (key == "sessionId") return in.string(agent.session);
    if (key == "sentBack") return in.boolean(agent.sent_back);
    if (key == "assignmentKnown") return in.boolean(agent.assignment_known);
    if (key == "assignedPlan") return in.string(agent.assigned_plan);
    return keep(in, key, agent.unknown);
  });
}

Status read_assignments(JsonReader& in, std::vector<Assignment>& assignments) {
  assignments.clear();
  return in.array([&]() -> Status {
    Assignment& assignment = assignments.emplace_back();
    return in.object([&](std::string_view key) -> Status {
      if (key == "toolUse") return in.string(assignment.tool_use);
      if (key == "type") return in.string(assignment.type);
      if (key == "tasks") return read_ids(in, assignment.tasks);
      if (key == "plan") return in.string(assignment.plan);
      return in.skip();
    });
  });
}

Status read_context_percent(JsonReader& in, std::optional<int>& percent) {
  std::int64_t value = 0;
  TRY(read_count(in, value));
  // A window can be overfull; beyond that it is no percentage.
  if (value > 1000) return in.error("a percentage");
  percent = static_cast<int>(value);
  return {};
}

Status read_session(JsonReader& in, SessionState& session) {
  static constexpr std::array<std::string_view, 1> kRequired{"startedAt"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "client") return in.string(session.client);
    if (key == "startedAt") return read_time(in, session.started_at);
    if (key == "endedAt") return read_optional_time(in, session.ended_at);
    if (key == "lastActive") return read_time(in, session.last_active);
    if (key == "process") return in.string(session.process);
    if (key == "transcript") return in.string(session.transcript);
    if (key == "prompts") return read_count(in, session.prompts);
    if (key == "contextPercent") return read_context_percent(in, session.context_percent);
    if (key == "contextWindow") return read_count(in, session.context_window.emplace());
    if (key == "contextFull") return in.boolean(session.context_full);
    if (key == "resumeDue") return in.boolean(session.resume_due);
    if (key == "lastMessage") return in.string(session.last_message);
    if (key == "lastAnswer") return in.string(session.last_answer);
    if (key == "lastAnswered") return read_time(in, session.last_answered);
    if (key == "lastRevision") return read_count(in, session.last_revision);
    if (key == "editedPrompt") return in.string(session.edited_prompt);
    if (key == "assignments") return read_assignments(in, session.assignments);
    return keep(in, key, session.unknown);
  });
}

Status read_finding(JsonReader& in, AuditFinding& claim) {
  static constexpr std::array<std::string_view, 1> kRequired{"agentId"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "agentId") return in.string(claim.agent);
    if (key == "agentType") return in.string(claim.agent_type);
    if (key == "sessionId") return in.string(claim.session);
    if (key == "time") return read_time(in, claim.time);
    if (key == "background") return in.boolean(claim.background);
    if (key == "unverified") return in.strings(claim.unverified);
    if (key == "plan") return in.string(claim.plan);
    return keep(in, key, claim.unknown);
  });
}

Status read_unread(JsonReader& in, UnreadEdit& edit) {
  static constexpr std::array<std::string_view, 2> kRequired{"by", "after"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "by") return in.string(edit.by);
    if (key == "agentId") return in.string(edit.agent);
    if (key == "time") return read_time(in, edit.time);
    if (key == "before") return in.string(edit.before);
    if (key == "after") return in.string(edit.after);
    if (key == "everywhere") return in.boolean(edit.everywhere);
    return in.skip();
  });
}

Status read_lease(JsonReader& in, LeaseState& lease) {
  static constexpr std::array<std::string_view, 7> kRequired{"taskId",    "phaseId",   "by",   "fence",
                                                             "claimedAt", "renewedAt", "until"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "taskId") return in.string(lease.task.text);
    if (key == "phaseId") return in.string(lease.phase.text);
    if (key == "by") return in.string(lease.by);
    if (key == "fence") return read_fence(in, lease.fence);
    if (key == "claimedAt") return read_time(in, lease.since);
    if (key == "renewedAt") return read_time(in, lease.renewed);
    if (key == "until") return read_time(in, lease.until);
    if (key == "sessionId") return in.string(lease.session);
    if (key == "host") return in.string(lease.host);
    if (key == "process") return in.string(lease.process);
    if (key == "fleetFence") return read_fence(in, lease.fleet_fence);
    return keep(in, key, lease.unknown);
  });
}

Status read_stamp(JsonReader& in, PlanStamp& stamp) {
  static constexpr std::array<std::string_view, 3> kRequired{"mtimeNs", "size", "inode"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "mtimeNs") return in.integer(stamp.mtime_ns);
    if (key == "size") return in.integer(stamp.size);
    if (key == "inode") return in.integer(stamp.inode);
    return in.skip();
  });
}

Status read_version(JsonReader& in) {
  std::int64_t version = 0;
  TRY(in.integer(version));
  if (version != kStateVersion) return in.error("version 2, not " + std::to_string(version));
  return {};
}

template <class Id>
Status read_id_or_null(JsonReader& in, std::optional<Id>& id) {
  std::string text;
  bool present = false;
  TRY(in.string_or_null(text, present));
  id = present ? std::optional<Id>(std::move(text)) : std::nullopt;
  return {};
}

Status read_newest(JsonReader& in, SavedCheckpoint& newest) {
  static constexpr std::array<std::string_view, 2> kRequired{"id", "time"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "id") return in.string(newest.id);
    if (key == "type") return in.string(newest.type);
    if (key == "phaseId") return in.string(newest.phase.text);
    if (key == "time") return read_time(in, newest.time);
    return keep(in, key, newest.unknown);
  });
}

// The object and the id stand side by side, in whichever order.
SavedCommit& last_commit(State& state) {
  return state.last_commit ? *state.last_commit : state.last_commit.emplace();
}

Replica& replica(State& state) {
  return state.replica ? *state.replica : state.replica.emplace();
}

Status read_commit(JsonReader& in, SavedCommit& last) {
  static constexpr std::array<std::string_view, 2> kRequired{"milestoneIndex", "time"};
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "milestoneIndex") return read_count(in, last.milestone);
    if (key == "phaseId") return in.string(last.phase.text);
    if (key == "tier") return in.string(last.tier);
    if (key == "phaseComplete") return in.boolean(last.phase_complete);
    if (key == "time") return read_time(in, last.time);
    return keep(in, key, last.unknown);
  });
}

Status read_commit_id(JsonReader& in, std::string& id) {
  TRY(in.string(id));
  if (!is_commit_id(id)) return in.error("the id of a commit");
  return {};
}

Status read_chain(JsonReader& in, std::string& chain) {
  TRY(in.string(chain));
  if (!is_chain(chain)) return in.error("32 hexadecimal digits");
  return {};
}

Status read_state(JsonReader& in, State& state) {
  static constexpr std::array<std::string_view, 13> kRequired{
      "version",      "planId",      "planPath", "lastCheckpoint", "checksum",     "progress", "phases",
      "currentPhase", "currentTask", "blockers", "decisions",      "sessionNotes", "agents"};
  state.history_offset_known = false;
  state.every_box = false;
  return read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "version") return read_version(in);
    if (key == "planId") return in.string(state.plan_id);
    if (key == "planPath") return in.string(state.plan_path);
    if (key == "lastCheckpoint") return read_time(in, state.last_saved);
    if (key == "checksum") return in.string(state.checksum);
    if (key == "progress") return read_progress(in, state.progress);
    if (key == "phases") return read_entries(in, state.phases, read_phase);
    if (key == "currentPhase") return read_id_or_null(in, state.current_phase);
    if (key == "currentTask") return read_id_or_null(in, state.current_task);
    if (key == "blockers") {
      state.blockers.clear();
      return in.array([&]() -> Status { return in.string(state.blockers.emplace_back()); });
    }
    if (key == "decisions") {
      state.decisions.clear();
      return in.array([&]() -> Status { return read_decision(in, state.decisions.emplace_back()); });
    }
    if (key == "sessionNotes") return read_id_or_null(in, state.session_notes);
    if (key == "noteIsAutomatic") return in.boolean(state.note_is_automatic);
    if (key == "agents") return read_entries(in, state.agents, read_agent);
    if (key == "sessions") return read_entries(in, state.sessions, read_session);
    if (key == "claims") {
      state.findings.clear();
      return in.array([&]() -> Status { return read_finding(in, state.findings.emplace_back()); });
    }
    if (key == "unreadEdits") {
      state.unread.clear();
      return in.array([&]() -> Status { return read_unread(in, state.unread.emplace_back()); });
    }
    if (key == "leases") {
      state.leases.clear();
      return in.array([&]() -> Status { return read_lease(in, state.leases.emplace_back()); });
    }
    if (key == "skipped") return read_count(in, state.skipped);
    if (key == "lastFence") return read_fence(in, state.last_fence);
    if (key == "removed") {
      state.removed.clear();
      return in.array([&]() -> Status { return read_removed(in, state.removed.emplace_back()); });
    }
    if (key == "newestCheckpoint") return read_newest(in, state.latest_checkpoint.emplace());
    if (key == "checkpoint_commit_sha") return read_commit_id(in, last_commit(state).sha);
    if (key == "checkpointCommit") return read_commit(in, last_commit(state));
    if (key == "vanishedAt") return read_time(in, state.vanished_at.emplace());
    if (key == "archivedAt") return read_time(in, state.archived_at.emplace());
    if (key == "replica_id") return in.string(replica(state).id);
    if (key == "replica_place") return in.string(replica(state).place);
    if (key == "lintErrors") return in.strings(state.lint_errors);
    if (key == "textShape") return in.string(state.structure_hash);
    if (key == "planSeen") return read_time(in, state.plan_seen.emplace());
    if (key == "planUnreadable") return in.boolean(state.plan_unreadable);
    if (key == "unsaidSince") return read_time(in, state.unsaid_since.emplace());
    if (key == "everyBox") return in.boolean(state.every_box);
    if (key == "revision") return read_count(in, state.revision);
    if (key == "historyOffset") {
      state.history_offset_known = true;
      return in.integer(state.history_offset);
    }
    if (key == "historyChain") return read_chain(in, state.history_chain);
    if (key == "planStamp") return read_stamp(in, state.plan_stamp.emplace());
    return keep(in, key, state.unknown);
  });
}

// Without an id nobody can say which commit it was.
void drop_commit_without_id(State& state) {
  if (state.last_commit && state.last_commit->sha.empty()) state.last_commit.reset();
}

}  // namespace

base::Result<State> decode_state(std::string_view json) {
  JsonReader in(json);
  State state;
  TRY(read_state(in, state));
  TRY(in.end());
  drop_commit_without_id(state);
  return state;
}

base::Result<Recovery> decode_recovery(std::string_view json) {
  static constexpr std::array<std::string_view, 3> kRequired{"savedAt", "reason", "state"};
  JsonReader in(json);
  Recovery recovery;
  TRY(read_object(in, kRequired, [&](std::string_view key) -> Status {
    if (key == "savedAt") return read_time(in, recovery.saved_at);
    if (key == "reason") return in.string(recovery.reason);
    if (key == "state") {
      recovery.state = State{};
      return read_state(in, recovery.state);
    }
    return in.skip();
  }));
  TRY(in.end());
  drop_commit_without_id(recovery.state);
  return recovery;
}

}  // namespace plankeep::core
