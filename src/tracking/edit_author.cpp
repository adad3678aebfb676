#include "tracking/edit_author.hpp"

#include <algorithm>
#include <utility>

#include "project/project_shells.hpp"
#include "rules/attribution.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {

std::vector<const AgentState*> unnamed_agents(const State& state, const HookEvent& event,
                                              bool names_subagents) {
  std::vector<const AgentState*> agents;
  if (names_subagents || !event.agent_id.empty()) return agents;
  for (const AgentState& agent : state.agents) {
    if (agent.session == event.session_id && agent.status == AgentStatus::running) agents.push_back(&agent);
  }
  return agents;
}

namespace {

// One of these, none of whom the event names.
Author author_among(const std::vector<const AgentState*>& agents, HookEvent event) {
  const AgentState& first = *agents.front();
  const bool one_type = std::all_of(agents.begin(), agents.end(),
                                    [&first](const AgentState* agent) { return agent->type == first.type; });
  if (!one_type) return {std::string(kNobody), {}};
  event.agent_id = first.id;
  event.agent_type = first.type;
  return {actor_of(event), agents.size() == 1 ? first.id : std::string()};
}

}  // namespace

Author author_of(const HookEvent& event, const State& state, bool names_subagents) {
  if (event.outside) return {std::string(kNobody), {}};
  Author author{actor_of(event), event.agent_id};
  if (!event.team.empty()) return author;
  HookEvent agent_event = event;
  if (!event.agent_id.empty()) {
    const AgentState* agent = find_agent(state, event.agent_id);
    if (!event.agent_type.empty() || agent == nullptr) return author;
    agent_event.agent_type = agent->type;
    author.actor = actor_of(agent_event);
    return author;
  }
  const std::vector<const AgentState*> agents = unnamed_agents(state, event, names_subagents);
  if (agents.empty()) return author;
  return author_among(agents, std::move(agent_event));
}

std::optional<Author> author_in_own_conversation(const HookEvent& event, const State& state) {
  const bool nobodys = !event.outside && event.team.empty() && event.agent_id.empty();
  if (!nobodys || event.session_id.empty() || find_session(state, event.session_id) != nullptr)
    return std::nullopt;
  std::vector<const AgentState*> agents;
  for (const AgentState& agent : state.agents) {
    const SessionState* session = find_session(state, agent.session);
    if (agent.status == AgentStatus::running && session != nullptr && session->client == event.client)
      agents.push_back(&agent);
  }
  if (agents.empty()) return std::nullopt;
  return author_among(agents, event);
}

Author author_of(const store::RunningShell& shell, const State& state) {
  HookEvent event;
  event.kind = HookKind::shell_started;
  event.session_id = shell.session;
  event.agent_id = shell.agent;
  event.agent_type = shell.agent_type;
  event.team = shell.team;
  return author_of(event, state, shell.names_subagents);
}

std::optional<Author> author_in_shell(const std::vector<store::RunningShell>& running, const State& state,
                                      const ChangedFile& file) {
  const store::RunningShell* one = nullptr;
  for (const store::RunningShell& shell : running) {
    const bool later =
        file.changed_ns != 0 && shell.device == file.device && shell.noted_ns > file.changed_ns;
    if (later) continue;
    if (one != nullptr) return std::nullopt;
    one = &shell;
  }
  return one == nullptr ? std::nullopt : std::optional(author_of(*one, state));
}

}  // namespace plankeep::core

namespace plankeep::app {

std::optional<core::Author> author_of_change(const Context& context, const PlanLocation& plan,
                                             const core::State& state) {
  const std::vector<store::RunningShell> running = shells_in_project(context, plan.folder);
  if (running.empty()) return std::nullopt;
  core::ChangedFile file;
  if (const auto info = context.files.info(plan.path()))
    file = {std::max(info->mtime_ns, info->ctime_ns), info->device};
  return core::author_in_shell(running, state, file);
}

}  // namespace plankeep::app
