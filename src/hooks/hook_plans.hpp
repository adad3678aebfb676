#pragma once
// Which plans a client's hook is about. Never fails: what cannot be read is no plan for a hook.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/hook_event.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/settings.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

/// The tracked plans, and those that tracking may begin with, of a session's folder: the one that
/// $PLANKEEP_PLAN names, else those in the folder or its nearest parent within the project that has any, and
/// those that the project is known to have (project/project_plans) and that are not over. When the session's
/// project is another folder than where the call ran (a subagent in a worktree of its own), the plans of
/// both. The nearest first, each once.
std::vector<FoundPlan> hook_plans(const Context& context, const core::HookEvent& event);

/// Of those the few that a command in the shell is most likely about: what $PLANKEEP_PLAN names, those in the
/// session's folder or its nearest parent that has any, the one that the session wrote in last, and where
/// none of that is known the only unfinished one. As many looks whether the project has one plan or hundreds.
struct NearestPlans {
  std::vector<FoundPlan> plans;
  bool others = false;  // the project is known to have unfinished plans
};
NearestPlans nearest_plans(const Context& context, const core::HookEvent& event);

/// The folders whose projects such a command belongs to: where it runs, the session's project, and the folder
/// of the plan that $PLANKEEP_PLAN names. Of each project one, free of links.
std::vector<std::string> shell_folders(const Context& context, const core::HookEvent& event);

struct WrittenPlan {
  FoundPlan found;
  PlanWork::Create create = PlanWork::Create::if_marked;  // what tracking may begin with
  bool sure = false;  // tracked, or in a known layout: what goes wrong with it is worth a word
};
/// A file that a tool wrote, if it is a plan or may be one: tracked, or a Markdown file that Settings::track
/// leaves. `path` is absolute, or relative to `cwd`. Costs one look into the file's folder when it is none.
std::optional<WrittenPlan> written_plan(const Context& context, const std::string& path,
                                        const std::string& cwd);

/// A plan that was looked at. Locked where there was something to record.
struct SeenPlan {
  PlanLocation plan;
  std::shared_ptr<PlanWork> work;
  core::State read{};  // without work: its state was only read
  const core::State& state() const { return work == nullptr ? read : work->state(); }
};

/// The plan that keeps a session's records: the one that knows the session, else the one that the project's
/// list says it wrote in last (it decides between several that know the session too), else, of those that are
/// not complete, the one chosen with `plankeep use`, else the nearest in `cwd` or above, else the one saved
/// last. `cwd`: the session's; empty: the working directory. nullptr when there is none.
const SeenPlan* plan_of_session(const Context& context, const std::vector<SeenPlan>& plans,
                                const std::string& session, const std::string& cwd);

}  // namespace plankeep::app
