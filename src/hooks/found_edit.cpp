#include "hooks/found_edit.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "policy/hook_policy.hpp"
#include "project/project_shells.hpp"

namespace plankeep::app {

Edit found_edit(const Context& context, const PlanWork& work) {
  Edit edit;
  const PlanLocation& plan = work.outcome().plan;
  const std::vector<store::RunningShell> running = shells_in_project(context, plan.folder);
  if (running.empty()) return edit;
  core::ChangedFile file;
  if (const auto info = context.files.info(plan.path()))
    file = {std::max(info->mtime_ns, info->ctime_ns), info->device};
  auto author = core::author_in_shell(running, work.state(), file);
  if (!author) return edit;
  edit.actor = std::move(author->actor);
  edit.agent = std::move(author->agent);
  edit.announced = true;
  edit.in_shell = true;
  return edit;
}

}  // namespace plankeep::app
