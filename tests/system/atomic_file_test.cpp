#include "system/atomic_file.hpp"

#include <catch2/catch.hpp>

#include "support/desk.hpp"

namespace plankeep::system {
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

TEST_CASE("a temporary name is hidden, ours, and never too long") {
  CHECK(temporary_name("plan.md") == ".plan.md.plankeep-tmp");
  CHECK(temporary_name(std::string(255, 'a')).size() == 255);
  std::string wide;
  for (int i = 0; i < 85; ++i) wide += "计";
  const std::string cut = temporary_name(wide);
  CHECK(cut.size() <= 255);
  CHECK(cut.substr(1, cut.size() - 1 - std::string(".plankeep-tmp").size()) == wide.substr(0, 240));
}

}  // namespace
}  // namespace plankeep::system
