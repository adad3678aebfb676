#pragma once
// The checkpoint store of one replica in the fleet's tables (checkpoint_db/checkpoint_store, the contract).
//
//   TRY_ASSIGN(auto store, open_server_store(*connection, replica));
//   TRY_ASSIGN(const auto newest, store->latest({}));
//
// Every login that may read the fleet can read every replica's store. Only the login that created the replica
// can add (others get io, by row-level security). The store numbers checkpoints itself, so use add only for
// replicas whose checkpoints exist on the server alone: a tracking folder that pushes numbers its own. add
// does not redact; the caller has to.
//
// clean_up deletes only for members of plankeep_admin; others get io, and nothing changes. With `dry`, being
// allowed to read is enough. plan_text also finds the texts of plans that push has sent, but the store
// neither counts nor deletes them.
//
// On the server a checkpoint is one row and its plan's text another, written in one transaction: after a
// crash both are there or neither is. They are durable when add returns, whatever synchronous_commit is set
// to. Numbers are assigned under a lock of the replica; add waits two seconds for it, then returns busy. busy
// also means that the server cannot be reached or the connection broke. After a busy add the checkpoint may
// have been stored or not.
//
// examine checks rows only, not the server's pages. The bytes in stats are those of the rows.

#include <memory>
#include <string>

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

/// `connection` must outlive the store, must not be used by others while it lives, and has no open
/// transaction. not_found: no such replica, or no schema. conflict: the schema has another version.
[[nodiscard]] base::Result<std::unique_ptr<records::CheckpointStore>> open_server_store(
    Connection& connection, const std::string& replica);

}  // namespace plankeep::fleet
