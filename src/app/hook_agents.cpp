// Subagents: what they were given, what they claim, and what their parent has to know (spec 10.4).
#include <algorithm>
#include <unordered_set>

#include "app/hook_call.hpp"
#include "base/sha256.hpp"
#include "clients/transcript.hpp"
#include "core/audit.hpp"
#include "core/sessions.hpp"
#include "render/hook_words.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

using core::AgentState;
using core::AuditTask;
using core::Event;
using core::EventKind;
using core::SessionState;
using core::State;
using core::TaskId;

constexpr std::size_t kAssignmentsKept = 20;
constexpr std::size_t kClaimsKept = 20;
constexpr std::uint64_t kMetaLimit = std::uint64_t{64} << 10;

bool contains(const std::vector<TaskId>& ids, const TaskId& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::vector<AuditTask> audit_tasks(const State& state, const AgentState* agent) {
  std::vector<AuditTask> tasks;
  for (const core::PhaseState& phase : state.phases) {
    for (const core::TaskState& task : phase.tasks) {
      AuditTask& told = tasks.emplace_back();
      told.id = task.id;
      told.title = task.title;
      told.done = task.done;
      told.phase = phase.id;
      told.phase_title = phase.title;
      if (agent == nullptr) continue;
      told.done_by_this_agent = contains(agent->completed_tasks, task.id);
      told.assigned = contains(agent->assigned_tasks, task.id);
    }
  }
  return tasks;
}

// A subagent in a worktree of its own ticks the plan that stands there.
void take_ticks(const std::vector<SeenPlan>& seen, const PlanLocation& own, std::vector<AuditTask>& tasks) {
  for (const SeenPlan& other : seen) {
    if (other.plan == own || other.plan.name != own.name) continue;
    std::unordered_set<std::string> done;
    for (const core::PhaseState& phase : other.state.phases) {
      for (const core::TaskState& task : phase.tasks) {
        if (task.done) done.insert(task.id.text);
      }
    }
    for (AuditTask& task : tasks) task.done = task.done || done.contains(task.id.text);
  }
}

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

std::vector<std::string> unverified_in(const core::Audit& audit) {
  std::vector<std::string> unverified = texts(audit.unverified);
  unverified.insert(unverified.end(), audit.unknown.begin(), audit.unknown.end());
  return unverified;
}

}  // namespace

void HookCall::subagent_assigned() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  State state = work->state();
  const std::vector<TaskId> tasks = core::named_tasks(event_.prompt, audit_tasks(state, nullptr));
  std::vector<Event> events;
  SessionState& session = session_in(state, events, work->now());
  // The second call of a hook that is installed twice.
  const bool twice =
      !event_.tool_use_id.empty() &&
      std::any_of(session.assignments.begin(), session.assignments.end(),
                  [this](const core::Assignment& known) { return known.tool_use == event_.tool_use_id; });
  if (twice) return;
  // Also without a task: the next start of this type is this one, and not the one before it.
  session.assignments.push_back({event_.tool_use_id, event_.started_type, tasks});
  if (session.assignments.size() > kAssignmentsKept) session.assignments.erase(session.assignments.begin());
  keep(*work, std::move(state), std::move(events));
}

// What the call that started this subagent names: that call where its file tells it, else the oldest one of
// its type. One that is continued was started by a call long ago: those that wait belong to others.
std::vector<TaskId> HookCall::assigned_to_this(State& state) {
  if (!event_.prompt.empty()) return core::named_tasks(event_.prompt, audit_tasks(state, nullptr));
  SessionState* session = core::find_session(state, event_.session_id);
  if (session == nullptr || session->assignments.empty()) return {};
  auto& waiting = session->assignments;
  auto found = waiting.end();
  const std::string meta = clients::agent_meta_path(event_.transcript, event_.agent_id);
  const std::string tool_use =
      meta.empty() ? std::string() : clients::tool_use_of_agent(read_end(context_, meta, kMetaLimit));
  if (!tool_use.empty()) {
    found = std::find_if(waiting.begin(), waiting.end(), [&tool_use](const core::Assignment& assignment) {
      return assignment.tool_use == tool_use;
    });
  }
  if (found == waiting.end() && core::find_agent(state, event_.agent_id) == nullptr) {
    found = std::find_if(waiting.begin(), waiting.end(), [this](const core::Assignment& assignment) {
      return assignment.type == event_.agent_type;
    });
  }
  if (found == waiting.end()) return {};
  std::vector<TaskId> tasks = std::move(found->tasks);
  waiting.erase(found);
  return tasks;
}

void HookCall::subagent_started() {
  if (event_.agent_type.empty() || event_.agent_id.empty()) return;
  const auto work = session_work(false);
  if (!work) return;
  State state = work->state();
  std::vector<Event> events;
  if (!event_.session_id.empty()) (void)session_in(state, events, work->now());
  const AgentState* known = core::find_agent(state, event_.agent_id);
  // The second call of a hook that is installed twice.
  if (known != nullptr && known->status == core::AgentStatus::running) return;
  Event started = made(EventKind::subagent_started, work->now());
  started.agent = event_.agent_id;
  started.agent_type = event_.agent_type;
  started.tasks = assigned_to_this(state);
  core::apply_session_event(state, started);
  events.push_back(std::move(started));
  keep(*work, std::move(state), std::move(events), "pre_subagent_spawn");
}

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
    (void)session_in(state, events, work->now());
  const AgentState* agent = core::find_agent(state, event_.agent_id);

  const ClaimPolicy policy = settings(plan).audit;
  core::Audit audit;
  if (policy != ClaimPolicy::off && !event_.failed) {
    std::string message = event_.message;
    if (message.empty() && event_.client == "claude-code" && !event_.agent_transcript.empty()) {
      message = clients::read_transcript_end(
                    read_end(context_, event_.agent_transcript, clients::kTranscriptTail), true)
                    .last_message;
    }
    std::vector<AuditTask> tasks = audit_tasks(state, agent);
    take_ticks(seen_, plan, tasks);
    audit = core::audit_message(message, tasks);
  }
  const std::vector<std::string> unverified = unverified_in(audit);
  const std::string file = shown_path(context_, plan.path());

  SessionState* session = core::find_session(state, event_.session_id);
  const std::string what =
      (event_.stop_active ? "subagent_stopped again " : "subagent_stopped ") + event_.agent_id;
  if (answered(*work, session, what)) return;

  if (agent != nullptr && agent->status == core::AgentStatus::stopped && stop_is_recorded(*work, audit)) {
    // Killed before the state was written, a claim may stand in the history only.
    if (!unverified.empty() && !claim_waits(state)) {
      add_claim(state, unverified, work->now());
      keep(*work, std::move(state), {});
    }
    return;
  }

  // Sent back once: the client says so, and so does our own record, since some clients do not.
  const bool sent_back = event_.stop_active || (agent != nullptr && agent->sent_back);
  if (!unverified.empty() && policy == ClaimPolicy::block && !sent_back && agent != nullptr) {
    if (client_.can_block(event_)) {
      result_.answer.block = render::claim_reason(file, unverified);
      core::find_agent(state, event_.agent_id)->sent_back = true;
      if (session != nullptr) note_answer(*work, *session, what);
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
  if (!unverified.empty()) add_claim(state, unverified, work->now());
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
  return std::any_of(state.claims.begin(), state.claims.end(),
                     [this](const core::ClaimState& claim) { return claim.agent == event_.agent_id; });
}

void HookCall::add_claim(State& state, const std::vector<std::string>& unverified, base::Instant now) const {
  state.claims.push_back(
      {event_.agent_id, event_.agent_type, event_.session_id, now, event_.background, unverified, {}});
  if (state.claims.size() > kClaimsKept) state.claims.erase(state.claims.begin());
}

// At the end of the main thread's turn, if it is switched on.
std::string HookCall::turn_answer() const {
  return (event_.stop_active ? "turn_ended again " : "turn_ended ") + base::short_checksum(event_.message);
}

void HookCall::gate(const PlanWork& work, const State& state, SessionState& session) {
  const PlanLocation& plan = work.outcome().plan;
  const ClaimPolicy policy = settings(plan).gate;
  const bool somebody_else = event_.failed || !event_.agent_id.empty();
  if (policy == ClaimPolicy::off || event_.message.empty() || somebody_else) return;
  const core::Audit audit = core::audit_message(event_.message, audit_tasks(state, nullptr));
  const std::vector<std::string> unverified = unverified_in(audit);
  if (unverified.empty()) return;
  const std::string what = turn_answer();
  if (answered(work, &session, what)) return;
  note_answer(work, session, what);
  const std::string reason = render::claim_reason(shown_path(context_, plan.path()), unverified);
  if (policy == ClaimPolicy::block && !event_.stop_active && client_.can_block(event_)) {
    result_.answer.block = reason;
  } else {
    std::string& notice = result_.answer.notice;
    notice += (notice.empty() ? "" : "\n") + reason;
  }
}

// A subagent's end is not always announced, but a notification about it is (stopped by hand, failed).
void HookCall::close_notified(State& state, std::vector<Event>& events, base::Instant now) const {
  for (const core::Notified& notified : event_.notified) {
    const AgentState* agent = core::find_agent(state, notified.task_id);
    if (agent == nullptr || agent->status != core::AgentStatus::running) continue;
    Event stopped = made(EventKind::subagent_stopped, now);
    stopped.agent = agent->id;
    stopped.agent_type = agent->type;
    stopped.tasks = agent->completed_tasks;
    core::apply_session_event(state, stopped);
    events.push_back(std::move(stopped));
  }
}

void HookCall::deliver_claims(State& state, bool with_background) {
  if (!event_.agent_id.empty() || !client_.tells_model(event_)) return;
  std::vector<core::ClaimState> due;
  std::erase_if(state.claims, [&](const core::ClaimState& claim) {
    if (claim.session != event_.session_id || (claim.background && !with_background)) return false;
    due.push_back(claim);
    return true;
  });
  if (due.empty() || !result_.plan) return;
  const std::string report = render::claim_report(shown_path(context_, result_.plan->path()), due);
  std::string& context = result_.answer.context;
  context += (context.empty() ? "" : "\n") + report;
}

}  // namespace plankeep::app
