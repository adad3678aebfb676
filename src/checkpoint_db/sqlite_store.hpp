#pragma once
// The checkpoint store in one file of the tracking folder, by SQLite (spec 12).
//
// Opening is safe in a stranger's folder: the file must be regular (a link, FIFO, device is corrupt), is
// created with mode 0600 through the folder, and SQLite reaches it through the folder's descriptor, by its
// name and those of its companions alone (<name>-wal, <name>-shm; checkpoint_db/sqlite_files). They get the
// file's mode and must be regular, too. A rollback journal (<name>-journal) is never ours: whoever reads
// leaves it where it is and whoever writes renames it "<name>-journal.damaged-<number>" and says so; it is
// never played back.
//
// On disk: write-ahead log, synchronous=FULL: a commit is one write and one sync of the log; the log is
// folded into the file and emptied when a commit leaves 100 pages in it and by clean_up, not whenever a
// process ends, so the three files belong together: whoever copies the file alone copies an older state.
// PRAGMA application_id tells that a database is ours, PRAGMA user_version which tables it has. Version 1 is
// read as it is and upgraded by whoever writes; what has a greater one than ours is refused (conflict) and
// left as it is. Tables and limits:
// schemas/README.md.
//
// Crash: at any moment the file and its log hold exactly the transactions that were committed.

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "system/file_system.hpp"

namespace plankeep::records {

enum class Access {
  read,   // not_found when there is no store yet; nothing is created or changed
  write,  // made where it is missing
};

/// `folder`: the tracking folder; `name`: the file's name in it; it outlives the store. Errors as
/// CheckpointStore. Killed while the store is made: a file without tables, which is no store yet.
[[nodiscard]] base::Result<std::unique_ptr<CheckpointStore>> open_sqlite(system::Folder& folder,
                                                                         const std::string& name,
                                                                         Access access);

/// The names that belong to the store of this name, itself first; for setting a damaged one aside.
std::vector<std::string> sqlite_file_names(const std::string& name);

}  // namespace plankeep::records
