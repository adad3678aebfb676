// Subagents: what they were given, what they claim, and what their parent has to know (spec 10.4).
#include <algorithm>

#include "audit/audit.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/hook_call.hpp"
#include "policy/hook_policy.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

using core::AgentState;
using core::Event;
using core::EventKind;
using core::SessionState;
using core::State;
using core::TaskId;

constexpr std::size_t kFindingsKept = 20;

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

/// What an agent is sent back for. An id that this plan does not have may be another plan's.
std::vector<std::string> unverified_in(const core::Audit& audit) {
  return texts(audit.unverified);
}

}  // namespace

void HookCall::subagent_stopped() {
  // Compaction sends a phantom without a type.
  if (event_.agent_type.empty()) return;
  const auto work = session_work(false);
  if (!work) return;
  const PlanLocation& plan = work->outcome().plan;
  State state = work->state();
  std::vector<Event> events;
  // An end that comes behind its session's does not begin the session again.
  const SessionState* over = core::find_session(state, event_.session_id);
  if (!event_.session_id.empty() && (over == nullptr || !over->ended_at))
    (void)core::session_in(state, events, event_, process_for(state), work->now());
  assign_late(state, events, plan, event_.agent_id, work->now());
  const AgentState* agent = core::find_agent(state, event_.agent_id);

  const ClaimPolicy policy = settings(plan).audit;
  Verdict verdict;
  if (policy != ClaimPolicy::off && !event_.failed) {
    std::string message = event_.message;
    if (message.empty() && client_.transcripts_hold_messages && !event_.agent_transcript.empty()) {
      message = clients::read_transcript_end(
                    read_tail(context_, event_.agent_transcript, clients::kTranscriptTail), true)
                    .last_message;
    }
    verdict = judge(plan, state, agent, message, true);
  }
  const core::Audit& audit = verdict.audit;
  const std::vector<std::string> unverified = unverified_in(audit);

  SessionState* session = core::find_session(state, event_.session_id);
  const std::string what =
      (event_.stop_active ? "subagent_stopped again " : "subagent_stopped ") + event_.agent_id;
  if (core::already_answered(state, session, what, work->now())) return;

  if (agent != nullptr && agent->status == core::AgentStatus::stopped && stop_is_recorded(*work, audit)) {
    // Killed before the state was written, a claim may stand in the history only.
    if (!unverified.empty() && !claim_waits(state)) {
      add_finding(state, verdict, work->now());
      keep(*work, std::move(state), {});
    }
    return;
  }

  // Sent back once: the client says so, and so does our own record, since some clients do not.
  const bool sent_back = event_.stop_active || (agent != nullptr && agent->sent_back);
  if (!unverified.empty() && policy == ClaimPolicy::block && !sent_back && agent != nullptr) {
    if (client_.can_block(event_)) {
      result_.answer.block = render::finding_reason(verdict.file, unverified);
      core::find_agent(state, event_.agent_id)->sent_back = true;
      if (session != nullptr) {
        core::note_answer(*session, what, work->now());
        answer_noted_ = true;
      }
      keep(*work, std::move(state), std::move(events));
      return;
    }
  }

  Event stopped = made(EventKind::subagent_stopped, work->now());
  stopped.agent = event_.agent_id;
  stopped.agent_type = event_.agent_type;
  if (agent != nullptr) stopped.tasks = agent->completed_tasks;
  stopped.claimed = claimed_in(audit);
  stopped.unverified = unverified;
  core::apply_session_event(state, stopped);
  events.push_back(std::move(stopped));
  if (!unverified.empty()) add_finding(state, verdict, work->now());
  keep(*work, std::move(state), std::move(events));
}

// The same stop told again: by hooks that are installed twice, by a client that repeats itself, or because
// the first call was killed before it had answered.
bool HookCall::stop_is_recorded(PlanWork& work, const core::Audit& audit) const {
  const auto last = store::last_events(work.tracking(), 1, [this](const Event& event) {
    return event.kind == EventKind::subagent_stopped && event.agent == event_.agent_id;
  });
  return last && !last->empty() && last->front().event.claimed == claimed_in(audit) &&
         last->front().event.unverified == unverified_in(audit);
}

bool HookCall::claim_waits(const State& state) const {
  return std::any_of(state.findings.begin(), state.findings.end(),
                     [this](const core::AuditFinding& claim) { return claim.agent == event_.agent_id; });
}

void HookCall::add_finding(State& state, const Verdict& verdict, base::Instant now) const {
  state.findings.push_back({event_.agent_id,
                            event_.agent_type,
                            event_.session_id,
                            now,
                            event_.background,
                            unverified_in(verdict.audit),
                            verdict.plan,
                            {}});
  if (state.findings.size() > kFindingsKept) state.findings.erase(state.findings.begin());
}

std::optional<core::ClaimFacts> HookCall::gate(const PlanLocation& plan, const State& state) {
  const ClaimPolicy policy = settings(plan).gate;
  const bool somebody_else = event_.failed || !event_.agent_id.empty();
  if (policy == ClaimPolicy::off || event_.message.empty() || somebody_else) return std::nullopt;
  Verdict verdict = judge(plan, state, nullptr, event_.message, false);
  return core::ClaimFacts{unverified_in(verdict.audit), std::move(verdict.file),
                          policy == ClaimPolicy::block && !event_.stop_active && client_.can_block(event_)};
}

}  // namespace plankeep::app
