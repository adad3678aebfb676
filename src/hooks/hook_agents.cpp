// What subagents and the main thread claim at their end, as facts of a decision (spec 10.4).
#include <algorithm>
#include <unordered_map>

#include "audit/audit.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/hook_call.hpp"
#include "policy/hook_policy.hpp"
#include "rules/notice.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

using core::AgentState;
using core::Event;
using core::EventKind;
using core::State;
using core::TaskId;

std::vector<std::string> texts(const std::vector<TaskId>& ids) {
  std::vector<std::string> out;
  out.reserve(ids.size());
  for (const TaskId& id : ids) out.push_back(id.text);
  return out;
}

std::vector<std::string> claimed_in(const core::Audit& audit) {
  std::vector<std::string> claimed = texts(audit.confirmed);
  for (const TaskId& id : audit.unverified) claimed.push_back(id.text);
  claimed.insert(claimed.end(), audit.unknown.begin(), audit.unknown.end());
  return claimed;
}

// What an agent is sent back for. An id that this plan does not have may be another plan's.
std::vector<std::string> unverified_in(const core::Audit& audit) {
  return texts(audit.unverified);
}

std::vector<std::string> names_of(const std::vector<TaskId>& ids, const State& state) {
  std::unordered_map<TaskId, const core::TaskState*> known;
  for (const TaskId& id : ids) known.emplace(id, nullptr);
  for (const core::PhaseState& phase : state.phases) {
    for (const core::TaskState& task : phase.tasks) {
      const auto place = known.find(task.id);
      if (place != known.end() && place->second == nullptr) place->second = &task;
    }
  }
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const TaskId& id : ids) {
    const core::TaskState* task = known.at(id);
    names.push_back(task == nullptr ? id.text : core::task_name(id, task->title));
  }
  return names;
}

}  // namespace

const State& HookCall::asked_state(const core::Verdict& verdict, const State& own) const {
  for (const SeenPlan& seen : seen_) {
    if (!verdict.plan.empty() && seen.plan.path() == verdict.plan) return seen.state();
  }
  return own;
}

PlanWork& HookCall::asked_work(const core::AuditFacts& claims, PlanWork& own) const {
  if (claims.claimed.empty() && claims.unverified.empty()) return own;
  for (const SeenPlan& seen : seen_) {
    if (!claims.plan.empty() && seen.plan.path() == claims.plan && seen.work != nullptr) return *seen.work;
  }
  return own;
}

void HookCall::subagent_stopped() {
  // Compaction sends a phantom without a type.
  if (event_.agent_type.empty()) return;
  const auto work = session_work(false);
  if (!work) return;
  const PlanLocation& plan = work->outcome().plan;
  const State& state = work->state();
  core::HookFacts facts = facts_of(*work);
  std::optional<AgentState> agent;
  if (const AgentState* known = core::find_agent(state, event_.agent_id)) {
    agent = *known;
    if (!known->assignment_known && known->status == core::AgentStatus::running) {
      facts.agents.push_back(agent_facts(state, plan, *known));
      agent = core::with_assignment(state, *known, facts.agents.front());
    }
  }
  facts.audit = audit_of(plan, state, agent ? &*agent : nullptr);
  if (agent && agent->status == core::AgentStatus::stopped)
    facts.last_stop = last_stop(facts.audit ? asked_work(*facts.audit, *work) : *work);
  if (facts.tells_model) {
    name_file(*work, facts);
    facts.file = shown_path(context_, plan.path());
    if (facts.audit && !facts.audit->plan.empty())
      facts.shown.emplace(facts.audit->plan, shown_path(context_, facts.audit->plan));
  }
  carry_out(*work, core::decide(event_, state, facts));
}

std::optional<core::AuditFacts> HookCall::audit_of(const PlanLocation& plan, const State& state,
                                                   const AgentState* agent) {
  const ClaimPolicy policy = settings(plan).audit;
  if (policy == ClaimPolicy::off || event_.failed) return std::nullopt;
  std::string message = event_.message;
  if (message.empty() && client_.transcripts_hold_messages && !event_.agent_transcript.empty()) {
    message = clients::read_transcript_end(
                  system::read_tail(context_.files, event_.agent_transcript, clients::kTranscriptTail), true)
                  .last_message;
  }
  core::Verdict verdict = judge(plan, state, agent, message, true);
  core::AuditFacts claims;
  claims.claimed = claimed_in(verdict.audit);
  claims.unverified = unverified_in(verdict.audit);
  claims.names = names_of(verdict.audit.unverified, asked_state(verdict, state));
  claims.file = std::move(verdict.file);
  claims.plan = std::move(verdict.plan);
  claims.doubts = doubts_of(plan, state, message, event_.agent_transcript);
  claims.sends_back = policy == ClaimPolicy::block && client_.can_block(event_);
  return claims;
}

std::optional<Event> HookCall::last_stop(PlanWork& work) const {
  store::EventQuery stop{.kinds = {EventKind::subagent_stopped}, .texts = {event_.agent_id}};
  stop.matches = [this](const Event& event) { return event.agent == event_.agent_id; };
  const auto last = store::last_events(work.tracking(), 1, stop);
  if (!last || last->empty()) return std::nullopt;
  return last->front().event;
}

std::optional<core::AuditFacts> HookCall::gate(const PlanLocation& plan, const State& state) {
  const ClaimPolicy policy = settings(plan).gate;
  const bool somebody_else = event_.failed || !event_.agent_id.empty();
  if (policy == ClaimPolicy::off || event_.message.empty() || somebody_else) return std::nullopt;
  core::Verdict verdict = judge(plan, state, nullptr, event_.message, false);
  core::AuditFacts claims;
  claims.unverified = unverified_in(verdict.audit);
  claims.names = names_of(verdict.audit.unverified, asked_state(verdict, state));
  claims.file = std::move(verdict.file);
  claims.doubts = doubts_of(plan, state, event_.message, event_.transcript);
  claims.sends_back = policy == ClaimPolicy::block && !event_.stop_active && client_.can_block(event_);
  return claims;
}

}  // namespace plankeep::app
