#include "rules/forecast/forecast.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

namespace plankeep::core {
namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
constexpr int kNever = std::numeric_limits<int>::max();

// FNV-1a: spreads a text over the seed; nothing hangs on its strength.
std::uint64_t seed_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// The standard says what the engine gives, but not what its distributions make of it.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// 0 to n - 1. n is far below 2^32, so the remainder's bias does not show.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() >> 16U) % n; }

 private:
  std::mt19937_64 engine_;
};

// A past of the same length, in rows of days that follow each other in the one that was seen.
void draw_past(const std::vector<WorkSpan>& seen, std::size_t row, Dice& dice, std::vector<WorkSpan>& drawn) {
  drawn.clear();
  while (drawn.size() < seen.size()) {
    const std::size_t start = dice.below(seen.size());
    for (std::size_t i = 0; i < row && drawn.size() < seen.size(); ++i)
      drawn.push_back(seen[(start + i) % seen.size()]);
  }
}

// Days until nothing is open.
int days_needed(std::int64_t open, const std::vector<WorkSpan>& past, Dice& dice) {
  std::size_t at = 0;
  for (std::size_t day = 1; day <= kFarthestDay; ++day) {
    at = day % kDaysInARow == 1 ? dice.below(past.size()) : (at + 1) % past.size();
    open += past[at].added - past[at].done;
    if (open <= 0) return static_cast<int>(day);
  }
  return kNever;
}

struct Needed {
  int days = kNever;
  int hours = kNever;
};

Needed hours_needed(std::int64_t open, const std::vector<WorkSpan>& days, const std::vector<WorkSpan>& hours,
                    Dice& dice) {
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
  std::vector<WorkSpan> days_drawn;
  std::vector<WorkSpan> hours_drawn;
  for (int run = 0; run < runs; ++run) {
    draw_past(run % 2 == 0 ? past.days : with_idle_day, kDaysInARow, dice, days_drawn);
    by_day.push_back(days_needed(open, days_drawn, dice));
    draw_past(past.hours, 1, dice, hours_drawn);
    const Needed needed = hours_needed(open, days_drawn, hours_drawn, dice);
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
