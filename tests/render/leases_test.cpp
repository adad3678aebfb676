#include "render/progress/leases.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;

TEST_CASE("what is left of a claim is rounded up, and never to a minute while it is seconds") {
  const base::Instant now{base::kDay};
  const auto left = [now](std::int64_t milliseconds) {
    return render::time_left(base::Instant{now.milliseconds + milliseconds}, now);
  };
  CHECK(left(-base::kMinute) == "0 s");
  CHECK(left(0) == "0 s");
  CHECK(left(1) == "1 s");
  CHECK(left(base::kSecond) == "1 s");
  CHECK(left(base::kSecond + 1) == "2 s");
  CHECK(left(59 * base::kSecond) == "59 s");
  CHECK(left(59 * base::kSecond + 1) == "1 min");
  CHECK(left(base::kMinute) == "1 min");
  CHECK(left(base::kMinute + 1) == "2 min");
  CHECK(left(90 * base::kMinute) == "90 min");
  CHECK(left(91 * base::kMinute) == "2 h");
  CHECK(left(49 * base::kHour) == "3 days");
}
