#include "editing/claim.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "checkpoints/own_session.hpp"
#include "editing/edit_loop.hpp"
#include "editing/other_trees.hpp"
#include "model/item_key.hpp"
#include "model/parents.hpp"
#include "rules/next.hpp"
#include "rules/plan_rows.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"
#include "tracking/lease_holders.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::LeaseStatus;

Status check(const ClaimRequest& request) {
  if (request.actor.empty()) return base::fail(ErrorKind::invalid_input, "the actor's name is empty");
  if (request.ttl >= core::kShortestTtl && request.ttl <= core::kLongestTtl) return {};
  return base::fail(ErrorKind::invalid_input, "a claim can last from 1 second to 30 days");
}

// Opens, locks and brings up to date. What happened outside is recorded first.
Status begin(PlanWork& work) {
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{}));
  if (work.readable()) return {};
  return base::fail(unreadable_error(work.context(), "the plan cannot be read", work.take_outcome()));
}

Result<Found> find_task(const PlanWork& work, const std::string& id) {
  return find_claimable(work.plan(), work.plan_as_written(), id, work.outcome().plan.path());
}

// The session that is meant. A claim that lasts as long as a process of its own need not end with the
// session.
const core::SessionState* session_of(system::Processes& processes, const core::State& state,
                                     const ClaimRequest& request) {
  if (!request.session.empty()) return core::find_session(state, request.session);
  return request.holder_pid ? nullptr : session_around(processes, state);
}

// Whether it is a process that we can see: a name from another host, or from outside of our container, would
// soon be taken for that of a process that has ended.
bool runs_here(system::Processes& processes, const std::string& name) {
  std::int64_t number = 0;
  (void)std::from_chars(name.data(), name.data() + name.size(), number);
  return number > 0 && processes.identity(number) == name;
}

LeaseStatus status_of(const std::vector<LeaseStatus>& statuses, const core::State& state,
                      const core::PhaseId& phase, const core::TaskId& task) {
  for (std::size_t i = 0; i < state.leases.size(); ++i) {
    if (state.leases[i].phase == phase && state.leases[i].task == task) return statuses[i];
  }
  return LeaseStatus::held;
}

// Whether the history has this event of a lease among its newest.
bool stands_in_history(system::Folder& tracking, const core::Event& event) {
  constexpr std::size_t kNewest = 3;  // a recovery copy may be told of behind it
  const auto newest = store::last_events(tracking, kNewest);
  return newest && std::any_of(newest->begin(), newest->end(), [&event](const store::TailLine& line) {
           const core::Event& one = line.event;
           return one.kind == event.kind && one.time == event.time && one.phase == event.phase &&
                  one.task == event.task && one.by == event.by && one.fence == event.fence;
         });
}

// What is recorded then. What stands in the history holds, and whoever asked again would be refused what is
// theirs: so it is granted, also where state.json, a copy of it, could not be written (a full disk).
Result<core::State> record(PlanWork& work, const core::Event& event) {
  core::State state = work.state();
  core::apply_lease_event(state, event);
  const Status saved = work.save(state, {event});
  if (saved) return state;
  if (!stands_in_history(work.tracking(), event)) return base::fail(saved.error());
  work.warn("this is recorded in the history, but not in state.json (" + saved.error().message +
            "), which the next save makes from it");
  return state;
}

// Of two holders one after the other the later has the greater fence, also where they are in two work trees.
void count_up(core::ClaimDecision& decision, const OtherTrees& others) {
  if (decision.verdict == core::ClaimVerdict::renewed) return;
  decision.event.fence = std::max(decision.event.fence, others.last_fence() + 1);
}

ClaimResult result_of(core::ClaimVerdict verdict) {
  switch (verdict) {
    case core::ClaimVerdict::granted:
      return ClaimResult::claimed;
    case core::ClaimVerdict::renewed:
      return ClaimResult::renewed;
    case core::ClaimVerdict::taken_over:
      return ClaimResult::taken_over;
    case core::ClaimVerdict::held:
      return ClaimResult::held;
    case core::ClaimVerdict::lost:
      return ClaimResult::lost;
  }
  return ClaimResult::held;
}

ClaimResult result_of(core::ReleaseVerdict verdict) {
  switch (verdict) {
    case core::ReleaseVerdict::released:
      return ClaimResult::released;
    case core::ReleaseVerdict::nothing:
      return ClaimResult::nothing;
    case core::ReleaseVerdict::refused:
      return ClaimResult::refused;
  }
  return ClaimResult::refused;
}

ClaimAnswer answer_about(const core::Phase& phase, const core::Task& task) {
  ClaimAnswer answer;
  answer.phase = phase.id;
  answer.task = task.id;
  answer.title = task.title;
  answer.line = task.line;
  return answer;
}

// `recorded`: by record(), with claims that state.json may not have.
ClaimAnswer finish(const Context& context, PlanWork& work, ClaimAnswer answer,
                   std::optional<core::State> recorded) {
  answer.outcome = work.take_outcome();
  if (recorded) answer.outcome.state.leases = std::move(recorded->leases);
  answer.file = shown_path(context, answer.outcome.plan.path());
  answer.now = context.clock.now();
  return answer;
}

}  // namespace

Result<core::Holder> holder_of(const Context& context, const core::State& state,
                               const ClaimRequest& request) {
  core::Holder holder{request.actor, request.session, {}, {}};
  if (context.processes == nullptr) {
    if (!request.holder_pid) return holder;
    return base::fail(ErrorKind::invalid_input, "cannot look up processes on this system");
  }
  const core::SessionState* session = session_of(*context.processes, state, request);
  if (session != nullptr) holder.session = session->id;
  if (request.holder_pid) {
    const auto name = context.processes->identity(*request.holder_pid);
    const std::string number = std::to_string(*request.holder_pid);
    if (!name)
      return base::fail(ErrorKind::invalid_input, "no process " + number + " is running on this host");
    holder.process = name->empty() ? number : *name;
  } else if (session != nullptr && runs_here(*context.processes, session->process)) {
    holder.process = session->process;
  }
  if (!holder.process.empty()) holder.host = context.processes->host();
  return holder;
}

std::string_view name_of(ClaimResult result) {
  switch (result) {
    case ClaimResult::claimed:
      return core::name_of(core::ClaimVerdict::granted);
    case ClaimResult::renewed:
      return core::name_of(core::ClaimVerdict::renewed);
    case ClaimResult::taken_over:
      return core::name_of(core::ClaimVerdict::taken_over);
    case ClaimResult::held:
      return core::name_of(core::ClaimVerdict::held);
    case ClaimResult::lost:
      return core::name_of(core::ClaimVerdict::lost);
    case ClaimResult::done:
      return "done";
    case ClaimResult::waiting:
      return "waiting";
    case ClaimResult::none_left:
      return "none_left";
    case ClaimResult::released:
      return core::name_of(core::ReleaseVerdict::released);
    case ClaimResult::nothing:
      return core::name_of(core::ReleaseVerdict::nothing);
    case ClaimResult::refused:
      return core::name_of(core::ReleaseVerdict::refused);
  }
  return "held";
}

bool is_granted(ClaimResult result) {
  return result == ClaimResult::claimed || result == ClaimResult::renewed ||
         result == ClaimResult::taken_over;
}

Result<Found> find_claimable(const core::Plan& plan, const core::Plan& as_written, const std::string& id,
                             const std::string& file) {
  auto found = find_boxes(plan, as_written, id, file, Takes::task);
  if (found && found->criterion)
    return base::fail(ErrorKind::invalid_input, found->id + " is a criterion: only tasks can be claimed");
  return found;
}

Result<ClaimAnswer> claim_task(const Context& context, const PlanLocation& plan, const std::string& id,
                               const ClaimRequest& request) {
  TRY(check(request));
  TRY_ASSIGN(const OtherTrees others, OtherTrees::open(context, plan, kTimeout));
  PlanWork work(context, plan);
  TRY(begin(work));
  TRY_ASSIGN(const Found found, find_task(work, id));
  const core::Phase& phase = work.plan().phases[found.phase_index];
  const core::Task& task = phase.tasks[found.index];
  std::optional<core::State> recorded;
  ClaimAnswer claimed = answer_about(phase, task);
  claimed.waiting_for = core::Waiting(work.plan()).of(phase, core::parents_of(phase), found.index);

  TRY_ASSIGN(core::Holder holder, holder_of(context, work.state(), request));
  const core::LeaseState* known = core::find_lease(work.state(), phase.id, task.id);
  if (request.by_default && request.fence != 0 && known != nullptr) holder.by = known->by;
  const std::vector<LeaseStatus> statuses = lease_statuses(context, work.state(), work.now());
  claimed.status = status_of(statuses, work.state(), phase.id, task.id);
  const core::Wanted wanted{phase.id, task.id, task.title, request.ttl, request.fence};
  core::ClaimDecision decision = core::decide_claim(work.state(), wanted, holder, work.now(), claimed.status);
  claimed.result = result_of(decision.verdict);
  claimed.previous = std::move(decision.previous);
  count_up(decision, others);
  const core::LeaseState* const elsewhere = others.lease(phase.id, task.id, &holder);
  if (elsewhere != nullptr && is_granted(claimed.result) && claimed.result != ClaimResult::renewed) {
    claimed.result = ClaimResult::held;
    claimed.previous = *elsewhere;
    claimed.status = LeaseStatus::held;
  }
  if (task.done()) {
    claimed.result = ClaimResult::done;
  } else if (!claimed.waiting_for.empty() && decision.verdict != core::ClaimVerdict::renewed) {
    // What was taken before the plan was changed may be kept.
    claimed.result = ClaimResult::waiting;
  }
  if (request.renew_only && is_granted(claimed.result) && claimed.result != ClaimResult::renewed)
    claimed.result = ClaimResult::held;
  if (is_granted(claimed.result)) {
    TRY_ASSIGN(const auto done, done_elsewhere(work.plan(), work.tracking(), others));
    if (const auto tree = done.find(core::key_of(phase.id, task.id)); tree != done.end())
      work.warn(task.id.text + " is done in another work tree, from where it can be merged: " + tree->second);
    if (request.fleet_fence > 0) {
      decision.event.fleet = true;
      decision.event.fleet_fence = request.fleet_fence;
    }
    TRY_ASSIGN(recorded, record(work, decision.event));
    claimed.lease = *core::find_lease(*recorded, claimed.phase, claimed.task);
  }
  return finish(context, work, std::move(claimed), std::move(recorded));
}

Result<ClaimAnswer> claim_next(const Context& context, const PlanLocation& plan,
                               const ClaimRequest& request) {
  TRY(check(request));
  TRY_ASSIGN(const OtherTrees others, OtherTrees::open(context, plan, kTimeout));
  PlanWork work(context, plan);
  TRY(begin(work));
  TRY_ASSIGN(const core::Holder holder, holder_of(context, work.state(), request));
  std::optional<core::State> recorded;
  ClaimAnswer claimed;
  claimed.result = ClaimResult::none_left;
  {
    core::ViewInput input;
    input.plan = &work.plan();
    input.state = &work.state();
    input.statuses = lease_statuses(context, work.state(), work.now());
    input.now = work.now();
    core::StatusView view = core::make_view(input);
    TRY(leave_out(work.plan(), work.tracking(), others, &holder, view));
    if (const auto choice = core::choose(view)) {
      const core::PhaseRow& phase = view.phases[choice->phase];
      const core::TaskRow& task = phase.tasks[choice->task];
      const LeaseStatus status = task.lease ? task.lease->status : LeaseStatus::held;
      const core::Wanted wanted{phase.id, task.id, task.title, request.ttl, 0};
      core::ClaimDecision decision = core::decide_claim(work.state(), wanted, holder, work.now(), status);
      count_up(decision, others);
      claimed = answer_about(work.plan().phases[choice->phase],
                             work.plan().phases[choice->phase].tasks[choice->task]);
      claimed.why = core::why_chosen(view, *choice);
      TRY_ASSIGN(recorded, record(work, decision.event));
      claimed.lease = *core::find_lease(*recorded, claimed.phase, claimed.task);
    }
  }
  return finish(context, work, std::move(claimed), std::move(recorded));
}

Result<ClaimAnswer> release_task(const Context& context, const PlanLocation& plan, const std::string& id,
                                 const ClaimRequest& request, core::Force force) {
  PlanWork work(context, plan);
  TRY(begin(work));
  TRY_ASSIGN(const Found found, find_task(work, id));
  const core::Phase& phase = work.plan().phases[found.phase_index];
  const core::Task& task = phase.tasks[found.index];
  std::optional<core::State> recorded;
  ClaimAnswer released = answer_about(phase, task);
  TRY_ASSIGN(core::Holder holder, holder_of(context, work.state(), request));
  const core::LeaseState* known = core::find_lease(work.state(), phase.id, task.id);
  if (request.for_session && known != nullptr && core::subagent_of(*known, holder.session))
    holder.by = known->by;
  const std::vector<LeaseStatus> statuses = lease_statuses(context, work.state(), work.now());
  released.status = status_of(statuses, work.state(), phase.id, task.id);
  core::ReleaseDecision decision = core::decide_release(work.state(), phase.id, task.id, holder,
                                                        request.fence, force, work.now(), released.status);
  released.result = result_of(decision.verdict);
  released.previous = std::move(decision.previous);
  if (released.result == ClaimResult::released) {
    decision.event.title = task.title;
    TRY_ASSIGN(recorded, record(work, decision.event));
  }
  return finish(context, work, std::move(released), std::move(recorded));
}

}  // namespace plankeep::app
