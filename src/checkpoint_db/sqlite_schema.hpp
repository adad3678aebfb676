#pragma once
// The tables of checkpoints.db, and whether a file has them. Private to records/sqlite_*.
//
// A file from outside may hold anything: triggers and views run code of their own when a table is only read.
// So all of sqlite_schema, whatever the names in it, is compared word for word with ours before any table is
// touched, and triggers are off until then.
// SQL and types are those that PostgreSQL has too (INTEGER for what fits 32 bits, TEXT in the binary order
// for moments as ISO-8601; content alone is BLOB here and would be BYTEA there), but for STRICT and for the
// triggers' bodies.

#include <cstdint>

#include "base/result.hpp"
#include "checkpoint_db/sqlite_handles.hpp"

namespace plankeep::records {

/// "plkp", in PRAGMA application_id.
inline constexpr std::int64_t kApplicationId = 0x706c6b70;

/// The version of the tables, which are ours; 0: nothing is there at all. conflict: a newer version's;
/// corrupt: somebody else's, or changed.
[[nodiscard]] base::Result<std::int64_t> schema_version(const Connection& connection);

/// Makes the latest tables in an empty database, in one transaction.
[[nodiscard]] base::Status make_schema(const Connection& connection);

}  // namespace plankeep::records
