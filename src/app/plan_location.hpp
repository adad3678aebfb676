#pragma once
// Where a plan lives: the folder that holds it and its name there.
//
// `folder` is absolute and free of symbolic links; `name` is the file's own name, which may be a link
// (store/plan_file follows it). The folder's name is the plan's id (spec 2). One folder tracks one plan file.

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/result.hpp"

namespace plankeep::app {

struct PlanLocation {
  std::string folder;
  std::string name;

  std::string path() const { return folder == "/" ? "/" + name : folder + "/" + name; }
  /// The folder's name; "plan" for the root folder.
  std::string plan_id() const;
  bool operator==(const PlanLocation&) const = default;
};

/// "plan.md" in any letter case.
bool is_default_plan_name(std::string_view name);

/// The file that the tracking folder in `folder` says it tracks: the last part of planPath in state.json,
/// else in the newest recovery copy that names one. nullopt when nothing is tracked there or no file names
/// it. Reads the first bytes of those files only and does not judge the rest of them.
[[nodiscard]] base::Result<std::optional<std::string>> tracked_name(system::Folder& folder);

/// The plan of a folder: the tracked file, else the file named plan.md. nullopt when there is none;
/// `ambiguous` when plan.md and, say, PLAN.md both stand there. A folder that cannot be opened or read has no
/// plan.
[[nodiscard]] base::Result<std::optional<PlanLocation>> plan_in_folder(const Context& context,
                                                                       const std::string& path);

/// The plan that a person named: a file (any Markdown file, also one that is gone but tracked) or a folder.
/// Relative paths count from the working directory. not_found with a hint otherwise.
[[nodiscard]] base::Result<PlanLocation> plan_at(const Context& context, const std::string& path);

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
