#include "system/posix/posix_clock.hpp"

#include <catch2/catch.hpp>
#include <chrono>

#include "support/map_environment.hpp"

namespace plankeep::system {
namespace {

std::int64_t real_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

TEST_CASE("the clock says the machine's time") {
  test::MapEnvironment environment;
  PosixClock clock(environment);
  const auto before = real_milliseconds();
  const auto now = clock.now().milliseconds;
  CHECK(before <= now);
  CHECK(now <= real_milliseconds());
}

TEST_CASE("PLANKEEP_NOW stops the clock") {
  test::MapEnvironment environment;
  environment.variables["PLANKEEP_NOW"] = "2026-11-20T15:43:50.123Z";
  PosixClock clock(environment);
  CHECK(base::to_iso8601(clock.now()) == "2026-11-20T15:43:50.123Z");
  CHECK(clock.now() == clock.now());
}

TEST_CASE("a PLANKEEP_NOW that is no moment is passed over") {
  test::MapEnvironment environment;
  environment.variables["PLANKEEP_NOW"] = "tomorrow";
  const auto before = real_milliseconds();
  CHECK(PosixClock(environment).now().milliseconds >= before);
}

}  // namespace
}  // namespace plankeep::system
