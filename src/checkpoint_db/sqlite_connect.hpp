#pragma once
// Opening checkpoints.db in a stranger's folder, with what a connection is set to. Private to
// records/sqlite_*.

#include <chrono>
#include <string>

#include "base/result.hpp"
#include "checkpoint_db/sqlite_handles.hpp"
#include "checkpoint_db/sqlite_store.hpp"
#include "system/file_system.hpp"

namespace plankeep::records {

/// What may stand under the names of the store: regular files or nothing, else corrupt. Whether the file
/// itself is there.
[[nodiscard]] base::Result<bool> check_files(system::Folder& folder, const std::string& name);

/// Renames a rollback journal beside the store, which plankeep never has, "<name>-journal.damaged-<number>".
/// Gives the new name; empty when there is none.
[[nodiscard]] base::Result<std::string> set_journal_aside(system::Folder& folder, const std::string& name);

inline constexpr std::chrono::seconds kLongestStatement{20};

/// A connection to a file that is there, even if it is empty. busy after two seconds; of its contents nothing
/// is looked at (sqlite_schema does), and triggers are off until trust_triggers.
[[nodiscard]] base::Result<Connection> connect(
    system::Folder& folder, const std::string& name, Access access,
    std::chrono::milliseconds longest_statement = kLongestStatement);

/// Once the triggers in the file are known to be ours.
void trust_triggers(const Connection& connection);

/// Puts an empty database or one with a rollback journal into write-ahead mode. No journal is written for
/// that: it is one page.
[[nodiscard]] base::Status use_write_ahead_log(const Connection& connection);

}  // namespace plankeep::records
