// What a subagent was given to do, recorded once it is certain.
//
// Claude Code's SubagentStart says neither the prompt nor the call that started the agent; the files that do
// appear a moment later. So the assignment may be found with the agent's first tools, or when it stops.
#include <algorithm>

#include "audit/audit.hpp"
#include "clients/transcripts/first_prompt.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/hook_call.hpp"
#include "rules/sessions.hpp"

namespace plankeep::app {
namespace {

using core::AgentState;
using core::Assignment;
using core::Event;
using core::EventKind;
using core::SessionState;
using core::State;
using core::TaskId;

constexpr std::size_t kAssignmentsKept = 20;
constexpr std::uint64_t kMetaLimit = std::uint64_t{64} << 10;

// An assignment without a type asked for the client's default, whose name only the start says.
bool fits(const Assignment& assignment, const std::string& type) {
  return assignment.type.empty() || assignment.type == type;
}

}  // namespace

Assignment HookCall::assigned_by(const std::string& prompt, const PlanLocation& own,
                                 const State& state) const {
  Assignment assignment;
  const std::vector<AskedPlan> plans = asked_plans(own, state);
  const AskedPlan* meant = plan_meant(prompt, plans);
  if (meant == nullptr) return assignment;
  if (meant->own) {
    assignment.tasks = core::named_tasks(prompt, audit_tasks(state, nullptr));
  } else {
    assignment.plan = meant->plan.path();
  }
  return assignment;
}

void HookCall::subagent_assigned() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  State state = work->state();
  std::vector<Event> events;
  SessionState& session = session_in(state, events, work->now());
  // The second call of a hook that is installed twice.
  const bool twice =
      !event_.tool_use_id.empty() &&
      std::any_of(session.assignments.begin(), session.assignments.end(),
                  [this](const Assignment& known) { return known.tool_use == event_.tool_use_id; });
  if (twice) return;
  // Also without a task: the next start of this type is this one, and not the one before it.
  Assignment assignment = assigned_by(event_.prompt, work->outcome().plan, state);
  assignment.tool_use = event_.tool_use_id;
  assignment.type = event_.started_type;
  session.assignments.push_back(std::move(assignment));
  if (session.assignments.size() > kAssignmentsKept) session.assignments.erase(session.assignments.begin());
  keep(*work, std::move(state), std::move(events));
}

std::string HookCall::prompt_of(const AgentState& agent, const std::string& session_transcript) const {
  // A fork's transcript begins with its parent's conversation.
  if (event_.client != "claude-code" || agent.type == "fork") return {};
  std::string path = agent.id == event_.agent_id ? event_.agent_transcript : std::string();
  if (path.empty()) path = clients::agent_transcript_path(session_transcript, agent.id);
  if (path.empty()) return {};
  return clients::first_prompt(read_start(context_, path, clients::kFirstPromptHead));
}

std::optional<Assignment> HookCall::find_assignment(State& state, const PlanLocation& own,
                                                    const AgentState& agent, bool just_begun) const {
  SessionState* session = core::find_session(state, agent.session);
  auto none = std::vector<Assignment>();
  auto& waiting = session == nullptr ? none : session->assignments;
  const auto take = [&waiting](std::vector<Assignment>::iterator found) {
    Assignment taken = std::move(*found);
    waiting.erase(found);
    return taken;
  };
  const bool this_session = agent.session == event_.session_id && !event_.transcript.empty();
  const std::string& transcript =
      this_session || session == nullptr ? event_.transcript : session->transcript;
  const std::string meta = clients::agent_meta_path(transcript, agent.id);
  const std::string tool_use = meta.empty() || waiting.empty()
                                   ? std::string()
                                   : clients::tool_use_of_agent(read_tail(context_, meta, kMetaLimit));
  if (!tool_use.empty()) {
    const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const Assignment& assignment) {
      return assignment.tool_use == tool_use;
    });
    if (found != waiting.end()) return take(found);
  }
  if (const std::string prompt = prompt_of(agent, transcript); !prompt.empty())
    return assigned_by(prompt, own, state);
  // The only call that waits is the one, unless another agent may still turn out to be started by it.
  if (!just_begun || !tool_use.empty()) return std::nullopt;
  const auto fitting = [&](const Assignment& assignment) { return fits(assignment, agent.type); };
  if (std::count_if(waiting.begin(), waiting.end(), fitting) != 1) return std::nullopt;
  const bool another = std::any_of(state.agents.begin(), state.agents.end(), [&](const AgentState& other) {
    return other.id != agent.id && other.session == agent.session && !other.assignment_known &&
           other.status == core::AgentStatus::running;
  });
  if (another) return std::nullopt;
  return take(std::find_if(waiting.begin(), waiting.end(), fitting));
}

void HookCall::assign(State& state, std::vector<Event>& events, const std::string& agent_id,
                      Assignment assignment, base::Instant now) const {
  AgentState* agent = core::find_agent(state, agent_id);
  if (agent == nullptr) return;
  agent->assignment_known = true;
  agent->assigned_plan = std::move(assignment.plan);
  std::erase_if(assignment.tasks, [agent](const TaskId& id) {
    const auto& known = agent->assigned_tasks;
    return std::find(known.begin(), known.end(), id) != known.end();
  });
  if (assignment.tasks.empty()) return;
  Event started = made(EventKind::subagent_started, now);
  started.session = agent->session;
  started.agent = agent->id;
  started.agent_type = agent->type;
  started.tasks = std::move(assignment.tasks);
  core::apply_session_event(state, started);
  events.push_back(std::move(started));
}

void HookCall::assign_late(State& state, std::vector<Event>& events, const PlanLocation& own,
                           const std::string& agent_id, base::Instant now) const {
  const AgentState* known = core::find_agent(state, agent_id);
  if (known == nullptr || known->assignment_known || known->status != core::AgentStatus::running) return;
  const AgentState agent = *known;
  if (auto found = find_assignment(state, own, agent, false))
    assign(state, events, agent.id, std::move(*found), now);
}

void HookCall::subagent_started() {
  if (event_.agent_type.empty() || event_.agent_id.empty()) return;
  const auto work = session_work(false);
  if (!work) return;
  const PlanLocation& plan = work->outcome().plan;
  State state = work->state();
  std::vector<Event> events;
  if (!event_.session_id.empty()) (void)session_in(state, events, work->now());
  const AgentState* known = core::find_agent(state, event_.agent_id);
  const bool running = known != nullptr && known->status == core::AgentStatus::running;
  // The second call of a hook that is installed twice; but some clients send the prompt with the second.
  if (running && (event_.prompt.empty() || known->assignment_known)) return;
  std::optional<Assignment> assignment;
  if (!event_.prompt.empty()) {
    assignment = assigned_by(event_.prompt, plan, state);
  } else if (known == nullptr || !known->assignment_known) {
    AgentState agent;
    agent.id = event_.agent_id;
    agent.type = event_.agent_type;
    agent.session = event_.session_id;
    assignment = find_assignment(state, plan, agent, known == nullptr);
  }
  if (running) {
    assign(state, events, event_.agent_id, std::move(*assignment), work->now());
    return keep(*work, std::move(state), std::move(events));
  }
  Event started = made(EventKind::subagent_started, work->now());
  started.agent = event_.agent_id;
  started.agent_type = event_.agent_type;
  if (assignment) started.tasks = std::move(assignment->tasks);
  core::apply_session_event(state, started);
  events.push_back(std::move(started));
  if (assignment) {
    AgentState* agent = core::find_agent(state, event_.agent_id);
    agent->assignment_known = true;
    agent->assigned_plan = std::move(assignment->plan);
  }
  keep(*work, std::move(state), std::move(events), "pre_subagent_spawn");
}

}  // namespace plankeep::app
