// Sessions: their start, prompts, turns, compactions and ends.
#include <algorithm>
#include <utility>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "policy/session_call.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {
namespace {

using Keep = HookDecision::Keep;

constexpr std::size_t kLongestPath = 4096;

std::int64_t completed_tasks(const State& state) {
  std::int64_t count = 0;
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) count += task.done ? 1 : 0;
  }
  return count;
}

// Whether the same was answered a moment ago: the second call of a hook that is installed twice (spec 10.8).
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

// What no event tells of a session that goes on with this plan.
void go_on(SessionState& session, const SessionState& before) {
  session.process = before.process;
  session.transcript = before.transcript;
  session.prompts = before.prompts;
  session.context_percent = before.context_percent;
  session.context_window = before.context_window;
  session.context_full = before.context_full;
  session.resume_due = before.resume_due;
  session.last_message = before.last_message;
  session.edited_prompt = before.edited_prompt;
}

// The session as the state knows it; begun now when it is not known, or had ended.
SessionState& session_in(State& state, std::vector<Event>& events, const HookEvent& event,
                         const HookFacts& facts) {
  SessionState* known = find_session(state, event.session_id);
  if (known == nullptr || known->ended_at) {
    Event started;
    started.kind = EventKind::session_started;
    started.time = facts.now;
    started.session = event.session_id;
    started.client = event.client;
    // Other events have a source of their own: what a compaction was for, why a session ended.
    if (event.kind == HookKind::session_start) started.source = event.source;
    apply_session_event(state, started);
    events.push_back(std::move(started));
    known = find_session(state, event.session_id);
    if (facts.elsewhere) go_on(*known, *facts.elsewhere);
  }
  touch(*known, event, facts.process, facts.now);
  return *known;
}

// What the end of this turn is noted as.
std::string turn_answer(const HookEvent& event) {
  return (event.stop_active ? "turn_ended again " : "turn_ended ") + base::short_checksum(event.message);
}

}  // namespace

HookDecision SessionCall::take() {
  made_.keep = !made_.events.empty() || made_.copy ? Keep::save : Keep::bookkeeping;
  SessionState* session = noted_ ? find_session(made_.state, event_.session_id) : nullptr;
  if (session != nullptr) session->last_revision = made_.state.revision + (made_.keep == Keep::save ? 1 : 0);
  return std::move(made_);
}

HookDecision SessionCall::session_start() {
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

HookDecision SessionCall::prompt() {
  const SessionState* before = find_session(made_.state, event_.session_id);
  made_.resume = wants_resume(event_, made_.state, facts_);
  // Where the answer to a session start does not reach the model, the first prompt does its work.
  const bool fresh =
      (before == nullptr || before->ended_at) && !facts_.elsewhere && !facts_.start_tells_model;
  if (fresh) record_crashed_sessions();
  SessionState& session = begin();
  const std::string what = "prompt_submitted " + base::short_checksum(event_.prompt);
  if (real_prompt(event_) && !just_answered(session, what, facts_.now)) {
    note_answer(session, what);
    ++session.prompts;
    if (session.prompts % kPromptsPerRecovery == 0) made_.copy = "every_5th_prompt";
    // Keeps what a person changed since the last turn apart from what this turn changes.
    ask_for({CheckpointType::turn, {}, std::nullopt, true});
  }
  see_context(session);
  if (made_.resume) session.resume_due = false;
  close_notified();
  if (real_prompt(event_)) close_unnamed();
  made_.answer.context = deliver_findings(made_.state, event_, facts_, true);
  if (facts_.rewound)
    base::append_line(made_.answer.context,
                      render::rewind_report(facts_.file, *facts_.rewound, facts_.head_detached));
  return take();
}

HookDecision SessionCall::turn_ended() {
  const SessionState* before = find_session(made_.state, event_.session_id);
  const base::Instant session_began = before != nullptr  ? before->started_at
                                      : facts_.elsewhere ? facts_.elsewhere->started_at
                                                         : facts_.now;
  SessionState& session = begin();
  if (!event_.failed && !event_.message.empty()) session.last_message = facts_.last_words;
  see_context(session);
  // A turn end that is reported twice counts once, whatever the gate said. A turn that is sent back goes on.
  const std::string what = turn_answer(event_);
  const std::string quietly = "quiet " + what;
  const bool again = just_answered(session, quietly, facts_.now) || just_answered(session, what, facts_.now);
  gate(session);
  if (!again) {
    if (!noted_) note_answer(session, quietly);
    if (made_.answer.block.empty()) ask_for_turn(session_began);
  }
  return take();
}

// The other plans that the turn changed get a checkpoint of their own, so that each can be rewound. A plan
// was changed if it was saved after its last checkpoint of a turn; without one, after the session began (a
// start saves plans that it did not change). last_active is no measure: it also moves within a turn.
void SessionCall::ask_for_turn(base::Instant session_began) {
  const WantedCheckpoint turn{CheckpointType::turn, {}, facts_.context_percent};
  ask_for(turn);
  for (std::size_t i = 0; i < facts_.other_plans.size(); ++i) {
    const OtherPlan& other = facts_.other_plans[i];
    if (other.kept_by_turn.value_or(session_began) < other.saved) made_.jobs.push_back({i + 1, turn});
  }
}

HookDecision SessionCall::before_compact() {
  SessionState& session = begin();
  const std::string what = "before_compact " + event_.source;
  if (answered_before(what)) return {};
  note_answer(session, what);
  forget_context(session);
  if (session.last_message.empty()) session.last_message = facts_.last_words;
  note_message("pre_compact");
  ask_for({CheckpointType::pre_compact, {}, facts_.context_percent});
  made_.copy = "pre_compact";
  return take();
}

HookDecision SessionCall::session_ended() {
  SessionState* session = find_session(made_.state, event_.session_id);
  if (session == nullptr && facts_.elsewhere) session = &begin();
  // Clients report ends twice, and ends of sessions that plankeep never saw.
  if (session == nullptr || session->ended_at) return {};
  if (!facts_.last_words.empty()) session->last_message = facts_.last_words;
  if (!facts_.worked_elsewhere) note_message("session_end");
  close_sent_back();
  Event ended = event(EventKind::session_ended);
  ended.client = event_.client;
  ended.reason = event_.source;
  end_beside(ended);
  record(std::move(ended));
  if (facts_.worked_elsewhere) return take();
  ask_for({CheckpointType::session_end, {}, facts_.context_percent});
  made_.copy = "session_end";
  return take();
}

HookDecision SessionCall::crashes() {
  record_crashed_sessions();
  if (made_.events.empty()) return {};
  return take();
}

Event SessionCall::event(EventKind kind) const {
  Event made;
  made.kind = kind;
  made.time = facts_.now;
  made.session = event_.session_id;
  return made;
}

void SessionCall::record(Event made) {
  apply_session_event(made_.state, made);
  made_.events.push_back(std::move(made));
}

void SessionCall::ask_for(WantedCheckpoint checkpoint) {
  made_.jobs.push_back({0, std::move(checkpoint)});
}

SessionState& SessionCall::begin() {
  return session_in(made_.state, made_.events, event_, facts_);
}

bool SessionCall::answered_before(const std::string& what) const {
  return already_answered(made_.state, find_session(made_.state, event_.session_id), what, facts_.now);
}

void SessionCall::note_answer(SessionState& session, const std::string& what) {
  set_answer(session, what, facts_.now);
  noted_ = true;
}

// How full the window is after a compaction is unknown until the client says it.
void SessionCall::forget_context(SessionState& session) {
  session.context_full = false;
  session.context_percent.reset();
}

// A full window calls for a checkpoint: one for each session, and again after each compaction.
void SessionCall::see_context(SessionState& session) {
  if (event_.context_window) session.context_window = event_.context_window;
  if (event_.context_percent) session.context_percent = event_.context_percent;
  const std::optional<int>& percent = facts_.context_percent;
  if (session.context_full || !percent || !facts_.context_trigger || *percent < *facts_.context_trigger)
    return;
  session.context_full = true;
  made_.copy = "context_window";
  ask_for({CheckpointType::context_window, {}, percent});
}

// An automatic note replaces the one before it, but never a note that somebody wrote.
void SessionCall::note_message(const std::string& why) {
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

ProcessFate SessionCall::fate_of(const std::string& session) const {
  const auto known = std::find_if(facts_.sessions.begin(), facts_.sessions.end(),
                                  [&](const SessionFate& fate) { return fate.session == session; });
  return known == facts_.sessions.end() ? ProcessFate::unknown : known->process;
}

void SessionCall::record_crashed_sessions() {
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
    end_beside(crash);
    record(std::move(crash));
    made_.events.push_back(std::move(recovered));
  }
}

// The audit of the main thread's last message, if the gate is switched on.
void SessionCall::gate(SessionState& session) {
  if (!facts_.audit || (facts_.audit->unverified.empty() && facts_.audit->doubts.empty())) return;
  const std::string what = turn_answer(event_);
  if (answered_before(what)) return;
  note_answer(session, what);
  if (facts_.audit->unverified.empty()) {
    made_.answer.notice = render::doubt_notice(facts_.audit->doubts);
    return;
  }
  const AuditFacts& claims = *facts_.audit;
  if (claims.sends_back) {
    made_.answer.block = with_doubts(render::finding_reason(claims.file, claims.names), claims);
  } else {
    made_.answer.notice = with_doubts(render::finding_notice(claims.file, claims.names), claims);
  }
}

bool starts_again(const HookEvent& event, const SessionState& session) {
  return session.id == event.session_id && !session.ended_at && event.kind == HookKind::session_start &&
         (event.source == "startup" || event.source == "resume" || event.source == "new");
}

bool wants_resume(const HookEvent& event, const State& state, const HookFacts& facts) {
  if (!facts.tells_model) return false;
  const SessionState* known = find_session(state, event.session_id);
  if (known == nullptr && facts.elsewhere) known = &*facts.elsewhere;
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

HookDecision record_crashes(const HookEvent& event, State state, const HookFacts& facts) {
  return SessionCall(event, std::move(state), facts).crashes();
}

HookDecision decide(const HookEvent& event, State state, const HookFacts& facts) {
  SessionCall call(event, std::move(state), facts);
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
