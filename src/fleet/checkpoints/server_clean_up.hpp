#pragma once
// Deletes a replica's old checkpoints from the fleet's tables. Used by server_store.cpp.

#include <string>

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

/// As CheckpointStore::clean_up. io: this login is no member of plankeep_admin; nothing was deleted.
[[nodiscard]] base::Result<records::CleanedUp> clean_up_on_server(Connection& connection,
                                                                  const std::string& replica,
                                                                  const records::CleanUp& rules, bool dry);

}  // namespace plankeep::fleet
