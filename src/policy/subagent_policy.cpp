// Subagents as a session's events tell of them: what they were given, their start and their end.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "policy/session_call.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/sessions.hpp"
#include "tracking/edit_author.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kAssignmentsKept = 20;
constexpr std::size_t kFindingsKept = 20;

void add_missing(std::vector<std::string>& ids, const std::vector<std::string>& more) {
  for (const std::string& id : more) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
}

bool has_all(const std::vector<std::string>& ids, const std::vector<std::string>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&ids](const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  });
}

}  // namespace

HookDecision SessionCall::subagent_assigned() {
  SessionState& session = begin();
  // The second call of a hook that is installed twice.
  const bool twice =
      !event_.tool_use_id.empty() &&
      std::any_of(session.assignments.begin(), session.assignments.end(),
                  [this](const Assignment& known) { return known.tool_use == event_.tool_use_id; });
  if (twice) return {};
  // Kept even without a task: otherwise the next start of this type would get an earlier assignment.
  Assignment assignment = facts_.given;
  assignment.tool_use = event_.tool_use_id;
  assignment.type = event_.started_type;
  session.assignments.push_back(std::move(assignment));
  if (session.assignments.size() > kAssignmentsKept) session.assignments.erase(session.assignments.begin());
  return take();
}

HookDecision SessionCall::subagent_started() {
  if (!event_.session_id.empty()) (void)begin();
  const AgentState* known = find_agent(made_.state, event_.agent_id);
  const bool running = known != nullptr && known->status == AgentStatus::running;
  // The second call of a hook that is installed twice; but some clients send the prompt with the second.
  if (running && (event_.prompt.empty() || known->assignment_known)) return {};
  std::optional<Assignment> assignment = assignment_at_start(known);
  if (running) {
    assign(made_, event_.agent_id, std::move(*assignment), facts_.now);
    return take();
  }
  Event started = event(EventKind::subagent_started);
  started.agent = event_.agent_id;
  started.agent_type = event_.agent_type;
  if (assignment && assignment->plan.empty()) started.tasks = std::move(assignment->tasks);
  record(std::move(started));
  if (assignment) assign(made_, event_.agent_id, std::move(*assignment), facts_.now);
  made_.copy = "pre_subagent_spawn";
  return take();
}

// nullopt: what it was given is not known (yet).
std::optional<Assignment> SessionCall::assignment_at_start(const AgentState* known) {
  if (!event_.prompt.empty()) return facts_.given;
  if (facts_.agents.empty() || (known != nullptr && known->assignment_known)) return std::nullopt;
  AgentState agent;
  agent.id = event_.agent_id;
  agent.type = event_.agent_type;
  agent.session = event_.session_id;
  return take_assignment(made_.state, agent, facts_.agents.front(), known == nullptr);
}

HookDecision SessionCall::subagent_stopped() {
  // A subagent's end that arrives after its session's end does not begin the session again.
  const SessionState* over = find_session(made_.state, event_.session_id);
  if (!event_.session_id.empty() && (over == nullptr || !over->ended_at)) (void)begin();
  if (const AgentState* known = find_agent(made_.state, event_.agent_id)) assign_late(AgentState(*known));
  AgentState* agent = find_agent(made_.state, event_.agent_id);
  SessionState* session = find_session(made_.state, event_.session_id);
  const std::string what =
      (event_.stop_active ? "subagent_stopped again " : "subagent_stopped ") + event_.agent_id;
  if (answered_before(what)) return {};

  const AuditFacts claims = facts_.audit.value_or(AuditFacts{});
  const bool stands = !claims.unverified.empty();
  if (agent != nullptr && agent->status == AgentStatus::stopped && recorded(claims)) {
    // If the first call was killed before it wrote the state, only the history has the claim.
    if (!stands || finding_waits()) return {};
    add_finding(claims);
    made_.events.clear();
    tell_parent(what);
    return take();
  }
  // Sent back once. Not every client says that it was, so the state remembers it too.
  if (stands && claims.sends_back && !event_.stop_active && agent != nullptr && !agent->sent_back) {
    made_.answer.block = with_doubts(render::finding_reason(claims.file, claims.names), claims);
    // What it is sent back for waits as a finding until it stops again (finding_held).
    add_finding(claims);
    agent->sent_back = true;
    if (session != nullptr) note_answer(*session, what);
    return take();
  }
  record_stop(agent, claims);
  made_.answer.notice = render::doubt_notice(claims.doubts);
  tell_parent(what);
  return take();
}

// At once, where the client answers a subagent's end to its parent; else with the parent's next event.
void SessionCall::tell_parent(const std::string& what) {
  made_.answer.context = deliver_findings(made_.state, event_, facts_, false);
  SessionState* session = find_session(made_.state, event_.session_id);
  if (session != nullptr && !made_.answer.context.empty()) note_answer(*session, what);
}

void SessionCall::record_stop(const AgentState* agent, const AuditFacts& claims) {
  Event stopped = event(EventKind::subagent_stopped);
  stopped.agent = event_.agent_id;
  stopped.agent_type = event_.agent_type;
  if (agent != nullptr) stopped.tasks = agent->completed_tasks;
  // What is said of another plan's tasks stands in that plan's history.
  std::map<std::string, Event> stops{{std::string(), stopped}};
  stopped.tasks.clear();
  const auto about = [&](const std::string& plan) -> Event& {
    return stops.emplace(plan, stopped).first->second;
  };
  if (agent != nullptr && !agent->assigned_plan.empty()) (void)about(agent->assigned_plan);
  // What it was sent back for was claimed too early, whatever became of it.
  if (agent != nullptr && agent->sent_back) {
    if (const auto refused = drop_finding(agent->id)) about(refused->plan).unverified = refused->unverified;
  }
  if (!claims.claimed.empty() || !claims.unverified.empty()) {
    Event& told = about(claims.plan);
    told.claimed = claims.claimed;
    add_missing(told.unverified, claims.unverified);
  }
  record_stops(std::move(stops));
  if (!claims.unverified.empty()) add_finding(claims);
}

// By the path of the plan: empty, for the one that keeps the session's records.
void SessionCall::record_stops(std::map<std::string, Event>&& stops) {
  for (auto& [plan, stop] : stops) {
    if (plan.empty()) {
      record(std::move(stop));
    } else {
      made_.beside.push_back({plan, std::move(stop)});
    }
  }
}

std::string SessionCall::with_doubts(std::string reason, const AuditFacts& claims) {
  base::append_line(reason, render::doubt_notice(claims.doubts));
  return reason;
}

// Whether this stop is in the history already: hooks that are installed twice, a client that repeats itself,
// or a first call that was killed before it answered.
bool SessionCall::recorded(const AuditFacts& claims) const {
  if (!facts_.last_stop) return false;
  // It may also have what the agent was sent back for before.
  return facts_.last_stop->claimed == claims.claimed &&
         has_all(facts_.last_stop->unverified, claims.unverified);
}

bool SessionCall::finding_waits() const {
  const auto& findings = made_.state.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [this](const AuditFinding& claim) { return claim.agent == event_.agent_id; });
}

// The last one: what it was sent back for.
std::optional<AuditFinding> SessionCall::drop_finding(const std::string& agent) {
  auto& findings = made_.state.findings;
  const auto last = std::find_if(findings.rbegin(), findings.rend(),
                                 [&agent](const AuditFinding& claim) { return claim.agent == agent; });
  if (last == findings.rend()) return std::nullopt;
  AuditFinding dropped = std::move(*last);
  findings.erase(std::next(last).base());
  return dropped;
}

void SessionCall::add_finding(const AuditFacts& claims) {
  auto& findings = made_.state.findings;
  findings.push_back({event_.agent_id,
                      event_.agent_type,
                      event_.session_id,
                      facts_.now,
                      event_.background,
                      claims.unverified,
                      claims.plan,
                      {}});
  if (findings.size() > kFindingsKept) findings.erase(findings.begin());
}

void SessionCall::assign_late(const AgentState& agent) {
  if (agent.assignment_known || agent.status != AgentStatus::running) return;
  const auto known = std::find_if(facts_.agents.begin(), facts_.agents.end(),
                                  [&](const AgentFacts& facts) { return facts.agent == agent.id; });
  if (known == facts_.agents.end()) return;
  if (auto found = take_assignment(made_.state, agent, *known, false))
    assign(made_, agent.id, std::move(*found), facts_.now);
}

// Of running subagents of the session, in the plans that they work on. Those plans need not know the session.
void SessionCall::end_beside(const Event& end) {
  std::vector<std::string> told;
  for (const AgentState& agent : made_.state.agents) {
    const bool cut_off = agent.session == end.session && agent.status == AgentStatus::running;
    if (!cut_off || agent.assigned_plan.empty()) continue;
    if (std::find(told.begin(), told.end(), agent.assigned_plan) != told.end()) continue;
    told.push_back(agent.assigned_plan);
    made_.beside.push_back({agent.assigned_plan, end});
  }
}

void SessionCall::close(const AgentState& agent) {
  Event stopped = event(EventKind::subagent_stopped);
  stopped.agent = agent.id;
  stopped.agent_type = agent.type;
  stopped.tasks = agent.completed_tasks;
  std::map<std::string, Event> stops{{std::string(), stopped}};
  if (!agent.assigned_plan.empty()) {
    stopped.tasks.clear();
    stops.emplace(agent.assigned_plan, stopped);
  }
  // Its last words are not known: it may have ticked or taken back what it was sent back for. So nobody is
  // told, but that it was sent back is recorded.
  if (agent.sent_back && agent.status != AgentStatus::stopped) {
    if (auto refused = drop_finding(agent.id)) {
      stopped.tasks.clear();
      stops.emplace(refused->plan, stopped).first->second.unverified = std::move(refused->unverified);
    }
  }
  record_stops(std::move(stops));
}

// The session is over before they stopped again.
void SessionCall::close_sent_back() {
  std::vector<AgentState> over;
  for (const AgentState& agent : made_.state.agents) {
    if (agent.session == event_.session_id && agent.sent_back && agent.status == AgentStatus::running)
      over.push_back(agent);
  }
  for (const AgentState& agent : over) close(agent);
}

// A subagent's end is not always announced, but a notification about it is (stopped by hand, failed).
void SessionCall::close_notified() {
  for (const Notified& notified : event_.notified) {
    const AgentState* agent = find_agent(made_.state, notified.task_id);
    if (agent != nullptr && agent->status == AgentStatus::running) close(*agent);
  }
}

// For clients whose subagents run in the foreground: when a prompt arrives, none is running.
void SessionCall::close_unnamed() {
  std::vector<AgentState> over;
  for (const AgentState* agent : unnamed_agents(made_.state, event_, facts_.names_subagents))
    over.push_back(*agent);
  for (const AgentState& agent : over) close(agent);
}

HookDecision record_beside(Event event, State state) {
  HookDecision made;
  if (event.agent.empty()) {
    // A session that it knows ends here as in every other plan that does.
    const bool cuts_off = std::any_of(state.agents.begin(), state.agents.end(), [&](const AgentState& agent) {
      return agent.session == event.session && agent.status == AgentStatus::running;
    });
    if (!cuts_off || find_session(state, event.session) != nullptr) return made;
  }
  const AgentState* agent = event.agent.empty() ? nullptr : find_agent(state, event.agent);
  if (agent != nullptr && event.kind == EventKind::subagent_stopped) event.tasks = agent->completed_tasks;
  apply_session_event(state, event);
  made.state = std::move(state);
  made.events.push_back(std::move(event));
  made.keep = HookDecision::Keep::save;
  return made;
}

}  // namespace plankeep::core
