#include "app/project_tree.hpp"

#include <utility>

#include "app/discover.hpp"
#include "core/record_evidence.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

bool holds_git(const Context& context, const std::string& folder) {
  const auto info = context.files.info(folder == "/" ? "/.git" : folder + "/.git");
  return info && info->kind != system::FileKind::missing;
}

bool is_or_is_below(std::string_view path, std::string_view name) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (path.substr(0, slash) == name) return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
  return false;
}

}  // namespace

std::string command_root(const Context& context, const PlanLocation& plan) {
  std::string root = project_root(context, plan.folder);
  if (holds_git(context, root)) return root;
  for (std::string at = plan.folder; at != "/"; at = parent_of(at)) {
    if (last_part(at) != "plans") continue;
    const std::string above = parent_of(at);
    return last_part(above) == "docs" ? parent_of(above) : above;
  }
  return plan.folder;
}

ProjectTree::ProjectTree(const Context& context, const PlanLocation& plan)
    : context_(context), root_(command_root(context, plan)), plan_(plan.path()), real_plan_(plan_) {
  if (auto real = context.files.real_path(plan_)) real_plan_ = std::move(*real);
}

bool ProjectTree::open() {
  if (git_) return true;
  if (context_.processes == nullptr) return false;
  git_.emplace(*context_.processes, context_.files);
  return true;
}

// Where the work tree begins: only wanted once something in it has changed, or its files have to be listed.
bool ProjectTree::know_tree() {
  if (tree_) return true;
  auto tree = git_->work_tree(root_);
  if (!tree) {
    (void)fail(tree.error());
    return false;
  }
  tree_ = std::move(*tree);
  return tree_.has_value();
}

core::TreeNow ProjectTree::fail(const base::Error& error) {
  warning_ = error.kind == base::ErrorKind::not_found ? "there is no git program" : error.message;
  return {core::TreeNow::Kind::not_looked, {}};
}

void ProjectTree::learn(const std::optional<core::Evidence>& evidence) {
  if (!evidence || evidence->dirty || evidence->head.empty() || evidence->tree.empty()) return;
  clean_digests_.emplace(evidence->head, evidence->tree);
}

bool ProjectTree::left_out(std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (is_default_plan_name(name) || is_or_is_below(path, store::kTrackingFolder)) return true;
  const auto is = [&](const std::string& file) {
    return file.size() == tree_->top.size() + 1 + path.size() && file.starts_with(tree_->top) &&
           file.ends_with(path);
  };
  return is(plan_) || is(real_plan_);
}

core::TreeNow ProjectTree::now() {
  using Kind = core::TreeNow::Kind;
  standing_ = {};
  if (!holds_git(context_, root_)) return {Kind::no_repository, {}};
  if (!open()) return {Kind::not_looked, {}};
  auto look = git_->look(root_);
  if (!look) return fail(look.error());
  if (!*look) return {Kind::no_repository, {}};
  git::Look& seen = **look;
  if (!seen.changed.empty() && !know_tree()) return {Kind::not_looked, {}};
  const auto leave_out = [this](std::string_view path) { return left_out(path); };
  std::erase_if(seen.changed, [&](const git::ChangedFile& file) { return left_out(file.path); });
  standing_ = {seen.head, !seen.changed.empty()};
  const bool clean = seen.changed.empty() && !seen.head.empty();
  if (const auto known = clean_digests_.find(seen.head); clean && known != clean_digests_.end())
    return {Kind::known, known->second};
  if (!know_tree()) return {Kind::not_looked, {}};
  auto digest = git_->digest_at(*tree_, seen, leave_out);
  if (!digest) return fail(digest.error());
  if (clean) clean_digests_.emplace(seen.head, *digest);
  return {Kind::known, std::move(*digest)};
}

void look_at_tree(const Context& context, Shown& shown) {
  if (!shown.plan || !shown.state) return;
  const core::KnownEvidence known(*shown.state);
  if (known.empty()) return;
  bool wanted = false;
  for (const core::Phase& phase : shown.plan->phases) {
    for (const core::Criterion& criterion : phase.acceptance) {
      if (criterion.verify.empty() || wanted) continue;
      const auto& evidence = known.find(phase.id, criterion.id);
      wanted = evidence && evidence->command == criterion.verify;
    }
  }
  if (!wanted) return;
  ProjectTree tree(context, shown.location);
  for (const core::PhaseState& phase : shown.state->phases) {
    for (const core::CriterionState& criterion : phase.acceptance) tree.learn(criterion.evidence);
  }
  shown.tree = tree.now();
  if (!tree.warning().empty()) {
    shown.warnings.push_back("whether evidence is stale is not known: " + tree.warning());
  }
}

std::vector<core::Diagnostic> unproven_criteria(const Context& context, const PlanLocation& plan) {
  std::vector<core::Diagnostic> found;
  auto shown = look(context, plan, 0);
  if (!shown || !shown->plan || !shown->state) return found;
  look_at_tree(context, *shown);
  const core::KnownEvidence known(*shown->state);
  for (const core::Phase& phase : shown->plan->phases) {
    for (const core::Criterion& criterion : phase.acceptance) {
      if (!criterion.met || criterion.verify.empty()) continue;
      const core::Proof proof =
          core::judge(known.find(phase.id, criterion.id), criterion.verify, shown->tree);
      if (proof == core::Proof::proven) continue;
      found.push_back(
          {criterion.line, 1, core::DiagnosticCode::unproven_criterion,
           "criterion " + criterion.id.text + " is ticked, but " + std::string(core::name_of(proof)),
           "plankeep verify " + criterion.id.text});
    }
  }
  return found;
}

}  // namespace plankeep::app
