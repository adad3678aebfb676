#pragma once
// The checkpoint store of one replica in the fleet's tables (checkpoint_db/checkpoint_store, the contract).
//
//   TRY_ASSIGN(auto store, open_server_store(*connection, replica));
//   TRY_ASSIGN(const auto newest, store->latest({}));
//
// Everybody who may read the fleet reads every replica's store. `add` is for the login that created the
// replica (io for others: row-level security). The numbers that it gives are the store's own, so it is for a
// replica whose checkpoints are kept on the server: in one that a tracking folder pushes, the folder numbers
// them. `add` sends what it is given: whoever calls it has redacted it.
//
// Nobody but the schema's owner deletes what was recorded. clean_up without `dry` is io for every login that
// is no member of plankeep_admin, and nothing changes; `dry` needs only reading. Texts that push sent for the
// plan (plan_text) are found by their digest too, but are not the store's: it neither counts nor deletes
// them.
//
// On the server: a checkpoint is one row, its plan's text another, in one transaction. Whole or not at all;
// durable once add has returned, whatever synchronous_commit says elsewhere. Numbers are given under a lock
// of the replica, which is waited for at most two seconds. busy also means that the server cannot be reached
// or the connection broke: of an add that ended so, it is not known whether it was kept.
//
// examine looks at rows only: the pages are the server's business. stats tells the bytes of the rows.

#include <memory>
#include <string>

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

/// `connection` outlives the store and is used by it alone meanwhile; no transaction is open on it.
/// not_found: there is no such replica, or no schema; conflict: the schema has another version.
[[nodiscard]] base::Result<std::unique_ptr<records::CheckpointStore>> open_server_store(
    Connection& connection, const std::string& replica);

}  // namespace plankeep::fleet
