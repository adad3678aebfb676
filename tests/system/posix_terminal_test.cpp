#include "system/posix/posix_terminal.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "support/map_environment.hpp"

namespace plankeep::system {
namespace {

// What standard_output says while `descriptor` is standard output.
Terminal seen_on(int descriptor, const Environment& environment) {
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  REQUIRE(::dup2(descriptor, STDOUT_FILENO) == STDOUT_FILENO);
  const Terminal terminal = standard_output(environment);
  REQUIRE(::dup2(kept, STDOUT_FILENO) == STDOUT_FILENO);
  ::close(kept);
  return terminal;
}

TEST_CASE("a pipe is no terminal and as wide as COLUMNS says, else 80") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  test::MapEnvironment environment;
  CHECK_FALSE(seen_on(ends[1], environment).is_terminal);
  CHECK(seen_on(ends[1], environment).columns == 80);
  environment.variables["COLUMNS"] = "132";
  CHECK(seen_on(ends[1], environment).columns == 132);
  for (const char* nonsense : {"", "0", "-1", "wide", "80x", "99999999999999999999", "10001"}) {
    CAPTURE(nonsense);
    environment.variables["COLUMNS"] = nonsense;
    CHECK(seen_on(ends[1], environment).columns == 80);
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("COLUMNS and LINES go before the terminal's own size") {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(master >= 0);
  REQUIRE(::grantpt(master) == 0);
  REQUIRE(::unlockpt(master) == 0);
  const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  test::MapEnvironment environment;
  winsize size{};
  size.ws_col = 200;
  size.ws_row = 50;
  REQUIRE(::ioctl(terminal, TIOCSWINSZ, &size) == 0);
  CHECK(seen_on(terminal, environment).is_terminal);
  CHECK(seen_on(terminal, environment).columns == 200);
  CHECK(seen_on(terminal, environment).rows == 50);
  environment.variables["COLUMNS"] = "77";
  environment.variables["LINES"] = "11";
  CHECK(seen_on(terminal, environment).columns == 77);
  CHECK(seen_on(terminal, environment).rows == 11);
  size.ws_col = 0;
  size.ws_row = 0;
  REQUIRE(::ioctl(terminal, TIOCSWINSZ, &size) == 0);
  environment.variables.clear();
  CHECK(seen_on(terminal, environment).columns == 80);
  CHECK(seen_on(terminal, environment).rows == 24);
  ::close(terminal);
  ::close(master);
}

}  // namespace
}  // namespace plankeep::system
