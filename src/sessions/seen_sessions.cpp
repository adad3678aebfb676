#include "sessions/seen_sessions.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

// A name begins with the process's number (system/processes).
bool has_ended(system::Processes* processes, const std::string& process) {
  std::int64_t number = 0;
  (void)std::from_chars(process.data(), process.data() + process.size(), number);
  if (processes == nullptr || number <= 0) return false;
  const auto running = processes->identity(number);
  if (!running) return true;
  return !running->empty() && *running != process;
}

}  // namespace

std::vector<SeenSession> seen_sessions(const Context& context) {
  std::map<std::string, SeenSession> newest;
  const Project project = Project::here(context);
  for (const PlanLocation& plan : ProjectPlans(context, project).all()) {
    const auto folder = context.files.open_folder(plan.folder);
    if (!folder) continue;
    const auto tracking = store::open_tracking(**folder, plan.name);
    if (!tracking) continue;
    const auto loaded = load_state(**tracking, plan);
    if (!loaded || !loaded->state) continue;
    for (const core::SessionState& session : loaded->state->sessions) {
      SeenSession seen;
      seen.id = session.id;
      seen.client = session.client;
      seen.transcript = session.transcript;
      seen.plan_id = plan.plan_id();
      seen.started_at = session.started_at;
      seen.last_active = std::max(session.last_active, session.started_at);
      seen.ended_at = session.ended_at;
      seen.running = !session.ended_at && !has_ended(context.processes, session.process);
      const auto [known, is_new] = newest.try_emplace(session.id, seen);
      if (!is_new && known->second.last_active < seen.last_active) known->second = std::move(seen);
    }
  }
  std::vector<SeenSession> all;
  all.reserve(newest.size());
  for (auto& [id, session] : newest) all.push_back(std::move(session));
  std::stable_sort(all.begin(), all.end(),
                   [](const SeenSession& a, const SeenSession& b) { return a.last_active > b.last_active; });
  return all;
}

}  // namespace plankeep::app
