// Locks between real processes.

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <vector>

#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

namespace plankeep::system {
namespace {

constexpr std::chrono::milliseconds kLong = std::chrono::minutes(5);

int exit_status(pid_t child) {
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_CASE("many processes that count under the lock lose no count") {
  test::TemporaryFolder folder;
  constexpr int kProcesses = 16;
  constexpr int kRounds = 10;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      PosixFileSystem files;
      auto here = files.open_folder(folder.path());
      for (int round = 0; round < kRounds; ++round) {
        const auto lock = (*here)->lock("lock", kLong);
        if (!lock) ::_exit(1);
        const auto text = (*here)->read("count", 100);
        const int count = text ? std::stoi(*text) : 0;
        auto file = (*here)->create("count");
        if (!file || !(*file)->write(std::to_string(count + 1))) ::_exit(2);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) CHECK(exit_status(child) == 0);
  PosixFileSystem files;
  CHECK(files.open_folder(folder.path()).value()->read("count", 100).value() ==
        std::to_string(kProcesses * kRounds));
}

TEST_CASE("a lock dies with the process that held it") {
  test::TemporaryFolder folder;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    PosixFileSystem files;
    auto here = files.open_folder(folder.path());
    const auto lock = (*here)->lock("lock", kLong);
    const char done = lock ? 'y' : 'n';
    if (::write(ready[1], &done, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char done = 0;
  REQUIRE(::read(ready[0], &done, 1) == 1);
  REQUIRE(done == 'y');
  PosixFileSystem files;
  auto here = files.open_folder(folder.path()).value();
  const auto refused = here->lock("lock", std::chrono::milliseconds(2));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == base::ErrorKind::busy);
  REQUIRE(::kill(child, SIGKILL) == 0);
  CHECK(exit_status(child) == 128 + SIGKILL);
  CHECK(here->lock("lock", kLong).has_value());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("a lock file removed while somebody waits for it does not let two in") {
  test::TemporaryFolder folder;
  int go[2];
  REQUIRE(::pipe(go) == 0);
  // Forked before anything is locked: a child would inherit the lock. It waits on the old file; when it gets
  // that one, it must notice that the name leads to another by now.
  const pid_t child = ::fork();
  if (child == 0) {
    PosixFileSystem own;
    auto there = own.open_folder(folder.path());
    char start = 0;
    if (::read(go[0], &start, 1) != 1) ::_exit(1);
    const auto lock = (*there)->lock("lock", kLong);
    if (!lock) ::_exit(2);
    auto mark = (*there)->create("entered");
    ::_exit(mark ? 0 : 3);
  }
  PosixFileSystem files;
  auto here = files.open_folder(folder.path()).value();
  auto first = here->lock("lock", kLong).value();
  REQUIRE(::write(go[1], "s", 1) == 1);
  ::usleep(50'000);  // so that it waits as a rule; when it does not, the test says less but holds
  REQUIRE(here->remove("lock"));
  auto second = here->lock("lock", kLong).value();
  first.reset();
  ::usleep(50'000);
  CHECK(here->info("entered")->kind == FileKind::missing);
  second.reset();
  CHECK(exit_status(child) == 0);
  CHECK(here->info("entered")->kind == FileKind::regular);
  ::close(go[0]);
  ::close(go[1]);
}

}  // namespace
}  // namespace plankeep::system
