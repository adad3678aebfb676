#include "charts/time_axis.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "charts/svg.hpp"

namespace plankeep::charts {
namespace {

base::Instant at(std::string_view text) {
  return *base::parse_iso8601(text);
}

std::vector<std::string> labels(std::string_view from, std::string_view to, std::size_t most) {
  std::vector<std::string> all;
  for (const Tick& tick : TimeAxis(at(from), at(to), 0, 100).ticks(most)) all.push_back(tick.label);
  return all;
}

}  // namespace

TEST_CASE("ticks are round: minutes, hours, days, months, years") {
  using Labels = std::vector<std::string>;
  CHECK(labels("2026-11-20T14:50:00Z", "2026-11-20T15:31:00Z", 5) == Labels{"15:00", "15:15", "15:30"});
  CHECK(labels("2026-11-20T20:00:00Z", "2026-11-21T05:00:00Z", 5) == Labels{"21:00", "11-21", "03:00"});
  CHECK(labels("2026-11-20T20:00:00Z", "2026-11-23T05:00:00Z", 5) ==
        Labels{"11-21", "12:00", "11-22", "12:00", "11-23"});
  CHECK(labels("2026-01-20T20:00:00Z", "2026-04-23T05:00:00Z", 5) == Labels{"2026-02", "2026-03", "2026-04"});
  CHECK(labels("2020-01-20T20:00:00Z", "2026-04-23T05:00:00Z", 5) == Labels{"2022-01", "2024-01", "2026-01"});
}

TEST_CASE("times outside stand at the ends, and a span of no time is an hour") {
  const TimeAxis axis(at("2026-11-20T00:00:00Z"), at("2026-11-20T00:00:00Z"), 10, 110);
  CHECK(axis.x(at("2026-11-20T00:30:00Z")) == Approx(60));
  CHECK(axis.x(at("2026-11-19T00:00:00Z")) == Approx(10));
  CHECK(axis.x(at("2026-11-21T00:00:00Z")) == Approx(110));
}

TEST_CASE("there are never more ticks than asked for, whatever the span") {
  CHECK(rc::check([] {
    const auto from = *rc::gen::inRange<std::int64_t>(0, std::int64_t{4'000'000'000'000});
    const auto span = *rc::gen::inRange<std::int64_t>(0, std::int64_t{6'000'000'000'000});
    const auto most = *rc::gen::inRange<std::size_t>(2, 20);
    const TimeAxis axis({from}, {from + span}, 0, 100);
    const auto ticks = axis.ticks(most);
    RC_ASSERT(ticks.size() <= most + 1);
    for (const Tick& tick : ticks) RC_ASSERT(tick.time >= axis.from() && tick.time <= axis.to());
  }));
}

TEST_CASE("numbers go up in steps of 1, 2 or 5 and reach the largest") {
  using Numbers = std::vector<std::int64_t>;
  CHECK(round_numbers(0, 5) == Numbers{0, 1});
  CHECK(round_numbers(13, 6) == Numbers{0, 5, 10, 15});
  CHECK(round_numbers(100'000, 5) == Numbers{0, 20'000, 40'000, 60'000, 80'000, 100'000});
}

TEST_CASE("coordinates have at most one decimal") {
  CHECK(number(0) == "0");
  CHECK(number(-0.04) == "0");
  CHECK(number(-0.5) == "-0.5");
  CHECK(number(12.34) == "12.3");
  CHECK(number(-12.06) == "-12.1");
}

}  // namespace plankeep::charts
