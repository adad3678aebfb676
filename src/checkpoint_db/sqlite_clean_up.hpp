#pragma once
// Deleting old checkpoints from checkpoints.db. Private to checkpoint_db/sqlite_store.

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "checkpoint_db/sqlite_handles.hpp"

namespace plankeep::records {

/// As CheckpointStore::clean_up: one transaction, which opens the door that the tables' triggers keep shut.
/// Behind it the file is made smaller, where nobody is in the way.
[[nodiscard]] base::Result<CleanedUp> clean_up_checkpoints(const Connection& connection, const CleanUp& rules,
                                                           bool dry);

}  // namespace plankeep::records
