#pragma once
// When the open tasks of a plan may be done (spec 28.2), by drawing the coming days from those of the past,
// many times over. Pure; the same input gives the same answer.
//
//   const Forecast forecast = forecast_of(open, work_past(steps, now), now, plan checksum);
//
// Each of the kRuns futures first draws a past of its own from the days that were seen (a bootstrap), and
// then its days from that past, so the answer is wide where little was seen. Every second one adds an idle
// day to the past. Days are drawn kDaysInARow at a time, since busy days follow busy days. What was added and
// reopened is drawn along with what was done. The forecast by hours draws how many hours of a day are worked
// in, and what is done in each of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/instant.hpp"
#include "rules/forecast/work_past.hpp"

namespace plankeep::core {

inline constexpr int kRuns = 10'000;
inline constexpr std::size_t kDaysInARow = 2;
inline constexpr std::int64_t kLeastCompleted = 5;   // tasks, before anything is said
inline constexpr std::int64_t kLeastActiveDays = 2;  // likewise
inline constexpr int kFarthestDay = 1000;            // futures that take longer have no end in sight

/// In 50, 85 and 95 of 100 futures the work is done by then; nullopt: not within kFarthestDay days.
template <class Value>
struct Quantiles {
  std::optional<Value> p50;
  std::optional<Value> p85;
  std::optional<Value> p95;
  bool operator==(const Quantiles&) const = default;
};

struct Forecast {
  std::int64_t open = 0;
  /// Nothing below is said: too few tasks were completed, or on too few days. What is missing; 0: nothing.
  std::int64_t missing_tasks = 0;
  std::int64_t missing_days = 0;

  std::int64_t completed = 0;       // tasks, that it was made from
  std::int64_t days = 0;            // likewise
  Quantiles<base::Instant> by_day;  // drawn by calendar days
  Quantiles<base::Instant> by_hour;
  Quantiles<std::int64_t> hours;  // of work, in which something was started, completed or reopened

  bool is_too_early() const { return missing_tasks > 0 || missing_days > 0; }
  bool operator==(const Forecast&) const = default;
};

/// `open` of 0 or less: it is done now. `seed`: any text that is the same for the same plan. `runs`: from 1;
/// fewer are faster, and coarser.
Forecast forecast_of(std::int64_t open, const WorkPast& past, base::Instant now, std::string_view seed,
                     int runs = kRuns);

}  // namespace plankeep::core
