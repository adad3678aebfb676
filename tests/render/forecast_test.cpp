#include "render/progress/forecast.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/utf8.hpp"

namespace plankeep::render {
namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
constexpr base::Instant kNow{20'000 * kDay};

Style columns(std::size_t count) {
  Style style;
  style.columns = count;
  return style;
}

base::Instant in_days(std::int64_t days) {
  return {kNow.milliseconds + days * kDay};
}

core::Forecast sample() {
  core::Forecast forecast;
  forecast.open = 12;
  forecast.completed = 28;
  forecast.days = 14;
  forecast.by_day = {in_days(1), in_days(16), std::nullopt};
  forecast.by_hour = {in_days(7), in_days(15), in_days(400)};
  forecast.hours = {9, 14, 1200};
  return forecast;
}

}  // namespace

TEST_CASE("a forecast is a table of three dates, counted in two ways") {
  CHECK(forecast_text(sample(), kNow, columns(80)) ==
        "Forecast  12 open tasks, judged by 28 completed in 14 days\n"
        "  chance  by days                 by hours of work\n"
        "     50%  2024-10-05 (1 day)      2024-10-11, 9 h of work\n"
        "     85%  2024-10-20 (16 days)    2024-10-19, 14 h of work\n"
        "     95%  not in sight            2025-11-08, 1200 h of work\n");
}

TEST_CASE("a forecast fits into forty columns") {
  for (const std::size_t width : {std::size_t{20}, std::size_t{40}, std::size_t{65}}) {
    const std::string text = forecast_text(sample(), kNow, columns(width));
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = text.find('\n', at);
      CHECK(base::display_width(text.substr(at, end - at)) <= std::max(width, kNarrowest));
      at = end + 1;
    }
  }
}

TEST_CASE("where it is too early the missing tasks and days are named") {
  core::Forecast forecast;
  forecast.open = 3;
  forecast.missing_tasks = 1;
  CHECK(forecast_text(forecast, kNow, columns(80)) == "Forecast  too early until 1 more task is completed\n");
  forecast.missing_tasks = 4;
  forecast.missing_days = 1;
  CHECK(forecast_text(forecast, kNow, columns(80)) ==
        "Forecast  too early until 4 more tasks are completed on 1 more day\n");
  forecast.missing_tasks = 0;
  CHECK(forecast_text(forecast, kNow, columns(80)) ==
        "Forecast  too early until a task is completed on 1 more day\n");
}

TEST_CASE("without open tasks there is nothing to forecast") {
  CHECK(forecast_text({}, kNow, columns(80)) == "Forecast  nothing is open\n");
}

}  // namespace plankeep::render
