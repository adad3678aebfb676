#pragma once
// Opening checkpoints.db in a stranger's folder, with what a connection is set to. Private to
// records/sqlite_*.

#include <string>

#include "base/result.hpp"
#include "records/sqlite_handles.hpp"
#include "records/sqlite_store.hpp"
#include "system/file_system.hpp"

namespace plankeep::records {

/// What may stand under the names of the store: regular files or nothing, else corrupt. Whether the file
/// itself is there.
[[nodiscard]] base::Result<bool> check_files(system::Folder& folder, const std::string& name);

/// A connection to a file that is there, even if it is empty. busy after two seconds; of its contents nothing
/// is looked at (sqlite_schema does).
[[nodiscard]] base::Result<Connection> connect(const std::string& path, Access access);

}  // namespace plankeep::records
