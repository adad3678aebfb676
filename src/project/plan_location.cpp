#include "project/plan_location.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/utf8.hpp"
#include "project/known_folders.hpp"
#include "rules/recovery_policy.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

// A state of a few hundred tasks: read whole, since what follows is mostly a sync, which wants all of it.
constexpr std::uint64_t kSmallState = std::uint64_t{64} << 10;
// Of larger ones and of recovery copies only the beginning: planPath is the third key that we write. A file
// in which something else put more than this in front is read whole.
constexpr std::uint64_t kFirstLook = 4096;

// The value of planPath, at the top or inside "state" (recovery copies). The reader stops there: what follows
// may be long, or damaged.
std::optional<std::string> find_plan_path(std::string_view json, bool inside_state) {
  std::optional<std::string> found;
  base::JsonReader in(json);
  const auto stop = [&in] { return base::Status(in.error("nothing more")); };
  const auto field = [&](std::string_view key) -> base::Status {
    if (key != "planPath") return in.skip();
    std::string value;
    TRY(in.string(value));
    found = std::move(value);
    return stop();
  };
  const base::Status read = in.object([&](std::string_view key) -> base::Status {
    if (!inside_state) return field(key);
    return key == "state" ? in.object(field) : in.skip();
  });
  // Stopping is an error to the reader; a damaged file simply names nothing.
  (void)read;
  return found;
}

// The last part of a planPath that can be one.
std::optional<std::string> name_in_path(const std::optional<std::string>& path) {
  if (!path || !path->starts_with('/')) return std::nullopt;
  std::string name = last_part(*path);
  if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos)
    return std::nullopt;
  return name;
}

std::optional<std::string> name_in_file(system::Folder& tracking, std::string_view file, bool inside_state) {
  const auto head = tracking.read_range(file, 0, kFirstLook);
  if (!head) return std::nullopt;
  auto path = find_plan_path(*head, inside_state);
  if (!path && head->size() == kFirstLook) {
    const auto whole = tracking.read(file, store::kJsonLimit);
    if (whole) path = find_plan_path(*whole, inside_state);
  }
  return name_in_path(path);
}

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
  const std::string id = last_part(folder);
  return id.empty() ? "plan" : id;
}

bool is_default_plan_name(std::string_view name) {
  const std::string_view wanted = store::kDefaultPlanName;
  return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(), [](char a, char b) {
    const char lower = a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a;
    return lower == b;
  });
}

std::string absolute_path(const Context& context, const std::string& path) {
  if (!path.empty() && path.front() == '/') return path;
  const std::string base = context.environment.working_directory();
  return path.empty() ? base : (base == "/" ? "/" + path : base + "/" + path);
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

Result<TrackingProbe> inspect_tracking(system::Folder& folder) {
  TrackingProbe probe;
  auto tracking = folder.open_folder(store::kTrackingFolder);
  if (!tracking && tracking.error().kind == ErrorKind::io) return base::fail(std::move(tracking.error()));
  if (!tracking) return probe;
  probe.folder = std::move(*tracking);
  auto state = probe.folder->read_with_info(store::kState, kSmallState);
  if (state) {
    probe.tracked = name_in_path(find_plan_path(state->bytes, false));
    probe.state = std::move(*state);
  } else if (state.error().kind == ErrorKind::invalid_input) {  // larger
    probe.tracked = name_in_file(*probe.folder, store::kState, false);
  }
  for (int generation = 0; generation < core::kRecoveryGenerations && !probe.tracked; ++generation) {
    probe.tracked = name_in_file(*probe.folder, store::recovery_name(generation), true);
  }
  return probe;
}

Result<std::optional<std::string>> tracked_name(system::Folder& folder) {
  TRY_ASSIGN(TrackingProbe probe, inspect_tracking(folder));
  return std::move(probe.tracked);
}

Result<std::optional<FoundPlan>> plan_in_folder(const Context& context, const std::string& path) {
  // A folder that is not there holds no plan. One that cannot be read may: to pass over it would be to guess.
  const auto real = context.files.real_path(path);
  if (!real && real.error().kind == ErrorKind::not_found) return std::optional<FoundPlan>{};
  if (!real) return base::fail(real.error());
  return plan_in_real_folder(context, *real);
}

Result<std::optional<FoundPlan>> plan_in_real_folder(const Context& context, const std::string& path) {
  auto folder = context.files.open_folder(path);
  if (!folder && folder.error().kind == ErrorKind::not_found) return std::optional<FoundPlan>{};
  if (!folder) return base::fail(std::move(folder.error()));
  TRY(settle_tracking(context, path, **folder));
  TRY_ASSIGN(TrackingProbe tracking, inspect_tracking(**folder));
  if (tracking.tracked) {
    PlanLocation plan{path, *tracking.tracked};
    return std::optional(FoundPlan{std::move(plan), {std::move(*folder), std::move(tracking)}});
  }

  TRY_ASSIGN(const auto names, (*folder)->list());
  std::vector<std::string> plans;
  for (const std::string& name : names) {
    if (!is_default_plan_name(name)) continue;
    const auto info = context.files.info(PlanLocation{path, name}.path());
    if (!info && info.error().kind == ErrorKind::io) return base::fail(info.error());
    if (info && info->kind == system::FileKind::regular && !is_foreign(context, *info, path))
      plans.push_back(name);
  }
  if (plans.empty()) return std::optional<FoundPlan>{};
  if (plans.size() > 1) {
    std::string message = "several plans in " + shown_path(context, path) + ":";
    for (const std::string& name : plans)
      message += "\n" + shown_path(context, PlanLocation{path, name}.path());
    return base::fail(ErrorKind::ambiguous, std::move(message), "give one: --plan FILE");
  }
  return std::optional(FoundPlan{{path, plans.front()}});
}

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
        TRY_ASSIGN(auto tracked, tracked_name(**folder));
        if (tracked && *tracked == name) return FoundPlan{{*parent, name}};
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
  return FoundPlan{{*parent, name}};
}

}  // namespace plankeep::app
