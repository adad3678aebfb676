#include "hooks/hook_plans.hpp"

#include <algorithm>
#include <memory>

#include "project/current_plan.hpp"
#include "project/known_folders.hpp"
#include "project/known_layouts.hpp"
#include "project/plan_id.hpp"
#include "project/project.hpp"
#include "rules/listing/completion.hpp"
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

// A plan that is over is shown to nobody, unless its file was touched since.
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
    // The first try may set a foreign tracking folder aside (doctor reports it); the second works without it.
    if (!here && here.error().kind == base::ErrorKind::conflict) here = plans_in_real_folder(context, at);
    if (!here) break;  // two spellings of plan.md, or an unreadable folder: there is no nearest plan
    for (FoundPlan& plan : *here) {
      if (!over(context, plan)) add(plans, std::move(plan));
    }
    if (!here->empty()) break;
    if (at == root || at == "/") break;
  }
}

// Whether `a` is more likely than `b` to be the plan that is being worked on.
bool nearer(const core::State& a, const core::State& b) {
  const bool complete_b = core::is_complete(b);
  if (core::is_complete(a) != complete_b) return complete_b;
  return a.last_saved > b.last_saved;
}

void add_named(const Context& context, std::vector<FoundPlan>& plans) {
  const auto named = context.environment.variable("PLANKEEP_PLAN");
  if (!named || named->empty()) return;
  if (auto plan = plan_at(context, *named)) add(plans, std::move(*plan));
}

// Where the call ran, and the session's project if that is another folder.
std::vector<std::string> folders_of(const Context& context, const core::HookEvent& event) {
  std::vector<std::string> folders;
  for (const std::string& path : {working_folder(context, event.cwd), event.project}) {
    std::string real = real_folder(context, path);
    if (!real.empty() && std::find(folders.begin(), folders.end(), real) == folders.end())
      folders.push_back(std::move(real));
  }
  return folders;
}

// The project of a file that a session wrote. A folder without git and settings belongs to the session's
// project if it is inside it.
Project project_of(const Context& context, const std::string& folder, const std::string& cwd) {
  Project project(context, folder);
  if (project.in_git() || project.root() != folder) return project;
  const std::string here = real_folder(context, working_folder(context, cwd));
  return here.empty() || !stands_in(folder, here) ? project : Project(context, here);
}

bool stands_in_session(const Context& context, const PlanLocation& plan, const std::string& cwd) {
  const std::string here = real_folder(context, working_folder(context, cwd));
  if (here.empty()) return false;
  const Project session(context, here);
  return stands_in(plan.folder, session.root());
}

// What tracking may make of an untracked Markdown file; nullopt: nothing.
std::optional<WrittenPlan> at_first_sight(const Context& context, PlanLocation plan, const std::string& cwd) {
  const Project project = project_of(context, plan.folder, cwd);
  const Settings& settings = project.settings();
  if (settings.track == FirstSight::off) return std::nullopt;
  // Outside the session's project only a file called plan.md is tracked.
  if (!is_default_plan_name(plan.name) && !stands_in_session(context, plan, cwd)) return std::nullopt;
  std::string_view path = plan.folder;
  path.remove_prefix(std::min(path.size(), project.root().size()));
  const bool known =
      known_layout(std::string(path) + "/" + plan.name) != nullptr || names_plan(settings, plan.name);
  WrittenPlan written{{std::move(plan)}};
  written.sure = known;
  if (known && settings.track == FirstSight::known) written.create = PlanWork::Create::if_boxes;
  return written;
}

// The length of the plan's folder if it is `here` or a folder above it, else 0.
std::size_t stands_above(const SeenPlan& seen, std::string_view here) {
  return stands_in(here, seen.plan.folder) ? seen.plan.folder.size() : 0;
}

// Events of the session itself, which belong to the plan that it works on now.
bool follows_work(const core::HookEvent& event) {
  switch (event.kind) {
    case core::HookKind::session_start:
    case core::HookKind::prompt_submitted:
    case core::HookKind::turn_ended:
    case core::HookKind::before_compact:
    case core::HookKind::session_ended:
      return true;
    default:
      return false;
  }
}

// The session's subagents, and what they leave for it, are recorded in one plan until nothing of that waits.
// No call that starts one is on its way between turns; one that waits then was refused.
bool in_flight(const core::State& state, const core::HookEvent& event) {
  const std::string& session = event.session_id;
  const core::SessionState* known = core::find_session(state, session);
  if (!follows_work(event) && known != nullptr && !known->ended_at && !known->assignments.empty())
    return true;
  const auto runs = [&session](const core::AgentState& agent) {
    return agent.session == session && agent.status == core::AgentStatus::running;
  };
  const auto waits = [&session](const core::AuditFinding& found) { return found.session == session; };
  return std::any_of(state.agents.begin(), state.agents.end(), runs) ||
         std::any_of(state.findings.begin(), state.findings.end(), waits);
}

using Candidates = std::vector<const SeenPlan*>;

// Those whose file is there, if one of them is worth choosing; else all.
Candidates candidates_of(const Context& context, const std::vector<SeenPlan>& plans) {
  Candidates all;
  Candidates there;
  bool active = false;
  for (const SeenPlan& seen : plans) {
    all.push_back(&seen);
    if (seen.is_gone(context)) continue;
    there.push_back(&seen);
    active = active || !core::is_complete(seen.state());
  }
  return active ? there : all;
}

const SeenPlan* by_records(const Candidates& plans, const core::HookEvent& event,
                           const std::optional<PlanLocation>& written) {
  if (event.session_id.empty()) return nullptr;
  Candidates known;
  for (const SeenPlan* seen : plans) {
    if (core::find_session(seen->state(), event.session_id) != nullptr) known.push_back(seen);
  }
  for (const SeenPlan* seen : known) {
    if (in_flight(seen->state(), event)) return seen;
  }
  const auto is_written = [&written](const SeenPlan* seen) { return written && seen->plan == *written; };
  if (known.size() == 1 && !follows_work(event)) return known.front();
  const Candidates& among = known.empty() || follows_work(event) ? plans : known;
  const auto place = std::find_if(among.begin(), among.end(), is_written);
  if (place != among.end()) return *place;
  return known.empty() ? nullptr : known.front();
}

}  // namespace

bool HookPlans::only_seen(const PlanLocation& plan, const core::State& state) const {
  return std::any_of(lists.begin(), lists.end(),
                     [&](const ProjectPlans& known) { return known.is_only_seen(plan, state.last_saved); });
}

bool SeenPlan::is_gone(const Context& context) const {
  if (work == nullptr || work->readable()) return false;
  const auto info = context.files.info(plan.path());
  return info ? info->kind == system::FileKind::missing : info.error().kind == base::ErrorKind::not_found;
}

std::string working_folder(const Context& context, const std::string& cwd) {
  return cwd.empty() ? context.environment.working_directory() : cwd;
}

HookPlans hook_plans(const Context& context, const core::HookEvent& event) {
  HookPlans found;
  add_named(context, found.plans);
  for (const std::string& folder : folders_of(context, event)) {
    const Project project(context, folder);
    add_nearest(context, project, folder, found.plans);
    const ProjectPlans& known = found.lists.emplace_back(context, project);
    for (PlanLocation& plan : known.not_over(context.clock.now())) add(found.plans, {std::move(plan)});
  }
  if (found.plans.size() < 2) return found;
  for (const ProjectPlans& known : found.lists) {
    if (!found.written) found.written = known.of_session(event.session_id);
  }
  return found;
}

NearestPlans nearest_plans(const Context& context, const core::HookEvent& event) {
  NearestPlans nearest;
  add_named(context, nearest.plans);
  for (const std::string& folder : folders_of(context, event)) {
    const Project project(context, folder);
    add_nearest(context, project, folder, nearest.plans);
    const ProjectPlans known(context, project);
    if (auto written = known.of_session(event.session_id)) {
      add(nearest.plans, {*written});
      if (!nearest.written) nearest.written = std::move(written);
    }
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

std::optional<WrittenPlan> written_plan(const Context& context, const std::string& path,
                                        const std::string& cwd) {
  if (path.empty() || path.find('\0') != std::string::npos) return std::nullopt;
  const std::string full = path.front() == '/' ? path : working_folder(context, cwd) + "/" + path;
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
      // The opened folders are handed on, so that recording a tick does not open them again.
      return WrittenPlan{
          {std::move(*plan), {std::move(*folder), std::move(*probe)}}, PlanWork::Create::if_marked, true};
    }
  }
  if (!is_markdown_name(name)) return std::nullopt;
  auto plan = location();
  return plan ? at_first_sight(context, std::move(*plan), cwd) : std::nullopt;
}

const SeenPlan* plan_of_session(const Context& context, const std::vector<SeenPlan>& plans,
                                const core::HookEvent& event, const std::optional<PlanLocation>& written) {
  if (plans.size() < 2) return plans.empty() ? nullptr : &plans.front();
  const Candidates candidates = candidates_of(context, plans);
  if (const SeenPlan* own = by_records(candidates, event, written)) return own;
  if (const auto chosen = current_plan(context); chosen && *chosen) {
    for (const SeenPlan* seen : candidates) {
      if (core::is_complete(seen->state())) continue;
      if (seen->plan.path() == (*chosen)->path || seen->plan.folder == (*chosen)->path) return seen;
    }
  }
  const std::string here = real_folder(context, working_folder(context, event.cwd));
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&here](const SeenPlan* a, const SeenPlan* b) {
                             const bool complete_b = core::is_complete(b->state());
                             if (core::is_complete(a->state()) != complete_b) return complete_b;
                             const std::size_t above_a = stands_above(*a, here);
                             const std::size_t above_b = stands_above(*b, here);
                             if (above_a != above_b) return above_a > above_b;
                             if (a->only_seen != b->only_seen) return b->only_seen;
                             return nearer(a->state(), b->state());
                           });
}

}  // namespace plankeep::app
