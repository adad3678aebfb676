#include "charts/time_axis.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace plankeep::charts {
namespace {

using base::kDay;
using base::kHour;
using base::kMinute;

// From minutes to weeks; longer steps go by months.
constexpr std::array kSteps = {kMinute,   5 * kMinute, 15 * kMinute, kHour,    3 * kHour,
                               6 * kHour, 12 * kHour,  kDay,         2 * kDay, 7 * kDay};
constexpr std::array kMonths = {1, 2, 3, 6, 12, 24, 60, 120, 600, 1200};

std::string label(base::Instant time, std::int64_t step) {
  const std::string text = base::to_iso8601(time);  // 2026-11-20T15:43:50.123Z
  if (step < kDay) return time.milliseconds % kDay == 0 ? text.substr(5, 5) : text.substr(11, 5);
  return text.substr(5, 5);
}

std::vector<Tick> monthly(base::Instant from, base::Instant to, int months) {
  using namespace std::chrono;
  std::vector<Tick> ticks;
  const sys_days first{floor<days>(sys_time<milliseconds>(milliseconds(from.milliseconds)))};
  const year_month_day begin{first};
  int month =
      static_cast<int>(begin.year()) * 12 + static_cast<int>(static_cast<unsigned>(begin.month())) - 1;
  month -= month % months;
  for (;; month += months) {
    const year_month_day date{year{month / 12} / (month % 12 + 1) / 1};
    const base::Instant time{sys_days{date}.time_since_epoch().count() * kDay};
    if (time > to) return ticks;
    if (time >= from) ticks.push_back({time, base::to_iso8601(time).substr(0, 7)});
  }
}

}  // namespace

TimeAxis::TimeAxis(base::Instant from, base::Instant to, double left, double right)
    : from_(from),
      to_(to > from ? to : base::Instant{from.milliseconds + kHour}),
      left_(left),
      right_(right) {}

double TimeAxis::x(base::Instant time) const {
  const base::Instant inside = std::clamp(time, from_, to_);
  return left_ + (right_ - left_) * static_cast<double>(inside.milliseconds - from_.milliseconds) /
                     static_cast<double>(to_.milliseconds - from_.milliseconds);
}

std::vector<Tick> TimeAxis::ticks(std::size_t most) const {
  const std::int64_t span = to_.milliseconds - from_.milliseconds;
  const auto limit = static_cast<std::int64_t>(std::max<std::size_t>(most, 2));
  for (const std::int64_t step : kSteps) {
    if (span / step >= limit) continue;
    std::vector<Tick> ticks;
    std::int64_t at = from_.milliseconds / step * step;
    for (; at <= to_.milliseconds; at += step) {
      if (at >= from_.milliseconds) ticks.push_back({{at}, label({at}, step)});
    }
    return ticks;
  }
  for (const int months : kMonths) {
    if (span / (30 * kDay) / months < limit) return monthly(from_, to_, months);
  }
  return {};
}

std::vector<std::int64_t> round_numbers(std::int64_t largest, std::size_t most) {
  const std::int64_t top = std::max<std::int64_t>(largest, 1);
  const auto limit = static_cast<std::int64_t>(std::max<std::size_t>(most, 2));
  std::int64_t power = 1;
  std::int64_t step = 1;
  for (;; power *= 10) {
    bool found = false;
    for (const std::int64_t factor : {1, 2, 5}) {
      step = factor * power;
      if ((top + step - 1) / step <= limit) {
        found = true;
        break;
      }
    }
    if (found) break;
  }
  std::vector<std::int64_t> numbers{0};
  while (numbers.back() < top) numbers.push_back(numbers.back() + step);
  return numbers;
}

}  // namespace plankeep::charts
