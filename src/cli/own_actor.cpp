#include "cli/own_actor.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "checkpoints/own_session.hpp"
#include "store/running_shells.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::cli {
namespace {

// nullopt: no client that we know of is above us.
std::optional<std::string> actor_of_session(const app::Context& context, const app::PlanLocation& plan) {
  if (context.processes == nullptr) return std::nullopt;
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return std::nullopt;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return std::nullopt;
  const auto loaded = app::load_state(**tracking, plan);
  if (!loaded || !loaded->state) return std::nullopt;
  const core::SessionState* session = app::session_around(*context.processes, *loaded->state);
  if (session == nullptr) return std::nullopt;
  std::vector<store::RunningShell> running = store::running_shells(**tracking, context.clock.now());
  std::erase_if(running, [&](const store::RunningShell& shell) { return shell.session != session->id; });
  if (running.empty()) return "main";
  const bool one = std::all_of(running.begin(), running.end(), [&running](const store::RunningShell& shell) {
    return shell.by == running.front().by;
  });
  return one ? running.front().by : "external";
}

}  // namespace

std::string own_actor(Program& program, const app::PlanLocation& plan, const std::string& given) {
  if (!given.empty()) return given;
  if (auto actor = actor_of_session(program.context, plan)) return *actor;
  return program.console.can_ask() ? "person" : "main";
}

}  // namespace plankeep::cli
