#include "rules/forecast/forecast.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

namespace plankeep::core {
namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
constexpr base::Instant kNow{1000 * kDay};

// `done` tasks in one hour of each of so many days.
WorkPast steady(std::size_t days, std::int64_t done, std::int64_t added = 0) {
  WorkPast past;
  past.days.assign(days, {done, added, 1});
  past.hours.assign(days, {done, added, 1});
  past.completed = static_cast<std::int64_t>(days) * done;
  past.active_days = static_cast<std::int64_t>(days);
  past.since = base::Instant{kNow.milliseconds - static_cast<std::int64_t>(days) * kDay};
  return past;
}

std::int64_t days_from_now(const std::optional<base::Instant>& time) {
  REQUIRE(time);
  return (time->milliseconds - kNow.milliseconds) / kDay;
}

}  // namespace

TEST_CASE("who does four tasks every day does forty in ten days, or a little later") {
  const Forecast forecast = forecast_of(40, steady(100, 4), kNow, "seed");
  CHECK_FALSE(forecast.is_too_early());
  CHECK(days_from_now(forecast.by_day.p50) == 10);
  CHECK(days_from_now(forecast.by_day.p95) <= 11);
  CHECK(days_from_now(forecast.by_hour.p50) == 10);
  CHECK(forecast.hours.p50 == 10);
  CHECK(forecast.completed == 400);
  CHECK(forecast.days == 100);
}

TEST_CASE("below five completed tasks or two active days it is too early to say") {
  const Forecast few = forecast_of(3, steady(2, 1), kNow, "seed");
  CHECK(few.missing_tasks == 3);
  CHECK(few.missing_days == 0);
  CHECK(few.is_too_early());
  CHECK_FALSE(few.by_day.p50);

  const Forecast once = forecast_of(3, steady(1, 30), kNow, "seed");
  CHECK(once.missing_tasks == 0);
  CHECK(once.missing_days == 1);

  const Forecast never = forecast_of(3, {}, kNow, "seed");
  CHECK(never.missing_tasks == kLeastCompleted);
  CHECK(never.missing_days == kLeastActiveDays);
}

TEST_CASE("what is done is done now") {
  const Forecast forecast = forecast_of(0, {}, kNow, "seed");
  CHECK_FALSE(forecast.is_too_early());
  CHECK(forecast.by_day == Quantiles<base::Instant>{kNow, kNow, kNow});
  CHECK(forecast.hours == Quantiles<std::int64_t>{0, 0, 0});
}

TEST_CASE("a scope that grows as fast as the work has no end in sight") {
  const Forecast forecast = forecast_of(10, steady(20, 4, 4), kNow, "seed");
  CHECK_FALSE(forecast.by_day.p50);
  CHECK_FALSE(forecast.by_day.p95);
  CHECK_FALSE(forecast.hours.p85);
}

TEST_CASE("a little past gives a wide answer") {
  WorkPast past = steady(3, 4);
  past.days[1] = {0, 0, 0};
  past.hours.pop_back();
  past.active_days = 2;
  const Forecast little = forecast_of(20, past, kNow, "seed");
  WorkPast much = past;
  for (int i = 0; i < 40; ++i) much.days.insert(much.days.end(), past.days.begin(), past.days.end());
  const Forecast sure = forecast_of(20, much, kNow, "seed");
  const auto width = [](const Forecast& forecast) {
    return days_from_now(forecast.by_day.p95) - days_from_now(forecast.by_day.p50);
  };
  CHECK(width(little) > width(sure));
}

TEST_CASE("the same input gives the same answer, and more open tasks never an earlier one") {
  CHECK(rc::check([] {
    WorkPast past;
    const auto done = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-2, 9)));
    for (const int value : done) {
      past.days.push_back({value, *rc::gen::inRange(0, 3), 1});
      past.hours.push_back({value, 0, 1});
    }
    past.completed = 50;
    past.active_days = 5;
    const auto open = *rc::gen::inRange(1, 200);
    const Forecast forecast = forecast_of(open, past, kNow, "a", 200);
    RC_ASSERT(forecast == forecast_of(open, past, kNow, "a", 200));
    const auto day = [](const std::optional<base::Instant>& time) {
      return time ? time->milliseconds : std::numeric_limits<std::int64_t>::max();
    };
    RC_ASSERT(day(forecast.by_day.p50) <= day(forecast.by_day.p85));
    RC_ASSERT(day(forecast.by_day.p85) <= day(forecast.by_day.p95));
    RC_ASSERT(day(forecast.by_day.p50) > kNow.milliseconds);
  }));
}

}  // namespace plankeep::core
