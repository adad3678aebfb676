#pragma once
// The checkpoint store as doctor sees it. Private to doctor/doctor.cpp.

#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "doctor/doctor.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Checks the whole store and the files beside it, and whether a copy in the git directory has checkpoints
/// that it lacks. No finding if there is no store and the history mentions no checkpoints. Writes nothing.
std::vector<Finding> inspect_checkpoints(const Context& context, const PlanLocation& plan,
                                         system::Folder& tracking);

/// Renames a damaged store "checkpoints.db.damaged-<time>", its log "...-wal" beside it, so that SQLite's own
/// tools can be used on the two; the next checkpoint begins a new one. A rollback journal, which is never
/// ours, goes in any case. A sound store, one of a newer version
/// and one that is busy stay. Under the plan's lock. Killed in between: what was not renamed yet is looked
/// at by the next one; the log goes first, since a new file must never meet an old log.
[[nodiscard]] base::Status set_aside_damaged_checkpoints(system::Folder& tracking, base::Instant now);

}  // namespace plankeep::app
