#include "reports/resume.hpp"

#include <algorithm>
#include <utility>

#include "checkpoints/find_checkpoint.hpp"
#include "model/hook_event.hpp"
#include "project/project.hpp"
#include "rules/listing/found_authors.hpp"
#include "rules/sessions.hpp"

namespace plankeep::app {
namespace {

bool is_open(const core::State& state, const core::TaskId& id) {
  for (const core::PhaseState& phase : state.phases) {
    for (const core::TaskState& task : phase.tasks) {
      if (task.id == id && !task.done) return true;
    }
  }
  return false;
}

// Whether the agent holds it, in its session.
bool is_claim_of(const core::LeaseState& lease, const core::AgentState& agent) {
  core::HookEvent acts;
  acts.agent_id = agent.id;
  acts.agent_type = agent.type;
  return lease.by == core::actor_of(acts) && (lease.session.empty() || lease.session == agent.session);
}

// `resumed`: the session itself died and goes on under its id.
std::vector<LostAgent> lost_agents(const Context& context, const core::State& state, std::string_view session,
                                   bool resumed) {
  std::vector<LostAgent> lost;
  const core::SessionState* last = core::last_ended(state, session);
  const std::string_view dead = resumed ? session : last == nullptr ? std::string_view() : last->id;
  // Of a session whose records another plan keeps, until one of this plan's own has ended.
  const auto of_elsewhere = [&](const core::AgentState& agent) {
    return core::find_session(state, agent.session) == nullptr &&
           (last == nullptr || agent.last_active > *last->ended_at);
  };
  for (const core::AgentState& agent : state.agents) {
    if (agent.status != core::AgentStatus::lost || agent.session.empty()) continue;
    if (agent.session != dead && !of_elsewhere(agent)) continue;
    LostAgent told{agent.type, {}, {}};
    if (!agent.assigned_plan.empty()) told.plan = shown_path(context, agent.assigned_plan);
    for (const core::TaskId& id : agent.assigned_tasks) {
      if (is_open(state, id)) told.open.push_back(id);
    }
    for (const core::LeaseState& lease : state.leases) {
      const bool told_already = std::find(told.open.begin(), told.open.end(), lease.task) != told.open.end();
      if (is_claim_of(lease, agent) && !told_already && is_open(state, lease.task))
        told.open.push_back(lease.task);
    }
    // Whose tasks are all done is nobody's worry.
    if (!told.open.empty() || agent.assigned_tasks.empty()) lost.push_back(std::move(told));
  }
  return lost;
}

// What the last session left when its context filled up, unless another one has begun since. The store is
// opened for that only.
std::optional<ResumeCheckpoint> full_context(const Context& context, const PlanLocation& plan,
                                             const std::vector<core::Event>& recent,
                                             std::string_view session) {
  for (std::size_t i = recent.size(); i-- > 0;) {
    const core::Event& event = recent[i];
    if (event.kind == core::EventKind::session_started && (session.empty() || event.session != session))
      return std::nullopt;
    const bool full = event.kind == core::EventKind::checkpoint_saved &&
                      event.checkpoint_type == core::name_of(core::CheckpointType::context_window);
    if (!full) continue;
    auto opened = open_checkpoints(context, plan, records::Access::read);
    if (!opened) return std::nullopt;
    const auto checkpoint = opened->store->get(core::CheckpointId(event.checkpoint));
    if (!checkpoint) return std::nullopt;
    core::SinceThen since;
    since.plan = shown_path(context, plan.path());
    return ResumeCheckpoint{event.checkpoint, core::recovery_instructions(*checkpoint, since).steps};
  }
  return std::nullopt;
}

}  // namespace

ResumeInput resume_input(const Context& context, const PlanLocation& plan, const core::State& state,
                         std::vector<core::Event> recent, std::string_view session,
                         std::optional<std::size_t> phase, bool with_others) {
  ResumeInput input;
  const Settings settings = Project(context, plan.folder).settings();
  if (settings.redaction != RedactionSettings{}) {
    TextRedactor redactor(context, settings);
    if (redactor.problem().empty()) input.redactor = std::move(redactor);
  }
  input.checkpoint = full_context(context, plan, recent, session);
  const std::size_t from = core::since_last_session(recent, session);
  recent.erase(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(from));
  recent = core::with_authors(std::move(recent));
  bool resumed = false;
  for (const core::Event& event : recent) {
    if (event.kind == core::EventKind::checksum_mismatch) input.outside_edit = true;
    if (event.kind != core::EventKind::session_crash) continue;
    input.crashed = true;
    resumed = resumed || (!session.empty() && event.session == session);
  }
  input.since = std::move(recent);
  input.lost = lost_agents(context, state, session, resumed);
  if (phase) input.phase_note = phase_note(context, plan, *phase + 1);
  if (!with_others) return input;
  for (const OtherActive& other : other_active_plans(context, plan)) {
    input.others.push_back(
        {other.location.plan_id(), shown_path(context, other.location.path()), other.progress});
  }
  return input;
}

}  // namespace plankeep::app
