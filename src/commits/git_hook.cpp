#include "commits/git_hook.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "checkpoints/job.hpp"
#include "commits/bind_commits.hpp"
#include "commits/relink.hpp"
#include "commits/successors.hpp"
#include "git/checkpoint_message.hpp"
#include "markdown/parse_plan.hpp"
#include "model/progress.hpp"
#include "project/plan_repository.hpp"
#include "project/project.hpp"
#include "store/paths.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;

Result<core::Plan> plan_at(git::Commits& commits, const std::string& sha, const std::string& path) {
  TRY_ASSIGN(const auto text, commits.file_at(sha, path, store::kPlanLimit));
  if (!text) return core::Plan();
  return markdown::parse_plan(*text);
}

// Which boxes a plan has, and which of them are ticked. Ids are unique within a phase only.
class TickedBoxes {
 public:
  explicit TickedBoxes(const core::Plan& plan) {
    for (const core::Phase& phase : plan.phases) {
      for (const core::Task& task : phase.tasks) {
        tasks_[{phase.id.text, task.id.text}] = task.done();
        if (task.done()) done_anywhere_.insert(task.id.text);
      }
      for (const core::Criterion& criterion : phase.acceptance) {
        if (criterion.met) criteria_.insert({phase.id.text, criterion.id.text});
      }
    }
  }

  /// A task that is new in its phase may have moved there, ticked already.
  bool has(const core::Phase& phase, const core::Task& task) const {
    const auto known = tasks_.find({phase.id.text, task.id.text});
    return known != tasks_.end() ? known->second : done_anywhere_.contains(task.id.text);
  }
  bool has(const core::Phase& phase, const core::Criterion& criterion) const {
    return criteria_.contains({phase.id.text, criterion.id.text});
  }

 private:
  using Name = std::pair<std::string, std::string>;  // phase, box
  std::map<Name, bool> tasks_;
  std::set<std::string> done_anywhere_;
  std::set<Name> criteria_;
};

// The only phase in which the commit ticked a box; empty: there are several, or none.
core::PhaseId phase_ticked(const core::Plan& after, const core::Plan& before) {
  const TickedBoxes ticked_before(before);
  core::PhaseId found;
  for (const core::Phase& phase : after.phases) {
    const bool ticked =
        std::any_of(phase.tasks.begin(), phase.tasks.end(),
                    [&](const core::Task& task) { return task.done() && !ticked_before.has(phase, task); }) ||
        std::any_of(phase.acceptance.begin(), phase.acceptance.end(), [&](const core::Criterion& criterion) {
          return criterion.met && !ticked_before.has(phase, criterion);
        });
    if (!ticked) continue;
    if (!found.empty()) return {};
    found = phase.id;
  }
  return found;
}

// A plan as a commit has it, and as its first parent does.
struct PlanVersions {
  core::Plan after;
  core::Plan before;
};

Result<PlanVersions> plan_versions(git::Commits& commits, const git::CommitFacts& commit,
                                   const std::string& path) {
  PlanVersions plan;
  TRY_ASSIGN(plan.after, plan_at(commits, commit.sha, path));
  if (commit.parents.empty()) return plan;
  TRY_ASSIGN(plan.before, plan_at(commits, commit.parents.front(), path));
  return plan;
}

Result<std::unique_ptr<PlanRepository>> repository_here(const Context& context) {
  return PlanRepository::open(context, {context.environment.working_directory(), {}});
}

// `sessions`: the session checkpoints that the commit names. `top`: of the work tree.
Status bind_plan(const Context& context, git::Commits& commits, const git::CommitFacts& commit,
                 const std::vector<std::string>& sessions, const std::string& top, const std::string& path) {
  const std::string whole = top + "/" + path;
  const PlanLocation plan{parent_of(whole), last_part(whole)};
  auto folder = context.files.open_folder(plan.folder);
  if (!folder) return {};
  const auto opened = store::open_tracking(**folder, plan.name);
  if (!opened) return {};
  const auto& tracking = *opened;
  TRY_ASSIGN(const auto there, store::Sidecars(*tracking).read(commit.sha));
  if (there) return {};
  TRY_ASSIGN(const PlanVersions versions, plan_versions(commits, commit, path));
  const core::Plan& after = versions.after;
  const auto phase = newly_completed(after, versions.before);
  if (!phase) {
    if (sessions.empty()) return {};
    const core::PhaseId ticked = phase_ticked(after, versions.before);
    TRY_ASSIGN(const Outcome outcome,
               bind_commits(context, plan, {}, session_links(sessions, commit.sha, ticked)));
    spawn_job(context, outcome, "git commit");
    return {};
  }
  TRY_ASSIGN(const auto repository, PlanRepository::open(context, plan));
  if (!repository) return {};
  core::Sidecar sidecar;
  sidecar.sha = commit.sha;
  TRY_ASSIGN(sidecar.plan_id, repository->plan_id(plan));
  sidecar.run = core::run_of_plan(sidecar.plan_id);
  sidecar.plan_path = path;
  sidecar.phase_complete = true;
  sidecar.milestone = static_cast<std::int64_t>(*phase);
  sidecar.title = after.phases[*phase].title;
  sidecar.phase = after.phases[*phase].id;
  sidecar.tree = commit.tree;
  sidecar.created_at = context.clock.now();
  core::TierDecision decision = tier_now(context, plan, *phase);
  sidecar.tier = decision.tier;
  sidecar.commands = std::move(decision.commands);
  if (const auto ids = commits.patch_ids({commit.sha})) {
    const auto id = ids->find(commit.sha);
    if (id != ids->end()) sidecar.patch_id = id->second;
  }
  if (!sessions.empty()) sidecar.entire_checkpoint = sessions.back();
  TRY_ASSIGN(const Outcome outcome,
             bind_commits(context, plan, {sidecar}, session_links(sessions, commit.sha, sidecar.phase)));
  spawn_job(context, outcome, "git commit");
  return {};
}

// Found without git, since most commits change no plan.
std::optional<git::WorkTree> work_tree_here(const Context& context) {
  if (context.processes == nullptr) return std::nullopt;
  const Project project(context, context.environment.working_directory());
  const auto git_dir = project.git_directory();
  if (!git_dir) return std::nullopt;
  git::WorkTree tree;
  tree.top = project.root();
  tree.git_dir = *git_dir;
  return tree;
}

}  // namespace

std::vector<Rewritten> rewritten_commits(std::string_view input) {
  std::vector<Rewritten> pairs;
  while (!input.empty()) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string_view rest = line.substr(space + 1);
    const std::string_view to = rest.substr(0, rest.find(' '));
    if (core::is_commit_id(line.substr(0, space)) && core::is_commit_id(to))
      pairs.emplace_back(line.substr(0, space), to);
  }
  return pairs;
}

Result<core::PhaseId> phase_ticked_by(git::Commits& commits, const git::CommitFacts& commit,
                                      const std::string& path) {
  TRY_ASSIGN(const PlanVersions plan, plan_versions(commits, commit, path));
  return phase_ticked(plan.after, plan.before);
}

bool tells_of_sessions(const Context& context, const std::string& folder) {
  return Project(context, folder).settings().sessions != SessionsSetting::off;
}

Status after_commit(const Context& context) {
  const auto tree = work_tree_here(context);
  if (!tree) return {};
  git::Git git(*context.processes, context.files);
  git::Commits commits(git, context.files, *tree);
  TRY_ASSIGN(const auto progress, commits.in_progress());
  if (progress) return {};
  TRY_ASSIGN(const auto head, commits.head());
  if (!head || core::read_checkpoint_message(head->message)) return {};
  return bind_changed_plans(context, commits, *head, tree->top);
}

Status bind_changed_plans(const Context& context, git::Commits& commits, const git::CommitFacts& commit,
                          const std::string& top, const std::string& except) {
  TRY_ASSIGN(const std::vector<git::CommitChange> files, commits.changed_by(commit));
  std::vector<std::string> sessions = commit.session_checkpoints;
  if (!sessions.empty() && !tells_of_sessions(context, top)) sessions.clear();
  Status first;
  for (const git::CommitChange& file : files) {
    const bool markdown = file.path.ends_with(".md") || file.path.ends_with(".MD") ||
                          is_default_plan_name(last_part("/" + file.path));
    if (!markdown || file.kind == 'D' || file.path == except) continue;
    Status bound = bind_plan(context, commits, commit, sessions, top, file.path);
    if (!bound && first) first = std::move(bound);
  }
  return first;
}

Status after_rewrite(const Context& context, std::string_view input) {
  TRY_ASSIGN(const auto repository, repository_here(context));
  if (!repository) return {};
  const std::vector<Rewritten> pairs = rewritten_commits(input);
  TRY_ASSIGN(const Workspace workspace, survey(context, repository->tree().top));
  Status first;
  for (const PlanOverview& overview : workspace.plans) {
    if (!pairs.empty()) {
      const auto followed = follow_rewritten(context, overview.plan, *repository, pairs);
      if (!followed && first) first = base::fail(followed.error());
    } else {
      const auto linked = link_commits(context, overview.plan, *repository, LinkScope::recent);
      if (!linked && first) first = base::fail(linked.error());
    }
  }
  return first;
}

}  // namespace plankeep::app
