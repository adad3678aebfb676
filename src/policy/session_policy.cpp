// Sessions: their start, prompts, turns, compactions and ends; their subagents.
#include <algorithm>
#include <utility>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "policy/hook_policy.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {
namespace {

using Keep = HookDecision::Keep;

constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kAssignmentsKept = 20;
constexpr std::size_t kFindingsKept = 20;

std::int64_t completed_tasks(const State& state) {
  std::int64_t count = 0;
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) count += task.done ? 1 : 0;
  }
  return count;
}

// Whether this was answered before at the same moment: the second call of a hook that is installed twice
// (spec 10.8).
bool just_answered(const SessionState& session, std::string_view answer, base::Instant now) {
  if (session.last_answer != answer) return false;
  const std::int64_t since = now.milliseconds - session.last_answered.milliseconds;
  return since >= 0 && since < kSameMoment;
}

// The same, and nothing was saved since.
bool already_answered(const State& state, const SessionState* session, std::string_view answer,
                      base::Instant now) {
  return session != nullptr && session->last_revision == state.revision &&
         just_answered(*session, answer, now);
}

// What is saved next notes the revision with it.
void set_answer(SessionState& session, std::string answer, base::Instant now) {
  session.last_answer = std::move(answer);
  session.last_answered = now;
}

// The session as the state knows it; begun now when it is not known, or had ended.
SessionState& session_in(State& state, std::vector<Event>& events, const HookEvent& event,
                         const std::string& process, base::Instant now) {
  SessionState* known = find_session(state, event.session_id);
  if (known == nullptr || known->ended_at) {
    Event started;
    started.kind = EventKind::session_started;
    started.time = now;
    started.session = event.session_id;
    started.client = event.client;
    started.source = event.source;
    apply_session_event(state, started);
    events.push_back(std::move(started));
    known = find_session(state, event.session_id);
  }
  touch(*known, event, process, now);
  return *known;
}

// What the end of this turn is noted as.
std::string turn_answer(const HookEvent& event) {
  return (event.stop_active ? "turn_ended again " : "turn_ended ") + base::short_checksum(event.message);
}

class Call {
 public:
  Call(const HookEvent& event, State state, const HookFacts& facts) : event_(event), facts_(facts) {
    made_.state = std::move(state);
  }

  HookDecision take() {
    made_.keep = !made_.events.empty() || made_.copy ? Keep::save : Keep::bookkeeping;
    SessionState* session = noted_ ? find_session(made_.state, event_.session_id) : nullptr;
    if (session != nullptr)
      session->last_revision = made_.state.revision + (made_.keep == Keep::save ? 1 : 0);
    return std::move(made_);
  }

  HookDecision session_start() {
    const std::string what = "session_start " + event_.source;
    if (answered_before(what)) return {};
    record_crashed_sessions();
    SessionState& session = begin();
    if (event_.source == "compact" || event_.source == "clear") forget_context(session);
    if (event_.context_tokens && session.context_window && *session.context_window > 0) {
      session.context_percent = static_cast<int>(
          std::clamp<std::int64_t>(*event_.context_tokens * 100 / *session.context_window, 0, 1000));
    }
    session.resume_due = !facts_.tells_model;
    made_.resume = facts_.tells_model;
    note_answer(session, what);
    return take();
  }

  HookDecision prompt() {
    const SessionState* before = find_session(made_.state, event_.session_id);
    made_.resume = wants_resume(event_, made_.state, facts_);
    // Clients without a session start that reaches the model are told with their first prompt.
    const bool fresh = (before == nullptr || before->ended_at) && !facts_.start_tells_model;
    if (fresh) record_crashed_sessions();
    SessionState& session = begin();
    const std::string what = "prompt_submitted " + base::short_checksum(event_.prompt);
    if (real_prompt(event_) && !just_answered(session, what, facts_.now)) {
      note_answer(session, what);
      ++session.prompts;
      if (session.prompts % kPromptsPerRecovery == 0) made_.copy = "every_5th_prompt";
      // What a person changed since the last turn ended is kept apart from what this one changes.
      ask_for({CheckpointType::turn, {}, std::nullopt, true});
    }
    see_context(session);
    if (made_.resume) session.resume_due = false;
    close_notified();
    if (real_prompt(event_)) close_unnamed();
    made_.answer.context = deliver_findings(made_.state, event_, facts_, true);
    if (facts_.rewound)
      base::append_line(made_.answer.context, render::rewind_report(facts_.file, *facts_.rewound));
    return take();
  }

  HookDecision turn_ended() {
    const SessionState* before = find_session(made_.state, event_.session_id);
    const base::Instant session_began = before == nullptr ? facts_.now : before->started_at;
    SessionState& session = begin();
    if (!event_.failed && !event_.message.empty()) session.last_message = facts_.last_words;
    see_context(session);
    // One that is told of twice ended once, whether the gate had a word to say or not; one that is sent back
    // goes on.
    const std::string what = turn_answer(event_);
    const std::string quietly = "quiet " + what;
    const bool again =
        just_answered(session, quietly, facts_.now) || just_answered(session, what, facts_.now);
    gate(session);
    if (!again) {
      if (!noted_) note_answer(session, quietly);
      if (made_.answer.block.empty()) {
        const WantedCheckpoint turn{CheckpointType::turn, {}, facts_.context_percent};
        ask_for(turn);
        // Other plans that the turn changed are gone back to by themselves. When it began is not asked: a
        // session is touched within its turns too. Its start may have saved them without a change of its own.
        for (std::size_t i = 0; i < facts_.other_plans.size(); ++i) {
          const OtherPlan& other = facts_.other_plans[i];
          const bool changed = (other.kept_by_turn ? *other.kept_by_turn : session_began) < other.saved;
          if (changed) made_.jobs.push_back({i + 1, turn});
        }
      }
    }
    return take();
  }

  HookDecision before_compact() {
    SessionState& session = begin();
    const std::string what = "before_compact " + event_.source;
    if (already_answered(made_.state, &session, what, facts_.now)) return {};
    note_answer(session, what);
    forget_context(session);
    if (session.last_message.empty()) session.last_message = facts_.last_words;
    note_message("pre_compact");
    ask_for({CheckpointType::pre_compact, {}, facts_.context_percent});
    made_.copy = "pre_compact";
    return take();
  }

  HookDecision session_ended() {
    SessionState* session = find_session(made_.state, event_.session_id);
    // Clients repeat ends, and end sessions that never were ours.
    if (session == nullptr || session->ended_at) return {};
    if (!facts_.last_words.empty()) session->last_message = facts_.last_words;
    note_message("session_end");
    Event ended = event(EventKind::session_ended);
    ended.client = event_.client;
    ended.reason = event_.source;
    record(std::move(ended));
    ask_for({CheckpointType::session_end, {}, facts_.context_percent});
    made_.copy = "session_end";
    return take();
  }

  HookDecision subagent_assigned() {
    SessionState& session = begin();
    // The second call of a hook that is installed twice.
    const bool twice =
        !event_.tool_use_id.empty() &&
        std::any_of(session.assignments.begin(), session.assignments.end(),
                    [this](const Assignment& known) { return known.tool_use == event_.tool_use_id; });
    if (twice) return {};
    // Also without a task: the next start of this type is this one, and not the one before it.
    Assignment assignment = facts_.given;
    assignment.tool_use = event_.tool_use_id;
    assignment.type = event_.started_type;
    session.assignments.push_back(std::move(assignment));
    if (session.assignments.size() > kAssignmentsKept) session.assignments.erase(session.assignments.begin());
    return take();
  }

  HookDecision subagent_started() {
    if (!event_.session_id.empty()) (void)begin();
    const AgentState* known = find_agent(made_.state, event_.agent_id);
    const bool running = known != nullptr && known->status == AgentStatus::running;
    // The second call of a hook that is installed twice; but some clients send the prompt with the second.
    if (running && (event_.prompt.empty() || known->assignment_known)) return {};
    std::optional<Assignment> assignment;
    if (!event_.prompt.empty()) {
      assignment = facts_.given;
    } else if (!facts_.agents.empty() && (known == nullptr || !known->assignment_known)) {
      AgentState agent;
      agent.id = event_.agent_id;
      agent.type = event_.agent_type;
      agent.session = event_.session_id;
      assignment = take_assignment(made_.state, agent, facts_.agents.front(), known == nullptr);
    }
    if (running) {
      assign(made_.state, made_.events, event_.agent_id, std::move(*assignment), facts_.now);
      return take();
    }
    Event started = event(EventKind::subagent_started);
    started.agent = event_.agent_id;
    started.agent_type = event_.agent_type;
    if (assignment) started.tasks = std::move(assignment->tasks);
    record(std::move(started));
    if (assignment) {
      AgentState* agent = find_agent(made_.state, event_.agent_id);
      agent->assignment_known = true;
      agent->assigned_plan = std::move(assignment->plan);
    }
    made_.copy = "pre_subagent_spawn";
    return take();
  }

  HookDecision subagent_stopped() {
    // An end that comes behind its session's does not begin the session again.
    const SessionState* over = find_session(made_.state, event_.session_id);
    if (!event_.session_id.empty() && (over == nullptr || !over->ended_at)) (void)begin();
    if (const AgentState* known = find_agent(made_.state, event_.agent_id)) assign_late(AgentState(*known));
    AgentState* agent = find_agent(made_.state, event_.agent_id);
    SessionState* session = find_session(made_.state, event_.session_id);
    const std::string what =
        (event_.stop_active ? "subagent_stopped again " : "subagent_stopped ") + event_.agent_id;
    if (already_answered(made_.state, session, what, facts_.now)) return {};

    const AuditFacts claims = facts_.audit.value_or(AuditFacts{});
    const bool stands = !claims.unverified.empty();
    if (agent != nullptr && agent->status == AgentStatus::stopped && recorded(claims)) {
      // Killed before the state was written, a claim may stand in the history only.
      if (!stands || finding_waits()) return {};
      add_finding(claims);
      made_.events.clear();
      return take();
    }
    // Sent back once: the client says so, and so does our own record, since some clients do not.
    if (stands && claims.sends_back && !event_.stop_active && agent != nullptr && !agent->sent_back) {
      made_.answer.block = with_doubts(render::finding_reason(claims.file, claims.names), claims);
      agent->sent_back = true;
      if (session != nullptr) note_answer(*session, what);
      return take();
    }
    Event stopped = event(EventKind::subagent_stopped);
    stopped.agent = event_.agent_id;
    stopped.agent_type = event_.agent_type;
    if (agent != nullptr) stopped.tasks = agent->completed_tasks;
    stopped.claimed = claims.claimed;
    stopped.unverified = claims.unverified;
    record(std::move(stopped));
    if (stands) add_finding(claims);
    made_.answer.notice = render::doubt_notice(claims.doubts);
    return take();
  }

 private:
  static std::string with_doubts(std::string reason, const AuditFacts& claims) {
    base::append_line(reason, render::doubt_notice(claims.doubts));
    return reason;
  }

  // The same stop told again: by hooks that are installed twice, by a client that repeats itself, or because
  // the first call was killed before it had answered.
  bool recorded(const AuditFacts& claims) const {
    return facts_.last_stop && facts_.last_stop->claimed == claims.claimed &&
           facts_.last_stop->unverified == claims.unverified;
  }

  bool finding_waits() const {
    const auto& findings = made_.state.findings;
    return std::any_of(findings.begin(), findings.end(),
                       [this](const AuditFinding& claim) { return claim.agent == event_.agent_id; });
  }

  void add_finding(const AuditFacts& claims) {
    auto& findings = made_.state.findings;
    findings.push_back({event_.agent_id,
                        event_.agent_type,
                        event_.session_id,
                        facts_.now,
                        event_.background,
                        claims.unverified,
                        claims.plan,
                        {}});
    if (findings.size() > kFindingsKept) findings.erase(findings.begin());
  }

  Event event(EventKind kind) const {
    Event made;
    made.kind = kind;
    made.time = facts_.now;
    made.session = event_.session_id;
    return made;
  }

  void record(Event made) {
    apply_session_event(made_.state, made);
    made_.events.push_back(std::move(made));
  }

  void ask_for(WantedCheckpoint checkpoint) { made_.jobs.push_back({0, std::move(checkpoint)}); }

  SessionState& begin() { return session_in(made_.state, made_.events, event_, facts_.process, facts_.now); }

  bool answered_before(const std::string& what) const {
    return already_answered(made_.state, find_session(made_.state, event_.session_id), what, facts_.now);
  }

  void note_answer(SessionState& session, const std::string& what) {
    set_answer(session, what, facts_.now);
    noted_ = true;
  }

  // What a compaction leaves is not known until the client says it.
  static void forget_context(SessionState& session) {
    session.context_full = false;
    session.context_percent.reset();
  }

  // A full window calls for a checkpoint, which a session gets once until its context is compacted.
  void see_context(SessionState& session) {
    if (event_.context_window) session.context_window = event_.context_window;
    if (event_.context_percent) session.context_percent = event_.context_percent;
    const std::optional<int>& percent = facts_.context_percent;
    if (session.context_full || !percent || !facts_.context_trigger || *percent < *facts_.context_trigger)
      return;
    session.context_full = true;
    made_.copy = "context_window";
    ask_for({CheckpointType::context_window, {}, percent});
  }

  // A note that somebody wrote stays; one that was taken down like this makes way for the next.
  void note_message(const std::string& why) {
    State& state = made_.state;
    const SessionState* session = find_session(state, event_.session_id);
    const std::string note = session == nullptr ? std::string() : session->last_message;
    if (note.empty() || (state.session_notes && !state.note_is_automatic) || state.session_notes == note)
      return;
    Event saved = event(EventKind::note_saved);
    saved.note = note;
    saved.reason = why;
    state.session_notes = note;
    state.note_is_automatic = true;
    made_.events.push_back(std::move(saved));
  }

  ProcessFate fate_of(const std::string& session) const {
    const auto known = std::find_if(facts_.sessions.begin(), facts_.sessions.end(),
                                    [&](const SessionFate& fate) { return fate.session == session; });
    return known == facts_.sessions.end() ? ProcessFate::unknown : known->process;
  }

  void record_crashed_sessions() {
    std::vector<std::string> gone;
    for (const SessionState& session : made_.state.sessions) {
      const bool other = session.id != event_.session_id;
      const bool again = !other && starts_again(event_, session);
      if (again || (other && is_dead(session, fate_of(session.id), facts_.now))) gone.push_back(session.id);
    }
    for (const std::string& id : gone) {
      // The session's end forgets which calls were waiting for their subagents.
      const std::vector<AgentState> agents = made_.state.agents;
      for (const AgentState& agent : agents) {
        if (agent.session == id) assign_late(agent);
      }
      Event crash = event(EventKind::session_crash);
      crash.session = id;
      crash.last_known_state = facts_.last_known;
      Event recovered = event(EventKind::session_recovered);
      recovered.session = id;
      recovered.from = crash.last_known_state;
      recovered.tasks_restored = completed_tasks(made_.state);
      record(std::move(crash));
      made_.events.push_back(std::move(recovered));
    }
  }

  void assign_late(const AgentState& agent) {
    if (agent.assignment_known || agent.status != AgentStatus::running) return;
    const auto known = std::find_if(facts_.agents.begin(), facts_.agents.end(),
                                    [&](const AgentFacts& facts) { return facts.agent == agent.id; });
    if (known == facts_.agents.end()) return;
    if (auto found = take_assignment(made_.state, agent, *known, false))
      assign(made_.state, made_.events, agent.id, std::move(*found), facts_.now);
  }

  // At the end of the main thread's turn, if it is switched on.
  void gate(SessionState& session) {
    if (!facts_.audit || (facts_.audit->unverified.empty() && facts_.audit->doubts.empty())) return;
    const std::string what = turn_answer(event_);
    if (already_answered(made_.state, &session, what, facts_.now)) return;
    note_answer(session, what);
    if (facts_.audit->unverified.empty()) {
      made_.answer.notice = render::doubt_notice(facts_.audit->doubts);
      return;
    }
    const std::string reason =
        with_doubts(render::finding_reason(facts_.audit->file, facts_.audit->names), *facts_.audit);
    (facts_.audit->sends_back ? made_.answer.block : made_.answer.notice) = reason;
  }

  void close(const AgentState& agent) {
    Event stopped = event(EventKind::subagent_stopped);
    stopped.agent = agent.id;
    stopped.agent_type = agent.type;
    stopped.tasks = agent.completed_tasks;
    record(std::move(stopped));
  }

  // A subagent's end is not always announced, but a notification about it is (stopped by hand, failed).
  void close_notified() {
    for (const Notified& notified : event_.notified) {
      const AgentState* agent = find_agent(made_.state, notified.task_id);
      if (agent != nullptr && agent->status == AgentStatus::running) close(*agent);
    }
  }

  // Of clients whose subagents run in the foreground: who prompts has none running.
  void close_unnamed() {
    std::vector<AgentState> over;
    for (const AgentState* agent : unnamed_agents(made_.state, event_, facts_.names_subagents))
      over.push_back(*agent);
    for (const AgentState& agent : over) close(agent);
  }

  const HookEvent& event_;
  const HookFacts& facts_;
  HookDecision made_;
  bool noted_ = false;
};

}  // namespace

bool starts_again(const HookEvent& event, const SessionState& session) {
  return session.id == event.session_id && !session.ended_at && event.kind == HookKind::session_start &&
         (event.source == "startup" || event.source == "resume" || event.source == "new");
}

bool wants_resume(const HookEvent& event, const State& state, const HookFacts& facts) {
  if (!facts.tells_model) return false;
  const SessionState* known = find_session(state, event.session_id);
  return known == nullptr || known->ended_at ? !facts.start_tells_model : known->resume_due;
}

bool is_dead(const SessionState& session, ProcessFate process, base::Instant now) {
  if (session.ended_at || process == ProcessFate::runs) return false;
  return process == ProcessFate::ended ||
         now.milliseconds - session.last_active.milliseconds >= kSilence.count();
}

void touch(SessionState& session, const HookEvent& event, const std::string& process, base::Instant now) {
  session.last_active = now;
  if (!event.transcript.empty() && event.transcript.size() <= kLongestPath)
    session.transcript = event.transcript;
  if (session.process.empty()) session.process = process;
}

HookDecision decide(const HookEvent& event, State state, const HookFacts& facts) {
  Call call(event, std::move(state), facts);
  switch (event.kind) {
    case HookKind::session_start:
      return call.session_start();
    case HookKind::prompt_submitted:
      return call.prompt();
    case HookKind::turn_ended:
      return call.turn_ended();
    case HookKind::before_compact:
      return call.before_compact();
    case HookKind::session_ended:
      return call.session_ended();
    case HookKind::subagent_assigned:
      return call.subagent_assigned();
    case HookKind::subagent_started:
      return call.subagent_started();
    case HookKind::subagent_stopped:
      return call.subagent_stopped();
    default:
      return {};
  }
}

}  // namespace plankeep::core
