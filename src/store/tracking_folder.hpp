#pragma once
// The folder .checkpoint beside a plan (spec 2): where everything that we write about a plan stands.
//
// Mode 0700 under umask; it must be a real directory in the plan's folder: a symlink there is refused
// (corrupt), so nothing is ever written elsewhere. It holds machine-local facts, therefore a .gitignore with
// "*".
//
// Crash: the folder is made, its name synced, and only then .gitignore written (synced). A folder without
// .gitignore may thus be one whose name is not on disk yet; make_tracking finishes the work. So whoever is
// going to write calls make_tracking or finish_tracking, or knows that a history is there; it costs one look
// when everything stands.

#include <memory>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// not_found when the plan in this folder is not tracked. Writes nothing.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_tracking(system::Folder& plan_folder);

/// The same, made when missing.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> make_tracking(system::Folder& plan_folder);

/// What make_tracking does besides, for a tracking folder that is open already.
[[nodiscard]] base::Status finish_tracking(system::Folder& plan_folder, system::Folder& tracking);

}  // namespace plankeep::store
