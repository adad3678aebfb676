#include "system/posix/posix_file_watch.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "support/temporary_folder.hpp"

using namespace std::chrono_literals;
using plankeep::system::PosixFileWatch;
using plankeep::test::TemporaryFolder;
using Means = PosixFileWatch::Means;

namespace {

// Long enough for any machine; a change is told as soon as it is seen.
constexpr auto kTimeout = 60s;

void append(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << text;
}

void replace(const std::string& path, const std::string& text) {
  append(path + ".new", text);
  std::filesystem::rename(path + ".new", path);
}

// Takes what was told already, so that the next answer is about what comes now.
void settle(PosixFileWatch& watch) {
  while (watch.changed()) {
  }
}

}  // namespace

TEST_CASE("a watched file that is written to, replaced, deleted and made again has changed each time") {
  const Means means = GENERATE(Means::notices, Means::looks);
  const TemporaryFolder folder;
  const std::string path = folder.path_of("plan.md");
  append(path, "one\n");
  PosixFileWatch watch(means);
  REQUIRE(watch.add(path));
  settle(watch);
  CHECK_FALSE(watch.wait(0ms));

  append(path, "two\n");
  CHECK(watch.wait(kTimeout));
  settle(watch);
  replace(path, "three lines now\n");
  CHECK(watch.wait(kTimeout));
  settle(watch);
  // The new file is watched like the one before it.
  append(path, "four\n");
  CHECK(watch.wait(kTimeout));
  settle(watch);
  std::filesystem::remove(path);
  CHECK(watch.wait(kTimeout));
  settle(watch);
  append(path, "five\n");
  CHECK(watch.wait(kTimeout));
  settle(watch);
  CHECK_FALSE(watch.wait(0ms));
}

TEST_CASE("a file that was removed from the watch is told of no more, the others are") {
  const Means means = GENERATE(Means::notices, Means::looks);
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path_of("other"));
  const std::string plan = folder.path_of("plan.md");
  const std::string beside = folder.path_of("beside.md");
  const std::string apart = folder.path_of("other/plan.md");
  PosixFileWatch watch(means);
  for (const std::string& path : {plan, beside, apart}) REQUIRE(watch.add(path));
  watch.remove(plan);
  watch.remove(apart);
  watch.remove(folder.path_of("other/never-added.md"));
  settle(watch);
  append(plan, "one\n");
  append(apart, "one\n");
  CHECK_FALSE(watch.wait(0ms));
  append(beside, "one\n");
  CHECK(watch.wait(kTimeout));
  settle(watch);
  // And it can come back.
  REQUIRE(watch.add(apart));
  settle(watch);
  append(apart, "two\n");
  CHECK(watch.wait(kTimeout));
}

TEST_CASE("a change is told to one who waits already") {
  const Means means = GENERATE(Means::notices, Means::looks);
  const TemporaryFolder folder;
  const std::string path = folder.path_of("history.jsonl");
  PosixFileWatch watch(means);
  REQUIRE(watch.add(path));
  std::thread writer([&path] {
    std::this_thread::sleep_for(50ms);
    append(path, "{}\n");
  });
  CHECK(watch.wait(kTimeout));
  writer.join();
}

TEST_CASE("files that nobody asked about are nobody's business") {
  const Means means = GENERATE(Means::notices, Means::looks);
  const TemporaryFolder folder;
  append(folder.path_of("plan.md"), "one\n");
  PosixFileWatch watch(means);
  REQUIRE(watch.add(folder.path_of("plan.md")));
  settle(watch);
  append(folder.path_of("notes.md"), "x");
  replace(folder.path_of("plan.md.bak"), "y");
  CHECK_FALSE(watch.wait(0ms));
}

TEST_CASE("several files in several folders are watched together") {
  const Means means = GENERATE(Means::notices, Means::looks);
  const TemporaryFolder one;
  const TemporaryFolder two;
  PosixFileWatch watch(means);
  REQUIRE(watch.add(one.path_of("a")));
  REQUIRE(watch.add(one.path_of("b")));
  REQUIRE(watch.add(two.path_of("a")));
  REQUIRE(watch.add(two.path_of("a")));
  settle(watch);
  for (const std::string& path : {one.path_of("a"), one.path_of("b"), two.path_of("a")}) {
    INFO(path);
    append(path, "x");
    CHECK(watch.wait(kTimeout));
    settle(watch);
  }
}

TEST_CASE("a folder that is not there yet, or goes and comes back, is watched as soon as it is there") {
  const Means means = GENERATE(Means::notices, Means::looks);
  const TemporaryFolder folder;
  const std::string below = folder.path_of(".checkpoint");
  const std::string path = below + "/history.jsonl";
  PosixFileWatch watch(means);
  REQUIRE(watch.add(path));
  CHECK(watch.descriptor() == -1);
  CHECK_FALSE(watch.wait(0ms));
  for (int round = 0; round < 2; ++round) {
    std::filesystem::create_directory(below);
    append(path, "{}\n");
    CHECK(watch.wait(kTimeout));
    settle(watch);
    CHECK((watch.descriptor() >= 0) == (means == Means::notices));
    append(path, "{}\n");
    CHECK(watch.wait(kTimeout));
    settle(watch);
    std::filesystem::remove_all(below);
    CHECK(watch.wait(kTimeout));
    settle(watch);
  }
}

TEST_CASE("a folder that another one takes the place of is watched there") {
  const Means means = GENERATE(Means::notices, Means::looks);
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path_of("plans"));
  std::filesystem::create_directory(folder.path_of("next"));
  append(folder.path_of("plans/plan.md"), "one\n");
  append(folder.path_of("next/plan.md"), "another\n");
  PosixFileWatch watch(means);
  REQUIRE(watch.add(folder.path_of("plans/plan.md")));
  settle(watch);
  std::filesystem::rename(folder.path_of("plans"), folder.path_of("old"));
  std::filesystem::rename(folder.path_of("next"), folder.path_of("plans"));
  CHECK(watch.wait(kTimeout));
  settle(watch);
  append(folder.path_of("old/plan.md"), "nobody looks here\n");
  CHECK_FALSE(watch.wait(0ms));
  append(folder.path_of("plans/plan.md"), "two\n");
  CHECK(watch.wait(kTimeout));
}

TEST_CASE("what cannot be watched is refused") {
  PosixFileWatch watch;
  CHECK_FALSE(watch.add("plan.md"));
  CHECK_FALSE(watch.add(""));
  CHECK_FALSE(watch.add("/"));
  CHECK_FALSE(watch.add("/tmp/"));
  CHECK_FALSE(watch.add("/tmp/.."));
  CHECK_FALSE(watch.add(std::string("/tmp/a\0b", 8)));
}

TEST_CASE("nothing to watch: waiting ends with its time") {
  PosixFileWatch watch;
  CHECK_FALSE(watch.wait(1ms));
}
