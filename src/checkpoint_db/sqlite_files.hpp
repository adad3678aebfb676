#pragma once
// Which files SQLite may touch: the database and its write-ahead log, in one folder. Private to
// records/sqlite_*.
//
// SQLite trusts what stands beside a database. A rollback journal there can name another journal, and SQLite
// deletes the file of that name once the rollback is done, wherever it is. So connections go through a file
// layer of ours: it opens <name> and <name>-wal (SQLite's own layer opens <name>-shm, under that name and
// following no link), says that no other file exists, and deletes nothing but <name>-wal. What a large
// statement needs for a moment stands in a file without a name, which SQLite's own layer makes in the
// temporary folder and unlinks at once.
//
// Reading, writing, locks and shared memory are those of SQLite's layer, so that sqlite3 and plankeep can
// work on a database at the same time.

#include <sqlite3.h>

#include <string>

namespace plankeep::records {

/// Registered under a name of its own while it lives; it outlives the connection that was opened with it.
class SqliteFiles {
 public:
  /// `database`: the file's path, used as it is: no link in it is resolved by us.
  explicit SqliteFiles(std::string database);
  ~SqliteFiles();
  SqliteFiles(const SqliteFiles&) = delete;
  SqliteFiles& operator=(const SqliteFiles&) = delete;

  const char* database() const { return database_.c_str(); }
  /// For sqlite3_open_v2; null when SQLite has no file layer that could do the work.
  const char* name() const { return base_ == nullptr ? nullptr : name_.c_str(); }

 private:
  static SqliteFiles& of(sqlite3_vfs* layer) { return *static_cast<SqliteFiles*>(layer->pAppData); }
  static int open(sqlite3_vfs* layer, const char* path, sqlite3_file* file, int flags, int* out_flags);
  static int remove(sqlite3_vfs* layer, const char* path, int sync_folder);
  static int access(sqlite3_vfs* layer, const char* path, int question, int* answer);
  static int full_path(sqlite3_vfs* layer, const char* path, int size, char* full);

  std::string database_;
  std::string log_;
  std::string name_;
  sqlite3_vfs* base_ = nullptr;
  sqlite3_vfs layer_{};
};

}  // namespace plankeep::records
