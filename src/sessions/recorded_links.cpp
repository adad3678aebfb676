#include "sessions/recorded_links.hpp"

#include <utility>

#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {

RecordedLinks::RecordedLinks(const Context& context) {
  const Project project = Project::here(context);
  for (const PlanLocation& plan : ProjectPlans(context, project).all()) {
    const auto folder = context.files.open_folder(plan.folder);
    if (!folder) continue;
    auto tracking = store::open_tracking(**folder, plan.name);
    if (!tracking) continue;
    auto sidecars = std::make_unique<store::Sidecars>(**tracking);
    const auto exist = sidecars->exist();
    if (!exist || !*exist) sidecars.reset();
    plans_.push_back({plan.plan_id(), std::move(*tracking), std::move(sidecars)});
  }
}

std::optional<core::PlanLink> RecordedLinks::of_commits(const std::vector<core::SessionLink>& links) {
  for (const core::SessionLink& link : links) {
    if (link.mentioned) continue;
    for (const TrackedPlan& plan : plans_) {
      if (!plan.sidecars) continue;
      const auto sidecar = plan.sidecars->read(link.commit);
      if (!sidecar || !*sidecar) continue;
      core::PlanLink found;
      found.plan_id = plan.id;
      found.phase_id = (*sidecar)->phase.text;
      found.phase_title = (*sidecar)->title;
      found.tier = std::string(core::name_of((*sidecar)->tier));
      return found;
    }
  }
  return std::nullopt;
}

std::optional<core::PlanLink> RecordedLinks::in_history(const std::string& id) {
  for (const TrackedPlan& plan : plans_) {
    const store::EventQuery query{
        .kinds = {core::EventKind::checkpoint_linked},
        .texts = {id},
        .matches = [&id](const core::Event& event) { return event.session_checkpoint == id; }};
    const auto events = store::last_events(*plan.tracking, 1, query);
    if (!events || events->empty()) continue;
    core::PlanLink found;
    found.plan_id = plan.id;
    const core::PhaseId& phase = events->front().event.phase;
    if (!phase.empty()) found.phase_id = phase.text;
    return found;
  }
  return std::nullopt;
}

std::map<std::string, core::PhaseId> RecordedLinks::linked_to(const std::string& plan) {
  constexpr std::size_t kMostTold = 100'000;
  std::map<std::string, core::PhaseId> linked;
  for (const TrackedPlan& one : plans_) {
    if (one.id != plan) continue;
    const store::EventQuery query{.kinds = {core::EventKind::checkpoint_linked}};
    const auto events = store::last_events(*one.tracking, kMostTold, query);
    if (!events) continue;
    for (const store::TailLine& line : *events)
      linked.insert_or_assign(line.event.session_checkpoint, line.event.phase);
  }
  return linked;
}

std::optional<std::string> RecordedLinks::checkpoint_of(const std::string& commit) {
  for (const TrackedPlan& plan : plans_) {
    if (!plan.sidecars) continue;
    const auto sidecar = plan.sidecars->read(commit);
    if (sidecar && *sidecar && core::session_id_kind((*sidecar)->entire_checkpoint))
      return (*sidecar)->entire_checkpoint;
  }
  for (const TrackedPlan& plan : plans_) {
    const store::EventQuery query{
        .kinds = {core::EventKind::checkpoint_linked},
        .texts = {commit},
        .matches = [&commit](const core::Event& event) { return event.commit == commit; }};
    const auto events = store::last_events(*plan.tracking, 1, query);
    if (events && !events->empty() && core::session_id_kind(events->front().event.session_checkpoint))
      return events->front().event.session_checkpoint;
  }
  return std::nullopt;
}

}  // namespace plankeep::app
