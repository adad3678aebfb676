#include "commits/bind_commits.hpp"

#include <utility>

#include "rules/latest_checkpoint.hpp"
#include "store/journal.hpp"
#include "store/sidecars.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

using base::Result;

namespace {

// Whether another commit stays the last checkpoint of the plan's own run.
bool passed_by(const core::Sidecar& sidecar, const core::State& state, const core::CommitCheckpoint* before) {
  if (sidecar.run != core::run_of_plan(sidecar.plan_id)) return true;
  if (before != nullptr) return before->found() && before->milestone > sidecar.milestone;
  if (!state.last_commit || state.last_commit->sha == sidecar.relinked_from) return false;
  return state.last_commit->milestone > sidecar.milestone;
}

// Of an amended commit post-commit tells first, and then post-rewrite, which knows what it was made from.
Result<bool> told_before(system::Folder& tracking, const core::Event& event) {
  store::EventQuery query{.kinds = {core::EventKind::checkpoint_complete}, .texts = {event.commit}};
  query.matches = [&event](const core::Event& told) { return told.commit == event.commit; };
  TRY_ASSIGN(const auto last, store::last_events(tracking, 1, query));
  if (last.empty()) return false;
  const core::Event& told = last.front().event;
  return told.milestone == event.milestone && told.phase == event.phase && told.tier == event.tier &&
         told.last == event.last && told.phase_complete == event.phase_complete &&
         told.sidecar_written == event.sidecar_written;
}

}  // namespace

Result<Outcome> bind_commits(const Context& context, const PlanLocation& plan,
                             const std::vector<core::Sidecar>& sidecars, std::vector<core::Event> more,
                             bool write, const core::CommitCheckpoint* before) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{}));
  store::Sidecars stored(work.tracking());
  std::vector<core::Event> events = std::move(more);
  events.reserve(events.size() + sidecars.size());
  for (core::Event& event : events) event.time = work.now();
  core::State state = work.state();
  for (const core::Sidecar& sidecar : sidecars) {
    core::Event event;
    event.time = work.now();
    event.kind = core::EventKind::checkpoint_complete;
    event.milestone = sidecar.milestone;
    event.commit = sidecar.sha;
    event.tier = core::name_of(sidecar.tier);
    event.phase = sidecar.phase;
    event.sidecar_written = true;
    event.last = !passed_by(sidecar, state, before);
    event.phase_complete = sidecar.phase_complete.value_or(false);
    bool told = false;
    if (write) {
      const auto there = stored.read(sidecar.sha);
      const base::Status written = stored.write(sidecar);
      event.sidecar_written = written.has_value();
      if (!written) {
        work.warn("the sidecar of " + sidecar.sha + " could not be written: " + written.error().message +
                  "; to link it later: plankeep doctor --repair");
      }
      if (there && *there) {
        TRY_ASSIGN(told, told_before(work.tracking(), event));
      }
    }
    if (told) continue;
    core::apply_checkpoint_event(state, event);
    events.push_back(std::move(event));
  }
  if (!events.empty()) TRY(work.save(std::move(state), std::move(events)));
  return work.take_outcome();
}

std::vector<core::Event> session_links(const std::vector<std::string>& checkpoints, const std::string& commit,
                                       const core::PhaseId& phase) {
  std::vector<core::Event> events;
  for (const std::string& checkpoint : checkpoints) {
    core::Event& event = events.emplace_back();
    event.kind = core::EventKind::checkpoint_linked;
    event.commit = commit;
    event.session_checkpoint = checkpoint;
    event.phase = phase;
  }
  return events;
}

Result<std::optional<core::Event>> drift_event(system::Folder& tracking, const core::Drift& drift) {
  core::Event event;
  event.kind = core::EventKind::drift_detected;
  event.plan_says = drift.plan;
  event.checkpoint_says = drift.checkpoint;
  event.source = core::name_of(drift.source);
  const store::EventQuery query{
      .kinds = {core::EventKind::drift_detected, core::EventKind::checkpoint_complete}};
  TRY_ASSIGN(const auto last, store::last_events(tracking, 1, query));
  if (!last.empty()) {
    const core::Event& told = last.front().event;
    const bool same = told.kind == event.kind && told.plan_says == event.plan_says &&
                      told.checkpoint_says == event.checkpoint_says && told.source == event.source;
    if (same) return std::optional<core::Event>();
  }
  return std::optional(std::move(event));
}

core::TierDecision tier_now(const Context& context, const PlanLocation& plan, std::size_t phase) {
  const auto shown = load_shown(context, plan, 0);
  if (!shown || !shown->plan || !shown->state || phase >= shown->plan->phases.size()) return {};
  const core::KnownEvidence known(&*shown->state);
  if (known.empty()) return {};
  ProjectTree tree(context, plan);
  const core::TreeNow now = tree.now();
  // Assume first that the commit holds what the commands saw: if even that verifies nothing, git need not be
  // asked.
  core::TierDecision decision = core::decide_tier(*shown->plan, phase, known, now, true);
  if (decision.tier == core::Tier::tier0) {
    decision.reason = now.reason;
    return decision;
  }
  const auto missing = tree.not_in_head();
  if (missing && missing->empty()) return decision;
  decision = core::TierDecision();
  decision.reason = missing ? "the commands ran with " + missing->front() + ", which differs in the commit"
                            : missing.error().message;
  return decision;
}

}  // namespace plankeep::app
