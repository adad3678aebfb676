#include "tracking/workspace.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "git/git.hpp"
#include "project/discover.hpp"
#include "project/known_folders.hpp"
#include "project/listed/layout_plans.hpp"
#include "project/plan_id.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "rules/listing/completion.hpp"
#include "rules/next.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/kept_copies.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/predecessor.hpp"
#include "tracking/search_plans.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

using base::kDay;
// A plan whose last events say nothing of who (a recovery copy, a note) is looked back so far.
constexpr std::size_t kEventsForWho = 10;
constexpr std::string_view kGitFolder = ".git";

// NUL-separated words.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

class Surveyor {
 public:
  Surveyor(const Context& context, Workspace& found)
      : context_(context), found_(found), stage_(context.progress, "looking for plans in folders") {}

  void walk_all(const std::string& folder) {
    std::vector<std::string> roots = work_trees(folder);
    roots.insert(roots.begin(), folder);
    // One that lies inside another is passed over there: what it ignores is its own business.
    roots_.insert(roots.begin(), roots.end());
    for (const std::string& root : roots) {
      ignored_ = ignored_below(root);
      projects_ = {root};
      auto opened = context_.files.open_folder(root);
      if (opened) {
        walk(root, **opened, 0);
      } else {
        found_.warnings.push_back(root + ": " + opened.error().message);
      }
      for (const std::string& project : projects_) add_known(project);
    }
    if (folders_ >= kWorkspaceFolders)
      found_.warnings.push_back("there are more than " + std::to_string(kWorkspaceFolders) +
                                " folders: not all were searched");
  }

  std::vector<PlanLocation> plans() && { return std::move(plans_); }

 private:
  // The linked work trees of the repository that `folder` is in, without the one that it is in itself. Only
  // when the folder is the whole of its work tree: below a part of one nothing is said of others.
  std::vector<std::string> work_trees(const std::string& folder) {
    std::vector<std::string> others;
    const Project project(context_, folder);
    if (context_.processes == nullptr || !project.in_git() || project.root() != folder) return others;
    for (std::string& top : git::Git(*context_.processes, context_.files).work_trees(folder)) {
      if (!stands_in(top, folder)) others.push_back(std::move(top));
    }
    return others;
  }

  // Absolute paths of folders that git ignores. One call tells them all, each ignored tree by its top.
  std::unordered_set<std::string> ignored_below(const std::string& root) {
    std::unordered_set<std::string> ignored;
    if (context_.processes == nullptr || !Project(context_, root).in_git()) return ignored;
    git::Git git(*context_.processes, context_.files);
    const auto list = git.run(
        root, {"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", "."});
    if (!list || list->status != 0) return ignored;
    for (const std::string& path : words_of(list->output)) {
      if (path.ends_with('/')) ignored.insert(root + "/" + path.substr(0, path.size() - 1));
    }
    return ignored;
  }

  void walk(const std::string& path, system::Folder& folder, std::size_t depth) {
    if (++folders_ > kWorkspaceFolders) return;
    stage_.add(1);
    const auto entries = folder.entries();
    if (!entries) return;  // nothing of ours, or not for us
    for (const system::FolderEntry& entry : *entries) {
      // A repository of its own, which has its own list and layouts; of a submodule it is a file.
      if (entry.name == kGitFolder && path != projects_.front()) projects_.push_back(path);
      if (entry.kind != system::FileKind::directory) continue;
      if (entry.name == store::kTrackingFolder) {
        add(path, folder);
        continue;
      }
      if (entry.name.starts_with('.') || entry.name == "node_modules" || depth >= kWorkspaceDepth) continue;
      const std::string below = (path == "/" ? path : path + "/") + entry.name;
      if (ignored_.contains(below) || roots_.contains(below)) continue;
      auto opened = folder.open_folder(entry.name);
      if (opened) walk(below, **opened, depth + 1);
    }
  }

  bool left_out(std::string at, const std::string& top) const {
    for (; at != top && at != "/"; at = parent_of(at)) {
      if (last_part(at) == "node_modules" || ignored_.contains(at)) return true;
    }
    return false;
  }

  // To git a folder is ignored if all that is left in it is: after git rm or git mv of a plan, the
  // .checkpoint alone.
  bool only_looks_ignored(const PlanLocation& plan) const {
    const auto file = context_.files.info(plan.path());
    const bool gone =
        file ? file->kind == system::FileKind::missing : file.error().kind == ErrorKind::not_found;
    if (!gone || context_.processes == nullptr) return false;
    git::Git git(*context_.processes, context_.files);
    const auto asked =
        git.run(Project(context_, plan.folder).root(), {"check-ignore", "-q", "--", plan.folder});
    return asked && asked->status == 1;
  }

  // What the walk passes over: below hidden folders, and in those that only look ignored. A folder that is
  // asked about may be a package with layouts of its own.
  void add_known(const std::string& folder) {
    const Project project(context_, folder);
    std::vector<PlanLocation> known = ProjectPlans(context_, project).all();
    for (const std::string& top : std::set<std::string>{project.root(), folder}) {
      for (PlanLocation& plan : plans_in_known_layouts(context_, top)) known.push_back(std::move(plan));
    }
    for (PlanLocation& plan : known) {
      if (!stands_in(plan.folder, folder)) continue;
      if (left_out(plan.folder, folder) && !only_looks_ignored(plan)) continue;
      if (std::find(plans_.begin(), plans_.end(), plan) != plans_.end()) continue;
      const auto opened = context_.files.open_folder(plan.folder);
      if (opened && store::open_tracking(**opened, plan.name)) plans_.push_back(std::move(plan));
    }
  }

  void add(const std::string& path, system::Folder& folder) {
    const auto names = store::tracked_files(folder);
    if (!names) return;
    for (const std::string& name : *names) {
      PlanLocation& plan = plans_.emplace_back(PlanLocation{path, name});
      identify(context_, plan);
    }
  }

  const Context& context_;
  Workspace& found_;
  system::ProgressStage stage_;
  std::unordered_set<std::string> roots_;
  std::unordered_set<std::string> ignored_;
  std::vector<std::string> projects_;  // the root that is walked, and repositories below it
  std::vector<PlanLocation> plans_;
  std::size_t folders_ = 0;
};

void take_state(const core::State& state, PlanOverview& overview) {
  overview.progress = state.progress;
  overview.was_complete = core::is_complete(state);
  overview.archived = state.archived_at.has_value() || is_in_archive_folder(overview.plan.folder);
  overview.blockers = static_cast<std::int64_t>(state.blockers.size());
  overview.agents =
      std::count_if(state.agents.begin(), state.agents.end(),
                    [](const core::AgentState& agent) { return agent.status == core::AgentStatus::running; });
  overview.sessions =
      std::count_if(state.sessions.begin(), state.sessions.end(),
                    [](const core::SessionState& session) { return !session.ended_at.has_value(); });
  overview.last_activity = state.last_saved;
  if (!state.current_phase) return;
  const auto phase =
      std::find_if(state.phases.begin(), state.phases.end(),
                   [&state](const core::PhaseState& one) { return one.id == *state.current_phase; });
  if (phase == state.phases.end()) return;
  overview.phase = core::title_or_id(*phase);
  if (!state.current_task) return;
  const auto task =
      std::find_if(phase->tasks.begin(), phase->tasks.end(),
                   [&state](const core::TaskState& one) { return one.id == *state.current_task; });
  if (task == phase->tasks.end()) return;
  overview.task = task->id.text;
  overview.task_title = task->title;
}

base::Status inspect(const Context& context, PlanOverview& overview) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(overview.plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, overview.plan.name));
  TRY_ASSIGN(const LoadedState loaded, load_state(*tracking, overview.plan));
  overview.missing = is_gone(*folder, overview.plan.name);
  store::PlanFile file(context.files, *folder, overview.plan.name);
  const auto stamp = file.stamp();
  const bool same = loaded.state && loaded.sound() && loaded.state->every_box && stamp &&
                    loaded.state->plan_stamp == *stamp;
  if (same) {
    take_state(*loaded.state, overview);
    TRY_ASSIGN(overview.vanished, lately_vanished(*tracking, *loaded.state));
  } else {
    TRY_ASSIGN(const Shown shown, load_shown(context, overview.plan, 0));
    if (shown.state) take_state(*shown.state, overview);
    if (!overview.missing) overview.unreadable = shown.unreadable;
    overview.vanished = shown.vanished;
    overview.unrecorded = !loaded.state || !shown.state || shown.state->checksum != loaded.state->checksum ||
                          !(shown.state->phases == loaded.state->phases);
  }
  TRY_ASSIGN(const auto last, store::last_events(*tracking, kEventsForWho));
  for (std::size_t i = last.size(); i-- > 0 && overview.last_by.empty();) {
    const core::Event& event = last[i].event;
    if (!event.by.empty()) overview.last_by = event.by;
    if (event.kind == core::EventKind::subagent_stopped || event.kind == core::EventKind::subagent_started)
      overview.last_by = "subagent:" + event.agent_type;
  }
  if (!last.empty()) overview.last_activity = last.back().event.time;
  return {};
}

// Records that came from elsewhere are set aside when their folder is opened for the first time. What to say
// of it, once, is added to `warnings`.
bool were_set_aside(const Context& context, const PlanLocation& plan, std::vector<std::string>& warnings) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return false;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (tracking || tracking.error().kind != ErrorKind::not_found) return false;
  std::string news = news_of_set_aside(context, plan.folder, **folder);
  if (!news.empty()) warnings.push_back(std::move(news));
  return true;
}

bool before(const PlanOverview& a, const PlanOverview& b) {
  const auto rank = [](const PlanOverview& plan) {
    return plan.archived ? 4 : plan.missing ? 3 : plan.in_flight() ? 0 : plan.complete() ? 2 : 1;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (a.last_activity != b.last_activity) return a.last_activity > b.last_activity;
  return a.plan.path() < b.plan.path();
}

void name_apart(std::vector<PlanOverview>& overviews) {
  std::vector<PlanLocation> plans;
  plans.reserve(overviews.size());
  for (const PlanOverview& overview : overviews) plans.push_back(overview.plan);
  const std::vector<std::string> ids = distinct_ids(plans);
  for (std::size_t i = 0; i < overviews.size(); ++i) overviews[i].id = ids[i];
}

}  // namespace

bool PlanOverview::complete() const {
  return was_complete && !missing && unreadable.empty() && problem.empty() &&
         !core::lost_open_tasks(vanished);
}

void add_lost_plans(const Context& context, Workspace& found) {
  const Project project(context, found.folder);
  std::vector<PlanLocation> present = ProjectPlans(context, project).all();
  for (const PlanOverview& overview : found.plans) present.push_back(overview.plan);
  const std::size_t before_it = found.plans.size();
  for (LostPlan& one : lost_plans(context, project, present)) {
    if (!stands_in(one.plan.folder, found.folder)) continue;
    PlanOverview& overview = found.plans.emplace_back();
    overview.shown = shown_path(context, one.plan.path());
    overview.missing = overview.lost = true;
    const auto files = context.files.open_folder(one.files);
    auto loaded = files ? load_state(**files, one.plan) : base::fail(files.error());
    overview.plan = std::move(one.plan);
    if (loaded && loaded->state) take_state(*loaded->state, overview);
    // Nobody works on a plan that is not there.
    overview.agents = overview.sessions = 0;
  }
  if (found.plans.size() == before_it) return;
  name_apart(found.plans);
  std::sort(found.plans.begin(), found.plans.end(), before);
}

std::vector<UntrackedPlan> untracked_plans(const Context& context, const std::string& folder) {
  std::vector<UntrackedPlan> plans;
  for (const PlanChoice& choice : untracked_choices(context, folder)) {
    const std::string path = choice.plan.path();
    if (choice.standing.archived || !stands_in(path, folder)) continue;
    plans.push_back({path, shown_path(context, path), choice.standing.progress});
  }
  return plans;
}

Result<std::vector<std::string>> rescan(const Context& context, const std::string& folder, LostPlans lost) {
  TRY_ASSIGN(const std::string real, context.files.real_path(absolute_path(context, folder)));
  const Project project(context, real);
  TRY_ASSIGN(const Workspace found, survey(context, project.root()));
  std::vector<PlanLocation> plans;
  for (const PlanOverview& overview : found.plans) {
    // Those of linked work trees are in lists of their own.
    if (Project(context, overview.plan.folder).root() == project.root()) plans.push_back(overview.plan);
  }
  // Those in folders that git ignores are not walked to, but were met.
  for (PlanLocation& known : ProjectPlans(context, project).all()) {
    if (std::find(plans.begin(), plans.end(), known) == plans.end()) plans.push_back(std::move(known));
  }
  if (lost == LostPlans::keep) {
    for (LostPlan& one : lost_plans(context, project, plans)) plans.push_back(std::move(one.plan));
  }
  TRY(ProjectPlans::replace(context, project, plans));
  return note_untracked_plans(context, project.root());
}

Result<Workspace> survey(const Context& context, const std::string& folder, std::int64_t stale_days) {
  const std::string full =
      folder.starts_with('/') ? folder : context.environment.working_directory() + "/" + folder;
  Workspace found;
  TRY_ASSIGN(found.folder, context.files.real_path(full));
  TRY_ASSIGN(const auto info, context.files.info(found.folder));
  if (info.kind != system::FileKind::directory)
    return base::fail(ErrorKind::not_found, shown_path(context, found.folder) + " is not a folder");
  Surveyor surveyor(context, found);
  surveyor.walk_all(found.folder);
  const base::Instant now = context.clock.now();
  for (PlanLocation& plan : std::move(surveyor).plans()) {
    PlanOverview& overview = found.plans.emplace_back();
    overview.plan = std::move(plan);
    overview.shown = shown_path(context, overview.plan.path());
    const base::Status looked = inspect(context, overview);
    if (!looked && were_set_aside(context, overview.plan, found.warnings)) {
      found.plans.pop_back();
      continue;
    }
    if (!looked) overview.problem = looked.error().message;
    const bool old = overview.last_activity &&
                     now.milliseconds - overview.last_activity->milliseconds >= stale_days * kDay;
    overview.stale = old && !overview.complete() && !overview.archived && !overview.missing;
    overview.finished = overview.complete() && overview.last_activity &&
                        now.milliseconds - overview.last_activity->milliseconds >= kFinishedAfterDays * kDay;
  }
  name_apart(found.plans);
  std::sort(found.plans.begin(), found.plans.end(), before);
  return found;
}

}  // namespace plankeep::app
