#include "base/instant.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep::base;

namespace {
constexpr std::int64_t kLatest = 253402300799999;
}

TEST_CASE("A moment is written in UTC with milliseconds") {
  CHECK(to_iso8601({0}) == "1970-01-01T00:00:00.000Z");
  CHECK(to_iso8601({1709210096007}) == "2024-02-29T12:34:56.007Z");
  CHECK(to_iso8601({kLatest}) == "9999-12-31T23:59:59.999Z");
}

TEST_CASE("A moment outside the years 1970 to 9999 is written as the nearest one inside") {
  CHECK(to_iso8601({-1}) == "1970-01-01T00:00:00.000Z");
  CHECK(to_iso8601({INT64_MIN}) == "1970-01-01T00:00:00.000Z");
  CHECK(to_iso8601({kLatest + 1}) == "9999-12-31T23:59:59.999Z");
  CHECK(to_iso8601({INT64_MAX}) == "9999-12-31T23:59:59.999Z");
}

TEST_CASE("Every moment that can be written is read back") {
  CHECK(rc::check("round trip", [] {
    const Instant instant{*rc::gen::inRange<std::int64_t>(0, kLatest + 1)};
    const std::string text = to_iso8601(instant);
    RC_ASSERT(text.size() == 24U);
    RC_ASSERT(parse_iso8601(text) == std::optional<Instant>(instant));
  }));
}

TEST_CASE("The text of a later moment sorts behind that of an earlier one") {
  CHECK(rc::check("order", [] {
    const Instant a{*rc::gen::inRange<std::int64_t>(0, kLatest + 1)};
    const Instant b{*rc::gen::inRange<std::int64_t>(0, kLatest + 1)};
    RC_ASSERT((a < b) == (to_iso8601(a) < to_iso8601(b)));
  }));
}

TEST_CASE("Readers accept whole seconds, any number of fraction digits and offsets") {
  const Instant moment = *parse_iso8601("2026-11-20T15:43:50.000Z");
  CHECK(parse_iso8601("2026-11-20T15:43:50Z") == moment);
  CHECK(parse_iso8601("2026-11-20T15:43:50.1Z") == Instant{moment.milliseconds + 100});
  CHECK(parse_iso8601("2026-11-20T15:43:50.123999999Z") == Instant{moment.milliseconds + 123});
  CHECK(parse_iso8601("2026-11-20T16:43:50+01:00") == moment);
  CHECK(parse_iso8601("2026-11-20T10:13:50-05:30") == moment);
}

TEST_CASE("What is no moment is not read") {
  for (const char* text : {"",
                           "2026",
                           "2026-11-20",
                           "2026-11-20T15:43:50",
                           "2026-11-20T15:43:50z",
                           "2026-11-20 15:43:50Z",
                           "2026-02-29T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-01-01T24:00:00Z",
                           "2026-01-01T00:60:00Z",
                           "2026-01-01T00:00:61Z",
                           "1969-12-31T23:59:59Z",
                           "2026-01-01T00:00:00.Z",
                           "2026-01-01T00:00:00.1",
                           "2026-01-01T00:00:00+0100",
                           "2026-01-01T00:00:00+24:00",
                           "2026-01-01T00:00:00+01:60",
                           "2026-01-01T00:00:00ZZ",
                           " 2026-01-01T00:00:00Z",
                           "+026-01-01T00:00:00Z",
                           "2026-1--01T00:00:00Z",
                           "1970-01-01T00:00:00+01:00",
                           "9999-12-31T23:59:59-01:00",
                           "9999-12-31T23:59:60Z"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_iso8601(text).has_value());
  }
}

TEST_CASE("The distance of two moments is told in words") {
  const Instant now{1700000000000};
  const auto gone = [&](std::int64_t seconds) { return ago({now.milliseconds - seconds * 1000}, now); };
  CHECK(gone(-5) == "just now");
  CHECK(gone(59) == "just now");
  CHECK(gone(60) == "1 min ago");
  CHECK(gone(3599) == "59 min ago");
  CHECK(gone(3600) == "1 h ago");
  CHECK(gone(86399) == "23 h ago");
  CHECK(gone(86400) == "yesterday");
  CHECK(gone(2 * 86400) == "2 days ago");
  CHECK(gone(30 * 86400 - 1) == "29 days ago");
  CHECK(gone(30 * 86400) == "2023-10-15");
  CHECK(ago({INT64_MAX}, {INT64_MIN}) == "just now");
}

TEST_CASE("A length of time is a number and a unit") {
  CHECK(parse_duration("90s") == 90000);
  CHECK(parse_duration("30m") == 1800000);
  CHECK(parse_duration("2h") == 7200000);
  CHECK(parse_duration("3d") == 259200000);
  CHECK(parse_duration("1w") == 604800000);
  CHECK(parse_duration("0s") == 0);
  for (const char* text : {"", "m", "5", "-5m", "+5m", "5 m", "5mm", "5y", "1.5h", "99999999999999999999s",
                           "9223372036854775807w"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text).has_value());
  }
}
