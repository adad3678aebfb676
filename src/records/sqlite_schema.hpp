#pragma once
// The tables of checkpoints.db, and whether a file has them. Private to records/sqlite_*.
//
// A file from outside may hold anything: triggers and views run code of their own when a table is only read.
// So all of sqlite_schema, whatever the names in it, is compared word for word with ours before any table is
// touched, and triggers are off until then.
// SQL and types are those that PostgreSQL has too (INTEGER for what fits 32 bits, TEXT in the binary order
// for moments as ISO-8601; content alone is BLOB here and would be BYTEA there), but for STRICT and for the
// triggers' bodies.

#include "base/result.hpp"
#include "records/sqlite_handles.hpp"

namespace plankeep::records {

/// What stands in PRAGMA user_version.
inline constexpr std::int64_t kSchemaVersion = 1;
/// "plkp", in PRAGMA application_id.
inline constexpr std::int64_t kApplicationId = 0x706c6b70;

/// True: the tables are there and ours. False: nothing is there at all. conflict: a newer version's; corrupt:
/// somebody else's, or changed.
[[nodiscard]] base::Result<bool> has_schema(const Connection& connection);

/// Makes the tables in an empty database, in one transaction.
[[nodiscard]] base::Status make_schema(const Connection& connection);

}  // namespace plankeep::records
