// Sessions: their start, prompts, turns, compactions and ends.
#include <algorithm>

#include "base/redact.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "clients/transcripts/context_use.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/hook_call.hpp"
#include "render/progress/hook_words.hpp"
#include "render/progress/resume.hpp"
#include "reports/resume.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"
#include "tracking/memory_copy.hpp"

namespace plankeep::app {
namespace {

using core::Event;
using core::EventKind;
using core::SessionState;
using core::State;

constexpr std::size_t kNoteCharacters = 500;
constexpr std::size_t kLongestPath = 4096;

std::string first_characters(std::string_view text, std::size_t limit) {
  const std::string safe = base::printable(text);
  std::size_t at = 0;
  for (std::size_t count = 0; at < safe.size() && count < limit; ++count)
    at += base::decode_at(safe, at).length;
  std::string cut = safe.substr(0, at);
  while (!cut.empty() && cut.back() == ' ') cut.pop_back();
  return cut;
}

// What is kept of a message, without the secrets in it. Looked at is some more than what is kept, so that
// none is cut before it is seen.
std::string note_of(std::string_view message) {
  return first_characters(core::redact(message.substr(0, 16 * kNoteCharacters)), kNoteCharacters);
}

std::int64_t process_of(const std::string& identity) {
  std::int64_t number = 0;
  for (const char digit : identity) {
    if (digit < '0' || digit > '9' || number > INT32_MAX) break;
    number = number * 10 + (digit - '0');
  }
  return number;
}

std::int64_t completed_tasks(const State& state) {
  std::int64_t count = 0;
  for (const core::PhaseState& phase : state.phases) {
    for (const core::TaskState& task : phase.tasks) count += task.done ? 1 : 0;
  }
  return count;
}

// The file that still knew the state when this call began.
std::string last_known(const Outcome& outcome) {
  for (const Event& event : outcome.events) {
    if (event.kind == EventKind::state_corrupted) return event.detail;
    if (event.kind == EventKind::full_recovery) return "history.jsonl";
  }
  return "state.json";
}

}  // namespace

bool HookCall::dead(const SessionState& session, base::Instant now) const {
  if (session.ended_at) return false;
  if (!session.process.empty() && context_.processes != nullptr) {
    const auto running = context_.processes->identity(process_of(session.process));
    if (!running) return true;
    if (!running->empty()) return *running != session.process;
    // The system tells no more than that somebody of this number runs.
  }
  return now.milliseconds - session.last_active.milliseconds >= kSilence.count();
}

void HookCall::record_crashed_sessions(const PlanWork& work, State& state, std::vector<Event>& events) const {
  std::vector<std::string> gone;
  for (const SessionState& session : state.sessions) {
    // A session that starts again without having ended died; one that is compacted, cleared or forked goes
    // on.
    const bool again = session.id == event_.session_id && !session.ended_at &&
                       event_.kind == core::HookKind::session_start &&
                       (event_.source == "startup" || event_.source == "resume" || event_.source == "new");
    if (again || (session.id != event_.session_id && dead(session, work.now()))) gone.push_back(session.id);
  }
  for (const std::string& id : gone) {
    // The session's end forgets which calls were waiting for their subagents.
    const std::vector<core::AgentState> agents = state.agents;
    for (const core::AgentState& agent : agents) {
      if (agent.session == id) assign_late(state, events, work.outcome().plan, agent.id, work.now());
    }
    Event crash = made(EventKind::session_crash, work.now());
    crash.session = id;
    crash.detail = last_known(work.outcome());
    Event recovered = made(EventKind::session_recovered, work.now());
    recovered.session = id;
    recovered.from = crash.detail;
    recovered.count = completed_tasks(state);
    core::apply_session_event(state, crash);
    events.push_back(std::move(crash));
    events.push_back(std::move(recovered));
  }
}

void HookCall::touch(SessionState& session, base::Instant now) const {
  session.last_active = now;
  if (!event_.transcript.empty() && event_.transcript.size() <= kLongestPath)
    session.transcript = event_.transcript;
  if (!session.process.empty() || !event_.process || context_.processes == nullptr) return;
  if (const auto identity = context_.processes->identity(*event_.process)) session.process = *identity;
}

bool HookCall::answered(const PlanWork& work, const SessionState* session, const std::string& what) const {
  return session != nullptr && session->last_revision == work.state().revision &&
         just_answered(work, *session, what);
}

bool HookCall::just_answered(const PlanWork& work, const SessionState& session,
                             const std::string& what) const {
  if (session.last_answer != what) return false;
  const std::int64_t since = work.now().milliseconds - session.last_answered.milliseconds;
  return since >= 0 && since < kSameMoment;
}

void HookCall::note_answer(const PlanWork& work, SessionState& session, const std::string& what) {
  session.last_answer = what;
  session.last_answered = work.now();
  answer_noted_ = true;
}

// The session as the state knows it; begun now when it is not known, or had ended.
SessionState& HookCall::session_in(State& state, std::vector<Event>& events, base::Instant now) {
  SessionState* known = core::find_session(state, event_.session_id);
  if (known == nullptr || known->ended_at) {
    Event started = made(EventKind::session_started, now);
    started.client = event_.client;
    started.detail = event_.source;
    core::apply_session_event(state, started);
    events.push_back(std::move(started));
    known = core::find_session(state, event_.session_id);
  }
  touch(*known, now);
  return *known;
}

std::string HookCall::resume_for(PlanWork& work) {
  // The last that is asked of the work: a large plan and its state are handed over, not copied.
  Outcome outcome = work.take_outcome();
  const auto kept = std::make_shared<Shown>();
  result_.kept = kept;
  Shown& shown = *kept;
  shown.location = std::move(outcome.plan);
  shown.file = shown_path(context_, shown.location.path());
  shown.now = work.now();
  shown.state = std::move(outcome.state);
  shown.source = store::Loaded::Source::state;
  if (outcome.readable) {
    shown.plan = std::move(outcome.read);
  } else {
    shown.warnings = std::move(outcome.warnings);
  }
  // Tracked since this very call: there may have been a history before.
  const bool begun = std::any_of(outcome.events.begin(), outcome.events.end(), [](const Event& event) {
    return event.kind == EventKind::checkpoint_created;
  });
  if (begun) {
    if (const auto offer = memory_offer(context_, shown.location))
      shown.warnings.push_back(memory_words(*offer));
  }
  const core::StatusView view = view_of(shown);
  std::vector<Event> recent;
  auto lines = store::last_events(work.tracking(), kEventsSince, [](const Event&) { return true; });
  if (lines) {
    for (store::TailLine& line : *lines) recent.push_back(std::move(line.event));
  }
  ResumeInput input = resume_input(context_, shown.location, *shown.state, std::move(recent),
                                   event_.session_id, view.current_phase);
  // The session's project is known here, which the plan's own folder does not tell.
  if (seen_.size() > 1) {
    input.others.clear();
    for (const SeenPlan& other : seen_) {
      const core::Progress& progress = other.state.progress;
      if (other.plan == shown.location || progress.completed == progress.total) continue;
      input.others.push_back({other.plan.plan_id(), shown_path(context_, other.plan.path()), progress});
    }
  }
  return render::resume_text(view, input, settings(shown.location).resume_budget);
}

void HookCall::session_start() {
  const auto work = session_work(true);
  if (!work || event_.session_id.empty()) return;
  // The text says what changed; said beside it, it would be said twice.
  result_.answer = {};
  State state = work->state();
  const std::string what = "session_start " + event_.source;
  if (answered(*work, core::find_session(state, event_.session_id), what)) return;

  std::vector<Event> events;
  record_crashed_sessions(*work, state, events);
  SessionState& session = session_in(state, events, work->now());
  if (event_.source == "compact" || event_.source == "clear") forget_context(session);
  if (event_.context_tokens && session.context_window && *session.context_window > 0) {
    session.context_percent = static_cast<int>(
        std::clamp<std::int64_t>(*event_.context_tokens * 100 / *session.context_window, 0, 1000));
  }
  const bool now = client_.tells_model(event_);
  session.resume_due = !now;
  note_answer(*work, session, what);
  keep(*work, std::move(state), std::move(events));
  if (now) result_.answer.context = resume_for(*work);
}

// What a compaction leaves is not known until the client says it.
void HookCall::forget_context(SessionState& session) {
  session.context_full = false;
  session.context_percent.reset();
}

std::optional<int> HookCall::context_used(const SessionState& session, const PlanLocation& plan) {
  if (event_.context_percent) return event_.context_percent;
  if (session.context_percent) return session.context_percent;
  if (event_.transcript.empty()) return std::nullopt;
  const auto use = clients::context_use(read_tail(context_, event_.transcript, clients::kTranscriptTail));
  if (!use) return std::nullopt;
  auto window = use->window ? use->window : session.context_window;
  if (!window) window = settings(plan).context_window;
  if (!window || *window <= 0) return std::nullopt;
  return static_cast<int>(std::min<std::int64_t>(use->tokens * 100 / *window, 1000));
}

bool HookCall::fills_up(const SessionState& session, const PlanLocation& plan,
                        const std::optional<int>& percent) {
  // Settings are read only where they can matter.
  return percent && !session.context_full && *percent >= kLeastContextTrigger &&
         *percent >= settings(plan).context_trigger;
}

std::optional<int> HookCall::see_context(SessionState& session, const PlanLocation& plan, bool& full) {
  if (event_.context_window) session.context_window = event_.context_window;
  if (event_.context_percent) session.context_percent = event_.context_percent;
  const std::optional<int> percent = context_used(session, plan);
  full = fills_up(session, plan, percent);
  if (!full) return percent;
  session.context_full = true;
  ask_for(plan, {core::CheckpointType::context_window, {}, percent});
  return percent;
}

std::string HookCall::rewind_news(PlanWork& work, const SessionState& earlier) const {
  // Nothing was saved since this session was answered last.
  if (!client_.tells_model(event_) || earlier.last_revision == work.state().revision) return {};
  const auto rewound = store::last_events(work.tracking(), kEventsSince, [](const Event&) { return true; });
  if (!rewound) return {};
  for (auto line = rewound->rbegin(); line != rewound->rend(); ++line) {
    if (line->event.time <= earlier.last_active) break;
    if (line->event.kind != EventKind::rewound) continue;
    if (line->event.detail == "lost_tasks") continue;  // put back beside what there is
    return render::rewind_report(shown_path(context_, work.outcome().plan.path()), line->event);
  }
  return {};
}

void HookCall::prompt() {
  // A prompt that is none, and nothing to hand over: look at the files and leave.
  if (event_.session_id.empty() || (!core::real_prompt(event_) && event_.notified.empty())) return settled();
  const auto work = session_work(false);
  if (!work) return;
  State state = work->state();
  std::vector<Event> events;
  const SessionState* before = core::find_session(state, event_.session_id);
  const bool goes_on = before != nullptr && !before->ended_at && !before->resume_due;
  const std::string rewound = goes_on ? rewind_news(*work, *before) : std::string();
  // Clients without a session start that reaches the model are told with their first prompt.
  core::HookEvent start;
  start.client = event_.client;
  start.client_event = event_.client_event;
  start.kind = core::HookKind::session_start;
  const bool fresh = (before == nullptr || before->ended_at) && !client_.tells_model(start);
  if (fresh) record_crashed_sessions(*work, state, events);
  SessionState& session = session_in(state, events, work->now());
  std::optional<std::string> copy;
  const std::string what = "prompt_submitted " + base::short_checksum(event_.prompt);
  if (core::real_prompt(event_) && !just_answered(*work, session, what)) {
    note_answer(*work, session, what);
    ++session.prompts;
    if (session.prompts % kPromptsPerRecovery == 0) copy = "every_5th_prompt";
    // What a person changed since the last turn ended is kept apart from what this one changes.
    ask_for(work->outcome().plan, {core::CheckpointType::turn, {}, std::nullopt, true});
  }
  bool full = false;
  (void)see_context(session, work->outcome().plan, full);
  if (full) copy = "context_window";
  const bool resume = (fresh || session.resume_due) && client_.tells_model(event_);
  if (resume) session.resume_due = false;
  close_notified(state, events, work->now());
  if (core::real_prompt(event_)) close_unnamed(state, events, work->now());
  deliver_findings(state, true);
  if (!rewound.empty()) {
    std::string& context = result_.answer.context;
    context += (context.empty() ? "" : "\n") + rewound;
  }
  keep(*work, std::move(state), std::move(events), std::move(copy));
  if (!resume) return;
  // Most prompts need no more of the plan than that nothing in it changed.
  if (work->readable()) {
    const base::Status read = work->sync(Edit{});
    take(read, work->outcome().plan);
    if (!read) return;
  }
  const std::string text = resume_for(*work);
  result_.answer.context = result_.answer.context.empty() ? text : text + "\n" + result_.answer.context;
}

std::string HookCall::last_words() {
  if (!event_.message.empty()) return note_of(event_.message);
  if (event_.transcript.empty() || event_.client != "claude-code") return {};
  const std::string tail = read_tail(context_, event_.transcript, clients::kTranscriptTail);
  return note_of(clients::read_transcript_end(tail, false).last_message);
}

void HookCall::turn_ended() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  State state = work->state();
  std::vector<Event> events;
  const SessionState* before = core::find_session(state, event_.session_id);
  const base::Instant turn_began = before == nullptr ? work->now() : before->last_active;
  SessionState& session = session_in(state, events, work->now());
  if (!event_.failed && !event_.message.empty()) session.last_message = last_words();
  std::optional<std::string> copy;
  bool full = false;
  const std::optional<int> percent = see_context(session, work->outcome().plan, full);
  if (full) copy = "context_window";
  // One that is told of twice ended once, whether the gate had a word to say or not; one that is sent back
  // goes on.
  const std::string quietly = "quiet " + turn_answer();
  const bool again = just_answered(*work, session, quietly) || just_answered(*work, session, turn_answer());
  gate(*work, state, session);
  if (!again) {
    if (!answer_noted_) note_answer(*work, session, quietly);
    if (result_.answer.block.empty()) {
      ask_for(work->outcome().plan, {core::CheckpointType::turn, {}, percent});
      // Other plans that the turn changed are gone back to by themselves.
      for (const SeenPlan& other : seen_) {
        if (other.plan == work->outcome().plan || other.state.last_saved < turn_began) continue;
        ask_for(other.plan, {core::CheckpointType::turn, {}, percent});
      }
    }
  }
  keep(*work, std::move(state), std::move(events), std::move(copy));
}

// A note that somebody wrote stays; one that was taken down like this makes way for the next.
void HookCall::note_message(State& state, std::vector<Event>& events, base::Instant now,
                            const std::string& why) const {
  const SessionState* session = core::find_session(state, event_.session_id);
  const std::string note = session == nullptr ? std::string() : session->last_message;
  if (note.empty() || (state.session_notes && !state.note_is_automatic) || state.session_notes == note)
    return;
  Event saved = made(EventKind::note_saved, now);
  saved.text = note;
  saved.reason = why;
  state.session_notes = note;
  state.note_is_automatic = true;
  events.push_back(std::move(saved));
}

void HookCall::before_compact() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  State state = work->state();
  std::vector<Event> events;
  SessionState& session = session_in(state, events, work->now());
  const std::string what = "before_compact " + event_.source;
  if (answered(*work, &session, what)) return;
  note_answer(*work, session, what);
  const std::optional<int> percent = context_used(session, work->outcome().plan);
  forget_context(session);
  if (session.last_message.empty()) session.last_message = last_words();
  note_message(state, events, work->now(), "pre_compact");
  ask_for(work->outcome().plan, {core::CheckpointType::pre_compact, {}, percent});
  keep(*work, std::move(state), std::move(events), "pre_compact");
}

void HookCall::session_ended() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  State state = work->state();
  SessionState* session = core::find_session(state, event_.session_id);
  // Clients repeat ends, and end sessions that never were ours.
  if (session == nullptr || session->ended_at) return;
  if (const std::string words = last_words(); !words.empty()) session->last_message = words;
  const std::optional<int> percent = context_used(*session, work->outcome().plan);
  std::vector<Event> events;
  note_message(state, events, work->now(), "session_end");
  Event ended = made(EventKind::session_ended, work->now());
  ended.client = event_.client;
  ended.reason = event_.source;
  core::apply_session_event(state, ended);
  events.push_back(std::move(ended));
  ask_for(work->outcome().plan, {core::CheckpointType::session_end, {}, percent});
  keep(*work, std::move(state), std::move(events), "session_end");
}

}  // namespace plankeep::app
