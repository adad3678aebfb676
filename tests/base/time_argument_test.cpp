#include <catch2/catch.hpp>

#include "base/instant.hpp"

using namespace plankeep;

namespace {
constexpr base::Instant kNow{1'764'000'000'000};
}

TEST_CASE("a time is a moment, a date or a length before now") {
  const base::Instant now = kNow;
  CHECK(base::read_since("--since", "2h", now) == base::Instant{now.milliseconds - 7'200'000});
  CHECK(base::read_since("--since", "2026-11-20T15:00:00Z", now) ==
        *base::parse_iso8601("2026-11-20T15:00:00Z"));
  CHECK(base::read_since("--since", "2026-11-20", now) == *base::parse_iso8601("2026-11-20T00:00:00Z"));
  const base::Instant afternoon = *base::parse_iso8601("2026-11-20T15:00:00Z");
  CHECK(base::read_since("--since", "today", afternoon) == *base::parse_iso8601("2026-11-20T00:00:00Z"));
  CHECK(base::read_since("--since", "yesterday", afternoon) == *base::parse_iso8601("2026-11-19T00:00:00Z"));
}

TEST_CASE("what is no time is told with the argument's name") {
  const auto read = base::read_since("--since", "tomorrow", kNow);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == base::ErrorKind::invalid_input);
  CHECK(read.error().message == "--since: tomorrow is not a valid time");
}

TEST_CASE("a time that is named to the minute or second lasts until its end") {
  const auto until = [](const std::string& text) { return base::read_until(text); };
  CHECK(until("2026-11-20 15:00") == *base::parse_iso8601("2026-11-20T15:00:59.999Z"));
  CHECK(until("2026-11-20T15:00") == until("2026-11-20 15:00"));
  CHECK(until("2026-11-20 15:00:12") == *base::parse_iso8601("2026-11-20T15:00:12.999Z"));
  CHECK(until("2026-11-20T15:00:12Z") == *base::parse_iso8601("2026-11-20T15:00:12Z"));
  CHECK(until("2026-11-20T15:00:12.5+01:00") == *base::parse_iso8601("2026-11-20T14:00:12.5Z"));
  for (const char* const text : {"", "15:00", "2026-11-20", "2026-11-20 15", "2026-13-20 15:00",
                                 "2026-11-20 25:00", "2026-11-20 15:00x", "2026-11-20 15:00:"})
    CHECK(until(text).error().kind == base::ErrorKind::invalid_input);
}

TEST_CASE("an age is a length of time, in milliseconds") {
  CHECK(base::read_age("--older-than", "12h") == std::int64_t{12} * 3'600'000);
  const auto read = base::read_age("--older-than", "2026-11-20");
  REQUIRE_FALSE(read);
  CHECK(read.error().message == "--older-than: 2026-11-20 is not a valid duration");
}
