// Edits of a plan: whose they are, and what is said of them.
#include <algorithm>
#include <utility>

#include "policy/hook_policy.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/attribution.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {

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
  const AgentState& first = *agents.front();
  const bool one_type = std::all_of(agents.begin(), agents.end(),
                                    [&first](const AgentState* agent) { return agent->type == first.type; });
  if (!one_type) return {std::string(kNobody), {}};
  agent_event.agent_id = first.id;
  agent_event.agent_type = first.type;
  author.actor = actor_of(agent_event);
  if (agents.size() == 1) author.agent = first.id;
  return author;
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

namespace {

bool newly_unreadable(const EditFacts& facts) {
  return !facts.readable && facts.recorded && !facts.warning.empty();
}

}  // namespace

bool worth_reporting(const EditFacts& facts) {
  return newly_unreadable(facts) || !facts.notices.empty() || !facts.new_errors.empty();
}

HookAnswer report_edit(EditFacts facts, std::string file, bool tells_model) {
  render::EditNews news;
  if (newly_unreadable(facts)) news.unreadable = std::move(facts.warning);
  news.notices = std::move(facts.notices);
  news.new_errors = std::move(facts.new_errors);
  news.file = std::move(file);
  HookAnswer answer;
  (tells_model ? answer.context : answer.notice) = render::edit_news(news);
  return answer;
}

ShellsOver shells_over(const HookEvent& event) {
  switch (event.kind) {
    case HookKind::shell_ran:
    case HookKind::tools_settled:
    case HookKind::prompt_submitted:
    case HookKind::turn_ended:
    case HookKind::subagent_stopped:
      return ShellsOver::agents;
    case HookKind::session_start:
    case HookKind::session_ended:
      return ShellsOver::sessions;
    default:
      return ShellsOver::none;
  }
}

// An id of a background command is no subagent's, and nothing is noted under it.
std::vector<std::string> agents_over(const HookEvent& event) {
  std::vector<std::string> over;
  for (const Notified& notified : event.notified) {
    if (!notified.task_id.empty()) over.push_back(notified.task_id);
  }
  return over;
}

}  // namespace plankeep::core
