// What a subagent was given to do, recorded once it is certain.
//
// Claude Code's SubagentStart says neither the prompt nor the call that started the agent; the files that do
// appear a moment later. So the assignment may be found with the agent's first tools, or when it stops.
#include <algorithm>

#include "audit/audit.hpp"
#include "clients/transcripts/first_prompt.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/hook_call.hpp"
#include "policy/assigned_tasks.hpp"
#include "policy/hook_policy.hpp"
#include "rules/sessions.hpp"

namespace plankeep::app {
namespace {

using core::AgentState;
using core::Assignment;
using core::SessionState;
using core::State;
using core::TaskId;

constexpr std::uint64_t kMetaLimit = std::uint64_t{64} << 10;

}  // namespace

Assignment HookCall::assigned_by(const std::string& prompt, const PlanLocation& own,
                                 const State& state) const {
  Assignment assignment;
  std::vector<core::AskedPlan> plans = asked_plans(own, state);
  if (core::tasks_tell_plan(prompt, plans)) {
    std::vector<std::string> below;
    below.reserve(plans.size());
    for (const core::AskedPlan& plan : plans) below.push_back(plan.below);
    if (read_tasks(own, below)) plans = asked_plans(own, state);
  }
  const core::AskedPlan* meant = core::plan_meant(prompt, plans);
  if (meant == nullptr) return assignment;
  if (meant->own) {
    assignment.tasks = core::assigned_tasks(prompt, core::audit_tasks(state, nullptr));
    return assignment;
  }
  assignment.plan = meant->path;
  if (read_tasks(own, {meant->below})) plans = asked_plans(own, state);
  for (const core::AskedPlan& plan : plans) {
    if (plan.path == assignment.plan)
      assignment.tasks = core::assigned_tasks(prompt, core::audit_tasks(*plan.state, nullptr));
  }
  return assignment;
}

void HookCall::subagent_assigned() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  core::HookFacts facts = facts_of(*work);
  facts.given = assigned_by(event_.prompt, work->outcome().plan, work->state());
  carry_out(*work, core::decide(event_, work->state(), facts));
}

std::string HookCall::prompt_of(const AgentState& agent, const std::string& session_transcript) const {
  // A fork's transcript begins with its parent's conversation.
  if (!client_.transcripts_hold_messages || agent.type == "fork") return {};
  std::string path = agent.id == event_.agent_id ? event_.agent_transcript : std::string();
  if (path.empty()) path = clients::agent_transcript_path(session_transcript, agent.id);
  if (path.empty()) return {};
  return clients::first_prompt(system::read_start(context_.files, path, clients::kFirstPromptHead));
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
    facts.tool_use = clients::tool_use_of_agent(system::read_tail(context_.files, meta, kMetaLimit));
  const bool found = !facts.tool_use.empty() &&
                     std::any_of(session->assignments.begin(), session->assignments.end(),
                                 [&](const Assignment& known) { return known.tool_use == facts.tool_use; });
  if (found) return facts;
  if (const std::string prompt = prompt_of(agent, transcript); !prompt.empty())
    facts.by_prompt = assigned_by(prompt, own, state);
  return facts;
}

void HookCall::subagent_started() {
  if (event_.agent_type.empty() || event_.agent_id.empty()) return;
  const auto work = session_work(false);
  if (!work) return;
  const PlanLocation& plan = work->outcome().plan;
  const State& state = work->state();
  core::HookFacts facts = facts_of(*work);
  const AgentState* known = core::find_agent(state, event_.agent_id);
  const bool running = known != nullptr && known->status == core::AgentStatus::running;
  if (!event_.prompt.empty()) {
    facts.given = assigned_by(event_.prompt, plan, state);
  } else if (!running && (known == nullptr || !known->assignment_known)) {
    AgentState agent;
    agent.id = event_.agent_id;
    agent.type = event_.agent_type;
    agent.session = event_.session_id;
    facts.agents.push_back(agent_facts(state, plan, agent));
  }
  carry_out(*work, core::decide(event_, state, facts));
}

}  // namespace plankeep::app
