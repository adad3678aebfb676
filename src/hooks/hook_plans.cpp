#include "hooks/hook_plans.hpp"

#include <algorithm>
#include <memory>

#include "project/current_plan.hpp"
#include "project/discover.hpp"
#include "project/known_folders.hpp"
#include "project/project.hpp"
#include "rules/sessions.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

void add(std::vector<FoundPlan>& plans, FoundPlan found) {
  const bool known = std::any_of(plans.begin(), plans.end(),
                                 [&found](const FoundPlan& other) { return other.plan == found.plan; });
  if (!known) plans.push_back(std::move(found));
}

std::string real_folder(const Context& context, const std::string& path) {
  if (path.empty()) return {};
  const auto real = context.files.real_path(path);
  return real ? *real : std::string();
}

void add_plans_of(const Context& context, const std::string& folder, std::vector<FoundPlan>& plans) {
  if (folder.empty()) return;
  // A plan above the project may be anybody's: its text would reach the model.
  const std::string root = Project(context, folder).root();
  for (std::string at = folder;; at = parent_of(at)) {
    auto plan = plan_in_folder(context, at);
    // A tracking folder may have been set aside, which doctor goes on to say: a hook works without it.
    if (!plan && plan.error().kind == base::ErrorKind::conflict) plan = plan_in_folder(context, at);
    if (!plan) break;  // two plans in one folder, or one that may not be read: none is the nearest
    if (*plan) {
      add(plans, std::move(**plan));
      break;
    }
    if (at == root || at == "/") break;
  }
  auto below = plans_below(context, root);
  if (!below) return;
  for (PlanLocation& plan : *below) add(plans, {std::move(plan)});
}

bool is_markdown(std::string_view name) {
  return name.ends_with(".md") || name.ends_with(".markdown") || name.ends_with(".MD");
}

bool complete(const core::State& state) {
  return state.progress.total > 0 && state.progress.completed == state.progress.total;
}

// Whether `a` is more likely than `b` the plan that is worked on.
bool nearer(const core::State& a, const core::State& b) {
  if (complete(a) != complete(b)) return complete(b);
  return a.last_saved > b.last_saved;
}

}  // namespace

std::vector<FoundPlan> hook_plans(const Context& context, const core::HookEvent& event) {
  std::vector<FoundPlan> plans;
  if (const auto named = context.environment.variable("PLANKEEP_PLAN"); named && !named->empty()) {
    if (auto plan = plan_at(context, *named)) add(plans, std::move(*plan));
  }
  const std::string here =
      real_folder(context, event.cwd.empty() ? context.environment.working_directory() : event.cwd);
  add_plans_of(context, here, plans);
  const std::string project = real_folder(context, event.project);
  if (project != here) add_plans_of(context, project, plans);
  return plans;
}

std::optional<FoundPlan> written_plan(const Context& context, const std::string& path,
                                      const std::string& cwd) {
  if (path.empty() || path.find('\0') != std::string::npos) return std::nullopt;
  std::string full = path;
  if (path.front() != '/') {
    const std::string base = cwd.empty() ? context.environment.working_directory() : cwd;
    full = base + "/" + path;
  }
  const std::string name = last_part(full);
  if (name.empty() || name == "." || name == "..") return std::nullopt;
  auto folder = context.files.open_folder(parent_of(full));
  if (!folder) return std::nullopt;

  const auto location = [&]() -> std::optional<FoundPlan> {
    const std::string real = real_folder(context, parent_of(full));
    if (real.empty()) return std::nullopt;
    return FoundPlan{{real, name}};
  };
  const auto tracking = (*folder)->info(store::kTrackingFolder);
  const bool tracked = tracking && tracking->kind == system::FileKind::directory;
  if (tracked && settle_tracking(context, real_folder(context, parent_of(full)), **folder)) {
    auto probe = inspect_tracking(**folder);
    if (probe && probe->tracked) {
      if (*probe->tracked != name) return std::nullopt;
      auto plan = location();
      // What was opened is handed on to the work that follows: a tick is recorded without looking twice.
      if (plan) plan->opened = {std::move(*folder), std::move(*probe)};
      return plan;
    }
  }
  if (is_default_plan_name(name)) return location();
  if (!is_markdown(name)) return std::nullopt;
  auto plan = location();
  if (!plan) return std::nullopt;
  const Project project(context, plan->plan.folder);
  const std::vector<std::string>& names = project.settings().plan_names;
  if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
  return plan;
}

const SeenPlan* plan_of_session(const Context& context, const std::vector<SeenPlan>& plans,
                                const std::string& session) {
  if (plans.size() < 2) return plans.empty() ? nullptr : &plans.front();
  for (const SeenPlan& seen : plans) {
    if (!session.empty() && core::find_session(seen.state(), session) != nullptr) return &seen;
  }
  if (const auto chosen = current_plan(context); chosen && *chosen) {
    for (const SeenPlan& seen : plans) {
      if (complete(seen.state())) continue;
      if (seen.plan.path() == (*chosen)->path || seen.plan.folder == (*chosen)->path) return &seen;
    }
  }
  return &*std::min_element(plans.begin(), plans.end(), [](const SeenPlan& a, const SeenPlan& b) {
    return nearer(a.state(), b.state());
  });
}

}  // namespace plankeep::app
