#pragma once
// A folder with a checkpoint store in it, and what somebody else does to the file with SQLite itself.

#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "checkpoint_db/sqlite_store.hpp"
#include "model/checkpoint.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

namespace plankeep::test {

inline constexpr const char* kName = "checkpoints.db";

struct Desk {
  TemporaryFolder place;
  system::PosixFileSystem files;
  std::unique_ptr<system::Folder> folder = files.open_folder(place.path()).value();

  std::string path() const { return place.path_of(kName); }
  auto open(records::Access access = records::Access::write) {
    return records::open_sqlite(*folder, kName, access);
  }

  // What somebody else does with the file, by SQLite itself; its words when it refuses.
  std::string by_hand(const std::string& sql) const {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(path().c_str(), &database) == SQLITE_OK);
    char* words = nullptr;
    sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &words);
    const std::string said = words == nullptr ? "" : words;
    sqlite3_free(words);
    sqlite3_close(database);
    return said;
  }
};

inline core::Checkpoint some(const std::string& instance = "s1",
                             core::CheckpointType type = core::CheckpointType::manual) {
  core::Checkpoint checkpoint;
  checkpoint.head.type = type;
  checkpoint.head.instance_id = instance;
  checkpoint.head.timestamp = base::Instant{1'763'000'000'000};
  return checkpoint;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace plankeep::test
