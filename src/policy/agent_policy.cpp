// Subagents: what they were given, and what their parent has to know (spec 10.4).
#include <algorithm>
#include <utility>

#include "policy/hook_policy.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {

const AgentState* unassigned_agent(const HookEvent& event, const State& state) {
  const AgentState* agent = find_agent(state, event.agent_id);
  const bool waits = agent != nullptr && !agent->assignment_known && agent->status == AgentStatus::running;
  return waits ? agent : nullptr;
}

std::optional<Assignment> take_assignment(State& state, const AgentState& agent, const AgentFacts& facts,
                                          bool just_begun) {
  SessionState* session = find_session(state, agent.session);
  auto none = std::vector<Assignment>();
  auto& waiting = session == nullptr ? none : session->assignments;
  const auto take = [&waiting](std::vector<Assignment>::iterator found) {
    Assignment taken = std::move(*found);
    waiting.erase(found);
    return taken;
  };
  if (!facts.tool_use.empty()) {
    const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const Assignment& assignment) {
      return assignment.tool_use == facts.tool_use;
    });
    if (found != waiting.end()) return take(found);
  }
  if (facts.by_prompt) return facts.by_prompt;
  // The only call that waits is the one, unless another agent may still turn out to be started by it.
  if (!just_begun || !facts.tool_use.empty()) return std::nullopt;
  // An assignment without a type asked for the client's default, whose name only the start says.
  const auto fitting = [&](const Assignment& assignment) {
    return assignment.type.empty() || assignment.type == agent.type;
  };
  if (std::count_if(waiting.begin(), waiting.end(), fitting) != 1) return std::nullopt;
  const bool another = std::any_of(state.agents.begin(), state.agents.end(), [&](const AgentState& other) {
    return other.id != agent.id && other.session == agent.session && !other.assignment_known &&
           other.status == AgentStatus::running;
  });
  if (another) return std::nullopt;
  return take(std::find_if(waiting.begin(), waiting.end(), fitting));
}

AgentState with_assignment(const State& state, AgentState agent, const AgentFacts& facts) {
  std::optional<Assignment> given = facts.by_prompt;
  const SessionState* session = find_session(state, agent.session);
  if (session != nullptr && !facts.tool_use.empty()) {
    for (const Assignment& waiting : session->assignments) {
      if (waiting.tool_use == facts.tool_use) given = waiting;
    }
  }
  if (!given) return agent;
  agent.assignment_known = true;
  agent.assigned_plan = given->plan;
  if (given->plan.empty())
    agent.assigned_tasks.insert(agent.assigned_tasks.end(), given->tasks.begin(), given->tasks.end());
  return agent;
}

void assign(HookDecision& made, const std::string& agent_id, Assignment assignment, base::Instant now) {
  AgentState* agent = find_agent(made.state, agent_id);
  if (agent == nullptr) return;
  agent->assignment_known = true;
  agent->assigned_plan = std::move(assignment.plan);
  Event started;
  started.kind = EventKind::subagent_started;
  started.time = now;
  started.session = agent->session;
  started.agent = agent->id;
  started.agent_type = agent->type;
  started.tasks = std::move(assignment.tasks);
  if (!agent->assigned_plan.empty()) {
    made.beside.push_back({agent->assigned_plan, std::move(started)});
    return;
  }
  std::erase_if(started.tasks, [agent](const TaskId& id) {
    const auto& known = agent->assigned_tasks;
    return std::find(known.begin(), known.end(), id) != known.end();
  });
  if (started.tasks.empty()) return;
  apply_session_event(made.state, started);
  made.events.push_back(std::move(started));
}

namespace {

bool is_open(const State& state, const std::string& id) {
  return std::any_of(state.phases.begin(), state.phases.end(), [&id](const PhaseState& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [&id](const TaskState& task) { return task.id.text == id && !task.done; });
  });
}

// The plan that the finding is about; nullptr: it is not known what is open in it.
const State* state_of(const AuditFinding& finding, const State& own, const HookFacts& facts) {
  const auto other = facts.plans.find(finding.plan);
  const State* state = finding.plan.empty() ? &own : other == facts.plans.end() ? nullptr : other->second;
  return state == nullptr || state->phases.empty() ? nullptr : state;
}

}  // namespace

bool finding_held(const State& state, const AuditFinding& finding) {
  return std::any_of(state.agents.begin(), state.agents.end(), [&finding](const AgentState& agent) {
    return agent.id == finding.agent && agent.sent_back && agent.status != AgentStatus::stopped;
  });
}

std::string deliver_findings(State& state, const HookEvent& event, const HookFacts& facts,
                             bool with_background) {
  if (!answers_main(event) || !facts.tells_model) return {};
  std::vector<AuditFinding> due;
  std::erase_if(state.findings, [&](const AuditFinding& claim) {
    if (claim.session != event.session_id || (claim.background && !with_background) ||
        finding_held(state, claim))
      return false;
    // Somebody may have ticked it since, or taken it out of the plan.
    const State* now = state_of(claim, state, facts);
    std::vector<std::string> open = claim.unverified;
    if (now != nullptr) std::erase_if(open, [now](const std::string& id) { return !is_open(*now, id); });
    if (open.empty()) return true;
    due.push_back(claim);
    due.back().unverified = std::move(open);
    const auto shown = facts.shown.find(claim.plan);
    if (shown != facts.shown.end()) due.back().plan = shown->second;
    return true;
  });
  return due.empty() ? std::string() : render::finding_report(facts.file, due);
}

}  // namespace plankeep::core
