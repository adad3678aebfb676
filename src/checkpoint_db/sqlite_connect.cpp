#include "checkpoint_db/sqlite_connect.hpp"

#include <utility>

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr int kBusyTimeoutMs = 2000;
constexpr int kLongestValue = 300 << 20;  // above what a plan may have (spec 16)
constexpr int kLongestLog = 100;          // pages; every opening reads all of it
constexpr int kInstructionsBetweenLooks = 10'000;
constexpr int kMostSetAside = 1000;

int is_too_late(void* surroundings) {
  const auto& known = *static_cast<const Surroundings*>(surroundings);
  return std::chrono::steady_clock::now() > known.give_up ? 1 : 0;
}

// After each commit, with the pages that the log has then. SQLite's own way (wal_autocheckpoint) folds them
// in and leaves them there, for the next writer to go over again from the start; but the next one is another
// process, and after opening it cannot know that they are folded in. So the log is emptied at once. Whoever
// reads meanwhile is not waited for: then it is emptied another time.
int shorten_log(void*, sqlite3* database, const char* name, int pages) {
  if (pages < kLongestLog) return SQLITE_OK;
  sqlite3_busy_timeout(database, 0);
  (void)sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(database, kBusyTimeoutMs);
  return SQLITE_OK;
}

}  // namespace

Result<bool> check_files(system::Folder& folder, const std::string& name) {
  bool there = false;
  for (const std::string& own : sqlite_file_names(name)) {
    TRY_ASSIGN(const system::FileInfo info, folder.info(own));
    if (info.kind == system::FileKind::missing) continue;
    if (info.kind != system::FileKind::regular) {
      return base::fail(ErrorKind::corrupt, folder.path_of(own) + " is not a regular file",
                        "plankeep doctor --repair sets it aside");
    }
    if (own == name) there = true;
  }
  return there;
}

Result<std::string> set_journal_aside(system::Folder& folder, const std::string& name) {
  const std::string journal = name + "-journal";
  TRY_ASSIGN(const system::FileInfo info, folder.info(journal));
  if (info.kind == system::FileKind::missing) return std::string();
  for (int number = 1; number <= kMostSetAside; ++number) {
    std::string aside = journal + ".damaged-" + std::to_string(number);
    TRY_ASSIGN(const system::FileInfo taken, folder.info(aside));
    if (taken.kind != system::FileKind::missing) continue;
    TRY(folder.rename(journal, aside));
    TRY(folder.sync());
    return aside;
  }
  return base::fail(ErrorKind::corrupt,
                    folder.path_of(journal) + " is a rollback journal that plankeep did not write",
                    "move it away");
}

Result<Connection> connect(system::Folder& folder, const std::string& name, Access access,
                           std::chrono::milliseconds longest_statement) {
  auto surroundings = std::make_unique<Surroundings>(folder.lasting_path() + "/" + name, longest_statement);
  Surroundings& known = *surroundings;
  if (known.files.name() == nullptr) return base::fail(ErrorKind::internal, "SQLite has no files to work on");
  sqlite3* opened = nullptr;
  // Not SQLITE_OPEN_CREATE: the file is made by us. A path is no URI, whatever it holds.
  const int code = sqlite3_open_v2(known.files.database(), &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX |
                                       SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE,
                                   known.files.name());
  Connection connection(std::move(surroundings), Database(opened), folder.path_of(name));
  if (code != SQLITE_OK) return base::fail(connection.error(code));
  sqlite3_busy_timeout(opened, kBusyTimeoutMs);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_progress_handler(opened, kInstructionsBetweenLooks, is_too_late, &known);
  // Nothing that stands in the file may do more than hold rows.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  // The log stays when a process ends: folding it in costs several syncs, and the next one reads it anyway.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  TRY(connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA "
      "cell_size_check = ON"));
  sqlite3_wal_hook(opened, shorten_log, nullptr);
  if (access == Access::read) TRY(connection.execute("PRAGMA query_only = ON"));
  return connection;
}

void trust_triggers(const Connection& connection) {
  sqlite3_db_config(connection.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, nullptr);
}

Status use_write_ahead_log(const Connection& connection) {
  TRY_ASSIGN(const auto mode, connection.text("PRAGMA journal_mode"));
  if (mode == "wal") return {};
  // The page with the new mode would get a rollback journal, and there is no such file for us.
  // The file shrinks after a cleanup only if it was told so before its first table.
  TRY(connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA auto_vacuum = INCREMENTAL"));
  TRY_ASSIGN(const auto changed, connection.text("PRAGMA journal_mode = WAL"));
  if (changed == "wal") return {};
  return base::fail(ErrorKind::io, connection.path() + " cannot have a write-ahead log here",
                    "the file system does not support shared memory; keep the plan on a local disk");
}

}  // namespace plankeep::records
