#pragma once
// Where everything that we write about a plan stands (spec 2.1): .checkpoint beside it for plan.md, in any
// letter case; .checkpoint/<file name> for every other file of the folder. A .checkpoint that an earlier
// version made for another file, which its state names, goes on to be that file's.
//
// Mode 0700 under umask; both must be real directories: a symlink there is refused (corrupt), so nothing is
// ever written elsewhere. They hold machine-local facts, therefore a .gitignore with "*" in .checkpoint.
//
// Crash: the folder is made, its name synced, and only then .gitignore written (synced). A folder without
// .gitignore may thus be one whose name is not on disk yet; make_tracking finishes the work. A plan's folder
// below is synced as long as it has no history. So whoever is going to write calls make_tracking or
// finish_tracking, or knows that a history is there; it costs one look or two when everything stands.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// "plan.md" in any letter case.
bool is_default_plan_name(std::string_view name);

/// What a first look at a plan's tracking folder tells.
struct TrackingPlace {
  std::unique_ptr<system::Folder> folder;    // null: nothing is recorded of this file
  std::optional<system::FileContent> state;  // its state.json, if it was small enough to be read whole
  /// The other file that .checkpoint itself says it is of, by the last part of planPath in state.json or else
  /// in the newest recovery copy that names one; it may be gone. Looked for only where it matters.
  std::string other;
};
/// Writes nothing. Errors: io, and corrupt where something else stands in the place of the folder.
[[nodiscard]] base::Result<TrackingPlace> find_tracking(system::Folder& plan_folder, std::string_view name);

/// not_found when the plan of this name is not tracked. Writes nothing.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_tracking(system::Folder& plan_folder,
                                                                          std::string_view name);

/// The same, made when missing. invalid_input for a file name that one of our own files has.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> make_tracking(system::Folder& plan_folder,
                                                                          std::string_view name);

/// .checkpoint itself, whichever file it is of. not_found.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_top_tracking(system::Folder& plan_folder);

/// What make_tracking does besides, for a tracking folder that is open already.
[[nodiscard]] base::Status finish_tracking(system::Folder& plan_folder, system::Folder& tracking);

/// The lock of a tracking folder, which all writers hold. Errors: busy after `timeout`, io, and corrupt where
/// something else stands in the place of its file.
[[nodiscard]] base::Result<std::unique_ptr<system::Lock>> lock_tracking(system::Folder& tracking,
                                                                        std::chrono::milliseconds timeout);

/// The files of a folder that are tracked, sorted; they may be gone. One of .checkpoint itself counts only if
/// a state or a recovery copy names it. Empty when nothing is tracked.
/// `top_place`: where given, what find_tracking would give for the file of .checkpoint itself, read once.
[[nodiscard]] base::Result<std::vector<std::string>> tracked_files(system::Folder& plan_folder,
                                                                   TrackingPlace* top_place = nullptr);
/// Those that have a folder of their own in .checkpoint, at most 1,000.
[[nodiscard]] base::Result<std::vector<std::string>> files_below(system::Folder& top);
/// The entries of .checkpoint that belong to its own plan, for moving this plan alone: the history first,
/// since the rest can be made anew from it, and the lock last. Without .gitignore and the folders of other
/// plans.
[[nodiscard]] base::Result<std::vector<std::string>> own_entries(system::Folder& top);

}  // namespace plankeep::store
