#include "hooks/hook.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hooks/first_sight.hpp"
#include "hooks/hook_call.hpp"
#include "hooks/hook_plans.hpp"
#include "policy/hook_policy.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "rules/sessions.hpp"
#include "store/capped_log.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/edit_author.hpp"
#include "tracking/track.hpp"

namespace plankeep::app {
namespace {

using core::HookKind;

// So many lines of the history are looked through for losses that wait to be said.
constexpr std::size_t kUnsaidWithin = 10000;

// The text of a plan that has not changed, which nothing has read yet. Empty: it cannot be read.
std::string text_of(const Context& context, const PlanLocation& plan) {
  auto text = store::read_plan_file(context.files, plan.folder, plan.name);
  return text ? std::move(text->bytes) : std::string();
}

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
    if (asked.plan == plan) asked.then = plan_then(state, text.empty() ? text_of(context_, plan) : text);
  }
}

void HookCall::note_plan(const PlanLocation& plan) {
  for (const SeenPlan& seen : seen_) {
    if (seen.plan == plan) note_plan(plan, seen.state(), seen.work == nullptr ? "" : seen.work->bytes());
  }
}

void HookCall::report(const Outcome& outcome) {
  be_about(outcome);
  for (WantedCheckpoint& completed : completions_in(outcome.events))
    ask_for(outcome.plan, std::move(completed));
  core::EditFacts facts{.notices = outcome.notices,
                        .new_errors = outcome.new_errors,
                        .readable = outcome.readable,
                        .recorded = !outcome.events.empty(),
                        .warning = outcome.warnings.empty() ? "" : outcome.warnings.back()};
  if (const auto unsaid = unsaid_.find(outcome.plan.path()); unsaid != unsaid_.end()) {
    core::UnsaidNews& news = unsaid->second;
    facts.recorded = facts.recorded || news.unreadable;
    facts.notices.insert(facts.notices.begin(), news.notices.begin(), news.notices.end());
    unsaid_.erase(unsaid);
  }
  if (!core::worth_reporting(facts)) return;
  const core::HookAnswer answer = core::report_edit(
      std::move(facts), shown_path(context_, outcome.plan.path()), client_.tells_model(event_));
  base::append_line(result_.answer.context, answer.context);
  base::append_line(result_.answer.notice, answer.notice);
}

Edit HookCall::found_edit() const {
  Edit edit;
  edit.unheard = !client_.tells_model(event_) || event_.kind == HookKind::subagent_started;
  return edit;
}

bool HookCall::unsaid_due(const core::State& state) {
  if (!state.unsaid_since || !client_.tells_model(event_)) return false;
  know_sender();
  return core::answers_main(event_);
}

// What this call found itself is said anyway, and then once.
void HookCall::take_unsaid(PlanWork& work) {
  if (!unsaid_due(work.state())) return;
  core::State state = work.state();
  const base::Instant since = *state.unsaid_since;
  state.unsaid_since.reset();
  const std::vector<core::Event>& found = work.outcome().events;
  store::EventQuery query{.kinds = core::kinds_behind_news(), .since = since, .back_to = since};
  query.within = kUnsaidWithin;
  query.matches = [&found](const core::Event& event) {
    return std::none_of(found.begin(), found.end(), [&event](const core::Event& own) {
      return own.kind == event.kind && own.task == event.task && own.criterion == event.criterion;
    });
  };
  const auto lines = store::last_events(work.tracking(), core::kMostUnsaid, query);
  std::vector<core::Event> events;
  if (lines) {
    for (const store::TailLine& line : *lines) events.push_back(line.event);
  }
  unsaid_[work.outcome().plan.path()] = core::unsaid_news(events, state, work.readable());
  take(work.keep_bookkeeping(std::move(state)), work.outcome().plan);
}

void HookCall::be_about(const Outcome& outcome) {
  if (result_.plan) return;
  result_.plan = outcome.plan;
  result_.tracking = outcome.tracking;
}

void HookCall::know_sender(std::size_t limit) {
  event_ = payload_.whole_event(limit);
}

core::Author HookCall::author_here(const core::State& state, const PlanLocation& plan) const {
  if (client_.own_conversations) {
    auto agent = core::author_in_own_conversation(event_, state);
    if (agent && !knows_session(plan)) return std::move(*agent);
  }
  return core::author_of(event_, state, client_.names_subagents);
}

// Whether another plan of the project has records of the session.
bool HookCall::knows_session(const PlanLocation& but) const {
  std::vector<FoundPlan> plans = hook_plans(context_, event_).plans;
  return std::any_of(plans.begin(), plans.end(), [&](FoundPlan& found) {
    if (found.plan == but) return false;
    PlanWork work(context_, std::move(found));
    return work.open(PlanWork::Create::if_plan) &&
           core::find_session(work.state(), event_.session_id) != nullptr;
  });
}

// As track(), but who acts may depend on what is known of the session.
base::Result<Outcome> HookCall::track_edit(FoundPlan found, Edit edit, PlanWork::Create create) {
  PlanWork work(context_, std::move(found));
  TRY(work.open(create));
  TRY(work.lock(timeout()));
  core::Author author = author_here(work.state(), work.outcome().plan);
  edit.actor = std::move(author.actor);
  edit.agent = std::move(author.agent);
  TRY(work.sync(edit, false));
  take_unsaid(work);
  return work.take_outcome();
}

void HookCall::file_written() {
  Edit edit = found_edit();
  std::optional<core::EditedLines> lines;
  std::vector<PlanLocation> seen;
  // A patch may move a plan: its new file goes on with the records, and the old one is none any more.
  std::vector<std::string> paths = event_.paths;
  std::stable_partition(paths.begin(), paths.end(), [this](const std::string& path) {
    const auto info =
        context_.files.info(path.starts_with('/') ? path : working_folder(context_, event_.cwd) + "/" + path);
    return info && info->kind != system::FileKind::missing;
  });
  for (const std::string& path : paths) {
    auto written = written_plan(context_, path, event_.cwd);
    if (!written || std::find(seen.begin(), seen.end(), written->found.plan) != seen.end()) continue;
    const PlanLocation plan = written->found.plan;
    if (seen.empty() && !event_.outside) {
      know_sender();
      edit.announced = true;
      const std::vector<core::TextEdit>& edits = payload_.edits();
      if (!edits.empty()) edit.lines = &lines.emplace(edits);
      edit.said = edits;
    }
    seen.push_back(plan);
    const auto outcome = edit.announced
                             ? track_edit(std::move(written->found), edit, written->create)
                             : track(context_, std::move(written->found), edit, timeout(), written->create);
    if (outcome) {
      report(*outcome);
      note_plan(plan, outcome->state, outcome->text);
      note_writer(plan, outcome->state);
    } else if (written->sure) {
      say_untracked(plan, outcome.error());
      take(base::fail(outcome.error()), plan);
    }
  }
}

// Which of the missing plans this file was before, only a person can tell.
void HookCall::say_untracked(const PlanLocation& plan, const base::Error& error) {
  if (error.kind != base::ErrorKind::conflict || error.hint.empty()) return;
  const core::HookAnswer answer =
      core::report_edit({.readable = false, .recorded = true, .warning = error.message + "; " + error.hint},
                        shown_path(context_, plan.path()), client_.tells_model(event_));
  base::append_line(result_.answer.context, answer.context);
  base::append_line(result_.answer.notice, answer.notice);
}

// A command that the session runs is about the plan that it wrote in last.
void HookCall::note_writer(const PlanLocation& plan, const core::State& state) {
  if (event_.session_id.empty() || event_.outside) return;
  std::string process = process_for(state);
  const core::SessionState* known = going_on(state);
  if (process.empty() && known != nullptr) process = known->process;
  ProjectPlans::note_session(context_, plan, event_.session_id, process);
}

base::Status HookCall::bring_up_to_date(PlanWork& work) {
  TRY(work.open(PlanWork::Create::if_plan));
  TRY_ASSIGN(const bool same, work.unchanged_in_brief());
  if (same && lease_renewals(work.state(), context_.clock.now()).empty() && !unsaid_due(work.state()))
    return {};
  return lock_work(work);
}

std::shared_ptr<PlanWork> HookCall::look_around(HookPlans found) {
  std::vector<FoundPlan>& plans = found.plans;
  // Several may be locked at once until it is known which one is meant. One order for all avoids deadlocks.
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&plans](std::size_t a, std::size_t b) { return plans[a].plan.path() < plans[b].plan.path(); });
  std::vector<std::shared_ptr<PlanWork>> works(plans.size());
  std::vector<PlanLocation> places;
  places.reserve(plans.size());
  for (const FoundPlan& plan : plans) places.push_back(plan.plan);
  for (const std::size_t i : order) {
    auto work = std::make_shared<PlanWork>(context_, std::move(plans[i]));
    const base::Status done = bring_up_to_date(*work);
    take(done, places[i]);
    if (done) works[i] = std::move(work);
  }
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (works[i] == nullptr) continue;
    const bool only_seen = found.only_seen(places[i], works[i]->state());
    seen_.push_back({places[i], std::move(works[i]), {}, only_seen});
  }
  const SeenPlan* own = plan_of_session(context_, seen_, event_, found.written);
  for (const SeenPlan& seen : seen_) {
    if (&seen != own) seen.work->unlock();
  }
  return own == nullptr ? nullptr : own->work;
}

// A plan whose file is missing since the last call may only have moved: that is found out before the loss is
// recorded.
HookPlans HookCall::plans_now() {
  HookPlans found = hook_plans(context_, event_);
  const bool missing =
      !searched_ && std::any_of(found.plans.begin(), found.plans.end(), [this](const FoundPlan& one) {
        return is_newly_missing(context_, one.plan);
      });
  if (!missing) return found;
  searched_ = true;
  found = {};
  track_at_session_start(context_, event_, timeout());
  return hook_plans(context_, event_);
}

// Whether a plan whose file was just found missing goes on elsewhere from now on: then look around again.
bool HookCall::found_moved() {
  if (searched_) return false;
  std::vector<PlanLocation> gone;
  for (const SeenPlan& seen : seen_) {
    if (!seen.work->outcome().events.empty() && seen.is_gone(context_)) gone.push_back(seen.plan);
  }
  if (gone.empty()) return false;
  searched_ = true;
  // The new file takes the records over under their lock.
  for (const SeenPlan& seen : seen_) seen.work->unlock();
  track_at_session_start(context_, event_, timeout());
  const std::vector<FoundPlan> now = hook_plans(context_, event_).plans;
  const bool moved = std::any_of(gone.begin(), gone.end(), [&now](const PlanLocation& plan) {
    return std::none_of(now.begin(), now.end(), [&](const FoundPlan& found) { return found.plan == plan; });
  });
  if (!moved) return false;
  // What the others had to say is not found a second time.
  std::erase_if(seen_, [&gone](const SeenPlan& seen) {
    return std::find(gone.begin(), gone.end(), seen.plan) != gone.end();
  });
  report_seen();
  seen_.clear();
  return true;
}

void HookCall::report_seen() {
  for (const SeenPlan& seen : seen_) {
    report(seen.work->outcome());
    note_plan(seen.plan, seen.state(), seen.work->bytes());
  }
}

base::Status HookCall::lock_work(PlanWork& work) {
  TRY(work.lock(timeout()));
  TRY(work.sync(found_edit(), false));
  take_unsaid(work);
  renew_leases(work);
  return {};
}

// The usual case: it is not looked at before it is locked.
std::shared_ptr<PlanWork> HookCall::only_plan(FoundPlan found) {
  const PlanLocation plan = found.plan;
  auto work = std::make_shared<PlanWork>(context_, std::move(found));
  const base::Status done = work->open(PlanWork::Create::if_plan);
  take(done, plan);
  if (!done) return nullptr;
  seen_.push_back({plan, work, {}});
  return work;
}

bool HookCall::needs_resume(const PlanWork& work) const {
  const bool prompted = event_.kind == HookKind::prompt_submitted && !event_.session_id.empty() &&
                        (core::real_prompt(event_) || !event_.notified.empty());
  return prompted && core::wants_resume(event_, work.state(), facts_of(work));
}

std::shared_ptr<PlanWork> HookCall::session_work(bool need_plan) {
  HookPlans found = plans_now();
  if (found.plans.empty()) return nullptr;
  auto work =
      found.plans.size() == 1 ? only_plan(std::move(found.plans.front())) : look_around(std::move(found));
  base::Status done;
  if (work != nullptr) {
    const bool fresh = !work->locked();
    if (fresh) done = work->lock(timeout());
    const bool read = need_plan || (done && needs_resume(*work));
    if (done && (fresh || read)) done = work->sync(found_edit(), read);
    if (done) take_unsaid(*work);
    take(done, work->outcome().plan);
    if (!done) std::erase_if(seen_, [&work](const SeenPlan& seen) { return seen.work == work; });
  }
  const bool searched = searched_;
  if (found_moved()) return session_work(need_plan);
  // The search gave the locks away.
  if (searched_ && !searched && work != nullptr && done) {
    done = lock_work(*work);
    take(done, work->outcome().plan);
  }
  report_seen();
  if (work == nullptr || !done || !be_about_session(*work)) return nullptr;
  renew_leases(*work);
  return work;
}

bool HookCall::be_about_session(const PlanWork& work) {
  // A state that exists nowhere but in the history holds no sessions (spec 6.5).
  if (work.state().checksum.empty()) return false;
  result_.plan = work.outcome().plan;
  result_.tracking = work.outcome().tracking;
  return true;
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
    case HookKind::shell_started:
      shell_started();
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
  end_shells();
  note_activity();
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
    auto opened = store::open_tracking(**folder, result.plan->name);
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

void log_broken_call(const Context& context, const core::HookEvent& event, std::chrono::microseconds took,
                     const std::string& problem) {
  NearestPlans nearest = nearest_plans(context, event);
  if (nearest.plans.empty()) return;
  HookResult result;
  result.plan = std::move(nearest.plans.front().plan);
  result.problems.push_back(problem);
  log_hook(context, event, took, result);
}

}  // namespace plankeep::app
