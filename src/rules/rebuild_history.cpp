// Records are taken apart by structured bindings: a new field does not compile before it is listed here, so
// that somebody decides which event holds it.

#include "rules/rebuild_history.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>

#include "model/json/event_json.hpp"
#include "rules/lease.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {
namespace {

Event event(EventKind kind, base::Instant time, const PhaseId& phase = PhaseId()) {
  Event made;
  made.kind = kind;
  made.time = time;
  made.phase = phase;
  return made;
}

// A command that failed leaves the criterion unmet. If it is ticked all the same, that happened later.
void retell_criterion(const PhaseId& phase, const CriterionState& criterion, std::vector<Event>& events) {
  const auto& [id, title, is_met, verified_at, evidence, unknown, optional] = criterion;
  const bool met = is_met && verified_at;
  const auto add = [&events, &phase, &criterion](EventKind kind, base::Instant time) -> Event& {
    Event& made = events.emplace_back(event(kind, time, phase));
    made.criterion = criterion.id;
    made.by = "external";  // the state does not keep who ticked a criterion
    return made;
  };
  const bool with_met = met && evidence && evidence->passed();
  if (evidence && !with_met) {
    add(EventKind::acceptance_unmet, met ? std::min(evidence->time, *verified_at) : evidence->time).evidence =
        evidence;
  }
  if (!met) return;
  Event& made = add(EventKind::acceptance_met, *verified_at);
  if (with_met) made.evidence = evidence;
}

void retell_task(const PhaseId& phase, const TaskState& task, std::vector<Event>& events) {
  // `optional` comes from the plan, `parent` is in checkpoint_created.
  const auto& [id, title, done, optional, completed_at, completed_by, unknown, parent] = task;
  if (!done || !completed_at) return;
  Event& made = events.emplace_back(event(EventKind::task_completed, *completed_at, phase));
  made.task = id;
  made.by = completed_by;
  made.title = title;
}

void retell_phase(const PhaseState& phase, std::vector<Event>& events) {
  const auto& [id, title, status, started_at, completed_at, tasks, acceptance, unknown] = phase;
  if (started_at) events.push_back(event(EventKind::phase_started, *started_at, id));
  for (const TaskState& task : tasks) retell_task(id, task, events);
  for (const CriterionState& criterion : acceptance) retell_criterion(id, criterion, events);
  if (completed_at) events.push_back(event(EventKind::phase_completed, *completed_at, id));
}

void retell_session(const SessionState& session, std::vector<Event>& events) {
  Event& started = events.emplace_back(event(EventKind::session_started, session.started_at));
  started.session = session.id;
  started.client = session.client;
  if (!session.ended_at) return;
  Event& ended = events.emplace_back(event(EventKind::session_ended, *session.ended_at));
  ended.session = session.id;
  ended.client = session.client;
}

Event event_of(const AgentState& agent, EventKind kind, base::Instant time) {
  Event made = event(kind, time);
  made.agent = agent.id;
  made.agent_type = agent.type;
  made.session = agent.session;
  made.tasks = kind == EventKind::subagent_stopped ? agent.completed_tasks : agent.assigned_tasks;
  return made;
}

// Its beginning is not kept, so all of it is told at the last moment that is. What one that did not stop has
// completed is told as a stop after which it went on.
void retell_agent(const AgentState& agent, std::vector<Event>& events) {
  events.push_back(event_of(agent, EventKind::subagent_started, agent.last_active));
  const bool stopped = agent.status == AgentStatus::stopped;
  if (!stopped && agent.completed_tasks.empty()) return;
  events.push_back(event_of(agent, EventKind::subagent_stopped, agent.last_active));
  if (!stopped) events.push_back(event_of(agent, EventKind::subagent_started, agent.last_active));
}

// The end of its session tells that it is lost. When that session began again since, or is no longer known,
// an end of its own is needed.
void retell_loss(const AgentState& agent, const State& state, std::vector<Event>& events) {
  const SessionState* session = find_session(state, agent.session);
  if (session != nullptr && session->ended_at && *session->ended_at >= agent.last_active) return;
  events.emplace_back(event(EventKind::session_ended, agent.last_active)).session = agent.session;
}

// Agents stand in the order in which they began. Where that of their last moments is another one, all begin
// first, each no later than those behind it.
void retell_beginnings(const State& state, std::vector<Event>& events) {
  const auto rank = [](const AgentState& agent) { return agent.status == AgentStatus::lost ? 0 : 1; };
  const bool in_order = std::is_sorted(
      state.agents.begin(), state.agents.end(), [&rank](const AgentState& a, const AgentState& b) {
        return a.last_active == b.last_active ? rank(a) < rank(b) : a.last_active < b.last_active;
      });
  if (in_order) return;
  std::vector<Event> beginnings;
  base::Instant time = state.agents.back().last_active;
  for (auto agent = state.agents.rbegin(); agent != state.agents.rend(); ++agent) {
    time = std::min(time, agent->last_active);
    beginnings.push_back(event_of(*agent, EventKind::subagent_started, time));
  }
  events.insert(events.end(), beginnings.rbegin(), beginnings.rend());
}

// In an order that also holds within one moment: who is lost was there before its session ended, who runs in
// an ended session began after that.
void retell_sessions(const State& state, std::vector<Event>& events) {
  retell_beginnings(state, events);
  for (const AgentState& agent : state.agents) {
    if (agent.status != AgentStatus::lost) continue;
    retell_agent(agent, events);
    retell_loss(agent, state, events);
  }
  for (const SessionState& session : state.sessions) retell_session(session, events);
  for (const AgentState& agent : state.agents) {
    if (agent.status != AgentStatus::lost) retell_agent(agent, events);
  }
}

void retell_lease(const LeaseState& lease, std::vector<Event>& events) {
  Event claimed = claim_event(lease, lease.since);
  if (lease.renewed != lease.since) {
    claimed.until = base::Instant{lease.since.milliseconds + length_of(lease)};
    events.push_back(claimed);
    claimed = claim_event(lease, lease.renewed);
    claimed.reason = kRenewed;
  }
  events.push_back(std::move(claimed));
}

// What was there from the beginning: everything whose time nobody saw.
Event creation(const State& state, base::Instant time) {
  Event created = event(EventKind::checkpoint_created, time);
  created.plan_id = state.plan_id;
  created.total_tasks = state.progress.total;
  created.every_box = state.every_box;
  created.fence = state.last_fence;
  created.removed = state.removed;
  for (const PhaseState& phase : state.phases) {
    PhaseInventory& inventory = created.phases.emplace_back();
    inventory.id = phase.id;
    inventory.status = phase.status;
    for (const TaskState& task : phase.tasks) {
      inventory.tasks.push_back(task.id);
      if (task.done && !task.completed_at) inventory.done.push_back(task.id);
      created.ids.push_back({task.id, task.title, phase.id, task.parent});
    }
    for (const CriterionState& criterion : phase.acceptance) {
      inventory.criteria.push_back(criterion.id);
      if (criterion.met && !criterion.verified_at) inventory.met.push_back(criterion.id);
    }
  }
  return created;
}

}  // namespace

std::vector<Event> rebuild_history(const State& state, base::Instant now) {
  // `progress` and `current_...` follow from the rest. Agents and sessions are read
  // from the state below; `last_fence` and `removed` are in checkpoint_created. What vanished lately is told
  // by nothing any more.
  const auto& [progress, phases, current_phase, current_task, blockers, decisions, skipped] =
      static_cast<const FromPlan&>(state);
  const auto& [session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed,
               latest_checkpoint, last_commit, archived_at, replica, vanished_at] =
      static_cast<const FromHistory&>(state);
  std::vector<Event> events;
  for (const auto& [time, decision, reason, unknown] : decisions) {
    Event& made = events.emplace_back(event(EventKind::decision_recorded, time));
    made.decision = decision;
    made.reason = reason;
  }
  for (const PhaseState& phase : phases) retell_phase(phase, events);
  retell_sessions(state, events);
  for (const LeaseState& lease : leases) retell_lease(lease, events);
  if (latest_checkpoint) {
    const auto& [id, type, phase, time, unknown] = *latest_checkpoint;
    Event& saved = events.emplace_back(event(EventKind::checkpoint_saved, time));
    saved.checkpoint = id;
    saved.checkpoint_type = type;
    saved.phase = phase;
  }
  if (last_commit) {
    const auto& [sha, milestone, phase, tier, phase_complete, time, unknown] = *last_commit;
    Event& bound = events.emplace_back(event(EventKind::checkpoint_complete, time));
    bound.commit = sha;
    bound.milestone = milestone;
    bound.phase = phase;
    bound.tier = tier;
    bound.phase_complete = phase_complete;
    bound.sidecar_written = true;
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  const base::Instant first = events.empty() ? now : std::min(now, events.front().time);
  events.insert(events.begin(), creation(state, first));
  for (const std::string& blocker : blockers) {
    events.emplace_back(event(EventKind::blocker_raised, now)).blocker = blocker;
  }
  if (skipped > 0) events.emplace_back(event(EventKind::boxes_skipped, now)).boxes = skipped;
  if (session_notes) {
    Event& note = events.emplace_back(event(EventKind::note_saved, now));
    note.note = *session_notes;
    if (note_is_automatic) note.reason = "session_end";
  }
  if (archived_at) events.emplace_back(event(EventKind::plan_archived, *archived_at));
  if (replica) {
    Event& named = events.emplace_back(event(EventKind::replica_created, now));
    named.replica = replica->id;
    named.place = replica->place;
  }
  events.emplace_back(event(EventKind::full_recovery, now)).source = "state.json";
  return events;
}

std::vector<Event> missing_history(const State& left, const State& state, base::Instant now) {
  // A state says less than the lines did that led to it: not who decided something, nor when a blocker came
  // up. Both are told with the same gaps, so they can be compared.
  std::unordered_set<std::string> held;
  for (const Event& event : rebuild_history(left, now)) held.insert(encode_event(event));
  const std::vector<Event> told = rebuild_history(state, now);
  std::vector<Event> missing;
  std::copy_if(told.begin() + 1, told.end() - 1, std::back_inserter(missing),
               [&held](const Event& event) { return !held.contains(encode_event(event)); });
  for (const LeaseState& lease : left.leases) {
    if (find_lease(state, lease.phase, lease.task) != nullptr) continue;
    Event& released = missing.emplace_back(event(EventKind::task_released, now, lease.phase));
    released.task = lease.task;
    released.by = "external";
    released.fence = lease.fence;
  }
  if (left.archived_at && !state.archived_at)
    missing.emplace_back(event(EventKind::plan_archived, now)).undo = true;
  missing.push_back(told.back());
  return missing;
}

}  // namespace plankeep::core
