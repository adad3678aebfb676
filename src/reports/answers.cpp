#include "reports/answers.hpp"

#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

render::ClaimAnswer answer_with(const Context& context, const Outcome& outcome) {
  render::ClaimAnswer answer;
  answer.plan_id = outcome.plan.plan_id();
  answer.path = outcome.plan.path();
  answer.file = shown_path(context, answer.path);
  answer.revision = outcome.state.revision;
  answer.warnings = outcome.warnings;
  answer.now = context.clock.now();
  return answer;
}

}  // namespace

render::Changes changes_of(const Outcome& outcome) {
  render::Changes changes;
  changes.plan_id = outcome.plan.plan_id();
  changes.path = outcome.plan.path();
  changes.events = outcome.events;
  changes.notices = outcome.notices;
  changes.warnings = outcome.warnings;
  changes.edited = outcome.edited;
  changes.progress = outcome.state.progress;
  changes.revision = outcome.state.revision;
  return changes;
}

render::ClaimAnswer answer_of(const Context& context, const Claimed& claimed) {
  render::ClaimAnswer answer = answer_with(context, claimed.outcome);
  answer.result = name_of(claimed.result);
  answer.granted = is_granted(claimed.result);
  answer.phase = claimed.phase;
  answer.task = claimed.task;
  answer.title = claimed.title;
  answer.line = claimed.line;
  answer.lease = claimed.lease;
  answer.previous = claimed.previous;
  answer.status = claimed.status;
  answer.waiting_for = claimed.waiting_for;
  return answer;
}

render::ClaimAnswer answer_of(const Context& context, const ClaimedNext& claimed) {
  render::ClaimAnswer answer = answer_with(context, claimed.outcome);
  answer.result = name_of(ClaimResult::claimed);
  answer.granted = true;
  answer.lease = claimed.lease;
  answer.phase = claimed.lease->phase;
  answer.task = claimed.lease->task;
  if (!claimed.outcome.read) return answer;
  for (const core::Phase& phase : claimed.outcome.read->phases) {
    if (phase.id != answer.phase) continue;
    for (const core::Task& task : phase.tasks) {
      if (task.id != answer.task) continue;
      answer.title = task.title;
      answer.line = task.line;
    }
  }
  return answer;
}

render::ClaimAnswer answer_of(const Context& context, const Released& released) {
  render::ClaimAnswer answer = answer_with(context, released.outcome);
  answer.result = core::name_of(released.verdict);
  answer.phase = released.phase;
  answer.task = released.task;
  answer.title = released.title;
  answer.line = released.line;
  answer.previous = released.previous;
  answer.status = released.status;
  return answer;
}

render::CleanUpView view_of(const PlanLocation& plan, const CleanUpAnswer& answer, bool dry) {
  render::CleanUpView view;
  view.plan_id = plan.plan_id();
  view.path = plan.path();
  view.dry = dry;
  view.freed_bytes = answer.cleaned.freed_bytes;
  view.dropped_snapshots = answer.dropped_snapshots;
  view.deleted.reserve(answer.cleaned.deleted.size());
  for (const records::Deleted& deleted : answer.cleaned.deleted) view.deleted.push_back(deleted.id);
  view.sidecars = answer.sidecars;
  view.warnings = answer.warnings;
  return view;
}

}  // namespace plankeep::app
