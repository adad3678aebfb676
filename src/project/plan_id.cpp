#include "project/plan_id.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "project/git_directory.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

constexpr std::uint64_t kConfigurationLimit = base::kLargestSmallFile;

// A value as git reads it: without quotes, escapes and a comment behind it.
std::string value_of(std::string_view text) {
  std::string value;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      value += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '#' || c == ';')) {
      break;
    } else {
      value += c;
    }
  }
  return std::string(base::trimmed(value));
}

std::optional<std::string> first_line(const Context& context, const std::string& folder,
                                      std::string_view name, std::uint64_t limit) {
  const auto opened = context.files.open_folder(folder);
  if (!opened) return std::nullopt;
  auto text = (*opened)->read(name, limit);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

struct GitFolders {
  std::string common;      // what all work trees of the repository share
  bool submodule = false;  // a repository of its own inside another one's git directory
};

// `root` holds a .git.
std::optional<GitFolders> git_folders(const Context& context, const std::string& root) {
  const std::optional<GitDirectory> own = git_directory_of(context, root);
  if (!own) return std::nullopt;
  if (!own->linked) return GitFolders{own->path, false};
  const std::string common = common_git_directory(context, own->path);
  return GitFolders{common, common == own->path};
}

std::string repository_name(const Context& context, const std::string& root) {
  const auto folders = git_folders(context, root);
  if (!folders) return {};
  if (const auto text = first_line(context, folders->common, "config", kConfigurationLimit)) {
    std::string name = repository_name_in(origin_in(*text));
    if (!name.empty()) return name;
  }
  return folders->submodule ? std::string() : repository_name_in(folders->common);
}

std::string without_extension(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

// Of several general names in one folder only plan.md can be called after it.
std::string id_in_folder(const PlanLocation& plan, const std::vector<PlanLocation>& plans) {
  std::string id = plan.plan_id();
  if (store::is_default_plan_name(plan.name)) return id;
  const bool taken = std::any_of(plans.begin(), plans.end(), [&](const PlanLocation& other) {
    return other.folder == plan.folder && other.name != plan.name && other.plan_id() == id;
  });
  return taken ? without_extension(plan.name) : id;
}

// The last `count` parts of the folder that a plan's id comes from, before its id.
std::string with_folders(const PlanLocation& plan, const std::string& id, std::size_t count) {
  std::string shown = id;
  std::string at = plan.folder;
  // A general name took its folder's, unless the repository has another.
  const bool general = is_general_plan_name(plan.name) && id != without_extension(plan.name);
  if (general && id == plan.folder_id()) at = parent_of(at);
  for (; count > 0 && at != "/" && !at.empty(); --count, at = parent_of(at))
    shown = last_part(at) + "/" + shown;
  return shown;
}

}  // namespace

bool is_general_plan_name(std::string_view name) {
  constexpr std::array<std::string_view, 8> kGeneral{"plan.md",     "tasks.md",     "task_plan.md",
                                                     "fix_plan.md", "@fix_plan.md", "implementation_plan.md",
                                                     "todo.md",     "prd.md"};
  const std::string lower = base::to_lower(name);
  return std::find(kGeneral.begin(), kGeneral.end(), lower) != kGeneral.end();
}

std::string origin_in(std::string_view configuration) {
  std::string url;
  bool origin = false;
  while (!configuration.empty()) {
    const std::size_t end = std::min(configuration.find('\n'), configuration.size());
    const std::string_view line = base::trimmed(configuration.substr(0, end));
    configuration.remove_prefix(std::min(end + 1, configuration.size()));
    if (line.starts_with('[')) {
      origin = line.starts_with("[remote \"origin\"]");
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!origin || equals == std::string_view::npos) continue;
    if (base::to_lower(base::trimmed(line.substr(0, equals))) == "url")
      url = value_of(base::trimmed(line.substr(equals + 1)));
  }
  return url;
}

std::string repository_name_in(std::string_view place) {
  constexpr std::string_view kGit = ".git";
  const auto trim = [&place] {
    while (place.size() > 1 && place.ends_with('/')) place.remove_suffix(1);
  };
  trim();
  if (place.ends_with("/.git")) place.remove_suffix(kGit.size());
  trim();
  const std::size_t start = place.find_last_of("/:");
  std::string_view name = start == std::string_view::npos ? place : place.substr(start + 1);
  if (name.ends_with(kGit)) name.remove_suffix(kGit.size());
  return std::string(name);
}

void identify(const Context& context, PlanLocation& plan) {
  if (!plan.id.empty() || !is_general_plan_name(plan.name)) return;
  if (!holds_git(context, plan.folder)) return;
  plan.id = repository_name(context, plan.folder);
}

std::vector<std::string> distinct_ids(const std::vector<PlanLocation>& plans) {
  constexpr std::size_t kMostFolders = 32;
  std::vector<std::string> ids;
  ids.reserve(plans.size());
  for (const PlanLocation& plan : plans) ids.push_back(id_in_folder(plan, plans));
  const std::vector<std::string> own = ids;
  for (std::size_t above = 1; above <= kMostFolders; ++above) {
    std::map<std::string_view, int> seen;
    for (const std::string& id : ids) ++seen[id];
    std::vector<std::string> next = ids;
    bool again = false;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (seen[ids[i]] < 2) continue;
      next[i] = with_folders(plans[i], own[i], above);
      again = true;
    }
    if (!again) return ids;
    ids = std::move(next);
  }
  // A work tree "a" of the repository "shop" beside a/shop/plan.md: no folders help.
  std::map<std::string_view, int> seen;
  for (const std::string& id : ids) ++seen[id];
  std::vector<std::string> last = ids;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (seen[ids[i]] > 1) last[i] = plans[i].path();
  }
  return last;
}

std::string id_in_own_folder(const Context& context, const PlanLocation& plan) {
  if (!is_general_plan_name(plan.name) || store::is_default_plan_name(plan.name)) return plan.plan_id();
  const auto folder = context.files.open_folder(plan.folder);
  const auto names = folder ? store::tracked_files(**folder) : base::fail(folder.error());
  if (!names) return plan.plan_id();
  std::vector<PlanLocation> plans;
  for (const std::string& name : *names) {
    PlanLocation& one = plans.emplace_back(PlanLocation{plan.folder, name});
    if (is_general_plan_name(name)) one.id = plan.id;
  }
  return id_in_folder(plan, plans);
}

}  // namespace plankeep::app
