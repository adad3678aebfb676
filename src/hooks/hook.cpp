#include "hooks/hook.hpp"

#include <algorithm>

#include "hooks/hook_call.hpp"
#include "hooks/hook_plans.hpp"
#include "policy/hook_policy.hpp"
#include "project/project.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/sessions.hpp"
#include "store/capped_log.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/track.hpp"

namespace plankeep::app {
namespace {

using core::HookKind;

}  // namespace

std::chrono::milliseconds HookCall::timeout() const {
  return event_.kind == HookKind::session_ended ? kEndTimeout : kHookTimeout;
}

const Settings& HookCall::settings(const PlanLocation& plan) {
  if (!settings_) {
    settings_ = Project(context_, plan.folder).settings();
    for (const std::string& warning : settings_->warnings) result_.problems.push_back(warning);
  }
  return *settings_;
}

// A plan that is not tracked is no problem, anything else is.
void HookCall::take(const base::Status& done, const PlanLocation& plan) {
  if (done || done.error().kind == base::ErrorKind::not_found) return;
  // Its errors.log is where people look.
  if (!result_.plan) result_.plan = plan;
  result_.problems.push_back(plan.path() + ": " + done.error().message);
}

void HookCall::ask_for(const PlanLocation& plan, WantedCheckpoint checkpoint) {
  const auto known = std::find_if(result_.jobs.begin(), result_.jobs.end(),
                                  [&](const CheckpointJob& asked) { return asked.plan == plan; });
  if (known != result_.jobs.end()) {
    known->checkpoints.push_back(std::move(checkpoint));
    return;
  }
  result_.jobs.push_back(
      {plan, event_.client_event, event_.session_id, event_.transcript, {std::move(checkpoint)}, {}, {}});
}

void HookCall::note_plan(const PlanLocation& plan, const core::State& state, const std::string& text) {
  for (CheckpointJob& asked : result_.jobs) {
    if (asked.plan == plan) asked.then = plan_then(state, text);
  }
}

void HookCall::report(const Outcome& outcome) {
  be_about(outcome);
  for (WantedCheckpoint& completed : completions_in(outcome.events))
    ask_for(outcome.plan, std::move(completed));
  render::EditNews news;
  news.notices = outcome.notices;
  news.new_errors = outcome.new_errors;
  // Said once: a plan that stays unreadable has no new event.
  if (!outcome.readable && !outcome.events.empty() && !outcome.warnings.empty())
    news.unreadable = outcome.warnings.back();
  if (news.nothing()) return;
  news.file = shown_path(context_, outcome.plan.path());
  const std::string words = render::edit_news(news);
  base::append_line(client_.tells_model(event_) ? result_.answer.context : result_.answer.notice, words);
}

void HookCall::be_about(const Outcome& outcome) {
  if (result_.plan) return;
  result_.plan = outcome.plan;
  result_.tracking = outcome.tracking;
}

void HookCall::know_sender() {
  event_ = payload_.whole_event();
}

void HookCall::name_actor(const core::State& state, Edit& edit) const {
  if (!event_.team.empty() || event_.outside) return;
  core::HookEvent actor = event_;
  if (!event_.agent_id.empty()) {
    const core::AgentState* agent = core::find_agent(state, event_.agent_id);
    if (!event_.agent_type.empty() || agent == nullptr) return;
    actor.agent_type = agent->type;
    edit.actor = core::actor_of(actor);
    return;
  }
  const std::vector<const core::AgentState*> agents =
      core::unnamed_agents(state, event_, client_.names_subagents);
  if (agents.empty()) return;
  const bool one_type = std::all_of(agents.begin(), agents.end(), [&agents](const core::AgentState* agent) {
    return agent->type == agents.front()->type;
  });
  if (!one_type) {
    edit.actor = "external";
    return;
  }
  actor.agent_id = agents.front()->id;
  actor.agent_type = agents.front()->type;
  edit.actor = core::actor_of(actor);
  if (agents.size() == 1) edit.agent = actor.agent_id;
}

// As track(), but who acts may depend on what is known of the session.
base::Result<Outcome> HookCall::track_edit(FoundPlan found, Edit edit) {
  PlanWork work(context_, std::move(found));
  TRY(work.open(PlanWork::Create::if_marked));
  TRY(work.lock(timeout()));
  name_actor(work.state(), edit);
  TRY(work.sync(edit, false));
  return work.take_outcome();
}

void HookCall::file_written() {
  Edit edit;
  std::optional<core::EditedLines> lines;
  std::vector<PlanLocation> seen;
  for (const std::string& path : event_.paths) {
    auto found = written_plan(context_, path, event_.cwd);
    if (!found || std::find(seen.begin(), seen.end(), found->plan) != seen.end()) continue;
    const PlanLocation plan = found->plan;
    if (seen.empty() && !event_.outside) {
      know_sender();
      edit = {core::actor_of(event_), true, false, event_.agent_id};
      const std::vector<core::TextEdit>& edits = payload_.edits();
      if (!edits.empty()) edit.lines = &lines.emplace(edits);
    }
    seen.push_back(plan);
    const auto outcome =
        edit.announced ? track_edit(std::move(*found), edit)
                       : track(context_, std::move(*found), edit, timeout(), PlanWork::Create::if_marked);
    if (outcome) {
      report(*outcome);
      note_plan(plan, outcome->state, outcome->text);
    } else {
      take(base::fail(outcome.error()), plan);
    }
  }
}

void HookCall::look_around() {
  for (FoundPlan& found : hook_plans(context_, event_)) {
    const PlanLocation plan = found.plan;
    auto outcome = track(context_, std::move(found), Edit{}, timeout());
    if (!outcome) {
      take(base::fail(outcome.error()), plan);
      continue;
    }
    report(*outcome);
    note_plan(plan, outcome->state, outcome->text);
    if (!lease_renewals(outcome->state, context_.clock.now()).empty()) (void)work_on(plan, false);
    seen_.push_back({plan, std::move(outcome->state)});
  }
}

void HookCall::settled() {
  look_around();
  const SeenPlan* seen = plan_of_session(context_, seen_, event_.session_id);
  if (seen == nullptr) return;
  // What a foreground subagent's audit found reaches its parent with the batch that holds its result.
  const auto& findings = seen->state.findings;
  const bool due = std::any_of(findings.begin(), findings.end(), [this](const core::AuditFinding& claim) {
    return claim.session == event_.session_id && !claim.background;
  });
  if (due) know_sender();
  const bool waiting = due && event_.agent_id.empty() && client_.tells_model(event_);
  // A long turn is no silence, where that is all there is to know a living session by.
  const core::SessionState* session = core::find_session(seen->state, event_.session_id);
  const bool quiet_for_long =
      session != nullptr && !session->ended_at && session->process.empty() &&
      context_.clock.now().milliseconds - session->last_active.milliseconds >= core::kSilence.count() / 5;
  const core::AgentState* agent = core::find_agent(seen->state, event_.agent_id);
  const bool unassigned =
      agent != nullptr && !agent->assignment_known && agent->status == core::AgentStatus::running;
  // A turn may fill its window and be compacted before it ends.
  std::optional<int> percent;
  const bool main = event_.agent_id.empty() && session != nullptr && !session->ended_at;
  if (main && !session->context_full) percent = context_used(session, seen->plan);
  const bool full = main && fills_up(*session, seen->plan, percent);
  const auto edited = main ? new_edited_prompt(*session, seen->plan) : std::nullopt;
  if (!waiting && !quiet_for_long && !unassigned && !full && !edited) return;
  const std::string report = edited ? edited_prompt_report(seen->plan, *edited) : std::string();
  const auto work = work_on(seen->plan, false);
  if (!work) return;
  core::State state = work->state();
  std::vector<core::Event> events;
  if (unassigned) assign_late(state, events, seen->plan, event_.agent_id, work->now());
  if (waiting) {
    core::HookFacts facts = this->facts();
    name_file(*work, facts);
    base::append_line(result_.answer.context, core::deliver_findings(state, event_, facts, false));
  }
  std::optional<std::string> copy;
  if (core::SessionState* known = core::find_session(state, event_.session_id)) {
    core::touch(*known, event_, process_for(state), work->now());
    if (edited) {
      known->edited_prompt = edited->id;
      base::append_line(result_.answer.context, report);
    }
    if (full && !known->context_full) {
      known->context_full = true;
      copy = "context_window";
      ask_for(seen->plan, {core::CheckpointType::context_window, {}, percent});
    }
  }
  keep(*work, std::move(state), std::move(events), std::move(copy));
}

std::unique_ptr<PlanWork> HookCall::work_on(const PlanLocation& plan, bool need_plan, OpenedPlan opened) {
  auto work = std::make_unique<PlanWork>(context_, FoundPlan{plan, std::move(opened)});
  base::Status done = work->open(PlanWork::Create::if_plan);
  if (done) done = work->lock(timeout());
  if (done) {
    const bool prompted = event_.kind == HookKind::prompt_submitted && !event_.session_id.empty() &&
                          (core::real_prompt(event_) || !event_.notified.empty());
    const bool resume = prompted && core::wants_resume(event_, work->state(), facts());
    done = work->sync(Edit{}, need_plan || resume);
  }
  take(done, plan);
  if (!done) return nullptr;
  report(work->outcome());
  note_plan(plan, work->state(), work->bytes());
  // A state that exists nowhere but in the history holds no sessions (spec 6.5).
  if (work->state().checksum.empty()) return nullptr;
  result_.plan = plan;
  result_.tracking = work->outcome().tracking;
  renew_leases(*work);
  return work;
}

void HookCall::keep(PlanWork& work, core::State state, std::vector<core::Event> events,
                    std::optional<std::string> copy) {
  const bool save = !events.empty() || copy;
  const base::Status kept = save ? work.save(std::move(state), std::move(events), std::move(copy))
                                 : work.keep_bookkeeping(std::move(state));
  take(kept, work.outcome().plan);
  note_plan(work.outcome().plan, work.state(), work.bytes());
}

std::unique_ptr<PlanWork> HookCall::session_work(bool need_plan) {
  std::vector<FoundPlan> plans = hook_plans(context_, event_);
  if (plans.empty()) return nullptr;
  // One plan, the usual case, is read once.
  if (plans.size() == 1) return work_on(plans.front().plan, need_plan, std::move(plans.front().opened));
  look_around();
  const SeenPlan* seen = plan_of_session(context_, seen_, event_.session_id);
  return seen == nullptr ? nullptr : work_on(seen->plan, need_plan);
}

HookResult HookCall::run() {
  switch (event_.kind) {
    case HookKind::nothing:
      break;
    case HookKind::session_start:
      session_start();
      break;
    case HookKind::prompt_submitted:
      prompt();
      break;
    case HookKind::file_written:
      file_written();
      break;
    case HookKind::tools_settled:
    case HookKind::shell_ran:
      settled();
      break;
    case HookKind::subagent_assigned:
      subagent_assigned();
      break;
    case HookKind::subagent_started:
      subagent_started();
      break;
    case HookKind::subagent_stopped:
      subagent_stopped();
      break;
    case HookKind::turn_ended:
      turn_ended();
      break;
    case HookKind::before_compact:
      before_compact();
      break;
    case HookKind::session_ended:
      session_ended();
      break;
  }
  return std::move(result_);
}

HookResult answer_hook(const Context& context, const clients::Client& client, clients::Payload& payload) {
  return HookCall(context, client, payload).run();
}

void log_hook(const Context& context, const core::HookEvent& event, std::chrono::microseconds took,
              const HookResult& result) {
  if (!result.plan) return;
  std::shared_ptr<system::Folder> tracking = result.tracking;
  if (tracking == nullptr) {
    auto folder = context.files.open_folder(result.plan->folder);
    if (!folder) return;
    auto opened = store::open_tracking(**folder);
    if (!opened) return;
    tracking = std::move(*opened);
  }
  const std::string time = base::to_iso8601(context.clock.now());
  const std::string call = time + " " + event.client + " " + event.client_event;
  const std::string_view outcome = !result.problems.empty() ? "problem"
                                   : result.answer.silent() ? "ok"
                                                            : "spoke";
  (void)store::append_line(*tracking, store::kHookLog,
                           call + " " + std::to_string(took.count()) + " " + std::string(outcome));
  for (const std::string& problem : result.problems)
    (void)store::append_line(*tracking, store::kErrorLog, call + ": " + problem);
}

}  // namespace plankeep::app
