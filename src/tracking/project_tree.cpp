#include "tracking/project_tree.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"
#include "model/record_evidence.hpp"
#include "project/git_directory.hpp"
#include "project/state_home.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "tracking/taken_commit.hpp"

namespace plankeep::app {
namespace {

bool is_or_is_below(std::string_view path, std::string_view name) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (path.substr(0, slash) == name) return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
  return false;
}

// Without a repository nobody said what belongs to the project: in somebody's home folder nobody shall wait.
constexpr std::chrono::milliseconds kBudgetWithoutRepository{5000};

// "helper.txt (new), src/a.c and 3 more".
std::string changes_text(const std::vector<git::ContentChange>& changes) {
  constexpr std::size_t kNamed = 3;
  using Kind = git::ContentChange::Kind;
  std::string text;
  for (std::size_t i = 0; i < changes.size() && i < kNamed; ++i) {
    if (i > 0) text += ", ";
    text += changes[i].path;
    if (changes[i].kind == Kind::added) text += " (new)";
    if (changes[i].kind == Kind::removed) text += " (removed)";
  }
  if (changes.size() > kNamed) text += " and " + std::to_string(changes.size() - kNamed) + " more";
  return text;
}

}  // namespace

std::string command_root(const Context& context, const PlanLocation& plan) {
  return command_root(Project(context, plan.folder), plan);
}

std::string command_root(const Project& project, const PlanLocation& plan) {
  if (project.in_git()) return project.root();
  for (std::string at = plan.folder; at != "/"; at = parent_of(at)) {
    if (last_part(at) != "plans") continue;
    const std::string above = parent_of(at);
    return last_part(above) == "docs" ? parent_of(above) : above;
  }
  return plan.folder;
}

ProjectTree::ProjectTree(const Context& context, const PlanLocation& plan)
    : context_(context),
      project_(context, plan.folder),
      root_(command_root(project_, plan)),
      plan_(plan.path()),
      real_plan_(plan_) {
  if (auto real = context.files.real_path(plan_)) real_plan_ = std::move(*real);
  if (context.processes == nullptr) return;
  content_.emplace(*context.processes, context.files,
                   project_.in_git() ? git::WorkContent::kBudget : kBudgetWithoutRepository);
  content_->report_to(context.progress);
}

void ProjectTree::learn(const std::optional<core::Evidence>& evidence) {
  if (evidence && !evidence->tree.empty()) learned_.insert(evidence->tree);
}

git::LeaveOut ProjectTree::leave_out() {
  return [this](std::string_view path) { return left_out(path); };
}

bool ProjectTree::left_out(std::string_view path) {
  if (is_or_is_below(path, store::kTrackingFolder) || path.ends_with(system::kTemporaryEnd)) return true;
  if (top_.empty()) top_ = content_->top();
  const auto is = [&](const std::string& file) {
    return file.size() == top_.size() + 1 + path.size() && file.starts_with(top_) && file.ends_with(path);
  };
  return is(plan_) || is(real_plan_) || is_tracked_plan(path);
}

// One that plankeep tracks in its folder.
bool ProjectTree::is_tracked_plan(std::string_view path) {
  constexpr std::string_view kMarkdown = ".md";
  if (path.size() < kMarkdown.size()) return false;
  if (base::to_lower(path.substr(path.size() - kMarkdown.size())) != kMarkdown) return false;
  const std::size_t slash = path.rfind('/');
  const std::string_view above = slash == std::string_view::npos ? "" : path.substr(0, slash);
  const auto [known, fresh] = tracked_names_.try_emplace(std::string(above));
  if (fresh) {
    const std::string folder = above.empty() ? top_ : top_ + "/" + std::string(above);
    const auto tracking = context_.files.info(folder + "/" + std::string(store::kTrackingFolder));
    if (tracking && tracking->kind == system::FileKind::directory) {
      auto opened = context_.files.open_folder(folder);
      auto names = opened ? store::tracked_files(**opened) : base::fail(opened.error());
      if (names) known->second = std::move(*names);
    }
  }
  const std::string_view name = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  return std::find(known->second.begin(), known->second.end(), name) != known->second.end();
}

base::Result<std::string> ProjectTree::digest() {
  if (project_.in_git()) {
    TRY_ASSIGN(auto digest, content_->digest(root_, leave_out()));
    if (!digest) return base::fail(base::ErrorKind::io, "git finds no work tree in " + root_);
    return std::move(*digest);
  }
  const auto own = open_project_files(context_, project_, true);
  if (!own) return base::fail(base::ErrorKind::io, own.error().message);
  TRY_ASSIGN(const auto git_dir, own->folder->make_folder("files" + own->suffix));
  return content_->digest_without_repository(root_, git_dir->path(), leave_out());
}

core::TreeNow ProjectTree::now() {
  using Kind = core::TreeNow::Kind;
  if (!content_) return {Kind::unknown, {}, "cannot run programs on this system"};
  tracked_names_.clear();
  const auto digest = this->digest();
  if (!digest) {
    const base::Error& error = digest.error();
    return {
        Kind::unknown, {}, error.kind == base::ErrorKind::not_found ? "git is not installed" : error.message};
  }
  core::TreeNow now{Kind::known, *digest};
  for (const std::string& before : learned_) {
    if (before == now.digest) continue;
    const auto changes = content_->changes_since(before);
    if (changes) now.changes.emplace(before, changes_text(*changes));
  }
  return now;
}

void ProjectTree::remember() {
  // Only names depend on it.
  if (content_) (void)content_->remember();
}

base::Result<git::WorkTree> ProjectTree::work_tree() {
  if (context_.processes == nullptr || !project_.in_git())
    return base::fail(base::ErrorKind::not_found, "there is no repository");
  TRY_ASSIGN(auto tree, git::Git(*context_.processes, context_.files).work_tree(root_));
  if (!tree) return base::fail(base::ErrorKind::not_found, "there is no work tree");
  top_ = tree->top;
  return std::move(*tree);
}

git::HeadStatus ProjectTree::head_status() {
  const auto tree = work_tree();
  if (!tree) return {};
  auto head_status = git::Git(*context_.processes, context_.files).head_status(*tree, leave_out());
  return head_status ? std::move(*head_status) : git::HeadStatus{};
}

base::Result<std::vector<std::string>> ProjectTree::not_in_head() {
  TRY_ASSIGN(const git::WorkTree tree, work_tree());
  return git::Git(*context_.processes, context_.files).not_in_head(tree, leave_out());
}

namespace {

// What cannot be read changes nothing.
void inspect_last_commit(const Context& context, Shown& shown) {
  if (!shown.state->last_commit) return;
  const auto folder = context.files.open_folder(shown.location.folder);
  if (!folder) return;
  const auto tracking = store::open_tracking(**folder, shown.location.name);
  if (!tracking) return;
  bool now = false;
  // Changes that no sync has recorded: they may be git's.
  if (shown.state->last_saved == shown.now) {
    const auto newest = store::last_events(**tracking, 1);
    now = newest && !newest->empty() &&
          git_wrote(context, Project(context, shown.location.folder).root(), shown.location.path(),
                    shown.state->plan_seen.value_or(newest->front().event.time)) != GitWrote::no;
  }
  (void)leave_out_taken_commit(**tracking, *shown.plan, *shown.state, now);
}

}  // namespace

void inspect_tree(const Context& context, Shown& shown) {
  if (!shown.plan || !shown.state) return;
  inspect_last_commit(context, shown);
  const core::KnownEvidence known(&*shown.state);
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
  if (shown.tree.kind == core::TreeNow::Kind::unknown)
    shown.warnings.push_back("cannot tell whether criteria are still proven: " + shown.tree.reason);
}

std::vector<core::Diagnostic> unproven_criteria(const Context& context, const PlanLocation& plan) {
  std::vector<core::Diagnostic> found;
  auto shown = load_shown(context, plan, 0);
  if (!shown || !shown->plan || !shown->state) return found;
  inspect_tree(context, *shown);
  const core::KnownEvidence known(&*shown->state);
  for (const core::Phase& phase : shown->plan->phases) {
    for (const core::Criterion& criterion : phase.acceptance) {
      if (!criterion.met || criterion.verify.empty()) continue;
      const core::Proof proof =
          core::judge(known.find(phase.id, criterion.id), criterion.verify, shown->tree);
      if (proof == core::Proof::proven) continue;
      std::string message = "criterion " + criterion.id.text + " is ticked, but ";
      message += proof == core::Proof::unknown ? "it is not known whether it is still proven"
                                               : std::string(core::name_of(proof));
      const std::string why =
          core::why_not_fresh(known.find(phase.id, criterion.id), criterion.verify, shown->tree);
      if (!why.empty()) message += ": " + why;
      found.push_back({criterion.line, 1, core::DiagnosticCode::unproven_criterion, std::move(message),
                       "plankeep verify " + criterion.id.text});
    }
  }
  return found;
}

}  // namespace plankeep::app
