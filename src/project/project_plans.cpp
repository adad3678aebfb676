#include "project/project_plans.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/limits.hpp"
#include "base/utf8.hpp"
#include "project/known_folders.hpp"
#include "project/known_layouts.hpp"
#include "project/listed/layout_plans.hpp"
#include "project/plan_id.hpp"
#include "project/state_home.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileKind;

constexpr std::uint64_t kListLimit = base::kLargestSmallFile;
// Others write within a millisecond.
constexpr std::chrono::milliseconds kListTimeout{500};
// At once: the next command takes in the others.
constexpr std::size_t kMostTakenIn = 20;

struct ListPlace {
  std::unique_ptr<system::Folder> folder;
  std::string name;
};

Result<ListPlace> list_place(const Context& context, const Project& project, bool make) {
  TRY_ASSIGN(ProjectFiles files, open_project_files(context, project, make));
  return ListPlace{std::move(files.folder), "plans" + files.suffix + ".json"};
}

Result<PlanList> read_list(const ListPlace& place, const std::string& root) {
  TRY_ASSIGN(const std::string text, place.folder->read(place.name, kListLimit));
  TRY_ASSIGN(PlanList list, decode_plan_list(text));
  // A project that was moved, or two of one digest.
  if (list.project != root) return base::fail(ErrorKind::not_found, "the list is another project's");
  return list;
}

// The path from the root; empty when it is not below it, or no text.
std::string path_from(const std::string& root, const PlanLocation& plan) {
  const std::string path = plan.path();
  return base::find_invalid_utf8(path) == std::string::npos ? path_below(path, root) : std::string();
}

// The first entry that does not come before `path`.
template <class Plans>
auto place_of(Plans& plans, const std::string& path) {
  return std::lower_bound(plans.begin(), plans.end(), path,
                          [](const KnownPlan& plan, const std::string& at) { return plan.path < at; });
}

// It is made if it is not there.
KnownPlan& entry_of(PlanList& list, const std::string& path) {
  const auto place = place_of(list.plans, path);
  if (place != list.plans.end() && place->path == path) return *place;
  std::erase(list.untracked, path);
  KnownPlan fresh;
  fresh.path = path;
  return *list.plans.insert(place, std::move(fresh));
}

void take_standing(KnownPlan& plan, const PlanStanding& standing) {
  plan.archived = standing.archived;
  plan.complete = standing.complete ? std::optional(standing.last_saved) : std::nullopt;
  plan.stamp = standing.plan_stamp;
  if (plan.stamp) plan.stamp->inode = 0;
}

bool is_unfinished(const KnownPlan& plan) {
  return !plan.archived && !plan.complete;
}

// Changes the list under its lock; `change` says whether there is something to write.
Status change_list(const Context& context, const Project& project,
                   const std::function<bool(PlanList& list)>& change,
                   std::chrono::milliseconds timeout = kListTimeout) {
  TRY_ASSIGN(const ListPlace place, list_place(context, project, true));
  TRY_ASSIGN(const auto lock, place.folder->lock(place.name + ".lock", timeout));
  auto list = read_list(place, project.root());
  const bool anew = !list;
  if (anew) {
    list = PlanList{};
    list->project = project.root();
  }
  // A longer list would not be read again.
  if ((!change(*list) && !anew) || list->plans.size() > kMostKnownPlans) return {};
  return system::write_file(*place.folder, place.name, encode_plan_list(*list), system::Durability::cache);
}

PlanList made_anew(const Context& context, const std::string& root) {
  PlanList list;
  list.project = root;
  for (const PlanLocation& plan : tracked_nearby(context, root)) {
    const std::string path = path_from(root, plan);
    if (!path.empty() && list.plans.size() < kMostKnownPlans)
      take_standing(entry_of(list, path), plan_standing(context, plan));
  }
  return list;
}

// For a list that is missing or damaged: what was in it is found before it is written again.
void refill(const Context& context, PlanList& list) {
  if (list.plans.empty()) list.plans = made_anew(context, list.project).plans;
}

}  // namespace

bool is_wholly_gone(const Context& context, const PlanLocation& plan) {
  const auto file = context.files.info(plan.path());
  if (file ? file->kind != FileKind::missing : file.error().kind != ErrorKind::not_found) return false;
  std::string at = plan.folder;
  auto folder = context.files.open_folder(at);
  while (!folder && folder.error().kind == ErrorKind::not_found && at != "/") {
    at = parent_of(at);
    folder = context.files.open_folder(at);
  }
  const auto real = context.files.real_path(at);
  if (!folder || !real || *real != at) return false;
  if (at != plan.folder) return true;
  const auto tracking = store::open_tracking(**folder, plan.name);
  return !tracking && tracking.error().kind == ErrorKind::not_found;
}

ProjectPlans::ProjectPlans(const Context& context, const Project& project)
    : context_(&context), root_(project.root()) {
  const auto place = list_place(context, project, false);
  auto list = place ? read_list(*place, root_) : base::fail(place.error());
  if (list) {
    list_ = std::move(*list);
    return;
  }
  list_ = made_anew(context, root_);
  if (list_.plans.empty()) return;
  // Nothing depends on it: the next one looks again.
  (void)change_list(context, project, [this](PlanList& kept) {
    if (kept.plans.empty()) kept.plans = list_.plans;
    return true;
  });
}

std::string ProjectPlans::whole_path(const std::string& path) const {
  return root_ == "/" ? root_ + path : root_ + "/" + path;
}

// Without a stamp nobody can tell, and it counts as not touched.
bool ProjectPlans::is_touched(const KnownPlan& plan) const {
  const auto info = context_->files.info(whole_path(plan.path));
  return info && plan.stamp && info->kind == FileKind::regular &&
         (info->mtime_ns != plan.stamp->mtime_ns || info->size != plan.stamp->size);
}

std::optional<PlanLocation> ProjectPlans::located(const std::string& path) const {
  const std::string whole = whole_path(path);
  PlanLocation plan{parent_of(whole), last_part(whole)};
  const auto folder = context_->files.open_folder(plan.folder);
  if (!folder) return std::nullopt;
  // A tracking folder may be set aside here, which doctor goes on to say; one that is another user's stays.
  if (!settle_tracking(*context_, plan.folder, **folder) &&
      !settle_tracking(*context_, plan.folder, **folder))
    return std::nullopt;
  const auto file = context_->files.info(whole);
  // The list may be another user's too.
  if (file && is_foreign(*context_, *file, plan.folder)) return std::nullopt;
  // A tracked plan whose file is gone is still a plan.
  if ((!file || file->kind == FileKind::missing) && !store::open_tracking(**folder, plan.name))
    return std::nullopt;
  identify(*context_, plan);
  return plan;
}

std::vector<PlanLocation> ProjectPlans::all() const {
  std::vector<PlanLocation> plans;
  for (const KnownPlan& known : list_.plans) {
    if (auto plan = located(known.path)) plans.push_back(std::move(*plan));
  }
  return plans;
}

std::vector<PlanLocation> ProjectPlans::not_over(base::Instant now) const {
  std::vector<PlanLocation> plans;
  for (const KnownPlan& known : list_.plans) {
    PlanStanding standing;
    standing.archived = known.archived;
    if (known.complete) {
      standing.complete = true;
      standing.last_saved = *known.complete;
    }
    if (is_over(standing, now)) {
      if (known.archived || !is_touched(known)) continue;
    }
    auto plan = located(known.path);
    if (plan && !is_in_archive_folder(plan->folder)) plans.push_back(std::move(*plan));
  }
  return plans;
}

std::vector<PlanLocation> ProjectPlans::without_records() const {
  std::vector<PlanLocation> plans;
  for (const KnownPlan& known : list_.plans) {
    if (!is_unfinished(known) && (known.archived || !is_touched(known))) continue;
    auto plan = located(known.path);
    if (!plan || is_in_archive_folder(plan->folder)) continue;
    const auto folder = context_->files.open_folder(plan->folder);
    if (folder && !store::open_tracking(**folder, plan->name)) plans.push_back(std::move(*plan));
  }
  return plans;
}

std::vector<PlanLocation> ProjectPlans::without_anything() const {
  std::vector<PlanLocation> plans;
  for (const KnownPlan& known : list_.plans) {
    if (known.archived || located(known.path)) continue;
    const std::string whole = whole_path(known.path);
    PlanLocation plan{parent_of(whole), last_part(whole)};
    if (!is_wholly_gone(*context_, plan) || is_in_archive_folder(plan.folder)) continue;
    identify(*context_, plan);
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::vector<PlanLocation> ProjectPlans::untracked() const {
  std::vector<PlanLocation> plans;
  for (const std::string& path : list_.untracked) {
    const std::string whole = whole_path(path);
    PlanLocation plan{parent_of(whole), last_part(whole)};
    if (knows(path) || !is_usable_file(*context_, plan).value_or(false)) continue;
    identify(*context_, plan);
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::size_t ProjectPlans::count_unfinished() const {
  return static_cast<std::size_t>(std::count_if(list_.plans.begin(), list_.plans.end(), is_unfinished));
}

std::optional<PlanLocation> ProjectPlans::only_unfinished() const {
  if (count_unfinished() != 1) return std::nullopt;
  return located(std::find_if(list_.plans.begin(), list_.plans.end(), is_unfinished)->path);
}

const KnownPlan* ProjectPlans::entry(const std::string& path) const {
  const auto place = place_of(list_.plans, path);
  return place != list_.plans.end() && place->path == path ? &*place : nullptr;
}

std::optional<PlanLocation> ProjectPlans::named(const std::string& id) const {
  std::vector<PlanLocation> plans;
  plans.reserve(list_.plans.size());
  for (const KnownPlan& known : list_.plans) {
    const std::string whole = whole_path(known.path);
    PlanLocation& plan = plans.emplace_back(PlanLocation{parent_of(whole), last_part(whole)});
    // Only at the root does the name of the repository matter.
    if (plan.folder == root_) identify(*context_, plan);
  }
  const std::vector<std::string> ids = distinct_ids(plans);
  const KnownPlan* meant = nullptr;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (ids[i] != id && plans[i].plan_id() != id) continue;
    if (meant != nullptr) return std::nullopt;
    meant = &list_.plans[i];
  }
  return meant == nullptr ? std::nullopt : located(meant->path);
}

bool ProjectPlans::is_over_as_listed(const PlanLocation& plan) const {
  const KnownPlan* known = entry(path_from(root_, plan));
  if (known == nullptr) return false;
  return known->archived || (known->complete && known->stamp && !is_touched(*known));
}

std::set<std::string> ProjectPlans::folders() const {
  std::set<std::string> folders;
  for (const KnownPlan& plan : list_.plans) {
    const std::size_t slash = plan.path.rfind('/');
    if (slash != std::string::npos) folders.insert(plan.path.substr(0, slash));
  }
  return folders;
}

std::optional<PlanLocation> ProjectPlans::of_session(const std::string& id) const {
  for (auto session = list_.sessions.rbegin(); session != list_.sessions.rend(); ++session) {
    if (session->id == id && !id.empty()) return located(session->plan);
  }
  return std::nullopt;
}

const KnownSession* ProjectPlans::session_around(system::Processes& processes) const {
  if (list_.sessions.empty()) return nullptr;
  for (const std::int64_t process : processes.ancestors()) {
    const auto identity = processes.identity(process);
    if (!identity || identity->empty()) continue;
    for (auto session = list_.sessions.rbegin(); session != list_.sessions.rend(); ++session) {
      if (session->process == *identity) return &*session;
    }
  }
  return nullptr;
}

std::optional<PlanLocation> ProjectPlans::of_session_around(system::Processes& processes) const {
  const KnownSession* const session = session_around(processes);
  return session == nullptr ? std::nullopt : located(session->plan);
}

bool ProjectPlans::is_only_seen(const PlanLocation& plan, base::Instant last_saved) const {
  const KnownPlan* known = entry(path_from(root_, plan));
  return known != nullptr && known->found && last_saved <= *known->found;
}

int ProjectPlans::rank(const PlanLocation& plan, const PlanStanding& standing) const {
  const std::string path = path_from(root_, plan);
  if (!path.empty() && path == list_.begun) return 3;
  const KnownPlan* known = entry(path);
  if (!standing.recorded || (known != nullptr && known->touched)) return 0;
  return is_only_seen(plan, standing.last_saved) ? 1 : 2;
}

void ProjectPlans::take_in(const std::vector<PlanLocation>& plans) const {
  std::vector<PlanLocation> met;
  for (const PlanLocation& plan : plans) {
    const std::string path = path_from(root_, plan);
    if (path.empty() || knows(path) || met.size() == kMostTakenIn) continue;
    const auto folder = context_->files.open_folder(plan.folder);
    if (folder && store::open_tracking(**folder, plan.name)) met.push_back(plan);
  }
  if (met.empty()) return;
  const auto add_met = [&](PlanList& list) {
    refill(*context_, list);
    const std::size_t before = list.plans.size();
    for (const PlanLocation& plan : met) {
      const std::size_t known = list.plans.size();
      KnownPlan& taken = entry_of(list, path_from(root_, plan));
      if (list.plans.size() > known) take_standing(taken, plan_standing(*context_, plan));
    }
    return list.plans.size() > before;
  };
  (void)change_list(*context_, Project(*context_, root_), add_met, std::chrono::milliseconds(0));
}

void ProjectPlans::note(const Context& context, const PlanLocation& plan, const PlanStanding& standing,
                        Tracked why) {
  const Project project(context, plan.folder);
  const std::string path = path_from(project.root(), plan);
  if (path.empty()) return;
  (void)change_list(context, project, [&](PlanList& list) {
    const auto place = place_of(list.plans, path);
    const bool listed = place != list.plans.end() && place->path == path;
    refill(context, list);
    const PlanList before = list;
    KnownPlan& noted = entry_of(list, path);
    if (!listed) {
      if (why == Tracked::found) noted.found = standing.last_saved;
      noted.touched = why == Tracked::touched;
      if (why == Tracked::begun && standing.unfinished() && list.begun != path) list.begun.clear();
    }
    take_standing(noted, standing);
    return list != before;
  });
}

void ProjectPlans::note_begun(const Context& context, const PlanLocation& plan) {
  const Project project(context, plan.folder);
  const std::string path = path_from(project.root(), plan);
  if (path.empty()) return;
  (void)change_list(context, project, [&](PlanList& list) {
    refill(context, list);
    const PlanList before = list;
    KnownPlan& noted = entry_of(list, path);
    if (list.plans.size() > before.plans.size()) take_standing(noted, plan_standing(context, plan));
    noted.found.reset();
    noted.touched = false;
    list.begun = path;
    return list != before;
  });
}

void ProjectPlans::note_move(const Context& context, const PlanLocation& from, const PlanLocation& to) {
  const Project project(context, from.folder);
  const std::string old_path = path_from(project.root(), from);
  const std::string new_path = path_from(project.root(), to);  // empty: in another project
  if (old_path.empty() || old_path == new_path) return;
  (void)change_list(context, project, [&](PlanList& list) {
    refill(context, list);
    const PlanList before = list;
    const auto old = place_of(list.plans, old_path);
    const bool listed = old != list.plans.end() && old->path == old_path;
    const auto moved = place_of(list.plans, new_path);
    if (listed && moved != list.plans.end() && moved->path == new_path) {
      moved->found = old->found;
      moved->touched = old->touched;
    }
    if (list.begun == old_path) list.begun = new_path;
    if (listed) list.plans.erase(old);
    for (KnownSession& session : list.sessions) {
      if (session.plan == old_path) session.plan = new_path;
    }
    std::erase_if(list.sessions, [](const KnownSession& known) { return known.plan.empty(); });
    return list != before;
  });
}

void ProjectPlans::note_untracked(const Context& context, const Project& project,
                                  std::vector<std::string> paths) {
  (void)change_list(context, project, [&](PlanList& list) {
    refill(context, list);
    std::erase_if(paths, [&list](const std::string& path) {
      const auto place = place_of(list.plans, path);
      return place != list.plans.end() && place->path == path;
    });
    if (paths == list.untracked) return false;
    list.untracked = std::move(paths);
    return true;
  });
}

void ProjectPlans::note_session(const Context& context, const PlanLocation& plan, const std::string& id,
                                const std::string& process) {
  const Project project(context, plan.folder);
  KnownSession session{id, process, path_from(project.root(), plan)};
  constexpr std::size_t kLongestId = 256;  // no client has longer ones
  if (id.empty() || id.size() > kLongestId || session.plan.empty() ||
      base::find_invalid_utf8(id) != std::string::npos)
    return;
  // Mostly it is known: that takes no lock.
  if (const auto place = list_place(context, project, false)) {
    const auto list = read_list(*place, project.root());
    if (list && !list->sessions.empty() && list->sessions.back() == session) return;
  }
  (void)change_list(context, project, [&](PlanList& list) {
    refill(context, list);
    // A plan that is met is taken in.
    const std::size_t plans = list.plans.size();
    KnownPlan& met = entry_of(list, session.plan);
    if (list.plans.size() > plans) take_standing(met, plan_standing(context, plan));
    met.found.reset();
    met.touched = false;
    std::erase_if(list.sessions, [&id](const KnownSession& known) { return known.id == id; });
    list.sessions.push_back(session);
    if (list.sessions.size() > kMostKnownSessions) list.sessions.erase(list.sessions.begin());
    return true;
  });
}

Status ProjectPlans::replace(const Context& context, const Project& project,
                             const std::vector<PlanLocation>& plans) {
  return change_list(context, project, [&](PlanList& list) {
    PlanList fresh;
    for (const PlanLocation& plan : plans) {
      const std::string path = path_from(project.root(), plan);
      if (path.empty() || fresh.plans.size() == kMostKnownPlans) continue;
      KnownPlan& taken = entry_of(fresh, path);
      const auto known = place_of(list.plans, path);
      if (known != list.plans.end() && known->path == path) taken = *known;
      take_standing(taken, plan_standing(context, plan));
    }
    const bool changed = fresh.plans != list.plans;
    list.plans = std::move(fresh.plans);
    return changed;
  });
}

}  // namespace plankeep::app
