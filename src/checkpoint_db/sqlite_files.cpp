#include "checkpoint_db/sqlite_files.hpp"

#include <atomic>
#include <cstring>
#include <utility>

namespace plankeep::records {
namespace {

int random_bytes(sqlite3_vfs*, int count, char* bytes) {
  sqlite3_vfs* const base = sqlite3_vfs_find(nullptr);
  return base->xRandomness(base, count, bytes);
}

int sleep_for(sqlite3_vfs*, int microseconds) {
  sqlite3_vfs* const base = sqlite3_vfs_find(nullptr);
  return base->xSleep(base, microseconds);
}

int current_time(sqlite3_vfs*, double* days) {
  sqlite3_vfs* const base = sqlite3_vfs_find(nullptr);
  return base->xCurrentTime(base, days);
}

int last_error(sqlite3_vfs*, int size, char* words) {
  sqlite3_vfs* const base = sqlite3_vfs_find(nullptr);
  return base->xGetLastError(base, size, words);
}

}  // namespace

SqliteFiles::SqliteFiles(std::string database)
    : database_(std::move(database)), log_(database_ + "-wal"), base_(sqlite3_vfs_find(nullptr)) {
  static std::atomic<unsigned> made{0};
  name_ = "plankeep-" + std::to_string(made++);
  if (base_ == nullptr) return;
  layer_.iVersion = 1;
  layer_.szOsFile = base_->szOsFile;
  layer_.mxPathname = base_->mxPathname;
  layer_.zName = name_.c_str();
  layer_.pAppData = this;
  layer_.xOpen = &SqliteFiles::open;
  layer_.xDelete = &SqliteFiles::remove;
  layer_.xAccess = &SqliteFiles::access;
  layer_.xFullPathname = &SqliteFiles::full_path;
  layer_.xRandomness = &random_bytes;
  layer_.xSleep = &sleep_for;
  layer_.xCurrentTime = &current_time;
  layer_.xGetLastError = &last_error;
  if (sqlite3_vfs_register(&layer_, 0) != SQLITE_OK) base_ = nullptr;
}

SqliteFiles::~SqliteFiles() {
  if (base_ != nullptr) sqlite3_vfs_unregister(&layer_);
}

int SqliteFiles::open(sqlite3_vfs* layer, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  const SqliteFiles& own = of(layer);
  const bool allowed = path == nullptr || ((flags & SQLITE_OPEN_MAIN_DB) != 0 && path == own.database_) ||
                       ((flags & SQLITE_OPEN_WAL) != 0 && path == own.log_);
  if (allowed) return own.base_->xOpen(own.base_, path, file, flags, out_flags);
  file->pMethods = nullptr;
  return SQLITE_CANTOPEN;
}

int SqliteFiles::remove(sqlite3_vfs* layer, const char* path, int sync_folder) {
  const SqliteFiles& own = of(layer);
  return path == own.log_ ? own.base_->xDelete(own.base_, path, sync_folder) : SQLITE_IOERR_DELETE;
}

int SqliteFiles::access(sqlite3_vfs* layer, const char* path, int question, int* answer) {
  const SqliteFiles& own = of(layer);
  if (path == own.log_) return own.base_->xAccess(own.base_, path, question, answer);
  *answer = 0;
  return SQLITE_OK;
}

int SqliteFiles::full_path(sqlite3_vfs*, const char* path, int size, char* full) {
  const std::size_t length = std::strlen(path);
  if (length >= static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
  std::memcpy(full, path, length + 1);
  return SQLITE_OK;
}

}  // namespace plankeep::records
