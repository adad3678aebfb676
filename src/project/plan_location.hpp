#pragma once
// Where a plan lives: the folder that holds it and its name there.
//
// `folder` is absolute and free of symbolic links; `name` is the file's own name, which may be a link
// (store/plan_file follows it). A folder may hold several plans, each with its own tracking folder
// (store/tracking_folder).
//
// A location is a plain value. What the search for a plan opened comes beside it, in a FoundPlan, and is
// moved into the work that follows at once (tracking/plan_work); whoever comes later opens the folder again.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "store/tracking_folder.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// What stands in a plan's tracking folder, as far as a first look tells.
using TrackingProbe = store::TrackingPlace;

struct PlanLocation {
  std::string folder;
  std::string name;
  /// What its repository calls it, where that is known and counts (project/plan_id); else empty.
  std::string id{};

  std::string path() const { return folder == "/" ? "/" + name : folder + "/" + name; }
  /// What people call it: `id`, or what its path tells (project/plan_id).
  std::string plan_id() const;
  /// What earlier versions called it: its folder's name; "plan" for the root folder.
  std::string folder_id() const;
  bool operator==(const PlanLocation& other) const { return folder == other.folder && name == other.name; }
};

/// What was opened on the way to a plan; as old as the search.
struct OpenedPlan {
  std::unique_ptr<system::Folder> folder;  // the plan's; null: nothing was kept open
  TrackingProbe tracking;
};

/// A plan, and what was opened to find it. Moved, never copied: it holds open files.
struct FoundPlan {
  PlanLocation plan;
  OpenedPlan opened{};
  bool tracked = false;  // set by plans_in_real_folder()
  /// Set by discover(): the file that `plankeep use` has chosen, which is gone, so that it is this plan
  /// instead.
  std::string gone_choice{};
};

using store::is_default_plan_name;

/// The tracking folder of the plan of this name in `folder`; anything else of that name is ignored. Errors:
/// io.
[[nodiscard]] base::Result<TrackingProbe> inspect_tracking(system::Folder& folder, std::string_view name);

/// The plans of a folder: the tracked files, else the one named plan.md. Empty when there is none, or only
/// one of another user in a folder that is not ours (project/known_folders: it has to be named); `ambiguous`
/// when plan.md and, say, PLAN.md both stand there and neither is tracked. A folder that cannot be opened or
/// read has none. `path`: absolute and free of symbolic links.
[[nodiscard]] base::Result<std::vector<FoundPlan>> plans_in_real_folder(const Context& context,
                                                                        const std::string& path);

/// The plan of a folder: of those above the only one, else the only active one (project/plan_standing).
/// nullopt when there is none; `ambiguous` when several remain.
[[nodiscard]] base::Result<std::optional<FoundPlan>> plan_in_folder(const Context& context,
                                                                    const std::string& path);
/// The same for a path that is absolute and free of symbolic links already.
[[nodiscard]] base::Result<std::optional<FoundPlan>> plan_in_real_folder(const Context& context,
                                                                         const std::string& path);

/// The plan that a person named: a file (any Markdown file, also one that is gone but tracked) or a folder.
/// Relative paths count from the working directory. not_found with a hint otherwise.
[[nodiscard]] base::Result<FoundPlan> plan_at(const Context& context, const std::string& path);

/// Whether it is a regular file that may be used: not another user's in a folder that is not ours
/// (project/known_folders). Errors: io.
[[nodiscard]] base::Result<bool> is_usable_file(const Context& context, const PlanLocation& plan);

/// The plan at the same place below each of these folders; none where it is not below `top`. Lexical.
std::vector<PlanLocation> same_place_in(const std::vector<std::string>& tops, const std::string& top,
                                        const PlanLocation& plan);

/// By path, each once.
void sort_by_path(std::vector<PlanLocation>& plans);

/// Whether a file's name says that it holds Markdown.
bool is_markdown_name(std::string_view name);

/// `path` against the working directory; lexical, nothing is looked up.
std::string absolute_path(const Context& context, const std::string& path);
/// Whether `path` is `folder` or below it. Both absolute and free of links; lexical.
bool stands_in(std::string_view path, std::string_view folder);
/// "b/c" of "/a/b/c" and "/a". Empty if `path` is not below `folder`. Lexical, as stands_in().
std::string path_below(std::string_view path, std::string_view folder);
/// "/a/b" of "/a/b/c"; "/" of "/a" and "/".
std::string parent_of(const std::string& path);
/// "c" of "/a/b/c".
std::string last_part(const std::string& path);

/// As short as possible: relative to the working directory when the file stands in or below it, else
/// absolute.
std::string shown_path(const Context& context, const std::string& path);

}  // namespace plankeep::app
