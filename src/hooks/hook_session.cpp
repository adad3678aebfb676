// Sessions: their start, prompts, turns, compactions and ends.
#include <algorithm>

#include "base/utf8.hpp"
#include "clients/transcripts/context_use.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/first_sight.hpp"
#include "hooks/hook_call.hpp"
#include "policy/hook_policy.hpp"
#include "project/git_directory.hpp"
#include "project/known_folders.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "render/progress/resume.hpp"
#include "render/style.hpp"
#include "reports/resume.hpp"
#include "rules/rewind_steps.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"
#include "tracking/memory_copy.hpp"
#include "tracking/show.hpp"
#include "tracking/taken_commit.hpp"

namespace plankeep::app {
namespace {

using core::Event;
using core::EventKind;
using core::SessionState;
using core::State;

constexpr std::size_t kNoteCharacters = 500;

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
std::string note_of(std::string_view message, const TextRedactor& redactor) {
  return first_characters(redactor(message.substr(0, 16 * kNoteCharacters)), kNoteCharacters);
}

std::int64_t process_of(const std::string& identity) {
  std::int64_t number = 0;
  for (const char digit : identity) {
    if (digit < '0' || digit > '9' || number > INT32_MAX) break;
    number = number * 10 + (digit - '0');
  }
  return number;
}

// The file that still knew the state when this call began.
std::string last_known(const Outcome& outcome) {
  for (const Event& event : outcome.events) {
    if (event.kind == EventKind::state_corrupted) return event.restored_from;
    if (event.kind == EventKind::full_recovery) return "history.jsonl";
  }
  return "state.json";
}

// Whether this is the first session of a new history. Only this one is told of an earlier history.
bool is_first_session(const std::vector<Event>& recent) {
  const auto is = [](EventKind kind) { return [kind](const Event& event) { return event.kind == kind; }; };
  return std::any_of(recent.begin(), recent.end(), is(EventKind::checkpoint_created)) &&
         std::count_if(recent.begin(), recent.end(), is(EventKind::session_started)) <= 1;
}

}  // namespace

core::ProcessFate HookCall::fate_of(const SessionState& session) const {
  if (session.process.empty() || context_.processes == nullptr) return core::ProcessFate::unknown;
  const auto running = context_.processes->identity(process_of(session.process));
  if (!running) return core::ProcessFate::ended;
  // Empty: the system only says that some process has this number.
  if (running->empty()) return core::ProcessFate::unknown;
  return *running == session.process ? core::ProcessFate::runs : core::ProcessFate::ended;
}

std::string HookCall::process_for(const State& state) const {
  const SessionState* known = going_on(state);
  if ((known != nullptr && !known->process.empty()) || !event_.process || context_.processes == nullptr)
    return {};
  return context_.processes->identity(*event_.process).value_or("");
}

const SessionState* HookCall::going_on(const State& state) const {
  const SessionState* known = core::find_session(state, event_.session_id);
  return known == nullptr || known->ended_at ? nullptr : known;
}

core::HookFacts HookCall::facts() const {
  core::HookFacts facts;
  facts.tells_model = client_.tells_model(event_);
  facts.names_subagents = client_.names_subagents;
  if (event_.kind == core::HookKind::prompt_submitted) {
    core::HookEvent start;
    start.client = event_.client;
    start.client_event = event_.client_event;
    start.kind = core::HookKind::session_start;
    facts.start_tells_model = client_.tells_model(start);
  }
  return facts;
}

base::Instant HookCall::now_of(const PlanWork& work) const {
  return work.locked() ? work.now() : context_.clock.now();
}

core::HookFacts HookCall::facts_of(const PlanWork& work) const {
  core::HookFacts facts = this->facts();
  facts.now = now_of(work);
  facts.process = process_for(work.state());
  find_elsewhere(work, facts);
  return facts;
}

void HookCall::find_elsewhere(const PlanWork& work, core::HookFacts& facts) const {
  if (event_.session_id.empty() || core::find_session(work.state(), event_.session_id) != nullptr) return;
  for (const SeenPlan& seen : seen_) {
    if (const SessionState* known = going_on(seen.state())) facts.elsewhere = *known;
  }
}

void HookCall::end_elsewhere(const PlanLocation& own) {
  for (const SeenPlan& seen : seen_) {
    if (seen.plan == own || going_on(seen.state()) == nullptr) continue;
    const base::Status done = seen.work->locked() ? base::Status{} : lock_work(*seen.work);
    take(done, seen.plan);
    if (!done || going_on(seen.work->state()) == nullptr) continue;
    core::HookFacts facts = facts_of(*seen.work);
    facts.worked_elsewhere = true;
    carry_out(*seen.work, core::decide(event_, seen.work->state(), facts));
    seen.work->unlock();
  }
}

// Whether the session goes on in another plan than this one.
bool HookCall::lives_elsewhere(const std::string& session, const PlanLocation& own, base::Instant now) const {
  return std::any_of(seen_.begin(), seen_.end(), [&](const SeenPlan& seen) {
    const SessionState* known = seen.plan == own ? nullptr : core::find_session(seen.state(), session);
    return known != nullptr && !core::is_dead(*known, fate_of(*known), now) && !known->ended_at;
  });
}

// A session that died may have its records in another plan than the one that the next session works on.
void HookCall::find_crashed_elsewhere(const PlanLocation& own) {
  const base::Instant now = context_.clock.now();
  for (const SeenPlan& seen : seen_) {
    if (seen.plan == own || seen.work == nullptr) continue;
    const auto dead = [&](const SessionState& session) {
      return session.id != event_.session_id && core::is_dead(session, fate_of(session), now) &&
             !lives_elsewhere(session.id, seen.plan, now);
    };
    const auto& sessions = seen.state().sessions;
    if (std::none_of(sessions.begin(), sessions.end(), dead)) continue;
    const base::Status done = seen.work->locked() ? base::Status{} : lock_work(*seen.work);
    take(done, seen.plan);
    if (!done || seen.work->state().checksum.empty()) continue;
    core::HookFacts facts = facts_of(*seen.work);
    find_crashed(*seen.work, facts);
    std::erase_if(facts.sessions, [&](const core::SessionFate& fate) {
      return lives_elsewhere(fate.session, seen.plan, now);
    });
    for (const SessionState& session : seen.work->state().sessions) {
      if (lives_elsewhere(session.id, seen.plan, now))
        facts.sessions.push_back({session.id, core::ProcessFate::runs});
    }
    carry_out(*seen.work, core::record_crashes(event_, seen.work->state(), facts));
    seen.work->unlock();
  }
}

void HookCall::find_crashed(const PlanWork& work, core::HookFacts& facts) const {
  const State& state = work.state();
  facts.last_known = last_known(work.outcome());
  for (const SessionState& session : state.sessions) {
    bool gone = core::starts_again(event_, session);
    if (session.id != event_.session_id && !session.ended_at) {
      const core::ProcessFate fate = fate_of(session);
      facts.sessions.push_back({session.id, fate});
      gone = core::is_dead(session, fate, facts.now);
    }
    if (!gone) continue;
    for (const core::AgentState& agent : state.agents) {
      if (agent.session == session.id && !agent.assignment_known &&
          agent.status == core::AgentStatus::running)
        facts.agents.push_back(agent_facts(state, work.outcome().plan, agent));
    }
  }
}

// The plan's name takes a look at the environment.
void HookCall::name_file(const PlanWork& work, core::HookFacts& facts) const {
  if (facts.rewound || !work.state().findings.empty())
    facts.file = shown_path(context_, work.outcome().plan.path());
  for (const core::AuditFinding& claim : work.state().findings) {
    if (claim.plan.empty()) continue;
    facts.shown.emplace(claim.plan, shown_path(context_, claim.plan));
    for (const SeenPlan& seen : seen_) {
      if (seen.plan.path() != claim.plan || seen.work == nullptr) continue;
      if (seen.work->whole() || seen.work->read_whole()) facts.plans.emplace(claim.plan, &seen.state());
    }
  }
}

void HookCall::carry_out(PlanWork& work, core::HookDecision made) {
  base::append_line(result_.answer.context, made.answer.context);
  base::append_line(result_.answer.notice, made.answer.notice);
  if (!made.answer.block.empty()) result_.answer.block = std::move(made.answer.block);
  const PlanLocation plan = work.outcome().plan;
  std::vector<const PlanLocation*> others = other_plans(plan);
  for (core::HookJob& job : made.jobs) {
    const PlanLocation& of = job.plan == 0 ? plan : *others[job.plan - 1];
    ask_for(of, std::move(job.checkpoint));
    // The snapshot of the files is taken before the job reads this plan, so its text is noted now.
    if (job.plan != 0) note_plan(of);
  }
  if (made.keep == core::HookDecision::Keep::nothing) return;
  const base::Status kept =
      made.keep == core::HookDecision::Keep::save
          ? work.save(std::move(made.state), std::move(made.events), std::move(made.copy))
          : work.keep_bookkeeping(std::move(made.state));
  take(kept, plan);
  note_plan(plan, work.state(), work.bytes());
  if (made.beside.empty()) return;
  // One lock at a time.
  work.unlock();
  record_beside(std::move(made.beside));
}

void HookCall::record_beside(std::vector<core::EventBeside> events) {
  for (core::EventBeside& beside : events) {
    for (const SeenPlan& seen : seen_) {
      if (seen.plan.path() != beside.plan || seen.work == nullptr) continue;
      const base::Status done = seen.work->locked() ? base::Status{} : lock_work(*seen.work);
      take(done, seen.plan);
      if (!done || seen.work->state().checksum.empty()) continue;
      carry_out(*seen.work, core::record_beside(std::move(beside.event), seen.work->state()));
      seen.work->unlock();
      break;
    }
  }
}

std::vector<const PlanLocation*> HookCall::other_plans(const PlanLocation& own) const {
  std::vector<const PlanLocation*> plans;
  for (const SeenPlan& seen : seen_) {
    if (seen.plan != own) plans.push_back(&seen.plan);
  }
  return plans;
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
    shown.unreadable = shown.warnings.empty() ? "the plan cannot be read" : shown.warnings.back();
  }
  std::vector<Event> recent;
  auto lines = store::last_events(work.tracking(), kEventsSince);
  if (lines) {
    for (store::TailLine& line : *lines) recent.push_back(std::move(line.event));
  }
  if (shown.plan) {
    auto vanished = lately_vanished(work.tracking(), *shown.state);
    if (vanished) shown.vanished = std::move(*vanished);
  }
  if (shown.plan) (void)leave_out_taken_commit(work.tracking(), *shown.plan, *shown.state, false);
  if (is_first_session(recent)) {
    if (const auto offer = memory_offer(context_, shown.location))
      shown.warnings.push_back(memory_words(*offer));
  }
  std::string interrupted = interrupted_rewind_words(context_, shown.location);
  if (!interrupted.empty()) shown.warnings.push_back(std::move(interrupted));
  const core::StatusView view = view_of(shown);
  ResumeInput input = resume_input(context_, shown.location, *shown.state, std::move(recent),
                                   event_.session_id, view.current_phase, seen_.size() <= 1);
  // The session's project is known here, which the plan's own folder does not tell.
  if (seen_.size() > 1) {
    for (const SeenPlan& other : seen_) {
      if (other.plan == shown.location) continue;
      if (!other.state().current_phase) continue;
      input.others.push_back({other.plan.plan_id(), shown_path(context_, other.plan.path()),
                              other.state().progress, other.is_gone(context_)});
    }
  }
  return render::resume_text(view, input, settings(shown.location).resume_budget);
}

// A tracking folder that somebody else made is set aside by whatever hook meets it first, without a word.
std::string HookCall::news_of_records(const PlanWork& work) {
  const PlanLocation& plan = work.outcome().plan;
  const auto folder = context_.files.open_folder(plan.folder);
  if (!folder) return {};
  std::string news = news_of_set_aside(context_, plan.folder, **folder);
  if (!news.empty()) result_.problems.push_back(plan.folder + ": " + news);
  return news;
}

void HookCall::session_start() {
  track_at_session_start(context_, event_, timeout());
  const auto work = session_work(true);
  if (!work) return;
  const std::string records = news_of_records(*work);
  if (event_.session_id.empty()) return;
  // The text says what changed; said beside it, it would be said twice.
  result_.answer = {};
  core::HookFacts facts = facts_of(*work);
  find_crashed(*work, facts);
  core::HookDecision made = core::decide(event_, work->state(), facts);
  const bool resume = made.resume;
  carry_out(*work, std::move(made));
  if (seen_.size() > 1) {
    // One lock at a time.
    work->unlock();
    find_crashed_elsewhere(work->outcome().plan);
  }
  if (resume) result_.answer.context = resume_for(*work);
  if (!records.empty()) base::append_line(result_.answer.context, "[plankeep] " + render::safe_line(records));
}

std::optional<int> HookCall::context_used(const SessionState* session, const PlanLocation& plan,
                                          std::optional<std::int64_t> told) {
  if (event_.context_percent) return event_.context_percent;
  if (session != nullptr && session->context_percent) return session->context_percent;
  if (event_.transcript.empty()) return std::nullopt;
  const auto use = clients::context_use(transcript_tail());
  if (!use) return std::nullopt;
  auto window = use->window ? use->window : told;
  if (!window && session != nullptr) window = session->context_window;
  if (!window) window = settings(plan).context_window;
  if (!window || *window <= 0) return std::nullopt;
  return static_cast<int>(std::min<std::int64_t>(use->tokens * 100 / *window, 1000));
}

void HookCall::see_context(const State& state, const PlanLocation& plan, core::HookFacts& facts) {
  const SessionState* session = going_on(state);
  facts.context_percent = context_used(session, plan, event_.context_window);
  // Settings are read only where they can matter.
  const bool full = session != nullptr && session->context_full;
  if (!full && facts.context_percent && *facts.context_percent >= kLeastContextTrigger)
    facts.context_trigger = settings(plan).context_trigger;
}

std::optional<Event> HookCall::rewound_since(PlanWork& work, const SessionState& earlier) const {
  // Nothing was saved since this session was answered last.
  if (!client_.tells_model(event_) || earlier.last_revision == work.state().revision) return std::nullopt;
  const auto rewound = store::last_events(work.tracking(), kEventsSince);
  if (!rewound) return std::nullopt;
  for (auto line = rewound->rbegin(); line != rewound->rend(); ++line) {
    if (line->event.time <= earlier.last_active) break;
    if (line->event.kind != EventKind::rewound) continue;
    if (line->event.what == "lost_tasks") continue;  // put back beside what there is
    return line->event;
  }
  return std::nullopt;
}

void HookCall::prompt() {
  // A prompt that is none, and nothing to hand over: look at the files and leave.
  if (event_.session_id.empty() || (!core::real_prompt(event_) && event_.notified.empty())) return settled();
  const auto work = session_work(false);
  if (!work) return;
  const State& state = work->state();
  core::HookFacts facts = facts_of(*work);
  const SessionState* before = going_on(state);
  if (before != nullptr && !before->resume_due) facts.rewound = rewound_since(*work, *before);
  const bool does_start = before == nullptr && !facts.start_tells_model;
  if (does_start) find_crashed(*work, facts);
  if (facts.rewound && core::moves_head(facts.rewound->what))
    facts.head_detached = head_is_detached(context_, Project(context_, work->outcome().plan.folder).root());
  see_context(state, work->outcome().plan, facts);
  name_file(*work, facts);
  core::HookDecision made = core::decide(event_, state, facts);
  const bool resume = made.resume;
  carry_out(*work, std::move(made));
  if (does_start && seen_.size() > 1) {
    work->unlock();
    find_crashed_elsewhere(work->outcome().plan);
  }
  if (!resume) return;
  std::string text = resume_for(*work);
  base::append_line(text, result_.answer.context);
  result_.answer.context = std::move(text);
}

std::string HookCall::last_words(const PlanLocation& plan) {
  if (event_.message.empty() && (event_.transcript.empty() || !client_.transcripts_hold_messages)) return {};
  const TextRedactor redactor(context_, settings(plan));
  if (!redactor.problem().empty()) result_.problems.push_back(redactor.problem());
  if (!event_.message.empty()) return note_of(event_.message, redactor);
  return note_of(clients::read_transcript_end(transcript_tail(), false).last_message, redactor);
}

const std::string& HookCall::transcript_tail() {
  if (!transcript_tail_)
    transcript_tail_ = system::read_tail(context_.files, event_.transcript, clients::kTranscriptTail);
  return *transcript_tail_;
}

void HookCall::turn_ended() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  const State& state = work->state();
  core::HookFacts facts = facts_of(*work);
  if (!event_.failed && !event_.message.empty()) facts.last_words = last_words(work->outcome().plan);
  see_context(state, work->outcome().plan, facts);
  facts.audit = gate(work->outcome().plan, state);
  for (const SeenPlan& seen : seen_) {
    if (seen.plan == work->outcome().plan) continue;
    core::OtherPlan& other = facts.other_plans.emplace_back();
    other.saved = seen.state().last_saved;
    const auto& latest = seen.state().latest_checkpoint;
    if (latest && latest->type == core::name_of(core::CheckpointType::turn))
      other.kept_by_turn = latest->time;
  }
  carry_out(*work, core::decide(event_, state, facts));
}

void HookCall::before_compact() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  const State& state = work->state();
  const SessionState* session = going_on(state);
  core::HookFacts facts = facts_of(*work);
  facts.context_percent = context_used(session, work->outcome().plan);
  if (session == nullptr || session->last_message.empty())
    facts.last_words = last_words(work->outcome().plan);
  carry_out(*work, core::decide(event_, state, facts));
}

void HookCall::session_ended() {
  const auto work = session_work(false);
  if (!work || event_.session_id.empty()) return;
  const State& state = work->state();
  const SessionState* session = going_on(state);
  core::HookFacts facts = facts_of(*work);
  // Nobody's end: no transcript is read for it.
  if (session != nullptr || facts.elsewhere) {
    facts.last_words = last_words(work->outcome().plan);
    facts.context_percent = context_used(session, work->outcome().plan);
    carry_out(*work, core::decide(event_, state, facts));
  }
  const PlanLocation own = work->outcome().plan;
  // One lock at a time.
  work->unlock();
  end_elsewhere(own);
}

}  // namespace plankeep::app
