// What a subagent was given to do, recorded once it is certain.
//
// Claude Code's SubagentStart says neither the prompt nor the call that started the agent; the files that do
// appear a moment later. So the assignment may be found with the agent's first tools, or when it stops.
#include <algorithm>

#include "audit/audit.hpp"
#include "clients/transcripts/first_prompt.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/hook_call.hpp"
#include "policy/hook_policy.hpp"
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
  SessionState& session = core::session_in(state, events, event_, process_for(state), work->now());
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
  if (!client_.transcripts_hold_messages || agent.type == "fork") return {};
  std::string path = agent.id == event_.agent_id ? event_.agent_transcript : std::string();
  if (path.empty()) path = clients::agent_transcript_path(session_transcript, agent.id);
  if (path.empty()) return {};
  return clients::first_prompt(read_start(context_, path, clients::kFirstPromptHead));
}

core::AgentFacts HookCall::agent_facts(const State& state, const PlanLocation& own,
                                       const AgentState& agent) const {
  const SessionState* session = core::find_session(state, agent.session);
  const bool waits = session != nullptr && !session->assignments.empty();
  const bool this_session = agent.session == event_.session_id && !event_.transcript.empty();
  const std::string& transcript =
      this_session || session == nullptr ? event_.transcript : session->transcript;
  core::AgentFacts facts{agent.id, {}, {}};
  const std::string meta = clients::agent_meta_path(transcript, agent.id);
  if (!meta.empty() && waits)
    facts.tool_use = clients::tool_use_of_agent(read_tail(context_, meta, kMetaLimit));
  const bool found = !facts.tool_use.empty() &&
                     std::any_of(session->assignments.begin(), session->assignments.end(),
                                 [&](const Assignment& known) { return known.tool_use == facts.tool_use; });
  if (found) return facts;
  if (const std::string prompt = prompt_of(agent, transcript); !prompt.empty())
    facts.by_prompt = assigned_by(prompt, own, state);
  return facts;
}

void HookCall::assign_late(State& state, std::vector<Event>& events, const PlanLocation& own,
                           const std::string& agent_id, base::Instant now) const {
  const AgentState* known = core::find_agent(state, agent_id);
  if (known == nullptr || known->assignment_known || known->status != core::AgentStatus::running) return;
  const AgentState agent = *known;
  if (auto found = core::take_assignment(state, agent, agent_facts(state, own, agent), false))
    core::assign(state, events, agent.id, std::move(*found), now);
}

void HookCall::subagent_started() {
  if (event_.agent_type.empty() || event_.agent_id.empty()) return;
  const auto work = session_work(false);
  if (!work) return;
  const PlanLocation& plan = work->outcome().plan;
  State state = work->state();
  std::vector<Event> events;
  if (!event_.session_id.empty())
    (void)core::session_in(state, events, event_, process_for(state), work->now());
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
    assignment = core::take_assignment(state, agent, agent_facts(state, plan, agent), known == nullptr);
  }
  if (running) {
    core::assign(state, events, event_.agent_id, std::move(*assignment), work->now());
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
