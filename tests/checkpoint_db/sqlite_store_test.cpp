// What is SQLite's own: the file, its rights, its damage, its versions, and several processes at once.

#include "checkpoint_db/sqlite_store.hpp"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>

#include "base/sha256.hpp"
#include "checkpoint_db/sqlite_connect.hpp"
#include "checkpoint_db/sqlite_desk.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

using namespace plankeep;
using base::ErrorKind;
using core::Checkpoint;
using core::CheckpointType;
using records::Access;
using test::bytes_of;
using test::Desk;
using test::kName;
using test::some;

namespace {

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((number >> shift) & 0xFFU);
  return bytes;
}

// A rollback journal as SQLite plays it back (its file format, section 3): one page of the database, then the
// name of a super-journal, which SQLite deletes behind the playback.
std::string journal_naming(const std::string& victim, const std::string& database) {
  const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  constexpr std::uint32_t kNonce = 0x1234;
  constexpr std::uint32_t kPage = 4096;
  constexpr std::uint32_t kSector = 512;
  constexpr std::uint32_t kLockPage = 0x40000000U / kPage + 1;
  std::string journal = magic + big_endian(1) + big_endian(kNonce) +
                        big_endian(static_cast<std::uint32_t>(database.size()) / kPage) +
                        big_endian(kSector) + big_endian(kPage);
  journal.resize(kSector, '\0');
  std::uint32_t check = kNonce;
  for (std::size_t at = kPage - 200; at > 0 && at < kPage; at -= 200) {
    check += static_cast<unsigned char>(database[at]);
  }
  journal += big_endian(1) + database.substr(0, kPage) + big_endian(check);
  std::uint32_t sum = 0;
  for (const char byte : victim) sum += static_cast<std::uint32_t>(static_cast<signed char>(byte));
  return journal + big_endian(kLockPage) + victim + big_endian(static_cast<std::uint32_t>(victim.size())) +
         big_endian(sum) + magic;
}

}  // namespace

TEST_CASE("reading makes no store, and says that there is none") {
  Desk desk;
  const auto opened = desk.open(Access::read);
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().kind == ErrorKind::not_found);
  CHECK(std::filesystem::is_empty(desk.place.path()));
}

TEST_CASE("the store's files are the owner's alone") {
  Desk desk;
  const mode_t before = ::umask(0);
  {
    const auto store = desk.open();
    REQUIRE((*store)->add(some(), {}).has_value());
    for (const std::string& name : records::sqlite_file_names(kName)) {
      struct stat info {};
      if (::stat(desk.place.path_of(name).c_str(), &info) == 0) CHECK((info.st_mode & 0777U) == 0600U);
    }
  }
  ::umask(before);
}

TEST_CASE("what was added is there for the next process, whoever reads or writes") {
  Desk desk;
  { REQUIRE((*desk.open())->add(some(), {}).has_value()); }
  CHECK((*desk.open(Access::read))->list({})->size() == 1);
  { REQUIRE((*desk.open())->add(some(), {}).has_value()); }
  CHECK((*desk.open(Access::read))->list({})->size() == 2);
}

TEST_CASE("a store opened for reading cannot write") {
  Desk desk;
  { REQUIRE((*desk.open())->add(some(), {}).has_value()); }
  const auto store = desk.open(Access::read);
  CHECK_FALSE((*store)->add(some(), {}).has_value());
  CHECK_FALSE((*store)->clean_up({base::Instant{4'000'000'000'000}}, false).has_value());
  CHECK((*store)->list({})->size() == 1);
}

TEST_CASE("the database itself refuses every change of a checkpoint") {
  Desk desk;
  { REQUIRE((*desk.open())->add(some(), {}).has_value()); }
  CHECK(desk.by_hand("UPDATE checkpoints SET phase_id = 'x'") == "checkpoints are immutable");
  CHECK(desk.by_hand("DELETE FROM checkpoints") == "checkpoints are deleted by a cleanup only");
  CHECK(desk.by_hand("UPDATE texts SET digest = 'x'") == "texts are immutable");
  CHECK(desk.by_hand("DELETE FROM texts") == "texts are deleted by a cleanup only");
  CHECK(desk.by_hand("UPDATE counters SET value = 0") == "counters never go back");
  CHECK(desk.by_hand("DELETE FROM counters") == "counters stay");
  CHECK(desk.by_hand("PRAGMA recursive_triggers = ON; INSERT OR REPLACE INTO checkpoints SELECT * FROM "
                     "checkpoints") == "checkpoints are immutable");
  CHECK(desk.by_hand("INSERT OR REPLACE INTO checkpoints SELECT * FROM checkpoints") ==
        "checkpoints are immutable");
  CHECK(desk.by_hand("INSERT OR REPLACE INTO texts SELECT digest, x'00' FROM texts") ==
        "texts are immutable");
  CHECK(desk.by_hand("INSERT OR REPLACE INTO counters SELECT name, 1 FROM counters") ==
        "counters never go back");
  CHECK(desk.by_hand("INSERT INTO cleaning VALUES (1); DELETE FROM checkpoints") ==
        "checkpoints are deleted by a cleanup only");
  CHECK(desk.by_hand("DELETE FROM cleaning").empty());
  CHECK(desk.by_hand("INSERT INTO cleaned SELECT added, checkpoint_id, chain FROM checkpoints") ==
        "only a cleanup deletes checkpoints");
  CHECK((*desk.open(Access::read))->list({})->size() == 1);
}

TEST_CASE("anything but a regular file under one of the store's names is refused, and nothing is touched") {
  for (const std::string& name : records::sqlite_file_names(kName)) {
    Desk desk;
    test::TemporaryFolder elsewhere;
    const std::string target = elsewhere.path_of("target");
    std::ofstream(target) << "precious";
    const std::string path = desk.place.path_of(name);
    const auto refused = [&] {
      const auto opened = desk.open();
      REQUIRE_FALSE(opened.has_value());
      CHECK(opened.error().kind == ErrorKind::corrupt);
      CHECK(desk.open(Access::read).error().kind == ErrorKind::corrupt);
      std::filesystem::remove(path);
    };
    std::filesystem::create_symlink(target, path);
    refused();
    std::filesystem::create_symlink(elsewhere.path_of("missing"), path);
    refused();
    std::filesystem::create_directory(path);
    refused();
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    refused();
    CHECK(bytes_of(target) == "precious");
    CHECK_FALSE(std::filesystem::exists(elsewhere.path_of("missing")));
    CHECK(desk.open().has_value());
  }
}

TEST_CASE("the store stays in the folder that was opened, whatever its path leads to") {
  test::TemporaryFolder place;
  const std::string path = place.path_of("folder");
  std::filesystem::create_directory(path);
  std::filesystem::create_directory(place.path_of("elsewhere"));
  system::PosixFileSystem files;
  const auto folder = files.open_folder(path).value();
  std::filesystem::rename(path, place.path_of("moved"));
  std::filesystem::create_directory_symlink(place.path_of("elsewhere"), path);
  REQUIRE((*records::open_sqlite(*folder, kName, Access::write))->add(some(), {}).has_value());
  CHECK(std::filesystem::is_empty(place.path_of("elsewhere")));
  CHECK((*records::open_sqlite(*folder, kName, Access::read))->list({})->size() == 1);
}

TEST_CASE("a rollback journal deletes no file, is not played back, and is kept under another name") {
  Desk desk;
  test::TemporaryFolder elsewhere;
  const std::string victim = elsewhere.path_of("precious");
  std::ofstream(victim) << "precious";
  { REQUIRE((*desk.open())->add(some(), {}).has_value()); }
  CHECK(desk.by_hand("PRAGMA journal_mode = DELETE").empty());
  for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(desk.path() + end);
  const std::string journal = journal_naming(victim, bytes_of(desk.path()));
  std::ofstream(desk.path() + "-journal", std::ios::binary) << journal;

  {
    const auto reader = desk.open(Access::read);
    REQUIRE(reader.has_value());
    CHECK((*reader)->list({})->size() == 1);
    CHECK((*reader)->examine().has_value());
  }
  CHECK(bytes_of(victim) == "precious");
  CHECK(bytes_of(desk.path() + "-journal") == journal);
  {
    const auto writer = desk.open();
    REQUIRE(writer.has_value());
    const std::vector<std::string> warnings = (*writer)->take_warnings();
    REQUIRE(warnings.size() == 1);
    CHECK(warnings.front().find("checkpoints.db-journal.damaged-1") != std::string::npos);
    CHECK((*writer)->add(some(), {}).has_value());
    CHECK((*writer)->list({})->size() == 2);
  }
  CHECK(bytes_of(victim) == "precious");
  CHECK_FALSE(std::filesystem::exists(desk.path() + "-journal"));
  CHECK(bytes_of(desk.path() + "-journal.damaged-1") == journal);
  CHECK(desk.by_hand("PRAGMA integrity_check").empty());
  CHECK((*desk.open())->take_warnings().empty());
}

TEST_CASE("a file of a newer version is left alone") {
  Desk desk;
  { REQUIRE((*desk.open())->add(some(), {}).has_value()); }
  CHECK(desk.by_hand("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)").empty());
  const std::string before = bytes_of(desk.path());
  for (const Access access : {Access::read, Access::write}) {
    const auto opened = desk.open(access);
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().kind == ErrorKind::conflict);
    CHECK(opened.error().message.find("99") != std::string::npos);
  }
  CHECK(bytes_of(desk.path()) == before);
}

TEST_CASE("an empty file and an empty database become a store when they are written to") {
  Desk desk;
  SECTION("an empty file, as a process leaves it that dies while it makes one") {
    std::ofstream(desk.path()).close();
  }
  SECTION("a database without tables") {
    CHECK(desk.by_hand("PRAGMA user_version = 0; VACUUM").empty());
  }
  CHECK(desk.open(Access::read).error().kind == ErrorKind::not_found);
  const auto store = desk.open();
  REQUIRE(store.has_value());
  CHECK((*store)->add(some(), {}).has_value());
}

TEST_CASE("somebody else's database and changed tables are refused, and nothing in them is run") {
  Desk desk;
  SECTION("another program's") {
    CHECK(desk.by_hand("CREATE TABLE mine (a)").empty());
  }
  SECTION("no version") {
    (void)desk.open();
    CHECK(desk.by_hand("PRAGMA user_version = 0").empty());
  }
  SECTION("another application's number") {
    (void)desk.open();
    CHECK(desk.by_hand("PRAGMA application_id = 5").empty());
  }
  SECTION("a trigger more") {
    (void)desk.open();
    CHECK(
        desk.by_hand("CREATE TRIGGER t AFTER INSERT ON checkpoints BEGIN DELETE FROM counters; END").empty());
  }
  SECTION("a trigger, view, table or index with a name of SQLite's own") {
    (void)desk.open();
    const auto [type, sql, pages] = GENERATE(
        std::tuple("trigger",
                   "CREATE TRIGGER sqlite_x BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(IGNORE); END", 0),
        std::tuple("trigger",
                   "CREATE TRIGGER sqlite_x AFTER INSERT ON checkpoints BEGIN SELECT (WITH RECURSIVE c(x) AS "
                   "(SELECT "
                   "1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c); END",
                   0),
        std::tuple("view", "CREATE VIEW sqlite_x AS SELECT 1", 0),
        std::tuple("table", "CREATE TABLE sqlite_x (a, b AS (a + 1))", 2),
        std::tuple("index", "CREATE INDEX sqlite_x ON checkpoints (abs(sequence_num))", 2));
    const std::string row =
        std::string("('") + type + "', 'sqlite_x', '" +
        (std::string(type) == "table" || std::string(type) == "view" ? "sqlite_x" : "checkpoints") + "', " +
        std::to_string(pages) + ", '" + sql + "')";
    CHECK(desk.by_hand(
                  "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, "
                  "sql) VALUES " +
                  row + "; PRAGMA schema_version = 1000")
              .empty());
  }
  SECTION("a definition twice") {
    (void)desk.open();
    CHECK(desk.by_hand(
                  "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE "
                  "name = 'checkpoints_stay'; PRAGMA schema_version = 1000")
              .empty());
  }
  SECTION("a generated column") {
    (void)desk.open();
    CHECK(desk.by_hand("ALTER TABLE counters ADD COLUMN twice INTEGER AS (value * 2)").empty());
  }
  SECTION("a trigger less") {
    (void)desk.open();
    CHECK(desk.by_hand("DROP TRIGGER checkpoints_stay").empty());
  }
  SECTION("a view in the place of a table") {
    (void)desk.open();
    CHECK(desk.by_hand("DROP TABLE checkpoints; CREATE VIEW checkpoints AS WITH RECURSIVE n(i) AS (SELECT 1 "
                       "UNION ALL SELECT i FROM n) SELECT i FROM n")
              .empty());
  }
  for (const Access access : {Access::read, Access::write}) {
    const auto opened = desk.open(access);
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().kind == ErrorKind::corrupt);
    CHECK_FALSE(opened.error().hint.empty());
  }
}

TEST_CASE("a statement without an end is given up") {
  Desk desk;
  (void)desk.open();
  const auto connection = records::connect(*desk.folder, kName, Access::read, std::chrono::milliseconds{20});
  REQUIRE(connection.has_value());
  const auto number = connection->number(
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c");
  REQUIRE_FALSE(number.has_value());
  CHECK(number.error().kind == ErrorKind::io);
  CHECK(number.error().message.find("timed out") != std::string::npos);
  CHECK(connection->number("SELECT 7").value() == 7);
}

TEST_CASE("a damaged file is told as such, is never written to and never put aside by itself") {
  Desk desk;
  {
    const auto store = desk.open();
    for (int i = 0; i < 50; ++i) {
      Checkpoint checkpoint = some("s" + std::to_string(i));
      checkpoint.head.metadata.note = std::string(500, 'n');
      REQUIRE((*store)->add(checkpoint, {}).has_value());
    }
  }
  CHECK(desk.by_hand("PRAGMA wal_checkpoint(TRUNCATE)").empty());
  std::string bytes = bytes_of(desk.path());
  SECTION("no database at all") {
    bytes = "this is a note of mine\n" + std::string(5000, '.');
  }
  SECTION("a torn head") {
    bytes.replace(0, 16, "SQLite format 4");
  }
  SECTION("pages of zeros") {
    std::fill(bytes.begin() + 4096, bytes.end(), '\0');
  }
  SECTION("cut in the middle") {
    bytes.resize(bytes.size() / 2);
  }
  for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(desk.path() + end);
  std::ofstream(desk.path(), std::ios::binary) << bytes;
  auto opened = desk.open();
  if (opened) {
    const auto examined = (*opened)->examine();
    CHECK((!examined || !examined->damage.empty()));
  } else {
    CHECK(opened.error().kind == ErrorKind::corrupt);
    CHECK_FALSE(opened.error().hint.empty());
  }
  CHECK(std::filesystem::exists(desk.path()));
}

TEST_CASE("the file shrinks when much was deleted") {
  Desk desk;
  const auto store = desk.open();
  for (int i = 0; i < 100; ++i) {
    Checkpoint checkpoint = some("s1", CheckpointType::turn);
    checkpoint.head.metadata.note = std::string(2000, static_cast<char>('a' + i % 26));
    REQUIRE((*store)->add(checkpoint, {}).has_value());
  }
  const std::int64_t before = (*store)->stats()->bytes;
  CHECK((*store)->clean_up({base::Instant{4'000'000'000'000}}, false)->deleted_count == 100);
  CHECK((*store)->stats()->bytes < before / 4);
}

TEST_CASE("the log stays short, however many processes write one after the other") {
  Desk desk;
  constexpr std::uintmax_t kLongest = std::uintmax_t{1} << 20;
  const std::string log = desk.path() + "-wal";
  std::uintmax_t longest = 0;
  std::uintmax_t shortest = kLongest;
  for (int i = 0; i < 100; ++i) {
    auto store = desk.open();
    REQUIRE(store);
    Checkpoint checkpoint = some("session " + std::to_string(i));
    const std::string text(20'000, static_cast<char>('a' + i % 26));
    checkpoint.moment.plan_digest = base::sha256_hex(text + std::to_string(i));
    REQUIRE((*store)->add(checkpoint, text + std::to_string(i)));
    store->reset();
    longest = std::max(longest, std::filesystem::file_size(log));
    shortest = std::min(shortest, std::filesystem::file_size(log));
  }
  CHECK(longest > 0);
  CHECK(longest < kLongest);
  CHECK(shortest == 0);
}

TEST_CASE("the log is left to a reader that still needs it, and emptied once he is gone") {
  Desk desk;
  REQUIRE((*desk.open())->add(some(), std::nullopt));
  sqlite3* reader = nullptr;
  REQUIRE(sqlite3_open(desk.path().c_str(), &reader) == SQLITE_OK);
  // Closing it is not to do our work.
  sqlite3_db_config(reader, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // It sees the store as it is now until it ends.
  REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM checkpoints", nullptr, nullptr, nullptr) ==
          SQLITE_OK);
  constexpr int kAdded = 20;
  for (int i = 0; i < kAdded; ++i) REQUIRE((*desk.open())->add(some(), std::nullopt));
  records::CheckpointQuery all;
  all.limit = 2 * kAdded;
  CHECK((*desk.open())->list(all)->size() == kAdded + 1);
  sqlite3_stmt* count = nullptr;
  REQUIRE(sqlite3_prepare_v2(reader, "SELECT count(*) FROM checkpoints", -1, &count, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(count) == SQLITE_ROW);
  CHECK(sqlite3_column_int(count, 0) == 1);
  sqlite3_finalize(count);
  const std::string log = desk.path() + "-wal";
  CHECK(std::filesystem::file_size(log) > 0);
  sqlite3_close(reader);
  REQUIRE((*desk.open())->add(some(), std::nullopt));
  CHECK(std::filesystem::file_size(log) == 0);
}

TEST_CASE("processes that write at once lose nothing and never give a number twice") {
  Desk desk;
  constexpr int kProcesses = 6;
  constexpr int kEach = 15;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      int failed = 0;
      for (int i = 0; i < kEach; ++i) {
        system::PosixFileSystem files;
        const auto folder = files.open_folder(desk.place.path());
        auto store = records::open_sqlite(**folder, kName, Access::write);
        // Busy is an honest answer; whoever gets it asks again.
        for (int again = 0; !store && store.error().kind == ErrorKind::busy && again < 5; ++again) {
          store = records::open_sqlite(**folder, kName, Access::write);
        }
        if (!store) {
          ++failed;
          continue;
        }
        auto added = (*store)->add(some("s1", CheckpointType::turn), {});
        for (int again = 0; !added && added.error().kind == ErrorKind::busy && again < 5; ++again) {
          added = (*store)->add(some("s1", CheckpointType::turn), {});
        }
        if (!added) ++failed;
      }
      ::_exit(failed);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  const auto store = desk.open(Access::read);
  std::set<std::string> ids;
  std::set<std::int64_t> turns;
  REQUIRE((*store)->for_each([&](const Checkpoint& one) {
    ids.insert(one.head.id.text);
    turns.insert(one.moment.turn);
    return true;
  }));
  CHECK(ids.size() == kProcesses * kEach);
  CHECK(turns.size() == kProcesses * kEach);
  CHECK(*turns.rbegin() == kProcesses * kEach);
  CHECK((*store)->examine()->damage.empty());
  CHECK((*store)->examine()->changed.empty());
}

TEST_CASE("a writer that keeps the store is waited for, and busy is said in the end") {
  Desk desk;
  const auto store = desk.open();
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(desk.path().c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK((*store)->add(some(), {}).error().kind == ErrorKind::busy);
  CHECK((*store)->list({})->empty());  // readers never wait
  REQUIRE(sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(other);
  CHECK((*store)->add(some(), {}).has_value());
}

TEST_CASE("numbers that a store before this one gave are not given again, and lower ones change nothing") {
  Desk desk;
  const auto store = desk.open();
  const std::string prefix = core::checkpoint_prefix("s1");
  REQUIRE((*store)->keep_number(prefix, 7));
  CHECK((*store)->add(some(), {})->head.id == core::checkpoint_id(prefix, 8));
  REQUIRE((*store)->keep_number(prefix, 3));
  REQUIRE((*store)->keep_number(prefix, 8));
  CHECK((*store)->add(some(), {})->head.id == core::checkpoint_id(prefix, 9));
  CHECK((*store)->stats()->added == 2);
}
