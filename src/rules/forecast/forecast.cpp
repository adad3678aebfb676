#include "rules/forecast/forecast.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace plankeep::core {
namespace {

using base::kDay;
constexpr int kNever = std::numeric_limits<int>::max();

// FNV-1a: spreads a text over the seed; nothing hangs on its strength.
std::uint64_t seed_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// The number-th of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// 2014): the same on every machine, which what the standard's distributions draw is not.
std::uint64_t mixed(std::uint64_t number) {
  number *= 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27U)) * 0x94d049bb133111eb;
  return number ^ (number >> 31U);
}

/// 0 to n - 1. n is far below 2^32, so what the scaling prefers does not show.
std::size_t scaled(std::uint64_t drawn, std::size_t n) {
  return static_cast<std::size_t>(((drawn >> 32U) * n) >> 32U);
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : next_(seed) {}
  std::uint64_t roll() { return mixed(next_++); }
  std::size_t below(std::size_t n) { return scaled(roll(), n); }

 private:
  std::uint64_t next_;
};

// A past of the same length as the one that was seen, in rows of days that follow each other there. A day is
// drawn when it is asked for, always as the same one: a future of a week needs few days of a past of years.
template <std::size_t Row>
class DrawnPast {
 public:
  DrawnPast(const std::vector<WorkSpan>& seen, std::uint64_t key) : seen_(seen), key_(key) {}

  std::size_t size() const { return seen_.size(); }
  std::size_t after(std::size_t at) const { return at + 1 < seen_.size() ? at + 1 : 0; }
  const WorkSpan& operator[](std::size_t at) const {
    std::size_t seen_at = scaled(mixed(key_ + at / Row), seen_.size());
    for (std::size_t step = at % Row; step > 0; --step) seen_at = after(seen_at);
    return seen_[seen_at];
  }

 private:
  const std::vector<WorkSpan>& seen_;
  std::uint64_t key_;
};
using DrawnDays = DrawnPast<kDaysInARow>;
using DrawnHours = DrawnPast<1>;

// Days until nothing is open.
int days_needed(std::int64_t open, const DrawnDays& past, Dice& dice) {
  std::size_t at = 0;
  for (std::size_t day = 1; day <= kFarthestDay; ++day) {
    at = day % kDaysInARow == 1 ? dice.below(past.size()) : past.after(at);
    open += past[at].added - past[at].done;
    if (open <= 0) return static_cast<int>(day);
  }
  return kNever;
}

struct Needed {
  int days = kNever;
  int hours = kNever;
};

Needed hours_needed(std::int64_t open, const DrawnDays& days, const DrawnHours& hours, Dice& dice) {
  int worked = 0;
  for (int day = 1; day <= kFarthestDay; ++day) {
    for (std::int64_t left = days[dice.below(days.size())].active_hours; left > 0; --left) {
      const WorkSpan& hour = hours[dice.below(hours.size())];
      open += hour.added - hour.done;
      ++worked;
      if (open <= 0) return {day, worked};
    }
  }
  return {};
}

std::optional<int> quantile(const std::vector<int>& sorted, int percent) {
  const std::size_t at = (sorted.size() * static_cast<std::size_t>(percent) + 99) / 100 - 1;
  return sorted[at] == kNever ? std::nullopt : std::optional<int>(sorted[at]);
}

Quantiles<int> quantiles(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 50), quantile(values, 85), quantile(values, 95)};
}

Quantiles<base::Instant> dates(const Quantiles<int>& days, base::Instant now) {
  const auto date = [now](std::optional<int> day) {
    return day ? std::optional(base::Instant{now.milliseconds + *day * kDay}) : std::nullopt;
  };
  return {date(days.p50), date(days.p85), date(days.p95)};
}

}  // namespace

Forecast forecast_of(std::int64_t open, const WorkPast& past, base::Instant now, std::string_view seed,
                     int runs) {
  Forecast forecast;
  forecast.open = std::max<std::int64_t>(open, 0);
  forecast.completed = past.completed;
  forecast.days = static_cast<std::int64_t>(past.days.size());
  if (open <= 0) {
    forecast.by_day = forecast.by_hour = {now, now, now};
    forecast.hours = {0, 0, 0};
    return forecast;
  }
  forecast.missing_tasks = std::max<std::int64_t>(0, kLeastCompleted - past.completed);
  forecast.missing_days = std::max<std::int64_t>(0, kLeastActiveDays - past.active_days);
  if (forecast.is_too_early()) return forecast;

  // Nothing that was seen says how often nobody works, least of all in a past of a few days. With this the
  // dates of generated plans hold about as often as they say (tests/rules/forecast/back_test).
  std::vector<WorkSpan> with_idle_day = past.days;
  with_idle_day.insert(with_idle_day.begin(), WorkSpan{});

  Dice dice(seed_of(seed));
  std::vector<int> by_day;
  std::vector<int> by_hour;
  std::vector<int> hours;
  for (int run = 0; run < runs; ++run) {
    const DrawnDays days(run % 2 == 0 ? past.days : with_idle_day, dice.roll());
    by_day.push_back(days_needed(open, days, dice));
    const Needed needed = hours_needed(open, days, DrawnHours(past.hours, dice.roll()), dice);
    by_hour.push_back(needed.days);
    hours.push_back(needed.hours);
  }
  forecast.by_day = dates(quantiles(by_day), now);
  forecast.by_hour = dates(quantiles(by_hour), now);
  const Quantiles<int> worked = quantiles(hours);
  forecast.hours = {worked.p50, worked.p85, worked.p95};
  return forecast;
}

}  // namespace plankeep::core
