#pragma once
// Which plans a client's hook is about. Never fails: a plan that cannot be read is left out.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/hook_event.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/project_plans.hpp"
#include "project/settings.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

/// `cwd` as an event has it; the working directory if a client does not say where it works.
std::string working_folder(const Context& context, const std::string& cwd);

struct HookPlans {
  std::vector<FoundPlan> plans;  // the nearest first, each once
  /// The plan that the session wrote in last, as the project's list has it. Looked up only if there are
  /// several plans.
  std::optional<PlanLocation> written{};
  /// The list of each project that was looked at.
  std::vector<ProjectPlans> lists{};
  /// Whether one of the lists says so (ProjectPlans::is_only_seen).
  bool only_seen(const PlanLocation& plan, const core::State& state) const;
};
/// The tracked plans of the session's folder, and those that tracking may begin with:
/// - the plan that $PLANKEEP_PLAN names, else the plans in the folder or in its nearest parent within the
///   project that has any;
/// - the plans in the project's list (project/project_plans) that are not over.
/// If the call ran outside the session's project (a subagent in a worktree of its own), the plans of both.
HookPlans hook_plans(const Context& context, const core::HookEvent& event);

struct NearestPlans : HookPlans {
  bool others = false;  // the project's list has unfinished plans
};
/// The few of these that a command in the shell is most likely about: the plan that $PLANKEEP_PLAN names,
/// those in the session's folder or its nearest parent that has any, the one that the session wrote in last,
/// and if none of these is known, the project's only unfinished plan. The number of plans looked at does not
/// grow with the project.
NearestPlans nearest_plans(const Context& context, const core::HookEvent& event);

/// The folders whose projects such a command belongs to: where it runs, the session's project, and the folder
/// of the plan that $PLANKEEP_PLAN names. One folder for each project, free of links.
std::vector<std::string> shell_folders(const Context& context, const core::HookEvent& event);

struct WrittenPlan {
  FoundPlan found;
  PlanWork::Create create = PlanWork::Create::if_marked;  // what tracking may begin with
  bool sure = false;  // tracked, or in a known layout: errors are worth reporting
};
/// A file that a tool wrote, if it is a plan or may become one: tracked, or a Markdown file that
/// Settings::track admits. `path` is absolute, or relative to `cwd`. For any other file this costs one look
/// into its folder.
std::optional<WrittenPlan> written_plan(const Context& context, const std::string& path,
                                        const std::string& cwd);

/// A plan that was looked at. Locked where there was something to record.
struct SeenPlan {
  PlanLocation plan;
  std::shared_ptr<PlanWork> work;
  core::State read{};      // without work: its state was only read
  bool only_seen = false;  // HookPlans::only_seen()
  const core::State& state() const { return work == nullptr ? read : work->state(); }
  /// Its file is missing, as far as the work has noticed.
  bool is_gone(const Context& context) const;
};

/// The plan that keeps the session's records; nullptr if `plans` is empty. One whose file is gone only where
/// no other is incomplete. The first that applies:
/// 1. the plan that knows the session and has something of it in flight: a subagent, a call that starts one,
///    a finding that waits;
/// 2. for a start, a prompt, a turn's end, a compaction and an end: `written` (HookPlans::written);
/// 3. the plan that knows the session; if several do, `written` decides;
/// 4. `written`;
/// 5. the plan chosen with `plankeep use`, if it is not complete;
/// 6. the nearest plan in or above `event.cwd`, incomplete ones first;
/// 7. the plan saved last; plans that a session's start found, and that are unchanged since, come last.
/// `event`: its session and cwd; an empty cwd means the working directory.
const SeenPlan* plan_of_session(const Context& context, const std::vector<SeenPlan>& plans,
                                const core::HookEvent& event, const std::optional<PlanLocation>& written);

}  // namespace plankeep::app
