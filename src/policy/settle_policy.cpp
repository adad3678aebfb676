// Tools that came to their end: what is due then, and the renewal of leases.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "model/find_task.hpp"
#include "policy/hook_policy.hpp"
#include "rules/attribution.hpp"
#include "rules/lease.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {
namespace {

const SessionState* main_session(const HookEvent& event, const State& state) {
  const SessionState* session = event.agent_id.empty() ? find_session(state, event.session_id) : nullptr;
  return session == nullptr || session->ended_at ? nullptr : session;
}

// A long turn is no silence, where that is all there is to know a living session by.
bool quiet_for_long(const HookEvent& event, const State& state, base::Instant now) {
  const SessionState* session = find_session(state, event.session_id);
  return session != nullptr && !session->ended_at && session->process.empty() &&
         now.milliseconds - session->last_active.milliseconds >= kSilence.count() / 5;
}

// A turn may fill its window and be compacted before it ends.
bool fills_up(const HookEvent& event, const State& state, const HookFacts& facts) {
  const SessionState* session = main_session(event, state);
  return session != nullptr && !session->context_full && facts.context_percent && facts.context_trigger &&
         *facts.context_percent >= *facts.context_trigger;
}

constexpr std::string_view kMain = "main";

bool is_fresh_tick(const TaskState& task, base::Instant now) {
  return task.done && task.completed_by == kMain && task.completed_at && *task.completed_at <= now &&
         now.milliseconds - task.completed_at->milliseconds <= kAttributionMilliseconds;
}

bool names(const std::string& given, const PhaseState& phase, const TaskState& task) {
  return given == task.id.text || given == phase.id.text + "/" + task.id.text;
}

/// The event as that of the subagent, whose type the payload may not say.
HookEvent with_type(const HookEvent& event, const State& state) {
  HookEvent author = event;
  const AgentState* agent = find_agent(state, event.agent_id);
  if (author.agent_type.empty() && agent != nullptr) author.agent_type = agent->type;
  return author;
}

// What its calls of our MCP server ticked is the subagent's.
std::vector<Event> attribute_ticks(const HookEvent& event, State& state, const OwnCalls& calls,
                                   base::Instant now) {
  std::vector<Event> events;
  const HookEvent author = with_type(event, state);
  for (PhaseState& phase : state.phases) {
    for (TaskState& task : phase.tasks) {
      const bool named = std::any_of(calls.ticked.begin(), calls.ticked.end(),
                                     [&](const std::string& given) { return names(given, phase, task); });
      if (!named || !is_fresh_tick(task, now)) continue;
      Event& taken = events.emplace_back();
      taken.time = now;
      taken.kind = EventKind::task_attributed;
      taken.task = task.id;
      taken.phase = phase.id;
      taken.title = task.title;
      taken.from = kMain;
      taken.by = actor_of(author);
      taken.agent = event.agent_id;
      task.completed_by = taken.by;
    }
  }
  for (const Event& taken : events) apply_session_event(state, taken);
  return events;
}

// The session is not known where the server could not tell which one it serves.
bool is_fresh_claim(const LeaseState& lease, const HookEvent& event, base::Instant now) {
  return lease.by == kMain && (lease.session.empty() || lease.session == event.session_id) &&
         lease.renewed <= now && now.milliseconds - lease.renewed.milliseconds <= kAttributionMilliseconds;
}

// By its fence, which the answer names; else by the id that was asked for.
bool claims(const OwnCalls::Claim& call, const LeaseState& lease) {
  if (call.fence != 0) return call.fence == lease.fence;
  return call.id == lease.task.text || call.id == lease.phase.text + "/" + lease.task.text;
}

// What its calls of our MCP server claimed is held by the subagent, and ends with it. Where a call may mean
// several, none is taken.
std::vector<Event> attribute_claims(const HookEvent& event, State& state, const OwnCalls& calls,
                                    base::Instant now) {
  std::vector<Event> events;
  const HookEvent author = with_type(event, state);
  if (author.agent_type.empty()) return events;
  for (const OwnCalls::Claim& call : calls.claims) {
    const auto meant = [&](const LeaseState& lease) {
      return is_fresh_claim(lease, event, now) && claims(call, lease);
    };
    const auto found = std::find_if(state.leases.begin(), state.leases.end(), meant);
    if (found == state.leases.end() ||
        std::find_if(found + 1, state.leases.end(), meant) != state.leases.end())
      continue;
    Event taken = claim_event(*found, now);
    taken.reason = kRenewed;
    taken.from = kMain;
    taken.by = actor_of(author);
    taken.session = event.session_id;
    if (const TaskState* task = find_task(state, found->phase, found->task)) taken.title = task->title;
    apply_lease_event(state, taken);
    events.push_back(std::move(taken));
  }
  return events;
}

std::vector<Event> attribute_own_calls(const HookEvent& event, State& state, const HookFacts& facts) {
  if (event.agent_id.empty()) return {};
  std::vector<Event> events = attribute_ticks(event, state, facts.own_calls, facts.now);
  std::vector<Event> claimed = attribute_claims(event, state, facts.own_calls, facts.now);
  events.insert(events.end(), std::make_move_iterator(claimed.begin()),
                std::make_move_iterator(claimed.end()));
  return events;
}

}  // namespace

bool sender_counts(const HookEvent& event, const State& state, base::Instant now) {
  // A state in brief has no tasks.
  if (state.phases.empty())
    return now.milliseconds - state.last_saved.milliseconds <= kAttributionMilliseconds;
  const bool claimed = std::any_of(state.leases.begin(), state.leases.end(), [&](const LeaseState& lease) {
    return is_fresh_claim(lease, event, now);
  });
  return claimed || std::any_of(state.phases.begin(), state.phases.end(), [now](const PhaseState& phase) {
           return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                              [now](const TaskState& task) { return is_fresh_tick(task, now); });
         });
}

bool own_calls_may_wait(const HookEvent& event, const State& state, base::Instant now) {
  return !event.agent_id.empty() && sender_counts(event, state, now);
}

OwnCalls waiting_calls(const OwnCalls& calls, const HookEvent& event, const State& state, base::Instant now) {
  OwnCalls waiting;
  waiting.plan = calls.plan;
  for (const std::string& given : calls.ticked) {
    const bool waits = std::any_of(state.phases.begin(), state.phases.end(), [&](const PhaseState& phase) {
      return std::any_of(phase.tasks.begin(), phase.tasks.end(), [&](const TaskState& task) {
        return names(given, phase, task) && is_fresh_tick(task, now);
      });
    });
    if (waits) waiting.ticked.push_back(given);
  }
  for (const OwnCalls::Claim& call : calls.claims) {
    const bool waits = std::any_of(state.leases.begin(), state.leases.end(), [&](const LeaseState& lease) {
      return claims(call, lease) && is_fresh_claim(lease, event, now);
    });
    if (waits) waiting.claims.push_back(call);
  }
  return waiting;
}

HookDecision credit_own_calls(const HookEvent& event, State state, const HookFacts& facts) {
  HookDecision made;
  made.events = attribute_own_calls(event, state, facts);
  made.state = std::move(state);
  made.keep = made.events.empty() ? HookDecision::Keep::nothing : HookDecision::Keep::save;
  return made;
}

bool findings_due(const HookEvent& event, const State& state) {
  return std::any_of(state.findings.begin(), state.findings.end(), [&](const AuditFinding& claim) {
    return claim.session == event.session_id && !claim.background && !finding_held(state, claim);
  });
}

bool anything_due(const HookEvent& event, const State& state, const HookFacts& facts) {
  const bool told = event.agent_id.empty() && facts.tells_model && findings_due(event, state);
  const bool edited = facts.edited && main_session(event, state) != nullptr;
  return told || edited || !facts.own_calls.empty() || quiet_for_long(event, state, facts.now) ||
         unassigned_agent(event, state) != nullptr || fills_up(event, state, facts);
}

HookDecision settle(const HookEvent& event, State state, const HookFacts& facts) {
  HookDecision made;
  if (!anything_due(event, state, facts)) return made;
  const bool full = fills_up(event, state, facts);
  const bool edited = facts.edited && main_session(event, state) != nullptr;
  if (const AgentState* known = unassigned_agent(event, state); known != nullptr && !facts.agents.empty()) {
    const AgentState agent = *known;
    made.state = std::move(state);
    if (auto found = take_assignment(made.state, agent, facts.agents.front(), false))
      assign(made, agent.id, std::move(*found), facts.now);
    state = std::move(made.state);
  }
  std::vector<Event> own = attribute_own_calls(event, state, facts);
  made.events.insert(made.events.end(), std::make_move_iterator(own.begin()),
                     std::make_move_iterator(own.end()));
  made.answer.context = deliver_findings(state, event, facts, false);
  if (SessionState* session = find_session(state, event.session_id)) {
    touch(*session, event, facts.process, facts.now);
    if (edited) {
      session->edited_prompt = facts.edited->id;
      base::append_line(made.answer.context, facts.edited->report);
    }
    if (full) {
      session->context_full = true;
      made.copy = "context_window";
      made.jobs.push_back({0, {CheckpointType::context_window, {}, facts.context_percent}});
    }
  }
  made.state = std::move(state);
  made.keep = !made.events.empty() || made.copy ? HookDecision::Keep::save : HookDecision::Keep::bookkeeping;
  return made;
}

std::vector<Event> lease_renewals(const HookEvent& event, const State& state, const std::string& host,
                                  base::Instant now) {
  if (state.leases.empty() || event.session_id.empty() || event.kind == HookKind::session_ended) return {};
  Holder holder{actor_of(event), event.session_id, {}, {}};
  const SessionState* session = find_session(state, event.session_id);
  if (session != nullptr && !session->process.empty() && !host.empty()) {
    holder.process = session->process;
    holder.host = host;
  }
  return renewals(state, holder, now);
}

}  // namespace plankeep::core
