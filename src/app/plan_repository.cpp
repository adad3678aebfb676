#include "app/plan_repository.hpp"

#include <utility>

namespace plankeep::app {

using base::Result;

PlanRepository::PlanRepository(const Context& context, git::Git git, git::WorkTree tree)
    : git_(git), tree_(std::move(tree)), commits_(git_, context.files, tree_) {}

Result<std::unique_ptr<PlanRepository>> PlanRepository::open(const Context& context,
                                                             const PlanLocation& plan) {
  bool holds_git = false;
  for (std::string at = plan.folder; !holds_git; at = parent_of(at)) {
    const auto info = context.files.info(at == "/" ? "/.git" : at + "/.git");
    holds_git = info && info->kind != system::FileKind::missing;
    if (at == "/") break;
  }
  if (!holds_git || context.processes == nullptr) return std::unique_ptr<PlanRepository>();
  git::Git git(*context.processes, context.files);
  TRY_ASSIGN(auto tree, git.work_tree(plan.folder));
  if (!tree) return std::unique_ptr<PlanRepository>();
  return std::unique_ptr<PlanRepository>(new PlanRepository(context, git, std::move(*tree)));
}

std::string PlanRepository::plan_path(const PlanLocation& plan) const {
  const std::string path = plan.path();
  const std::string start = tree_.top == "/" ? "/" : tree_.top + "/";
  return path.starts_with(start) ? path.substr(start.size()) : std::string();
}

}  // namespace plankeep::app
