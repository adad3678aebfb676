#include "system/posix/interrupts.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>
#include <string>

namespace plankeep::system {
namespace {

// How a process ends that does this; 0 when it comes to its end.
int status_of(const std::function<void()>& work) {
  const pid_t process = ::fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    end_on_interrupts();
    work();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(process, &status, 0) == process);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

void note(int descriptor, char what) {
  (void)!::write(descriptor, &what, 1);
}

TEST_CASE("an interrupt ends the process with 130, a request to end with 143") {
  CHECK(status_of([] {}) == 0);
  CHECK(status_of([] { ::raise(SIGINT); }) == 130);
  CHECK(status_of([] { ::raise(SIGTERM); }) == 143);
}

TEST_CASE("an interrupt waits for the end of a change, the second one does not, but for a hang-up") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const int out = ends[1];
  const int once = status_of([out] {
    {
      const Uninterrupted outer;
      const Uninterrupted inner;
      ::raise(SIGINT);
      note(out, 'a');
    }
    note(out, 'b');
  });
  CHECK(once == 130);
  const int twice = status_of([out] {
    const Uninterrupted change;
    ::raise(SIGINT);
    ::raise(SIGINT);
    note(out, 'c');
  });
  CHECK(twice == 130);
  // The kernel and the shell may both send it when a terminal is closed.
  const int hung_up = status_of([out] {
    const Uninterrupted change;
    ::raise(SIGHUP);
    ::raise(SIGHUP);
    note(out, 'd');
  });
  CHECK(hung_up == 128 + SIGHUP);
  ::close(out);
  char seen[8] = {};
  CHECK(::read(ends[0], seen, sizeof seen) == 2);
  CHECK(std::string(seen) == "ad");
  ::close(ends[0]);
}

}  // namespace
}  // namespace plankeep::system
