#include "project/plan_location.hpp"

#include <algorithm>

#include "project/discover.hpp"
#include "project/known_folders.hpp"
#include "project/plan_id.hpp"
#include "project/plan_standing.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

// "a/b/../c" and doubled slashes straightened without looking at the disk.
std::string straighten(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, slash - at);
    at = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string straight;
  for (const std::string& part : parts) straight += "/" + part;
  return straight.empty() ? "/" : straight;
}

}  // namespace

std::string PlanLocation::plan_id() const {
  if (!id.empty()) return id;
  if (name.empty() || is_general_plan_name(name)) return folder_id();
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string PlanLocation::folder_id() const {
  const std::string own = last_part(folder);
  return own.empty() ? "plan" : own;
}

std::string absolute_path(const Context& context, const std::string& path) {
  if (!path.empty() && path.front() == '/') return path;
  const std::string base = context.environment.working_directory();
  return path.empty() ? base : (base == "/" ? "/" + path : base + "/" + path);
}

void sort_by_path(std::vector<PlanLocation>& plans) {
  std::sort(plans.begin(), plans.end(),
            [](const PlanLocation& a, const PlanLocation& b) { return a.path() < b.path(); });
  plans.erase(std::unique(plans.begin(), plans.end()), plans.end());
}

std::vector<PlanLocation> same_place_in(const std::vector<std::string>& tops, const std::string& top,
                                        const PlanLocation& plan) {
  std::vector<PlanLocation> places;
  const std::string below = path_below(plan.path(), top);
  if (below.empty()) return places;
  for (const std::string& other : tops) {
    const std::string path = (other == "/" ? other : other + "/") + below;
    places.push_back({parent_of(path), last_part(path)});
  }
  return places;
}

bool is_markdown_name(std::string_view name) {
  return name.ends_with(".md") || name.ends_with(".markdown") || name.ends_with(".MD");
}

bool stands_in(std::string_view path, std::string_view folder) {
  if (folder == "/" || path == folder) return true;
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

std::string path_below(std::string_view path, std::string_view folder) {
  if (path == folder || !stands_in(path, folder)) return {};
  return std::string(path.substr(folder == "/" ? 1 : folder.size() + 1));
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos || slash == 0) return "/";
  return path.substr(0, slash);
}

std::string last_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string shown_path(const Context& context, const std::string& path) {
  std::string here = context.environment.working_directory();
  if (const auto real = context.files.real_path(here)) here = *real;
  if (here != "/") here += '/';
  if (path.size() > here.size() && path.compare(0, here.size(), here) == 0) return path.substr(here.size());
  return path;
}

Result<TrackingProbe> inspect_tracking(system::Folder& folder, std::string_view name) {
  auto probe = store::find_tracking(folder, name);
  if (probe || probe.error().kind == ErrorKind::io) return probe;
  return TrackingProbe();
}

Result<bool> is_usable_file(const Context& context, const PlanLocation& plan) {
  const auto info = context.files.info(plan.path());
  if (!info && info.error().kind == ErrorKind::io) return base::fail(info.error());
  return info && info->kind == system::FileKind::regular && !is_foreign(context, *info, plan.folder);
}

namespace {

// plan.md, in any letter case.
Result<std::vector<std::string>> default_plans(const Context& context, const std::string& path,
                                               system::Folder& folder) {
  TRY_ASSIGN(const auto names, folder.list());
  std::vector<std::string> plans;
  for (const std::string& name : names) {
    if (!is_default_plan_name(name)) continue;
    TRY_ASSIGN(const bool usable, is_usable_file(context, PlanLocation{path, name}));
    if (usable) plans.push_back(name);
  }
  return plans;
}

base::Error several_in(const Context& context, const std::string& path,
                       const std::vector<std::string>& names) {
  std::string message = "several plans in " + shown_path(context, path) + ":";
  for (const std::string& name : names)
    message += "\n" + shown_path(context, PlanLocation{path, name}.path());
  return {ErrorKind::ambiguous,
          std::move(message),
          {},
          "give one: --plan FILE, or choose one for this project: plankeep use FILE"};
}

}  // namespace

Result<std::optional<FoundPlan>> plan_in_folder(const Context& context, const std::string& path) {
  // A folder that is not there holds no plan. One that cannot be read may: to pass over it would be to guess.
  const auto real = context.files.real_path(path);
  if (!real && real.error().kind == ErrorKind::not_found) return std::optional<FoundPlan>{};
  if (!real) return base::fail(real.error());
  return plan_in_real_folder(context, *real);
}

Result<std::vector<FoundPlan>> plans_in_real_folder(const Context& context, const std::string& path) {
  std::vector<FoundPlan> plans;
  auto folder = context.files.open_folder(path);
  if (!folder && folder.error().kind == ErrorKind::not_found) return plans;
  if (!folder) return base::fail(std::move(folder.error()));
  TRY(settle_tracking(context, path, **folder));
  TrackingProbe top;
  TRY_ASSIGN(std::vector<std::string> names, store::tracked_files(**folder, &top));
  const bool tracked = !names.empty();
  if (!tracked) {
    TRY_ASSIGN(names, default_plans(context, path, **folder));
    if (names.size() > 1) return base::fail(several_in(context, path, names));
  }
  for (std::string& name : names) {
    FoundPlan& found = plans.emplace_back(FoundPlan{{path, std::move(name)}});
    found.tracked = tracked;
    identify(context, found.plan);
  }
  // Only of one is it kept: there may be more than a process may have files open.
  if (plans.size() != 1) return plans;
  TrackingProbe probe = std::move(top);
  if (!probe.folder) {
    TRY_ASSIGN(probe, inspect_tracking(**folder, plans.front().plan.name));
  }
  if (probe.folder) plans.front().opened = {std::move(*folder), std::move(probe)};
  return plans;
}

Result<std::optional<FoundPlan>> plan_in_real_folder(const Context& context, const std::string& path) {
  TRY_ASSIGN(std::vector<FoundPlan> plans, plans_in_real_folder(context, path));
  offer_untracked(context, path, plans);
  if (plans.empty()) return std::optional<FoundPlan>{};
  if (plans.size() == 1) return std::optional(std::move(plans.front()));
  std::vector<std::string> names;
  FoundPlan* going_on = nullptr;
  for (FoundPlan& found : plans) {
    if (!plan_standing(context, found.plan).active()) continue;
    names.push_back(found.plan.name);
    going_on = &found;
  }
  if (names.size() == 1) return std::optional(std::move(*going_on));
  if (names.empty()) {
    // None is active, so one whose file is there is meant before those that are gone.
    for (FoundPlan& found : plans) {
      if (plan_standing(context, found.plan).missing) continue;
      names.push_back(found.plan.name);
      going_on = &found;
    }
    if (names.size() == 1) return std::optional(std::move(*going_on));
  }
  if (names.empty()) {
    for (const FoundPlan& found : plans) names.push_back(found.plan.name);
  }
  return base::fail(several_in(context, path, names));
}

namespace {

FoundPlan found_at(const Context& context, const std::string& folder, const std::string& name) {
  FoundPlan found{{folder, name}};
  identify(context, found.plan);
  return found;
}

}  // namespace

Result<FoundPlan> plan_at(const Context& context, const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return base::fail(ErrorKind::invalid_input, "the path is empty", "give a file or a folder");
  }
  const std::string absolute = absolute_path(context, path);
  const auto info = context.files.info(absolute);
  if (!info && info.error().kind != ErrorKind::not_found) return base::fail(info.error());
  const system::FileKind kind = info ? info->kind : system::FileKind::missing;

  if (kind == system::FileKind::directory) {
    TRY_ASSIGN(auto plan, plan_in_folder(context, absolute));
    if (plan) return std::move(*plan);
    return base::fail(ErrorKind::not_found, "no plan in " + path,
                      "it has no file named plan.md; to track another file: plankeep init FILE");
  }

  const std::string straight = straighten(absolute);
  const std::string name = last_part(straight);
  const auto parent =
      context.files.real_path(kind == system::FileKind::missing ? parent_of(straight) : parent_of(absolute));
  if (kind == system::FileKind::missing) {
    // A tracked plan whose file is gone is still a plan: its state says what was done (spec 6.5).
    if (parent) {
      if (auto folder = context.files.open_folder(*parent)) {
        TRY_ASSIGN(const TrackingProbe probe, inspect_tracking(**folder, name));
        if (probe.folder) return found_at(context, *parent, name);
      }
    }
    return base::fail(ErrorKind::not_found, "cannot read " + path + ": no such file",
                      "check the path, or omit it to use the plan in this folder");
  }
  if (kind != system::FileKind::regular) {
    return base::fail(ErrorKind::invalid_input, path + " is not a regular file",
                      "a plan is one Markdown file");
  }
  if (!parent) return base::fail(parent.error());
  if (const auto folder = context.files.open_folder(*parent))
    TRY(settle_tracking(context, *parent, **folder));
  return found_at(context, *parent, name);
}

}  // namespace plankeep::app
