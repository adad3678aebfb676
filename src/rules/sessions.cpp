#include "rules/sessions.hpp"

#include <algorithm>

namespace plankeep::core {
namespace {

template <class Entries>
auto* find_entry(Entries& entries, std::string_view id) {
  const auto place =
      std::find_if(entries.begin(), entries.end(), [id](const auto& entry) { return entry.id == id; });
  return place == entries.end() ? nullptr : &*place;
}

// Takes out the oldest until `kept` are left, those that are over before those that are not.
template <class Entry, class Over>
void shorten(std::vector<Entry>& entries, std::size_t kept, const Over& over) {
  while (entries.size() > kept) {
    auto place = std::find_if(entries.begin(), entries.end(), over);
    if (place == entries.end()) place = entries.begin();
    entries.erase(place);
  }
}

void start_session(State& state, const Event& event) {
  std::erase_if(state.sessions, [&](const SessionState& session) { return session.id == event.session; });
  SessionState& session = state.sessions.emplace_back();
  session.id = event.session;
  session.client = event.client;
  session.started_at = event.time;
  session.last_active = event.time;
  shorten(state.sessions, kSessionsKept, [](const SessionState& old) { return old.ended_at.has_value(); });
}

// Clients do not announce every end of a subagent: with its session it is over, one way or another.
void end_session(State& state, const Event& event) {
  if (SessionState* session = find_session(state, event.session)) {
    session->ended_at = event.time;
    session->assignments.clear();
  }
  for (AgentState& agent : state.agents) {
    if (agent.session == event.session && agent.status == AgentStatus::running)
      agent.status = AgentStatus::lost;
  }
}

AgentState& agent_of(State& state, const Event& event) {
  if (AgentState* known = find_agent(state, event.agent)) return *known;
  AgentState& agent = state.agents.emplace_back();
  agent.id = event.agent;
  return agent;
}

void start_agent(State& state, const Event& event) {
  AgentState& agent = agent_of(state, event);
  agent.type = event.agent_type;
  agent.session = event.session;
  agent.status = AgentStatus::running;
  agent.sent_back = false;
  agent.last_active = event.time;
  // One that is continued keeps what it was given.
  for (const TaskId& task : event.tasks) {
    const auto& known = agent.assigned_tasks;
    if (std::find(known.begin(), known.end(), task) == known.end()) agent.assigned_tasks.push_back(task);
  }
  shorten(state.agents, kAgentsKept,
          [](const AgentState& old) { return old.status != AgentStatus::running; });
}

void stop_agent(State& state, const Event& event) {
  AgentState& agent = agent_of(state, event);
  agent.type = event.agent_type;
  agent.session = event.session;
  agent.status = AgentStatus::stopped;
  agent.last_active = event.time;
  agent.completed_tasks = event.tasks;
  shorten(state.agents, kAgentsKept,
          [](const AgentState& old) { return old.status != AgentStatus::running; });
}

}  // namespace

void apply_session_event(State& state, const Event& event) {
  switch (event.kind) {
    case EventKind::session_started:
      if (!event.session.empty()) start_session(state, event);
      return;
    case EventKind::session_ended:
    case EventKind::session_crash:
      if (!event.session.empty()) end_session(state, event);
      return;
    case EventKind::subagent_started:
      if (!event.agent.empty()) start_agent(state, event);
      return;
    case EventKind::subagent_stopped:
      if (!event.agent.empty()) stop_agent(state, event);
      return;
    case EventKind::task_completed:
    case EventKind::task_attributed:
      if (AgentState* agent = event.agent.empty() ? nullptr : find_agent(state, event.agent)) {
        // Once, however often it is told.
        auto& done = agent->completed_tasks;
        if (std::find(done.begin(), done.end(), event.task) == done.end()) done.push_back(event.task);
        // Of a lost one the time stays before the end that cut it off, so that it can be told again.
        if (agent->status != AgentStatus::lost) agent->last_active = event.time;
      }
      return;
    default:
      return;
  }
}

bool same_by_history(const State& a, const State& b) {
  const auto same_session = [](const SessionState& x, const SessionState& y) {
    return x.id == y.id && x.client == y.client && x.started_at == y.started_at && x.ended_at == y.ended_at;
  };
  const auto same_agent = [](const AgentState& x, const AgentState& y) {
    return x.id == y.id && x.type == y.type && x.session == y.session && x.status == y.status &&
           x.last_active == y.last_active && x.assigned_tasks == y.assigned_tasks &&
           x.completed_tasks == y.completed_tasks;
  };
  return std::equal(a.sessions.begin(), a.sessions.end(), b.sessions.begin(), b.sessions.end(),
                    same_session) &&
         std::equal(a.agents.begin(), a.agents.end(), b.agents.begin(), b.agents.end(), same_agent);
}

bool is_session_event(EventKind kind) {
  switch (kind) {
    case EventKind::session_started:
    case EventKind::session_ended:
    case EventKind::session_crash:
    case EventKind::session_recovered:
    case EventKind::subagent_started:
    case EventKind::subagent_stopped:
      return true;
    default:
      return false;
  }
}

std::size_t since_last_session(std::span<const Event> events, std::string_view session) {
  const auto begins = [&events](std::size_t at, std::string_view id) {
    return events[at].kind == EventKind::session_started && events[at].session == id;
  };
  bool something = false;  // happened behind the place where we look
  for (std::size_t i = events.size(); i-- > 0;) {
    const Event& event = events[i];
    if (event.kind == EventKind::session_ended && event.session != session) return i + 1;
    if (begins(i, session) && something && !session.empty()) return i + 1;
    if (event.kind == EventKind::session_crash) {
      for (std::size_t k = i; k-- > 0;) {
        if (begins(k, event.session)) return k + 1;
      }
      return 0;
    }
    const bool bookkeeping =
        event.kind == EventKind::session_recovered || event.kind == EventKind::recovery_saved;
    if (!bookkeeping && !begins(i, session)) something = true;
  }
  return 0;
}

const SessionState* last_ended(const State& state, std::string_view session) {
  const SessionState* last = nullptr;
  for (const SessionState& candidate : state.sessions) {
    if (!candidate.ended_at || candidate.id == session) continue;
    if (last == nullptr || *last->ended_at <= *candidate.ended_at) last = &candidate;
  }
  return last;
}

SessionState* find_session(State& state, std::string_view id) {
  return find_entry(state.sessions, id);
}
const SessionState* find_session(const State& state, std::string_view id) {
  return find_entry(state.sessions, id);
}
AgentState* find_agent(State& state, std::string_view id) {
  return find_entry(state.agents, id);
}
const AgentState* find_agent(const State& state, std::string_view id) {
  return find_entry(state.agents, id);
}

}  // namespace plankeep::core
