#include "cli/own_actor.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "checkpoints/own_session.hpp"
#include "project/discover.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "project/project_shells.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/edit_author.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::cli {
namespace {

// The session around us, where another plan of the project keeps its records. Those are only read where
// clients run commands just now.
std::optional<core::SessionState> session_elsewhere(const app::Context& context,
                                                    const app::PlanLocation& plan,
                                                    const std::vector<store::RunningShell>& running) {
  if (running.empty()) return std::nullopt;
  const app::Project project(context, plan.folder);
  for (const app::PlanLocation& other : app::ProjectPlans(context, project).not_over(context.clock.now())) {
    const auto state = other == plan ? std::nullopt : app::recorded_state(context, other);
    const core::SessionState* const session =
        state ? app::session_around(*context.processes, *state) : nullptr;
    if (session != nullptr) return *session;
  }
  return std::nullopt;
}

// nullopt: no client that we know of is above us.
std::optional<core::Author> author_of_session(const app::Context& context, const app::PlanLocation& plan) {
  if (context.processes == nullptr) return std::nullopt;
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return std::nullopt;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return std::nullopt;
  const auto loaded = app::load_state(**tracking, plan);
  if (!loaded || !loaded->state) return std::nullopt;
  std::vector<store::RunningShell> running = app::shells_in_project(context, plan.folder);
  const core::SessionState* own = app::session_around(*context.processes, *loaded->state);
  std::string session = own != nullptr ? own->id : std::string();
  if (session.empty()) {
    if (auto other = session_elsewhere(context, plan, running)) session = std::move(other->id);
  }
  if (session.empty()) return std::nullopt;
  std::erase_if(running, [&](const store::RunningShell& shell) { return shell.session != session; });
  if (running.empty()) return core::Author{"main"};
  core::Author author = core::author_of(running.front(), *loaded->state);
  for (const store::RunningShell& shell : running) {
    const core::Author other = core::author_of(shell, *loaded->state);
    if (other.actor != author.actor) return core::Author{"external"};
    if (other.agent != author.agent) author.agent.clear();
  }
  return author;
}

}  // namespace

core::Author own_author(Program& program, const app::PlanLocation& plan, const std::string& given) {
  if (!given.empty()) return {given};
  if (auto author = author_of_session(program.context, plan)) return *author;
  return {program.console.can_ask() ? "person" : "main"};
}

std::string own_actor(Program& program, const app::PlanLocation& plan, const std::string& given) {
  return own_author(program, plan, given).actor;
}

void note_own_work(Program& program, const app::PlanLocation& plan, const core::State& state) {
  system::Processes* const processes = program.context.processes;
  if (processes == nullptr) return;
  if (const core::SessionState* const own = app::session_around(*processes, state)) {
    app::ProjectPlans::note_session(program.context, plan, own->id, own->process);
    return;
  }
  const app::ProjectPlans plans(program.context, app::Project(program.context, plan.folder));
  if (const auto* const known = plans.session_around(*processes)) {
    app::ProjectPlans::note_session(program.context, plan, known->id, known->process);
  } else if (const auto other = session_elsewhere(program.context, plan,
                                                  app::shells_in_project(program.context, plan.folder))) {
    app::ProjectPlans::note_session(program.context, plan, other->id, other->process);
  }
}

void note_begun(Program& program, const app::PlanLocation& plan, const core::State& state) {
  const app::Context& context = program.context;
  app::ProjectPlans::note_begun(context, plan);
  note_own_work(program, plan, state);
  const std::string root = app::Project(context, plan.folder).root();
  if (!app::standing_from(state).active() || app::Project::here(context).root() != root) return;
  const auto next = app::discover(context, std::nullopt);
  const bool several = !next && next.error().kind == base::ErrorKind::ambiguous;
  if (next ? next->plan == plan : !several) return;
  const std::string meant =
      next ? "commands in this folder are still about " + app::shown_path(context, next->plan.path())
           : "the project has several active plans";
  program.warn(meant + "; to work on this one: plankeep use " + app::shown_path(context, plan.path()) +
               ", or give --plan");
}

}  // namespace plankeep::cli
