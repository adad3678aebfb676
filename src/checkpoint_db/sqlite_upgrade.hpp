#pragma once
// From version 1 of the tables to the latest. Private to checkpoint_db/sqlite_store.

#include "base/result.hpp"
#include "checkpoint_db/sqlite_handles.hpp"

namespace plankeep::records {

/// One transaction: killed anywhere, the store is of the one version or of the other. Every row is taken
/// over, those too that version 2 would refuse (readers pass over them). Before trust_triggers. Nothing
/// happens where somebody else has upgraded the store meanwhile.
[[nodiscard]] base::Status upgrade(const Connection& connection);

}  // namespace plankeep::records
