#pragma once
// Time from left to right, and round numbers from bottom to top.

#include <cstdint>
#include <string>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::charts {

struct Tick {
  base::Instant time;
  std::string label;  // "15:00", "11-20", "2026-11"
};

class TimeAxis {
 public:
  /// From `from` at `left` to `to` at `right`. A span of no time is taken as an hour.
  TimeAxis(base::Instant from, base::Instant to, double left, double right);

  /// Times outside are put at the nearer end.
  double x(base::Instant time) const;
  base::Instant from() const { return from_; }
  base::Instant to() const { return to_; }

  /// At most `most` (from 2) round moments, UTC, inside the axis.
  std::vector<Tick> ticks(std::size_t most) const;

 private:
  base::Instant from_;
  base::Instant to_;
  double left_;
  double right_;
};

/// 0 and its multiples up to the first that is not below `largest`: at most `most` (from 2) steps of 1, 2 or
/// 5 times a power of ten. 0, 1 where the largest is 0.
std::vector<std::int64_t> round_numbers(std::int64_t largest, std::size_t most);

}  // namespace plankeep::charts
