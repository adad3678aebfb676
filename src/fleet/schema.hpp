#pragma once
// The schema `plankeep` on the fleet's server (spec 29.4), and its versions.
//
// What machines send is kept as it came: event, checkpoint, plan_text and push are only ever added to, by
// grants and by a trigger that refuses every other change to everybody but the owner. Who may add what is
// decided by the server itself (row-level security): a login adds to the replicas that it made, and to no
// other. `lease` alone changes, under rules that a trigger keeps with the server's clock; `word` is derived
// from the events by a trigger and can be made anew.
//
// A step, once released, never changes: what is new gets a step of its own.

#include <string>

#include "base/result.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

/// What this program writes and reads.
inline constexpr int kSchemaVersion = 2;
/// PostgreSQL 13.
inline constexpr int kOldestServer = 130000;

/// SQL that brings an empty database to kSchemaVersion, or one of version `from` to it: for an administrator,
/// or for init() and upgrade(). One transaction. Roles that are there stay; the script needs the right to
/// make those that are missing.
std::string schema_script(int from);

/// The version that is there; 0: none.
[[nodiscard]] base::Result<int> schema_version(Connection& connection);

/// Makes or upgrades the schema; gives the version that was there before. conflict: the server's is newer;
/// invalid_input: the server is older than PostgreSQL 13; io: this login may not.
[[nodiscard]] base::Result<int> make_schema(Connection& connection);

/// conflict, with what to do, where the version is another than kSchemaVersion; not_found where there is
/// none. `before`: statements to run in the same round trip, each with its semicolon; rolled back if this
/// fails.
[[nodiscard]] base::Status require_schema(Connection& connection, const std::string& before = {});

}  // namespace plankeep::fleet
