#include "records/sqlite_connect.hpp"

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;

constexpr int kPatienceMs = 2000;
constexpr int kLongestValue = 300 << 20;  // above what a plan may have (spec 16)
constexpr int kLongestLog = 100;          // pages; every opening reads all of it

// After each commit, with the pages that the log has then. SQLite's own way (wal_autocheckpoint) folds them
// in and leaves them there, for the next writer to go over again from the start; but the next one is another
// process, and after opening it cannot know that they are folded in. So the log is emptied at once. Whoever
// reads meanwhile is not waited for: then it is emptied another time.
int shorten_log(void*, sqlite3* database, const char* name, int pages) {
  if (pages < kLongestLog) return SQLITE_OK;
  sqlite3_busy_timeout(database, 0);
  (void)sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(database, kPatienceMs);
  return SQLITE_OK;
}

}  // namespace

Result<bool> check_files(system::Folder& folder, const std::string& name) {
  bool there = false;
  for (const std::string& own : sqlite_file_names(name)) {
    TRY_ASSIGN(const system::FileInfo info, folder.info(own));
    if (info.kind == system::FileKind::missing) continue;
    if (info.kind != system::FileKind::regular) {
      return base::fail(ErrorKind::corrupt, folder.path_of(own) + " is no regular file",
                        "move it away; plankeep needs that name");
    }
    if (own == name) there = true;
  }
  return there;
}

Result<Connection> connect(const std::string& path, Access access) {
  sqlite3* opened = nullptr;
  // Not SQLITE_OPEN_CREATE: the file is made by us. A path is no URI, whatever it holds.
  const int code = sqlite3_open_v2(path.c_str(), &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX |
                                       SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE,
                                   nullptr);
  Connection connection(Database(opened), path);
  if (code != SQLITE_OK) return base::fail(connection.error(code));
  sqlite3_busy_timeout(opened, kPatienceMs);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kLongestValue);
  // Nothing that stands in the file may do more than hold rows.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // The log stays when a process ends: folding it in costs several syncs, and the next one reads it anyway.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  TRY(connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA "
      "cell_size_check = ON"));
  sqlite3_wal_hook(opened, shorten_log, nullptr);
  if (access == Access::read) TRY(connection.execute("PRAGMA query_only = ON"));
  return connection;
}

}  // namespace plankeep::records
