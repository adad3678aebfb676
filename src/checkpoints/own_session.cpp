#include "checkpoints/own_session.hpp"

#include <algorithm>

#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {

const core::SessionState* session_around(system::Processes& processes, const core::State& state) {
  const auto known = [&state](const std::string& process) -> const core::SessionState* {
    for (auto session = state.sessions.rbegin(); session != state.sessions.rend(); ++session) {
      if (!session->ended_at && session->process == process) return &*session;
    }
    return nullptr;
  };
  const bool any = std::any_of(
      state.sessions.begin(), state.sessions.end(),
      [](const core::SessionState& session) { return !session.ended_at && !session.process.empty(); });
  if (!any) return nullptr;
  for (const std::int64_t process : processes.ancestors()) {
    const auto name = processes.identity(process);
    if (!name || name->empty()) continue;
    if (const core::SessionState* session = known(*name)) return session;
  }
  return nullptr;
}

CheckpointRequest in_own_session(const Context& context, const PlanLocation& plan,
                                 CheckpointRequest request) {
  if (!request.manual || request.instance != core::kOutsideSessions || context.processes == nullptr)
    return request;
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return request;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return request;
  const auto loaded = load_state(**tracking, plan);
  if (!loaded || !loaded->state) return request;
  const core::SessionState* session = session_around(*context.processes, *loaded->state);
  if (session == nullptr) return request;
  request.instance = session->id;
  if (request.transcript.empty()) request.transcript = session->transcript;
  return request;
}

}  // namespace plankeep::app
