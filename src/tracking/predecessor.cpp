#include "tracking/predecessor.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "markdown/parse_plan.hpp"
#include "project/discover.hpp"
#include "project/known_folders.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "rules/matching/predecessor.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// Untracked files that are compared with a missing plan, at most.
constexpr std::size_t kMostSuccessors = 32;
constexpr std::uint64_t kLargestSuccessor = std::uint64_t{1} << 20;

base::Error several_gone(const std::vector<std::string>& names, const std::string& name) {
  std::string list;
  for (const std::string& gone : names) list += (list.empty() ? "" : ", ") + gone;
  return {
      ErrorKind::conflict,
      name + " may be any of these plans, which no longer exist: " + list,
      {},
      "archive those that are over (plankeep archive " + names.front() + "), then: plankeep init " + name};
}

// Checks whether an untracked file is a missing plan that was renamed or moved.
class Successors {
 public:
  Successors(const Context& context, core::GonePlan gone) : context_(context), gone_{std::move(gone)} {}

  bool may_be(system::Folder& folder, const std::string& name) {
    if (looked_at_ == kMostSuccessors) return false;
    const auto info = folder.info(name);
    if (!info || info->kind != system::FileKind::regular || info->size > kLargestSuccessor) return false;
    ++looked_at_;
    const auto text = store::PlanFile(context_.files, folder, name).read();
    if (!text) return false;
    const auto plan = markdown::parse_plan(text->bytes);
    return plan && !core::predecessors_of(*plan, base::short_checksum(text->bytes), gone_).empty();
  }

 private:
  const Context& context_;
  std::vector<core::GonePlan> gone_;
  std::size_t looked_at_ = 0;
};

}  // namespace

bool is_gone(system::Folder& folder, std::string_view name) {
  const auto info = folder.info(name);
  return info && info->kind == system::FileKind::missing;
}

Result<std::vector<std::string>> gone_plans(system::Folder& folder) {
  TRY_ASSIGN(std::vector<std::string> names, store::tracked_files(folder));
  std::erase_if(names, [&folder](const std::string& name) { return !is_gone(folder, name); });
  return names;
}

Result<std::optional<std::string>> predecessor_of(system::Folder& folder, const PlanLocation& location,
                                                  const core::Plan& plan, const std::string& bytes) {
  std::vector<core::GonePlan> gone;
  TRY_ASSIGN(const std::vector<std::string> names, gone_plans(folder));
  for (const std::string& name : names) {
    const PlanLocation before{location.folder, name};
    const auto tracking = store::open_tracking(folder, name);
    // What cannot be read tells nothing, and stays as it is.
    if (!tracking) continue;
    auto loaded = load_state(**tracking, before);
    if (!loaded || !loaded->state) continue;
    gone.push_back({name, std::move(*loaded->state)});
  }
  if (gone.empty()) return std::optional<std::string>();
  const std::vector<std::size_t> meant = core::predecessors_of(plan, base::short_checksum(bytes), gone);
  if (meant.empty()) return std::optional<std::string>();
  if (meant.size() == 1) return std::optional(gone[meant.front()].name);
  std::vector<std::string> several;
  several.reserve(meant.size());
  for (const std::size_t index : meant) several.push_back(gone[index].name);
  return base::fail(several_gone(several, location.name));
}

std::string renamed_words(const Context& context, const PlanLocation& gone) {
  const auto folder = context.files.open_folder(gone.folder);
  if (!folder || !is_gone(**folder, gone.name)) return {};
  const auto tracking = store::open_tracking(**folder, gone.name);
  auto loaded = tracking ? load_state(**tracking, gone) : base::fail(tracking.error());
  const auto tracked = store::tracked_files(**folder);
  const auto names = (*folder)->list();
  if (!loaded || !loaded->state || !tracked || !names) return {};
  Successors successors(context, {gone.name, std::move(*loaded->state)});
  for (const std::string& name : *names) {
    if (!is_markdown_name(name) || std::find(tracked->begin(), tracked->end(), name) != tracked->end())
      continue;
    if (successors.may_be(**folder, name))
      return "if it was renamed: plankeep init " + shown_path(context, gone.folder + "/" + name);
  }
  for (const PlanChoice& choice : untracked_choices(context, gone.folder)) {
    if (choice.plan.folder == gone.folder) continue;
    const auto there = context.files.open_folder(choice.plan.folder);
    if (there && successors.may_be(**there, choice.plan.name))
      return "if it was moved: plankeep init " + shown_path(context, choice.plan.path());
  }
  return {};
}

std::string remedy_of(const Context& context, const Outcome& outcome) {
  std::string renamed = renamed_words(context, outcome.plan);
  return renamed.empty() ? outcome.remedy : renamed;
}

Status take_over_records(system::Folder& folder, const std::string& from, const std::string& to) {
  TRY_ASSIGN(const auto tracking, store::open_tracking(folder, from));
  TRY_ASSIGN(const auto top, store::open_top_tracking(folder));
  // Those of .checkpoint itself stay where they are; their state names the new file after the next save.
  if (tracking->path() == top->path()) return {};
  TRY_ASSIGN(const auto lock, store::lock_tracking(*tracking, kTimeout));
  TRY_ASSIGN(const system::FileInfo there, top->info(to));
  if (there.kind != system::FileKind::missing)
    return base::fail(ErrorKind::conflict, top->path_of(to) + " already exists");
  TRY(top->move(from, *top, to));
  return top->sync();
}

namespace {

struct GonePlans {
  std::vector<PlanLocation> places;
  std::vector<core::GonePlan> plans;
};

// Of the project, in other folders.
GonePlans gone_elsewhere(const Context& context, const PlanLocation& location) {
  GonePlans gone;
  const Project project(context, location.folder);
  for (const PlanLocation& plan : ProjectPlans(context, project).all()) {
    if (plan.folder == location.folder) continue;
    const auto folder = context.files.open_folder(plan.folder);
    if (!folder || !is_gone(**folder, plan.name)) continue;
    const auto tracking = store::open_tracking(**folder, plan.name);
    if (!tracking) continue;
    auto loaded = load_state(**tracking, plan);
    if (!loaded || !loaded->state) continue;
    gone.places.push_back(plan);
    gone.plans.push_back({shown_path(context, plan.path()), std::move(*loaded->state)});
  }
  return gone;
}

// All of `names`, or none.
Status move_all(system::Folder& from, system::Folder& to, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    Status moved = from.move(names[i], to, names[i]);
    if (moved) continue;
    while (i-- > 0) TRY(to.move(names[i], from, names[i]));
    return moved;
  }
  return {};
}

// Makes .checkpoint itself, which holds only the records of other plans so far, that of plan.md.
Status move_to_top(system::Folder& old_folder, system::Folder& old_top, system::Folder& tracking,
                   const std::string& below, bool whole, system::Folder& top) {
  TRY_ASSIGN(const std::vector<std::string> names, store::own_entries(tracking));
  TRY(move_all(tracking, top, names));
  TRY(top.sync());
  // An empty folder that stays behind does no harm.
  if (!below.empty()) {
    (void)old_top.remove_folder(below);
  } else if (whole) {
    (void)old_top.remove(store::kGitignore);
    (void)old_folder.remove_folder(store::kTrackingFolder);
    return old_folder.sync();
  }
  return old_top.sync();
}

Status move_records(const Context& context, const PlanLocation& before, system::Folder& folder,
                    const std::string& name) {
  TRY_ASSIGN(const auto old_folder, context.files.open_folder(before.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*old_folder, before.name));
  TRY_ASSIGN(const auto old_top, store::open_top_tracking(*old_folder));
  TRY_ASSIGN(const auto lock, store::lock_tracking(*tracking, kTimeout));
  if (!is_gone(*old_folder, before.name))
    return base::fail(ErrorKind::conflict, before.path() + " is back", "run the command again");
  const bool below = tracking->path() != old_top->path();
  TRY_ASSIGN(const std::vector<std::string> others, store::files_below(*old_top));
  const bool whole = !below && others.empty();
  TRY_ASSIGN(const system::FileInfo there, folder.info(store::kTrackingFolder));
  // plan.md has .checkpoint itself. It is named in the state after the next save.
  const bool to_top = store::is_default_plan_name(name) || (whole && before.name == name);
  if (there.kind == system::FileKind::missing && to_top && (whole || below)) {
    system::Folder& old_place = below ? *old_top : *old_folder;
    const std::string old_name = below ? before.name : std::string(store::kTrackingFolder);
    TRY(old_place.move(old_name, folder, store::kTrackingFolder));
    TRY(folder.sync());
    return old_place.sync();
  }
  TRY_ASSIGN(const auto top, folder.make_folder(store::kTrackingFolder));
  TRY(store::finish_tracking(folder, *top));
  if (store::is_default_plan_name(name)) {
    TRY_ASSIGN(const std::vector<std::string> own, store::own_entries(*top));
    if (own.empty())
      return move_to_top(*old_folder, *old_top, *tracking, below ? before.name : "", whole, *top);
  }
  TRY_ASSIGN(const system::FileInfo taken, top->info(name));
  if (taken.kind != system::FileKind::missing)
    return base::fail(ErrorKind::conflict, top->path_of(name) + " already exists");
  if (below) {
    TRY(old_top->move(before.name, *top, name));
  } else if (whole) {
    TRY(old_folder->move(store::kTrackingFolder, *top, name));
  } else {
    TRY_ASSIGN(const std::vector<std::string> names, store::own_entries(*old_top));
    TRY_ASSIGN(const auto own, top->make_folder(name));
    TRY(move_all(*old_top, *own, names));
    TRY(own->sync());
  }
  TRY(top->sync());
  TRY(old_top->sync());
  return old_folder->sync();
}

}  // namespace

Result<std::optional<PlanLocation>> take_over_from_elsewhere(const Context& context, system::Folder& folder,
                                                             const PlanLocation& location,
                                                             const core::Plan& plan,
                                                             const std::string& bytes) {
  const std::optional<PlanLocation> none;
  if (!is_markdown_name(location.name)) return none;
  const GonePlans gone = gone_elsewhere(context, location);
  if (gone.plans.empty()) return none;
  const std::vector<std::size_t> meant = core::predecessors_of(plan, base::short_checksum(bytes), gone.plans);
  if (meant.empty()) return none;
  if (meant.size() > 1) {
    std::vector<std::string> several;
    several.reserve(meant.size());
    for (const std::size_t index : meant) several.push_back(gone.plans[index].name);
    return base::fail(several_gone(several, shown_path(context, location.path())));
  }
  const PlanLocation& before = gone.places[meant.front()];
  const Status moved = move_records(context, before, folder, location.name);
  if (!moved && moved.error().kind == ErrorKind::invalid_input) return none;
  if (!moved) return base::fail(moved.error());
  remember_tracking(context, location.folder, folder);
  return std::optional(before);
}

}  // namespace plankeep::app
