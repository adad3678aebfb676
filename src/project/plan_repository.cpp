#include "project/plan_repository.hpp"

#include <utility>

#include "project/plan_id.hpp"
#include "project/project.hpp"
#include "store/paths.hpp"

namespace plankeep::app {

using base::Result;

namespace {

constexpr std::string_view kOrigin = "remote.origin.url";

// Of `git config --null --get-all`; empty: it is not set, nullopt: git did not say.
std::optional<std::string> last_value(const system::Finished& told) {
  if (told.status == 1 && told.errors.empty()) return std::string();
  if (told.status != 0 || !told.output.ends_with('\0')) return std::nullopt;
  const std::string values = told.output.substr(0, told.output.size() - 1);
  const std::size_t before = values.rfind('\0');
  return before == std::string::npos ? values : values.substr(before + 1);
}

}  // namespace

PlanRepository::PlanRepository(const Context& context, git::Git git, git::WorkTree tree)
    : files_(&context.files), git_(git), tree_(std::move(tree)), commits_(git_, context.files, tree_) {}

Result<std::unique_ptr<PlanRepository>> PlanRepository::open(const Context& context,
                                                             const PlanLocation& plan) {
  const Project project(context, plan.folder);
  if (!project.in_git() || context.processes == nullptr) return std::unique_ptr<PlanRepository>();
  git::Git git(*context.processes, context.files);
  // A plan at the top goes by origin's name (plan_id): git is asked for both at once.
  std::optional<Result<git::GitRunning>> origin;
  if (project.root() == plan.folder)
    origin = git.start(plan.folder, {"config", "--null", "--get-all", std::string(kOrigin)});
  auto tree = git.work_tree(plan.folder);
  std::optional<std::string> url;
  if (origin && *origin) {
    if (const auto told = (*origin)->finish()) url = last_value(*told);
  }
  if (!tree) return base::fail(std::move(tree.error()));
  if (!*tree) return std::unique_ptr<PlanRepository>();
  std::unique_ptr<PlanRepository> repository(new PlanRepository(context, git, std::move(**tree)));
  repository->origin_ = std::move(url);
  return repository;
}

std::string PlanRepository::plan_path(const PlanLocation& plan) const {
  const std::string path = plan.path();
  const std::string start = tree_.top == "/" ? "/" : tree_.top + "/";
  return path.starts_with(start) ? path.substr(start.size()) : std::string();
}

Result<std::string> PlanRepository::plan_id(const PlanLocation& plan) {
  if (plan.folder != tree_.top || !is_general_plan_name(plan.name)) return plan.plan_id();
  if (!name_) {
    if (!origin_) {
      TRY_ASSIGN(auto origin, git_.config(tree_.top, std::string(kOrigin)));
      origin_ = std::move(origin).value_or("");
    }
    name_ = repository_name_in(*origin_);
    if (name_->empty()) name_ = repository_name_in(tree_.common_dir);
    if (name_->empty()) name_ = plan.folder_id();
  }
  return *name_;
}

Result<core::RunQuery> PlanRepository::run_query(const PlanLocation& plan, const std::string& named) {
  core::RunQuery query;
  query.path = plan_path(plan);
  TRY_ASSIGN(const std::string id, plan_id(plan));
  query.run = named.empty() ? core::run_of_plan(id) : named;
  query.own = query.run == core::run_of_plan(id);
  // What earlier versions called it, which its commits go on to be called. A plan that has a folder of its
  // own in .checkpoint was never called so.
  const auto own_folder =
      files_->info(plan.folder + "/" + std::string(store::kTrackingFolder) + "/" + plan.name);
  const bool old = !own_folder || own_folder->kind == system::FileKind::missing;
  if (query.own && old && plan.folder_id() != id)
    query.aliases.push_back(core::run_of_plan(plan.folder_id()));
  return query;
}

}  // namespace plankeep::app
