#include "store/capped_log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "support/memory_file_system.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

namespace plankeep::store {
namespace {

using base::ErrorKind;
using Lines = std::vector<std::string>;

struct Logs {
  test::MemoryFileSystem files;
  test::MemoryDisk& disk = files.disk();
  std::unique_ptr<system::Folder> folder;
  Logs() {
    disk.put_folder("/logs");
    folder = files.open_folder("/logs").value();
  }
  void add(const std::string& line) { REQUIRE(append_line(*folder, "x.log", line)); }
  Lines lines() { return read_lines(*folder, "x.log").value(); }
};

}  // namespace

TEST_CASE("lines come back in their order, a log that was never written has none") {
  Logs logs;
  CHECK(logs.lines().empty());
  logs.add("one");
  logs.add("");
  logs.add("three");
  CHECK(logs.lines() == Lines{"one", "", "three"});
  CHECK(logs.disk.get("/logs/x.log") == "one\n\nthree\n");
}

TEST_CASE("a log is no record: it is never synced") {
  Logs logs;
  logs.disk.forget_log();
  logs.add("one");
  for (const std::string& operation : logs.disk.log()) CHECK(operation.find("sync") == std::string::npos);
}

TEST_CASE("a log that is full makes way, keeps one generation, and never grows for ever") {
  Logs logs;
  const std::string full(kLogLimit, 'a');
  SECTION("not before it is over the limit") {
    logs.disk.put("/logs/x.log", full.substr(1) + "\n");
    logs.add("next");
    CHECK_FALSE(logs.disk.get("/logs/x.log.1"));
  }
  SECTION("then it is renamed, over the one that was there") {
    logs.disk.put("/logs/x.log.1", "oldest\n");
    logs.disk.put("/logs/x.log", full + "\n");
    logs.add("next");
    CHECK(logs.disk.get("/logs/x.log.1") == full + "\n");
    CHECK(logs.disk.get("/logs/x.log") == "next\n");
    CHECK(logs.lines() == Lines{full, "next"});
  }
  SECTION("whatever is written") {
    for (int i = 0; i < 3000; ++i) logs.add("line " + std::to_string(i) + std::string(80, '.'));
    std::size_t size = 0;
    for (const auto& [path, text] : logs.disk.everything()) size += text.size();
    CHECK(size <= 2 * kLogLimit + 4000);
    const Lines lines = logs.lines();
    REQUIRE_FALSE(lines.empty());
    CHECK(lines.back().substr(0, 9) == "line 2999");
    // What is there is whole and without a hole.
    for (std::size_t i = 1; i < lines.size(); ++i) {
      REQUIRE(std::stoi(lines[i].substr(5)) == std::stoi(lines[i - 1].substr(5)) + 1);
    }
  }
}

TEST_CASE("a line is one line of at most a thousand bytes, cut between characters") {
  Logs logs;
  std::string message;
  for (int i = 0; i < 1000; ++i) message += "计";
  logs.add(message);
  logs.add("two\nlines\r\x1b[31m\x07 \xff end");
  const Lines lines = logs.lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].size() <= 1000);
  CHECK(lines[0].size() > 990);
  CHECK(lines[0].ends_with("…"));
  CHECK(lines[1].substr(0, 9) == "two lines");
  CHECK(lines[1].find_first_of("\r\x1b\x07") == std::string::npos);
  CHECK(lines[1].find('\xff') == std::string::npos);
}

TEST_CASE("half a line of a process that died is passed over") {
  Logs logs;
  logs.disk.put("/logs/x.log", "one\ntwo\nthr");
  CHECK(logs.lines() == Lines{"one", "two"});
}

TEST_CASE("what stands in a log's place and is no file is refused and left as it is") {
  Logs logs;
  logs.disk.put("/elsewhere", "mine\n");
  SECTION("a link") {
    logs.disk.put_link("/logs/x.log", "/elsewhere");
  }
  SECTION("a pipe") {
    logs.disk.put_other("/logs/x.log");
  }
  SECTION("a folder") {
    logs.disk.put_folder("/logs/x.log");
  }
  const auto before = logs.disk.everything();
  const auto added = append_line(*logs.folder, "x.log", "line");
  REQUIRE_FALSE(added);
  CHECK(added.error().kind == ErrorKind::corrupt);
  CHECK_FALSE(read_lines(*logs.folder, "x.log"));
  CHECK(logs.disk.everything() == before);
}

TEST_CASE("on a real disk a pipe nobody reads and a link are refused at once") {
  test::TemporaryFolder place;
  system::PosixFileSystem files;
  auto folder = files.open_folder(place.path());
  REQUIRE(folder);
  REQUIRE(::mkfifo((place.path() + "/pipe.log").c_str(), 0600) == 0);
  REQUIRE(::symlink("/dev/null", (place.path() + "/link.log").c_str()) == 0);
  CHECK_FALSE(append_line(**folder, "pipe.log", "line"));
  CHECK_FALSE(append_line(**folder, "link.log", "line"));
  CHECK_FALSE(read_lines(**folder, "pipe.log"));
  CHECK_FALSE(read_lines(**folder, "link.log"));
  REQUIRE(append_line(**folder, "x.log", "line"));
  CHECK(read_lines(**folder, "x.log").value() == Lines{"line"});
}

}  // namespace plankeep::store
