#include "hooks/hook_plans.hpp"

#include <algorithm>
#include <memory>

#include "project/current_plan.hpp"
#include "project/known_folders.hpp"
#include "project/known_layouts.hpp"
#include "project/plan_id.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
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

// Nobody is shown a plan that is over, unless it was touched since.
bool over(const Context& context, const FoundPlan& found) {
  PlanStanding standing = found.opened.tracking.state ? standing_in(found.opened.tracking.state->bytes)
                                                      : plan_standing(context, found.plan);
  standing.archived = standing.archived || is_in_archive_folder(found.plan.folder);
  if (!is_over(standing, context.clock.now())) return false;
  if (standing.archived) return true;
  const auto info = context.files.info(found.plan.path());
  return !info || !standing.plan_stamp ||
         (info->mtime_ns == standing.plan_stamp->mtime_ns && info->size == standing.plan_stamp->size);
}

void add_nearest(const Context& context, const Project& project, const std::string& folder,
                 std::vector<FoundPlan>& plans) {
  // A plan above the project may be anybody's: its text would reach the model.
  const std::string& root = project.root();
  for (std::string at = folder;; at = parent_of(at)) {
    auto here = plans_in_real_folder(context, at);
    // A tracking folder may have been set aside, which doctor goes on to say: a hook works without it.
    if (!here && here.error().kind == base::ErrorKind::conflict) here = plans_in_real_folder(context, at);
    if (!here) break;  // two spellings of plan.md, or a folder that may not be read: none is the nearest
    for (FoundPlan& plan : *here) {
      if (!over(context, plan)) add(plans, std::move(plan));
    }
    if (!here->empty()) break;
    if (at == root || at == "/") break;
  }
}

void add_plans_of(const Context& context, const std::string& folder, std::vector<FoundPlan>& plans) {
  if (folder.empty()) return;
  const Project project(context, folder);
  add_nearest(context, project, folder, plans);
  for (PlanLocation& plan : ProjectPlans(context, project).not_over(context.clock.now()))
    add(plans, {std::move(plan)});
}

bool complete(const core::State& state) {
  return state.progress.total > 0 && state.progress.completed == state.progress.total;
}

// Whether `a` is more likely than `b` the plan that is worked on.
bool nearer(const core::State& a, const core::State& b) {
  if (complete(a) != complete(b)) return complete(b);
  return a.last_saved > b.last_saved;
}

void add_named(const Context& context, std::vector<FoundPlan>& plans) {
  const auto named = context.environment.variable("PLANKEEP_PLAN");
  if (!named || named->empty()) return;
  if (auto plan = plan_at(context, *named)) add(plans, std::move(*plan));
}

// Where the call ran, and the session's project where that is another folder.
std::vector<std::string> folders_of(const Context& context, const core::HookEvent& event) {
  std::vector<std::string> folders;
  for (const std::string& path :
       {event.cwd.empty() ? context.environment.working_directory() : event.cwd, event.project}) {
    std::string real = real_folder(context, path);
    if (!real.empty() && std::find(folders.begin(), folders.end(), real) == folders.end())
      folders.push_back(std::move(real));
  }
  return folders;
}

}  // namespace

std::vector<FoundPlan> hook_plans(const Context& context, const core::HookEvent& event) {
  std::vector<FoundPlan> plans;
  add_named(context, plans);
  for (const std::string& folder : folders_of(context, event)) add_plans_of(context, folder, plans);
  return plans;
}

NearestPlans nearest_plans(const Context& context, const core::HookEvent& event) {
  NearestPlans nearest;
  add_named(context, nearest.plans);
  for (const std::string& folder : folders_of(context, event)) {
    const Project project(context, folder);
    add_nearest(context, project, folder, nearest.plans);
    const ProjectPlans known(context, project);
    if (auto own = known.of_session(event.session_id)) add(nearest.plans, {std::move(*own)});
    if (nearest.plans.empty()) {
      if (auto only = known.only_unfinished()) add(nearest.plans, {std::move(*only)});
    }
    nearest.others = nearest.others || known.count_unfinished() > 0;
  }
  return nearest;
}

std::vector<std::string> shell_folders(const Context& context, const core::HookEvent& event) {
  std::vector<std::string> folders = folders_of(context, event);
  std::vector<FoundPlan> named;
  add_named(context, named);
  for (FoundPlan& found : named) folders.push_back(std::move(found.plan.folder));
  std::vector<std::string> roots;
  std::erase_if(folders, [&](const std::string& folder) {
    const std::string root = Project(context, folder).root();
    if (std::find(roots.begin(), roots.end(), root) != roots.end()) return true;
    roots.push_back(root);
    return false;
  });
  return folders;
}

namespace {

// The project of a file that a session wrote. Without git and settings of its own it is the session's, where
// the file stands in it.
Project project_of(const Context& context, const std::string& folder, const std::string& cwd) {
  Project project(context, folder);
  if (project.in_git() || project.root() != folder) return project;
  const std::string here = real_folder(context, cwd.empty() ? context.environment.working_directory() : cwd);
  return here.empty() || !stands_in(folder, here) ? project : Project(context, here);
}

bool stands_in_session(const Context& context, const PlanLocation& plan, const std::string& cwd) {
  const std::string here = real_folder(context, cwd.empty() ? context.environment.working_directory() : cwd);
  if (here.empty()) return false;
  const Project session(context, here);
  return stands_in(plan.folder, session.root());
}

// What an untracked Markdown file may become; nullopt: nothing.
std::optional<WrittenPlan> at_first_sight(const Context& context, PlanLocation plan, const std::string& cwd) {
  const Project project = project_of(context, plan.folder, cwd);
  const Settings& settings = project.settings();
  if (settings.track == FirstSight::off) return std::nullopt;
  // Elsewhere only what nobody can take for anything but a plan begins to be one.
  if (!is_default_plan_name(plan.name) && !stands_in_session(context, plan, cwd)) return std::nullopt;
  std::string_view path = plan.folder;
  path.remove_prefix(std::min(path.size(), project.root().size()));
  const std::vector<std::string>& names = settings.plan_names;
  const bool known = known_layout(std::string(path) + "/" + plan.name) != nullptr ||
                     std::find(names.begin(), names.end(), plan.name) != names.end();
  WrittenPlan written{{std::move(plan)}};
  written.sure = known;
  if (known && settings.track == FirstSight::known) written.create = PlanWork::Create::if_boxes;
  return written;
}

}  // namespace

std::optional<WrittenPlan> written_plan(const Context& context, const std::string& path,
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

  const auto location = [&]() -> std::optional<PlanLocation> {
    const std::string real = real_folder(context, parent_of(full));
    if (real.empty()) return std::nullopt;
    PlanLocation plan{real, name};
    identify(context, plan);
    return plan;
  };
  const auto tracking = (*folder)->info(store::kTrackingFolder);
  const bool tracked = tracking && tracking->kind == system::FileKind::directory;
  if (tracked && settle_tracking(context, real_folder(context, parent_of(full)), **folder)) {
    auto probe = inspect_tracking(**folder, name);
    if (probe && probe->folder) {
      auto plan = location();
      if (!plan) return std::nullopt;
      // What was opened is handed on to the work that follows: a tick is recorded without looking twice.
      return WrittenPlan{
          {std::move(*plan), {std::move(*folder), std::move(*probe)}}, PlanWork::Create::if_marked, true};
    }
  }
  if (!is_markdown_name(name)) return std::nullopt;
  auto plan = location();
  return plan ? at_first_sight(context, std::move(*plan), cwd) : std::nullopt;
}

namespace {

// How many bytes of `here` the plan's folder takes; 0: it does not stand there or above.
std::size_t stands_above(const SeenPlan& seen, std::string_view here) {
  return stands_in(here, seen.plan.folder) ? seen.plan.folder.size() : 0;
}

}  // namespace

namespace {

// The one that knows the session; of several, and where none does, the one that it wrote in last.
const SeenPlan* by_records(const Context& context, const std::vector<SeenPlan>& plans,
                           const std::string& session, const std::string& cwd) {
  if (session.empty()) return nullptr;
  std::vector<const SeenPlan*> knowing;
  for (const SeenPlan& seen : plans) {
    if (core::find_session(seen.state(), session) != nullptr) knowing.push_back(&seen);
  }
  if (knowing.size() == 1) return knowing.front();
  const std::string here = real_folder(context, cwd.empty() ? context.environment.working_directory() : cwd);
  const auto written = ProjectPlans(context, Project(context, here)).of_session(session);
  for (const SeenPlan& seen : plans) {
    const bool candidate =
        knowing.empty() || std::find(knowing.begin(), knowing.end(), &seen) != knowing.end();
    if (written && candidate && seen.plan == *written) return &seen;
  }
  return knowing.empty() ? nullptr : knowing.front();
}

}  // namespace

const SeenPlan* plan_of_session(const Context& context, const std::vector<SeenPlan>& plans,
                                const std::string& session, const std::string& cwd) {
  if (plans.size() < 2) return plans.empty() ? nullptr : &plans.front();
  if (const SeenPlan* own = by_records(context, plans, session, cwd)) return own;
  if (const auto chosen = current_plan(context); chosen && *chosen) {
    for (const SeenPlan& seen : plans) {
      if (complete(seen.state())) continue;
      if (seen.plan.path() == (*chosen)->path || seen.plan.folder == (*chosen)->path) return &seen;
    }
  }
  const std::string here = real_folder(context, cwd.empty() ? context.environment.working_directory() : cwd);
  return &*std::min_element(plans.begin(), plans.end(), [&here](const SeenPlan& a, const SeenPlan& b) {
    if (complete(a.state()) != complete(b.state())) return complete(b.state());
    const std::size_t above_a = stands_above(a, here);
    const std::size_t above_b = stands_above(b, here);
    return above_a != above_b ? above_a > above_b : nearer(a.state(), b.state());
  });
}

}  // namespace plankeep::app
