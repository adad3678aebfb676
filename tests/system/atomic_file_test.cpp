#include "store/atomic_file.hpp"

#include <catch2/catch.hpp>

#include "store/store_samples.hpp"

namespace plankeep::store {
namespace {

using test::Crash;
using test::Desk;
using test::Fault;

TEST_CASE("a durable write survives the crash that follows it") {
  Desk desk;
  desk.put("file", "old");
  REQUIRE(write_file(*desk.folder, "file", "new", Durability::durable));
  desk.disk.crash();
  CHECK(desk.get("file") == "new");
}

TEST_CASE("a cache write syncs nothing") {
  Desk desk;
  desk.disk.forget_log();
  REQUIRE(write_file(*desk.folder, "file", "new", Durability::cache));
  const std::vector<std::string> expected{"create .file.plankeep-tmp", "write .file.plankeep-tmp",
                                          "rename .file.plankeep-tmp"};
  CHECK(desk.disk.log() == expected);
  CHECK(desk.get("file") == "new");
}

TEST_CASE("whatever operation fails, the target is whole and nothing is left beside it") {
  for (const Fault::Kind kind : {Fault::Kind::fail_once, Fault::Kind::die}) {
    std::int64_t operation = 1;
    for (;; ++operation) {
      Desk desk;
      desk.put("file", "old");
      desk.disk.plan_fault({kind, operation, 1});
      const base::Status status = write_file(*desk.folder, "file", "new", Durability::durable);
      CAPTURE(operation, desk.disk.operations());
      if (status) {
        CHECK(desk.get("file") == "new");
        break;
      }
      if (kind == Fault::Kind::fail_once) CHECK_FALSE(desk.has(".file.plankeep-tmp"));
      desk.disk.restart();
      const bool whole = desk.get("file") == "old" || desk.get("file") == "new";
      CHECK(whole);
      desk.open();
      REQUIRE(write_file(*desk.folder, "file", "newer", Durability::durable));
      CHECK(desk.get("file") == "newer");
      CHECK_FALSE(desk.has(".file.plankeep-tmp"));
    }
    CHECK(operation == 6);  // create, write, sync_data, rename, sync
  }
}

TEST_CASE("at every step of a durable write a power loss leaves the old or the new content") {
  for (std::int64_t operation = 1; operation <= 6; ++operation) {
    for (const auto content : {Crash::Content::lost, Crash::Content::first_bytes, Crash::Content::zeros}) {
      for (const std::size_t names : {std::size_t{0}, std::size_t{1}, std::size_t{2}, Crash::kAll}) {
        Desk desk;
        desk.put("file", "old");
        desk.disk.plan_fault({Fault::Kind::die, operation, 2});
        const bool acknowledged = write_file(*desk.folder, "file", "new", Durability::durable).has_value();
        desk.disk.crash({content, 1, names});
        CAPTURE(operation, names, desk.get("file"));
        const bool whole = desk.get("file") == "new" || (!acknowledged && desk.get("file") == "old");
        CHECK(whole);
      }
    }
  }
}

TEST_CASE("the last look stops a write and leaves nothing behind") {
  Desk desk;
  desk.put("file", "old");
  const auto like = desk.folder->info("file").value();
  const auto status = write_file_like(*desk.folder, "file", "new", like, Durability::durable, [] {
    return base::Status(base::fail(base::ErrorKind::conflict, "no"));
  });
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().kind == base::ErrorKind::conflict);
  CHECK(desk.get("file") == "old");
  CHECK(desk.folder->list().value() == std::vector<std::string>{"file"});
}

TEST_CASE("a damaged file is renamed, and only the two newest copies stay") {
  Desk desk;
  for (int day = 1; day <= 4; ++day) {
    desk.put("state.json", std::to_string(day));
    CHECK(set_aside(*desk.folder, "state.json", "2026110" + std::to_string(day)).value() ==
          "state.json.damaged-2026110" + std::to_string(day));
  }
  const std::vector<std::string> expected{"state.json.damaged-20261103", "state.json.damaged-20261104"};
  CHECK(desk.folder->list().value() == expected);
  CHECK(desk.get("state.json.damaged-20261104") == "4");
}

TEST_CASE("two copies of the same moment do not replace each other") {
  Desk desk;
  for (int i = 1; i <= 12; ++i) {
    desk.put("state.json", std::to_string(i));
    REQUIRE(set_aside(*desk.folder, "state.json", "20261101T000000.000Z"));
  }
  CHECK(desk.get("state.json.damaged-20261101T000000.000Z-11") == "11");
  CHECK(desk.get("state.json.damaged-20261101T000000.000Z-12") == "12");
  CHECK(desk.folder->list()->size() == 2);
}

TEST_CASE("setting aside takes whatever stands there, and nothing when nothing does") {
  Desk desk;
  CHECK(set_aside(*desk.folder, "state.json", "t").value().empty());
  desk.disk.put("/precious", "precious");
  desk.disk.put_link(Desk::path("state.json"), "/precious");
  desk.disk.put_folder(Desk::path("recovery.json"));
  desk.disk.put_other(Desk::path("lock"));
  for (const char* name : {"state.json", "recovery.json", "lock"}) {
    CHECK(set_aside(*desk.folder, name, "t").value() == std::string(name) + ".damaged-t");
    CHECK_FALSE(desk.has(name));
  }
  CHECK(desk.disk.get("/precious") == "precious");
}

TEST_CASE("copies of other files are left alone") {
  Desk desk;
  for (const char* name : {"recovery.json.damaged-1", "recovery.json.damaged-2", "recovery.json.damaged-3"}) {
    desk.put(name, "x");
  }
  desk.put("state.json", "x");
  REQUIRE(set_aside(*desk.folder, "state.json", "4"));
  CHECK(desk.folder->list()->size() == 4);
}

}  // namespace
}  // namespace plankeep::store
