#pragma once
// Where a plan lives: the folder that holds it and its name there.
//
// `folder` is absolute and free of symbolic links; `name` is the file's own name, which may be a link
// (store/plan_file follows it). The folder's name is the plan's id (spec 2). One folder tracks one plan file.
//
// A location is a plain value. What the search for a plan opened comes beside it, in a FoundPlan, and is
// moved into the work that follows at once (tracking/plan_work); whoever comes later opens the folder again.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// What stands in a tracking folder, as far as a first look tells.
struct TrackingProbe {
  std::unique_ptr<system::Folder> folder;  // null when there is none that can be opened
  /// The file that it says it tracks: the last part of planPath in state.json, else in the newest recovery
  /// copy that names one. The rest of those files is not judged.
  std::optional<std::string> tracked;
  std::optional<system::FileContent> state;  // state.json, if it was small enough to be read whole
};

struct PlanLocation {
  std::string folder;
  std::string name;

  std::string path() const { return folder == "/" ? "/" + name : folder + "/" + name; }
  /// The folder's name; "plan" for the root folder.
  std::string plan_id() const;
  bool operator==(const PlanLocation&) const = default;
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
};

/// "plan.md" in any letter case.
bool is_default_plan_name(std::string_view name);

/// The tracking folder in `folder`. Errors: io.
[[nodiscard]] base::Result<TrackingProbe> inspect_tracking(system::Folder& folder);

/// The file that is tracked in `folder`; nullopt when nothing is tracked there or no file names it.
[[nodiscard]] base::Result<std::optional<std::string>> tracked_name(system::Folder& folder);

/// The plan of a folder: the tracked file, else the file named plan.md. nullopt when there is none, or only
/// one of another user in a folder that is not ours (project/known_folders: it has to be named); `ambiguous`
/// when plan.md and, say, PLAN.md both stand there. A folder that cannot be opened or read has no plan.
[[nodiscard]] base::Result<std::optional<FoundPlan>> plan_in_folder(const Context& context,
                                                                    const std::string& path);
/// The same for a path that is absolute and free of symbolic links already.
[[nodiscard]] base::Result<std::optional<FoundPlan>> plan_in_real_folder(const Context& context,
                                                                         const std::string& path);

/// The plan that a person named: a file (any Markdown file, also one that is gone but tracked) or a folder.
/// Relative paths count from the working directory. not_found with a hint otherwise.
[[nodiscard]] base::Result<FoundPlan> plan_at(const Context& context, const std::string& path);

/// `path` against the working directory; lexical, nothing is looked up.
std::string absolute_path(const Context& context, const std::string& path);
/// "/a/b" of "/a/b/c"; "/" of "/a" and "/".
std::string parent_of(const std::string& path);
/// "c" of "/a/b/c".
std::string last_part(const std::string& path);

/// As short as it is right: relative to the working directory when the file stands in or below it, else
/// absolute.
std::string shown_path(const Context& context, const std::string& path);

}  // namespace plankeep::app
