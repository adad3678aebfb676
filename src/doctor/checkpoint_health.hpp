#pragma once
// The checkpoint store as doctor sees it. Private to doctor/doctor.cpp.

#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "doctor/doctor.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Looks the whole store through, and for what lies beside it; whether a copy has checkpoints that it lacks.
/// Nothing while there is none, unless the history tells of checkpoints. Writes nothing.
std::vector<Finding> inspect_checkpoints(const Context& context, const PlanLocation& plan,
                                         system::Folder& tracking);

/// Renames a damaged store "checkpoints.db.damaged-<time>", its log "...-wal" beside it, so that SQLite's own
/// tools can be used on the two; the next checkpoint begins a new one. A rollback journal, which is never
/// ours, goes in any case. A sound store, one of a newer version
/// and one that is busy stay. Under the plan's lock. Killed in between: what was not renamed yet is looked
/// at by the next one; the log goes first, since a new file must never meet an old log.
[[nodiscard]] base::Status set_aside_damaged_checkpoints(system::Folder& tracking, base::Instant now);

}  // namespace plankeep::app
