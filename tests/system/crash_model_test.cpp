// The model of a disk itself: what it forgets and what it keeps.

#include <catch2/catch.hpp>

#include "support/memory_file_system.hpp"

namespace plankeep::test {
namespace {

struct Disk {
  MemoryFileSystem files;
  MemoryDisk& disk = files.disk();
  std::unique_ptr<system::Folder> folder;
  Disk() {
    disk.put_folder("/p");
    disk.put("/p/log", "one\n");
    folder = files.open_folder("/p").value();
  }
  void append(std::string_view bytes, bool synced) {
    auto file = folder->open_append("log").value();
    REQUIRE(file->write(bytes));
    if (synced) REQUIRE(file->sync_data());
  }
};

TEST_CASE("a crash keeps synced bytes and drops the others") {
  Disk model;
  model.append("two\n", true);
  model.append("three\n", false);
  SECTION("all of them") {
    model.disk.crash();
    CHECK(model.disk.get("/p/log") == "one\ntwo\n");
  }
  SECTION("but for the first") {
    model.disk.crash({Crash::Content::first_bytes, 2, Crash::kAll});
    CHECK(model.disk.get("/p/log") == "one\ntwo\nth");
  }
  SECTION("but for the length") {
    model.disk.crash({Crash::Content::zeros, 0, Crash::kAll});
    CHECK(model.disk.get("/p/log") == "one\ntwo\n" + std::string(6, '\0'));
  }
  SECTION("none when they were lucky") {
    model.disk.crash({Crash::Content::kept, 0, Crash::kAll});
    CHECK(model.disk.get("/p/log") == "one\ntwo\nthree\n");
  }
}

TEST_CASE("a crash drops names that were not synced, even of synced files") {
  Disk model;
  auto file = model.folder->create("new").value();
  REQUIRE(file->write("x"));
  REQUIRE(file->sync_data());
  REQUIRE(model.folder->rename("log", "moved"));
  SECTION("all of them") {
    model.disk.crash();
    CHECK(model.disk.everything().count("/p/new") == 0);
    CHECK(model.disk.get("/p/log") == "one\n");
  }
  SECTION("but the first") {
    model.disk.crash({Crash::Content::lost, 0, 1});
    CHECK(model.disk.get("/p/new") == "x");
    CHECK(model.disk.get("/p/log") == "one\n");
  }
  SECTION("none after a sync of the folder") {
    REQUIRE(model.folder->sync());
    model.disk.crash();
    CHECK(model.disk.get("/p/new") == "x");
    CHECK(model.disk.get("/p/moved") == "one\n");
    CHECK(model.disk.everything().count("/p/log") == 0);
  }
}

TEST_CASE("a renamed file that was never synced is empty after the crash") {
  Disk model;
  REQUIRE(model.folder->create("tmp").value()->write("content"));
  REQUIRE(model.folder->rename("tmp", "log"));
  model.disk.crash({Crash::Content::lost, 0, Crash::kAll});
  CHECK(model.disk.get("/p/log") == "");
}

TEST_CASE("a fault hits the operation it is planned for") {
  Disk model;
  SECTION("once") {
    model.disk.plan_fault({Fault::Kind::fail_once, 2, 1});
    auto file = model.folder->open_append("log").value();
    CHECK_FALSE(file->write("abc").has_value());
    CHECK(model.disk.get("/p/log") == "one\na");
    CHECK(file->write("d").has_value());
  }
  SECTION("and all behind it") {
    model.disk.plan_fault({Fault::Kind::fail_from, 2, 0});
    auto file = model.folder->open_append("log").value();
    CHECK_FALSE(file->write("abc").has_value());
    CHECK_FALSE(file->write("d").has_value());
    CHECK(model.disk.get("/p/log") == "one\n");
  }
  SECTION("and the process with it") {
    model.disk.plan_fault({Fault::Kind::die, 2, 2});
    auto file = model.folder->open_append("log").value();
    CHECK_FALSE(file->write("abc").has_value());
    CHECK(model.disk.dead());
    CHECK_FALSE(file->write("d").has_value());
    CHECK_FALSE(file->truncate(0).has_value());
    CHECK(model.disk.get("/p/log") == "one\nab");
    model.disk.restart();
    CHECK(model.folder->read("log", 100).value() == "one\nab");
  }
}

}  // namespace
}  // namespace plankeep::test
